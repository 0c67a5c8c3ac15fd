"""Weighted sums that no property has a name for: checked, and held up by multipliers, row by row."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import strategies as st

import optmech as om
from optmech.base.blocks import Bound, Total
from optmech.mechanisms.certificates import certificate_text as text_module
from optmech.mechanisms.certificates.certificate_text import certificate_text, read_certificate_text
from optmech.proofs import matrix_certificate as certificate_module
from optmech.proofs.bound import NotAProofError, proved_bound
from optmech.proofs.enclosure import Enclosure
from optmech.proofs.matrix import ExactMatrix
from optmech.proofs.matrix_certificate import MatrixCertificate
from optmech.proofs.multipliers import Leaf, Rule
from optmech.proofs.violation import violation
from optmech.rules import compile_rules
from tests.proofs.by_hand import cost_of, over_one_denominator, problems, random_private_matrix
from tests.search import search

THREE = Enclosure(Fraction(3), Fraction(3))


def whole(*numbers):
    array = np.empty(len(numbers), dtype=object)
    array[:] = numbers
    return array


def block(kind, rows):
    """Return weighted sums: each row is coefficients by entry, in halves, and a right-hand side."""
    return kind(
        name="half",
        subscripts=np.arange(len(rows))[:, None],
        rows=np.concatenate([[place] * len(row) for place, (row, _) in enumerate(rows)]).astype(np.int64),
        entries=np.concatenate([list(row) for row, _ in rows]).astype(np.int64),
        coefficients=whole(*(value for row, _ in rows for value in row.values())),
        scale=2,
        right=whole(*(Fraction(right) for _, right in rows)),
    )


def asked(kind):
    """Return a count of 0..1 at ln 3 in which 0 is told with probability 1/2, or at most that."""
    rules = compile_rules(om.croft(om.count(1), "ln 3"))
    return replace(rules, demands=(block(kind, [({0: 3}, Fraction(3, 4))]),))


def leaf(y):
    """Return y on M[0,0] = 1/2, and 1/3 on M[0,0] <= 3 M[0,1], over a denominator of 9.

    The cost M[1,0] + M[0,1] becomes (1/3 + 3/2 y) M[0,0] + M[1,0] - 3/4 y. With y = 4/9 the column of 0 is
    worth 1, and the bound is 1 - 1/3.
    """
    return Leaf(
        rules={"privacy": Rule(places=np.array([[0, 0, 1]]), weights=whole(3))},
        sums=whole(y),
        denominator=9,
    )


@pytest.mark.parametrize("kind", [Total, Bound])
def test_a_bound_with_a_further_sum_worked_out_by_hand(kind):
    assert proved_bound(asked(kind), leaf(4), THREE) == Fraction(2, 3)
    assert proved_bound(asked(kind), leaf(0), THREE) == Fraction(1, 3)


def test_a_sum_that_is_at_most_a_number_has_no_negative_multiplier():
    assert proved_bound(asked(Total), leaf(-1), THREE) < Fraction(1, 3)
    with pytest.raises(NotAProofError, match="is negative"):
        proved_bound(asked(Bound), leaf(-1), THREE)


@pytest.mark.parametrize("sums", [whole(1, 1), whole()])
def test_multipliers_of_other_sums_than_there_are_prove_nothing(sums):
    with pytest.raises(NotAProofError, match="must have"):
        proved_bound(asked(Total), replace(leaf(0), sums=sums), THREE)
    plain = compile_rules(om.croft(om.count(1), "ln 3"))
    with pytest.raises(NotAProofError, match="must have"):
        proved_bound(plain, replace(leaf(0), sums=whole(1)), THREE)


def test_a_broken_sum_is_named():
    for entry, kinds in ((3, ()), (4, (Total, Bound)), (2, (Total,))):
        matrix = ExactMatrix(numerators=[[entry, 2], [6 - entry, 4]], denominator=6)
        for kind in (Total, Bound):
            broken_rule = violation(asked(kind), matrix, THREE)
            assert (broken_rule is None) is (kind not in kinds)
            assert broken_rule is None or "row 0 of half" in broken_rule


def test_multipliers_of_sums_stand_in_the_certificate_where_there_are_any():
    problem = om.croft(om.count(1), "ln 3")
    matrix = ExactMatrix(numerators=[[3, 1], [3, 5]], denominator=6)
    compiled = {"return_value": asked(Total)}
    with (
        mock.patch.object(certificate_module, "compile_rules", **compiled),
        mock.patch.object(text_module, "compile_rules", **compiled),
    ):
        summed = MatrixCertificate(problem=problem, factor=THREE, matrix=matrix, proof=leaf(4))
        assert summed.bound == summed.objective == Fraction(2, 3)
        text = certificate_text(summed)
        assert json.loads(text)["proof"]["tree"]["rules"] == {"own": "4"}
        assert certificate_text(read_certificate_text(text)) == text
        for other in ('"own": "5"', '"own": "4 0"', '"own": ""', '"own": "0"'):
            with pytest.raises((om.VerificationError, om.FileFormatError)):
                read_certificate_text(text.replace('"own": "4"', other))
        without = MatrixCertificate(problem=problem, factor=THREE, matrix=matrix, proof=leaf(0))
        assert '"own"' not in certificate_text(without)
    with pytest.raises(om.FileFormatError, match="must have all its parts"):
        read_certificate_text(text)


@search(60, problems(), st.randoms(use_true_random=False))
def test_no_multipliers_of_sums_prove_more_than_a_mechanism_that_keeps_them_costs(problem, rng):
    problem = replace(problem, properties=frozenset())
    rules = compile_rules(problem)
    entries = random_private_matrix(problem, rng)
    flat = [entry for row in entries for entry in row]
    demands, multipliers = [], []
    for kind in (Total, Bound):
        rows = []
        for _ in range(3):
            row = {rng.randrange(len(flat)): rng.randint(-4, 4) for _ in range(4)}
            right = sum(Fraction(value, 2) * flat[entry] for entry, value in row.items())
            rows.append((row, right + (Fraction(rng.randint(0, 1), 8) if kind is Bound else 0)))
        demands.append(block(kind, rows))
        least = 0 if kind is Bound else -64
        multipliers.append(whole(*(rng.randint(least, 64) for _ in rows)))
    rules = replace(rules, demands=tuple(demands))
    numerators, denominator = over_one_denominator(entries)
    factor = Enclosure(Fraction(10**20), Fraction(10**20))  # above all that are drawn
    assert violation(rules, ExactMatrix(numerators=numerators, denominator=denominator), factor) is None
    proof = Leaf(sums=np.concatenate(multipliers), denominator=16)
    assert proved_bound(rules, proof, factor) <= cost_of(problem, entries)
