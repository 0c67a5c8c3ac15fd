"""A question with an unknown notion is refused when it is made: nothing is designed or proved of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

import optmech as om
from optmech.question.properties import FAIR
from tests.each import each

KNOWN = om.question(om.count(3), 1, delta="0.0001", bounds="worst beyond 1 <= 0.9", properties="within 3")
LEAST = om.sadeghi_symmetric(1, "0.5", 2)


def subclass(of, **members):
    return type(f"My{type(of).__name__}", (type(of),), {"__slots__": (), **members})


def like(of):
    """Make an equal of a subclass, as nobody's rules know it."""
    kind = subclass(of)
    copy = object.__new__(kind)
    for name in of.__dataclass_fields__:
        object.__setattr__(copy, name, getattr(of, name))
    return copy


@dataclass(frozen=True)
class Renyi:
    """A privacy that looks like one of ours."""

    epsilon: Fraction = Fraction(1)
    delta: Fraction = Fraction(0)
    factor: float = 2.7

    def factors(self, weights):
        return self.factor**weights


@dataclass(frozen=True)
class Striped:
    """A structure that nobody knows."""

    half_width: int = 1


@dataclass(frozen=True)
class Anything:
    """A part of any other kind."""

    def value(self, matrix):
        return float(matrix[0, 0])


@each(
    ("name", "part"),
    [
        ("privacy", Renyi()),
        ("privacy", like(KNOWN.privacy)),
        ("privacy", like(om.croft(om.count(2), 1).privacy)),
        ("privacy", "epsilon = 1"),
        ("privacy", None),
        ("structure", Striped()),
        ("structure", like(om.FreeMatrix())),
        ("structure", om.FreeMatrix),
        ("objective", Anything()),
        ("objective", like(KNOWN.objective)),
        ("objective", "absolute"),
        ("query", "count 0..3"),
        ("query", None),
        ("properties", frozenset({"fair"})),
        ("properties", {"fair"}),
        ("properties", [FAIR]),
        ("properties", "fair"),
        ("limits", frozenset({"within 3"})),
        ("limits", frozenset({Anything()})),
        ("limits", [om.Within(1)]),
        ("limits", frozenset({like(om.Within(1))})),
        ("bounds", (Anything(),)),
        ("bounds", list(KNOWN.bounds)),
        ("bounds", KNOWN.bounds[0]),
        ("bounds", (replace(KNOWN.bounds[0], loss=Anything()),)),
        ("bounds", (replace(KNOWN.bounds[0], at_most=0.5),)),
        ("name", 7),
    ],
)
def test_a_part_that_no_rule_knows_is_refused(name, part):
    with pytest.raises(om.ProblemError, match=rf"^`{name}` must .*; got .*No rule knows another") as trouble:
        replace(KNOWN, **{name: part})
    assert len(str(trouble.value)) < 300


@pytest.mark.parametrize("changes", [{"cost": Anything()}, {"at_most": 0.5}, {"cost": "absolute"}])
def test_a_least_delta_of_an_unknown_cost_is_refused(changes):
    with pytest.raises(om.ProblemError, match=r"^`objective` must "):
        replace(LEAST, objective=replace(LEAST.objective, **changes))


def test_a_privacy_that_promises_nothing_is_not_designed_as_pure():
    """Once it was designed as pure, measured per outcome, certified, and refused by our own reader."""
    with pytest.raises(om.ProblemError, match="`privacy` must be PurePrivacy, ApproximatePrivacy, Per"):
        om.design(replace(om.croft(om.count(3), 1), privacy=Renyi()))


@each(
    "problem",
    [
        KNOWN,
        LEAST,
        om.kadam(om.residues(5, [1]), 1, "0.1"),
        om.croft(om.count(3), 1, variant=2),
        om.sadeghi(1, "0.5", 2, counts=(1, 2)),
        om.question(om.count(3), 1, properties=["fair", "accuracy >= 0.3", "without 0"]),
    ],
)
def test_every_notion_of_ours_is_known(problem):
    assert replace(problem).privacy is problem.privacy
