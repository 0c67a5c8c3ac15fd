"""Every number of a card is what its matrix says, computed here another way."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from hashlib import sha256

import jsonschema
import numpy as np
import pytest

import optmech as om
from optmech.analysis.composition import privacy_curve
from optmech.base.provenance import Provenance
from optmech.mechanisms.certificates.certificate_text import certificate_text, read_certificate_text
from optmech.proofs.matrix import ExactMatrix
from optmech.question.content import question_of
from optmech.question.schema import question_schema
from optmech.reports.card import card_json, card_markdown, card_of, schema
from optmech.reports.card.number import Number
from tests.each import each
from tests.path import distribution
from tests.reports.card.card_instances import FIRST, FURTHER, INSTANCES, certificate_of

REST = [pytest.param(name, marks=pytest.mark.slow) for name in INSTANCES if name not in FIRST]
NAMES = [*FIRST, *FURTHER, *REST]
# Sums of a few hundred doubles.
ROUNDING = 1e-9


def columns_of(certificate):
    """Return the columns of a certified matrix, as fractions."""
    matrix = certificate.matrix
    return [[Fraction(int(entry), matrix.denominator) for entry in column] for column in matrix.numerators.T]


def both_ways(query):
    weights = {tuple(pair): weight for pair, weight in zip(query.pairs.tolist(), query.weights, strict=True)}
    for (left, right), weight in list(weights.items()):
        weights[right, left] = min(weight, weights.get((right, left), weight))
    return weights


@each("name", NAMES, every=3, slow_every=3)
def test_a_card_keeps_its_schema_and_its_bytes(name):
    certificate = certificate_of(name)
    text = card_json(card_of(certificate))
    jsonschema.Draft202012Validator(schema()).validate(json.loads(text))
    assert text == card_json(card_of(certificate))
    assert card_markdown(card_of(certificate)).startswith("# Mechanism card: ")


@each("name", NAMES, every=2)
def test_a_card_states_its_question_as_a_table_that_gives_the_problem_back(name):
    problem = certificate_of(name).problem
    table = json.loads(card_json(card_of(certificate_of(name))))["question"]
    jsonschema.Draft202012Validator(question_schema()).validate(table)
    again = om.Problem.from_dict(table)
    assert question_of(again) == question_of(problem)
    assert again.to_dict() == problem.to_dict() == table


@each("name", NAMES)
def test_the_errors_are_those_of_the_columns(name):
    certificate = certificate_of(name)
    query, errors = certificate.problem.query, card_of(certificate).errors
    columns = columns_of(certificate)
    correct = [column[home] for column, home in zip(columns, query.home.tolist(), strict=True)]
    assert Fraction(errors.truth_probability.exact) == sum(correct) / len(correct)
    assert Fraction(errors.truth_probability_least.exact) == min(correct)
    if query.labels:
        assert errors.mean is errors.bias is None
        return
    circular = query.name.startswith("residues")
    means, squares, biases, tails = [], [], [], []
    for truth, column in zip(query.truths, columns, strict=True):
        signed = [response.midpoint - truth for response in query.responses]
        sizes = [abs(error) for error in signed]
        if circular:
            sizes = [min(size, query.num_truths - size) for size in sizes]
        means.append(sum(p * size for p, size in zip(column, sizes, strict=True)))
        squares.append(sum(p * size**2 for p, size in zip(column, sizes, strict=True)))
        biases.append(sum(p * error for p, error in zip(column, signed, strict=True)))
        tails.append(list(zip(sizes, column, strict=True)))
    assert Fraction(errors.mean.exact) == sum(means) / len(means)
    assert Fraction(errors.worst_mean.exact) == max(means)
    assert math.isclose(errors.root_mean_square.value, math.sqrt(sum(squares) / len(squares)))
    if circular:
        assert errors.bias is None
    else:
        assert abs(Fraction(errors.bias.exact)) == max(map(abs, biases))
    for quantile in errors.quantiles:
        error = Fraction(quantile.error.exact)
        share = Fraction(quantile.percent, 100)
        assert all(sum(p for size, p in tail if size <= error) >= share for tail in tails)
        assert any(sum(p for size, p in tail if size < error) < share for tail in tails)


@each("name", NAMES, every=2, slow_every=2)
def test_what_it_spends_is_what_the_columns_spend(name):
    certificate = certificate_of(name)
    privacy = card_of(certificate).privacy
    columns, factor = columns_of(certificate), certificate.factor.lower
    pairs = both_ways(certificate.problem.query)
    whole = max(
        sum(
            max(Fraction(0), p - factor ** int(weight) * q)
            for p, q in zip(columns[f], columns[g], strict=True)
        )
        for (f, g), weight in pairs.items()
    )
    stated_delta = Fraction(privacy.delta_of_sets.exact)  # in thirty digits, rounded up
    assert whole <= stated_delta <= whole * (1 + Fraction(1, 10**15))
    assert Fraction(privacy.delta.exact) == certificate.delta
    needed = max(
        (math.inf if q == 0 else math.log(p / q) / int(weight))
        for (f, g), weight in pairs.items()
        for p, q in zip(columns[f], columns[g], strict=True)
        if p
    )
    assert math.isclose(privacy.effective_epsilon.value, max(needed, 0.0), abs_tol=ROUNDING)
    assert math.isclose(privacy.odds.value, math.exp(float(certificate.problem.privacy.epsilon)))
    assert privacy.pairs == len(certificate.problem.query.pairs)
    assert privacy.keeps
    assert privacy.holds


@pytest.mark.parametrize("name", [name for name in FIRST if name.split("/")[0] in ("kadam", "sadeghi")])
def test_delta_over_all_sets_is_the_exact_curve(name):
    certificate = certificate_of(name)
    if certificate.problem.query.symmetric:
        curve = privacy_curve(certificate)
        card = card_of(certificate)
        at = certificate.problem.privacy.epsilon
        assert math.isclose(card.privacy.delta_of_sets.value, curve.delta(at), rel_tol=ROUNDING)


@each("name", NAMES, every=3, slow_every=3)
def test_what_it_proves_and_where_it_comes_from_is_the_certificate(name, tmp_path):
    certificate = certificate_of(name)
    card = card_of(certificate)
    assert Fraction(card.proof.objective.exact) == certificate.objective
    if certificate.bound is None:
        assert card.proof.bound is None or card.proof.bound.provenance is Provenance.CLAIMED
    else:
        assert Fraction(card.proof.bound.exact) == certificate.bound
        assert Fraction(card.proof.gap.exact) == certificate.gap
    assert card.mechanism.sha256 == certificate.matrix.sha256()
    assert int(card.mechanism.denominator) == certificate.matrix.denominator
    path = tmp_path / "mechanism.certificate.json"
    om.write_certificate(certificate, path)
    assert card.origin.certificate_sha256 == sha256(path.read_bytes()).hexdigest()
    assert card_json(card_of(om.read_certificate(path))) == card_json(card)


def numbers_in(thing):
    if isinstance(thing, Number):
        yield thing
    elif isinstance(thing, tuple):
        for part in thing:
            yield from numbers_in(part)
    elif hasattr(thing, "__dataclass_fields__"):
        for field in thing.__dataclass_fields__:
            yield from numbers_in(getattr(thing, field))


def test_of_doubles_nothing_is_proved_and_the_numbers_are_the_same():
    problem = om.question(om.count(4), "ln 2", delta="0.05")
    design = om.design(problem)
    proved = card_of(design.certificate)
    doubles = om.MatrixMechanism(matrix=design.mechanism.matrix, responses=range(5), truths=range(5))
    recomputed = card_of(doubles, problem)
    assert not recomputed.certified
    assert recomputed.privacy.keeps
    assert {number.provenance for number in numbers_in(recomputed)} == {Provenance.RECOMPUTED}
    for ours, theirs in (
        (proved.errors, recomputed.errors),
        (proved.privacy, recomputed.privacy),
    ):
        for mine, other in zip(numbers_in(ours), numbers_in(theirs), strict=True):
            assert math.isclose(mine.value, other.value, rel_tol=ROUNDING, abs_tol=ROUNDING)
    jsonschema.Draft202012Validator(schema()).validate(json.loads(card_json(recomputed)))


def test_a_mechanism_that_is_not_private_says_so_first():
    truth = om.MatrixMechanism(matrix=[[1, 0], [0, 1]], responses=(0, 1), truths=(0, 1))
    card = card_of(truth, om.croft(om.count(1), "0.5"))
    assert not card.privacy.keeps
    assert card.privacy.effective_epsilon.value == math.inf
    page = card_markdown(card)
    assert "**It violates the required privacy.**" in page.splitlines()[2]
    assert "No: this mechanism violates what is required." in page
    assert json.loads(card_json(card))["privacy"]["effective_epsilon"]["value"] == "inf"


def test_what_is_said_of_a_mechanism_must_fit_it():
    answer = om.MatrixMechanism(matrix=[[0.5, 0.5], [0.5, 0.5]], responses=(0, 1), truths=(0, 1))
    with pytest.raises(om.ProblemError, match="`problem` must have the truths and responses"):
        card_of(answer, om.croft(om.count(5), "0.5"))
    with pytest.raises(om.ProblemError, match="`problem` must be given"):
        card_of(answer)
    design = om.design(om.croft(om.count(1), "0.5"))
    with pytest.raises(om.ProblemError, match="must be left out with a certificate"):
        card_of(design.certificate, design.problem)
    with pytest.raises(om.ProblemError, match="must be a design, a certificate or a mechanism; got 3"):
        card_of(3)


@pytest.mark.slow
def test_a_distribution_has_a_card_with_its_proof():
    certificate = distribution(20_000, "0.5")
    law = certificate.certificate
    card = card_of(law)
    jsonschema.Draft202012Validator(schema()).validate(json.loads(card_json(card)))
    assert Fraction(card.proof.objective.exact) == law.objective
    assert Fraction(card.errors.mean.exact) == law.objective / 20_001
    assert math.isclose(card.privacy.effective_epsilon.value, 0.5)
    middle = certificate.column(10_000) @ abs(np.arange(20_001) - 10_000)
    assert math.isclose(card.errors.mean.value, middle, rel_tol=1e-3)


@each("epsilon", ["50", "600"])
def test_a_distribution_that_errs_hardly_ever_is_not_said_to_be_certain(epsilon):
    text = card_markdown(card_of(distribution(500, epsilon).certificate))
    for which in ("over all of them alike", "at least"):
        assert f"| probability of the true answer, {which} | more than 99.99 %, recomputed |" in text
    assert "100 %, recomputed" not in text


def test_names_and_labels_cannot_write_markup():
    query = om.categories(["<script>alert(1)</script>", "a|b", "[x](y) *z* `w`"])
    page = card_markdown(card_of(om.design(om.question(query, 1, loss="zero-one")).certificate))
    assert "<script>" not in page
    assert r"a\|b" in page
    assert "](y)" not in page.replace(r"\](y)", "")


def test_what_a_maker_wrote_down_cannot_break_a_card():
    query = om.Query(range(3), name="\u202e<b>\n# A heading\n" + "9" * 10_000)
    hostile = json.loads(certificate_text(om.design(om.question(query, 1), engine="rays").certificate))
    hostile["reported"]["made_by"] = {"engine": "\x1b[31m|<img src=x>"}
    hostile["reported"]["claimed_bounds"] = {"solver": "not a number"}
    card = card_of(read_certificate_text(json.dumps(hostile)))
    content = card_json(card)
    content.encode("utf-8")
    jsonschema.Draft202012Validator(schema()).validate(json.loads(content))
    page = card_markdown(card)
    page.encode("utf-8")
    assert not set(page) & set("\u202e\x1b")
    assert "\n# A heading" not in page
    assert "<img" not in page.replace(r"\<img", "")


@pytest.mark.parametrize("place", [("question", "query", "name"), ("reported", "made_by", "engine")])
def test_half_of_a_surrogate_pair_is_refused_in_a_sentence(place):
    query = om.Query(range(3), name="mine")
    hostile = json.loads(certificate_text(om.design(om.question(query, 1), engine="rays").certificate))
    *path, last = place
    part = hostile
    for name in path:
        part = part[name]
    part[last] = "\ud800"
    with pytest.raises(om.FileFormatError, match="lone surrogate"):
        read_certificate_text(json.dumps(hostile))


@pytest.mark.slow
def test_a_delta_far_below_every_double_is_told_exactly():
    noise = om.sadeghi_symmetric(40, "0.999", 64)
    problem = om.question(noise.query, 40, structure=om.SymmetricNoise(64, "0.999"), least="delta")
    card = card_of(om.design(problem).certificate)
    assert 0 < Fraction(card.privacy.delta.exact) < Fraction(1, 10**1000)
    assert Fraction(card.privacy.delta_of_sets.exact) == Fraction(card.privacy.delta.exact)
    jsonschema.Draft202012Validator(schema()).validate(json.loads(card_json(card)))


def test_whole_numbers_without_a_certificate_prove_nothing():
    tell_truth = om.MatrixMechanism(
        matrix=np.eye(3),
        responses=range(3),
        truths=range(3),
        exact=ExactMatrix(numerators=np.eye(3, dtype=int).astype(object), denominator=1),
    )
    card = card_of(tell_truth, om.croft(om.count(2), 1))
    assert not card.certified
    assert not card.privacy.keeps
    assert "proved" not in {*map(str, (card.privacy.epsilon.provenance, card.errors.mean.provenance))}
    assert "**Nothing is proved of this mechanism.**" in card_markdown(card)


def test_a_delta_is_never_rounded_down():
    certificate = om.design(om.kadam_least_delta(om.residues(7, [1, 2]), 1, at_most="0.4")).certificate
    assert certificate.delta > Fraction(6, 10)
    assert "δ = 0.6," not in card_markdown(card_of(certificate))
    assert certificate.delta <= Fraction(card_of(certificate).privacy.delta.at_most(12, 24))


def test_what_is_joined_by_no_steps_is_said_to_be_unprotected():
    apart = om.question(om.Query(range(4), neighbours=[(0, 1), (2, 3)]), 1)
    text = " ".join(card_of(om.design(apart).certificate).caveats)
    assert "fall apart into 2 groups: nothing is protected between them" in text
    joined = " ".join(card_of(om.design(om.question(om.count(3), 1, delta="0.1")).certificate).caveats)
    assert "fall apart" not in joined
    assert "twice the epsilon and more than twice the delta" in joined


def test_a_card_says_how_anyone_checks_it_with_its_matrix_if_it_has_one():
    command = "python check_certificate.py CERTIFICATE.json"
    for largest, checker in ((3, f"{command} MECHANISM.csv"), (2000, command)):
        certificate = om.design(om.croft(om.count(largest), 1)).certificate
        assert om.card_of(certificate).proof.checker == checker
