"""Each heading of an estimate keeps its promise, for each kind of row: all responses are enumerated."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod, sqrt

import pyarrow as pa
import pytest

import optmech as om
from optmech.release.estimates.estimate import estimate
from optmech.release.estimates.rows import EstimateKind
from optmech.release.tables.column_of_source import column_mechanism

LEVEL = Fraction(9, 10)
GROUPS = ("a", "a", "b")
DIFFERENCE = "a - b"


def all_estimates(certificate, **asked):
    """Return the estimates from each possible release of three rows in two groups."""
    names = certificate.problem.query.labels or tuple(
        map(int, column_mechanism(certificate).mechanism.responses)
    )
    found = {}
    for released in product(names, repeat=len(GROUPS)):
        frame = pa.table({"group": list(GROUPS), "n": list(released)})
        rows = estimate(
            frame, certificate, column="n", group="group", level=LEVEL, difference=[("a", "b")], **asked
        ).rows
        found[released] = {(row.kind, row.group, row.name): row for row in rows}
    return found


def truths_of(certificate, labelled):
    """Return all true answers of three rows, each with the true value of each row of estimates."""
    labels = certificate.problem.query.labels
    names = labels or tuple(map(int, certificate.problem.query.truths))
    for truth in product(names, repeat=len(GROUPS)):
        yield truth, (_shares(truth, names) if labelled else {}) | ({} if labels else _numbers(truth))


def _numbers(truth):
    a, b = truth[0] + truth[1], truth[2]
    values = {(EstimateKind.SUM, "", "all"): a + b, (EstimateKind.DIFFERENCE, DIFFERENCE, DIFFERENCE): a - b}
    for group, own in (("a", a), ("b", b)):
        values[EstimateKind.SUM, group, group] = own
        values[EstimateKind.SHARE_OF_TOTAL, group, group] = Fraction(own, a + b) if a + b else Fraction(0)
        values[EstimateKind.MEAN, group, "mean"] = Fraction(own, GROUPS.count(group))
    return {**values, **{(EstimateKind.CELL, group, i): truth[i] for i, group in enumerate(GROUPS)}}


def _shares(truth, names):
    values = {}
    for name in map(str, names):
        of = {
            group: Fraction(
                sum(str(t) == name for t, g in zip(truth, GROUPS, strict=True) if g == group),
                GROUPS.count(group),
            )
            for group in ("a", "b")
        }
        values |= {(EstimateKind.SHARE, group, name): share for group, share in of.items()}
        values[EstimateKind.DIFFERENCE, DIFFERENCE, name] = of["a"] - of["b"]
    return values


def _row(rows, key):
    """Return the row of a key; cells are named by their position among all."""
    if key[0] is not EstimateKind.CELL:
        return rows.get(key)
    cells = [row for row in rows.values() if row.kind is EstimateKind.CELL]
    return cells[key[2]] if cells else None


@pytest.fixture(
    scope="module",
    params=["numbers", pytest.param("shares of numbers", marks=pytest.mark.slow), "shares of labels"],
)
def enumerated(request):
    """The law of a row, all estimates, whether they are shares, and all truths with the true values."""
    labelled = request.param != "numbers"
    if request.param == "shares of labels":
        question = om.question(om.categories(["x", "y", "z"]), 1, loss="zero-one")
    else:
        question = om.question(om.count(2), 1)
    certificate = om.design(question).certificate
    asked = {"shares": True} if request.param == "shares of numbers" else {}
    return certificate, all_estimates(certificate, **asked), list(truths_of(certificate, labelled))


def test_every_heading_keeps_its_promise_in_every_kind_of_row(enumerated):
    certificate, found, truths = enumerated
    law = column_mechanism(certificate).mechanism

    def chance(released, truth):
        return prod((law.probability(r, t) for r, t in zip(released, truth, strict=True)), start=Fraction(1))

    seen = set()
    for truth, values in truths:
        chances = {released: chance(released, truth) for released in found}
        for key, value in values.items():
            rows = {released: _row(rows, key) for released, rows in found.items()}
            if None in rows.values():
                continue
            seen.add(key[0])
            estimates = {row.estimate for row in rows.values()}
            if None not in estimates:  # "unbiased": the mean is the true value, exactly
                assert sum(chances[at] * row.estimate for at, row in rows.items()) == value, key
            else:
                assert estimates == {None}, key
            assert (key[0] is EstimateKind.SHARE_OF_TOTAL) == (estimates == {None}), key
            if key[0] is not EstimateKind.SHARE_OF_TOTAL:
                assert {row.ratio for row in rows.values()} == {None}, key
            held = sum(chances[at] for at, row in rows.items() if row.low <= value <= row.high)
            assert held >= LEVEL, (key, float(held))  # "limits"
    assert seen == {key[0] for _, values in truths for key in values if _row(next(iter(found.values())), key)}
    for key in {key for _, values in truths for key in values}:
        for released, rows in found.items():
            row = _row(rows, key)
            if row is None:
                continue
            if key[0] is EstimateKind.CELL:
                _check_cell(law, row, released[key[2]], found, key)


def _check_cell(law, row, released, found, key):
    """Hold the likeliest value, the posterior and the standard error of a cell to what they are."""
    chances = {truth: law.probability(released, truth) for truth in law.truths}
    likeliest = tuple(truth for truth, chance in chances.items() if chance == max(chances.values()))
    assert row.most_likely == likeliest
    total = sum(chances.values())
    assert row.posterior_mean == pytest.approx(float(sum(t * c for t, c in chances.items()) / total))
    of_response = {at[key[2]]: _row(rows, key).estimate for at, rows in found.items()}
    variances = [
        sum(law.probability(r, truth) * (g - truth) ** 2 for r, g in of_response.items())
        for truth in likeliest
    ]
    assert row.standard_error == pytest.approx(sqrt(max(variances)))


def test_a_standard_error_of_shares_lies_between_those_that_there_are(enumerated):
    certificate, found, _ = enumerated
    law = column_mechanism(certificate).mechanism
    names = law.labels or law.truths
    for key in {key for rows in found.values() for key in rows if key[0] is EstimateKind.SHARE}:
        people = GROUPS.count(key[1])
        answer = next(name for name in names if str(name) == key[2])
        # The mean over one person's row: the estimate from a group in which all released the same.
        alone = {name: _alone(found, key, name) for name in (law.labels or law.responses)}
        variances = [
            sum(law.probability(r, truth) * (g - (truth == answer)) ** 2 for r, g in alone.items()) / people
            for truth in names
        ]
        low, high = sqrt(min(variances)), sqrt(max(variances))
        for rows in found.values():
            assert low * (1 - 1e-9) <= rows[key].standard_error <= high * (1 + 1e-9)


def _alone(found, key, name):
    released = name if isinstance(name, str) else int(name)
    return found[released, released, released][key].estimate
