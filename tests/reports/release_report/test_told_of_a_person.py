"""No guess about a person is righter than the page says: each kind of question, in one row and in two."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from tempfile import mkdtemp

import pyarrow as pa
import pyarrow.csv
import pytest

import optmech as om
from optmech.question.kinds import KINDS
from optmech.reports.release_report import Description, facts_of_release

PRESENCE, RECORDS, ANSWERS = (
    "whether a certain person is",
    "which of two records",
    "two neighbouring true answers",
)


def near(most):
    """Two answers that a record changes by at most so much."""
    return lambda truth, other: abs(truth - other) <= most


def anywhere(_truth, _other):
    return True


# The question, the answers that a record there or not leads to, and those that another record leads to: an
# oracle apart from the program. ``None``: it may not come or go, or nothing is known of its changes.
CASES = {
    "count": (lambda: om.count(3), near(1), near(1)),
    "count of several": (lambda: om.count(3, records_per_person=2), near(2), near(2)),
    "extremum": (lambda: om.extremum(1, 4), anywhere, anywhere),
    "mean": (lambda: om.mean(2, 2), None, near(1)),
    "total": (lambda: om.total(2, 2), None, near(2)),
    "total, come and go": (lambda: om.total(2, 2, adjacency="add-remove"), near(2), near(2)),
    "total of both signs": (lambda: om.total(2, 2, smallest=-1, adjacency="add-remove"), near(2), near(3)),
    "categories": (lambda: om.categories(["x", "y", "z"]), None, anywhere),
    "residues": (lambda: om.residues(5, [1]), None, None),
    "vector": (lambda: om.vector([2, 2], [[0, 1], [1, 0]]), None, None),
    "graph": (lambda: om.Query(range(3), neighbours=[(0, 1), (1, 2)]), None, None),
}


def told(folder, releases):
    """Return the largest certainty that the page tells of each doubt, of releases of tables."""
    logs, folder = [], Path(mkdtemp(dir=folder))
    for number, (certificate, rows) in enumerate(releases):
        truths = certificate.problem.query.labels or list(map(str, certificate.problem.query.truths))
        table = pa.table({"key": ["a", "b"][:rows], "n": truths[:rows]})
        pyarrow.csv.write_csv(table, folder / f"t{number}.csv")
        done = om.release_table(
            certificate, folder / f"t{number}.csv", folder / f"r{number}.csv", column="n", data="d"
        )
        om.write_certificate(certificate, folder / f"{number}.certificate.json")
        logs.append(done.log_path)
    facts = facts_of_release(Description(title="t", data="d"), logs, {}, [folder])
    found = {}
    for sentence in (facts.sentence, facts.sentence_of_a_change):
        for doubt in (PRESENCE, RECORDS, ANSWERS):
            if doubt in sentence:
                found[doubt] = Fraction(re.findall(r"at most ([0-9.]+) %", sentence)[-1]) / 100
    return found


def losses(certificate, may_be):
    """Return the largest ratio of probabilities between two answers that a record can lead to."""
    exact, query = certificate.exact.numerators, certificate.problem.query
    numbers = query.truths
    pairs = [
        (one, two)
        for one in range(query.num_truths)
        for two in range(query.num_truths)
        if one != two and may_be(numbers[one], numbers[two])
    ]
    return max(
        (Fraction(row[one], row[two]) for row in exact.tolist() for one, two in pairs if row[two]),
        default=Fraction(1),
    )


@pytest.fixture(scope="module")
def certificates():
    return {name: om.design(om.question(make(), 1)).certificate for name, (make, _, _) in CASES.items()}


def test_every_kind_is_tried():
    kinds = {make().kind for make, _, _ in CASES.values()}
    assert kinds | {"custom", "graph"} == set(KINDS)


@pytest.mark.parametrize("rows", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_no_guess_about_a_person_is_righter_than_the_page_says(tmp_path, certificates, rows):
    for name, certificate in certificates.items():
        _, presence, change = CASES[name]
        found = told(tmp_path, [(certificate, rows)])
        assert (PRESENCE in found) == (presence is not None), name
        assert (RECORDS in found) == (change is not None), name
        assert found, name
        if presence is not None:
            _check(name, losses(certificate, presence), found[PRESENCE])
        if change is not None:
            loss = losses(certificate, change)
            if rows == 2 and presence is not None:  # it leaves one row and enters another
                loss = max(loss, losses(certificate, presence) ** 2)
            _check(name, loss, found[RECORDS])
        else:
            assert ANSWERS in found, name


@pytest.mark.slow
def test_releases_of_several_kinds_are_told_together(tmp_path, certificates):
    for first in ("count", "total, come and go", "mean", "categories"):
        for second in ("categories", "count", "mean"):
            names = first, second
            found = told(tmp_path, [(certificates[name], 2) for name in names])
            loss, apart = Fraction(1), Fraction(1)
            for name in names:
                _, presence, change = CASES[name]
                once = losses(certificates[name], change)
                moved = losses(certificates[name], presence) ** 2 if presence is not None else Fraction(1)
                loss *= max(once, moved)
                apart *= Fraction(1) if presence is None else losses(certificates[name], presence)
            _check(names, loss, found[RECORDS])
            assert (PRESENCE in found) == all(CASES[name][1] is not None for name in names)
            if PRESENCE in found:
                _check(names, apart, found[PRESENCE])


def _check(name, loss, most):
    assert loss / (1 + loss) <= most, (name, float(loss / (1 + loss)), float(most))
