"""Names of rules, columns and rows are for people: without them the same bound is proved."""

from __future__ import annotations

import itertools
from contextlib import contextmanager

import pytest

import optmech as om
from optmech.base.blocks import Bound, Limit, Order, Tie, Total
from optmech.models.formulations.assemble import assemble
from optmech.models.linear_model import Block
from optmech.question.structures.structure import Columns, Comparisons
from tests.each import each

NAMED = (Tie, Limit, Order, Total, Bound, Comparisons, Columns, Block)
WIDE = om.Query([0, 1, 2], [-3, "-1/2", 1, 3, 5])
NEVER = om.LinearRule("never", {(3, 1): 1}, "=", 0)
SELDOM = om.LinearRule("seldom", {(0, 3): 2, (1, 3): 1}, "<=", "0.3")
PAIRS = [("0.5", "0.01"), (2, 0)]

QUESTIONS = {
    "plain": om.croft(om.count(4), "0.5"),
    "reduced": om.croft(om.count(6), "0.5", variant=2),
    "honest": om.question(om.count(3), "0.5", properties=["column-honest", "row-honest"]),
    "monotone": om.question(om.count(3), 1, properties=["column-monotone", "row-monotone"]),
    "unbiased": om.question(WIDE, 1, loss="squared", properties=["unbiased"]),
    "rules": om.question(om.count(3), 1, rules=[SELDOM, NEVER, SELDOM]),
    "unbiased, with rules": om.question(
        WIDE,
        1,
        loss="squared",
        properties=["unbiased"],
        rules=[om.LinearRule("few", {(0, 0): 1}, "<=", "0.1")],
    ),
    "zero stays zero": om.question(om.count(3), 1, delta="0.1", properties=["zero-stays-zero", "row-honest"]),
    "several privacies": om.question(om.count(3), privacy=PAIRS, properties=["row-honest"], rules=[SELDOM]),
    "worst case": om.question(
        om.count(3), "1/3", worst_case=True, loss="beyond 1", properties=["row-honest"]
    ),
    "bounds": om.question(
        om.count(3), 1, bounds=["worst beyond 1 <= 0.1", "mean squared <= 1", "worst squared <= 2"]
    ),
    "categories": om.question(
        om.categories("abc"), 1, loss="zero-one", delta="0.1", properties=["row-honest"]
    ),
    "limits": om.question(om.count(3), 1, delta="0.2", properties=["accuracy >= 0.4", "within 2"]),
    "least delta": om.question(om.count(3), "0.5", least="delta", bounds=["worst zero-one <= 0.5"]),
    "single responses": om.question(om.count(3), "0.5", delta="0.05", definition="per-outcome"),
    "by cases": om.kadam(om.residues(5, [1, 2]), "1.5", "0.1"),
    "by cases, any matrix": om.question(om.count(2), "0.5", delta="0.1", definition="probabilistic"),
    "least delta by cases": om.kadam_least_delta(om.residues(5, [1]), "1", at_most="0.4"),
    "zero-bias": om.sadeghi("1", "0.5", 2, counts=(1, 3)),
    "symmetric": om.sadeghi_symmetric("1", "0.5", 2),
}


@contextmanager
def other_names():
    """Call everything that is made meanwhile by a name that says nothing and that nothing else has."""
    numbers = itertools.count()
    with pytest.MonkeyPatch.context() as patch:
        for kind in NAMED:
            patch.setattr(kind, "__init__", _renaming(kind.__init__, numbers))
        yield


def _renaming(make, numbers):
    def renamed(self, **parts):
        make(self, **{**parts, "name": f"n{next(numbers)}"})

    return renamed


@each("name", QUESTIONS, every=6, slow_every=2)
def test_without_names_the_same_bound_is_proved(name):
    problem = QUESTIONS[name]
    named = om.design(problem, engine="program").certificate
    with other_names():
        unnamed = om.design(problem, engine="program").certificate
    assert unnamed.bound == named.bound
    assert unnamed.objective == named.objective
    assert 0 <= named.gap <= 1e-6


def test_nothing_has_its_name():
    """Else the test above sees nothing."""
    problem = QUESTIONS["unbiased, with rules"]
    names = {*assemble(problem).model.row_names(), *assemble(problem).model.column_names()}
    with other_names():
        model = assemble(problem).model
    assert not names & {*model.row_names(), *model.column_names()}
