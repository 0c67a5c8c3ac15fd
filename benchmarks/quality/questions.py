"""The questions of the quality tables, family by family, from small to large."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import optmech as om

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.question.query import Query

__all__ = ["FAMILIES", "Question", "questions"]

# Closed forms and mixtures of rays are proved to the last digits; so are programs whose duals are exact.
GAP = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A problem and the rule its proved relative gap is held to."""

    family: str
    name: str
    problem: om.Problem
    gap_rule: float = GAP


def _croft(family: str, query: Query, epsilon: str, variant: int) -> Question:
    problem = om.croft(query, epsilon, variant=variant, prior="uniform")
    return Question(family=family, name=f"{query.name}, epsilon {epsilon}", problem=problem)


def _counts(variant: int, sizes: tuple[int, ...]) -> Iterator[Question]:
    for size in sizes:
        for epsilon in ("0.1", "0.5", "1", "2"):
            yield _croft(f"count, Variant {variant}", om.count(size), epsilon, variant)


def _means(variant: int, sizes: tuple[int, ...]) -> Iterator[Question]:
    for records in sizes:
        for epsilon in ("0.2", "0.5", "1"):
            yield _croft(f"mean, Variant {variant}", om.mean(records, 4), epsilon, variant)


def _extremes(variant: int) -> Iterator[Question]:
    for largest in (5, 9, 20, 50):
        for epsilon in ("0.5", "1", "ln 3"):
            yield _croft(f"max, min or median, Variant {variant}", om.extremum(0, largest), epsilon, variant)


def _zero_bias() -> Iterator[Question]:
    for width, counts in ((2, (1, 3)), (2, (2, 6)), (4, (1, 8)), (4, (4, 20)), (6, (6, 40))):
        for epsilon in ("0.5", "1"):
            for accuracy in ("0.3", "0.6"):
                problem = om.sadeghi(epsilon, accuracy, width, counts=counts)
                yield _noise("zero-bias noise", problem, epsilon, accuracy, width)


def _symmetric() -> Iterator[Question]:
    for width in (2, 4, 6, 12):
        for epsilon in ("0.5", "1", "2.18"):
            for accuracy in ("0.3", "0.8"):
                problem = om.sadeghi_symmetric(epsilon, accuracy, width)
                yield _noise("symmetric noise", problem, epsilon, accuracy, width)


def _noise(family: str, problem: om.Problem, epsilon: str, accuracy: str, width: int) -> Question:
    name = f"{problem.query.name}, half-width {width}, truth with probability {accuracy}, epsilon {epsilon}"
    return Question(family=family, name=name, problem=problem)


def _modular() -> Iterator[Question]:
    for modulus, distances in ((5, (1,)), (9, (1, 2)), (16, (1, 2, 3))):
        for epsilon in ("0.5", "1.5"):
            for delta in ("0", "0.1"):
                query = om.residues(modulus, distances)
                name = f"{query.name}, epsilon {epsilon}, probabilistic delta {delta}"
                problem = om.kadam(query, epsilon, delta, "circular")
                yield Question(family="modular noise", name=name, problem=problem)


# The first of each family is its smallest.
FAMILIES = (
    tuple(_counts(1, (5, 10, 20, 50, 100))),
    tuple(_counts(2, (5, 10, 20, 40))),
    tuple(_means(1, (5, 10, 20))),
    tuple(_means(2, (3, 5, 10))),
    tuple(_extremes(1)),
    tuple(_extremes(2)),
    tuple(_zero_bias()),
    tuple(_symmetric()),
    tuple(_modular()),
)


def questions(*, smoke: bool = False) -> tuple[tuple[Question, ...], ...]:
    """Return the questions of each family, the smallest alone where `smoke` asks for it."""
    return tuple(family[:1] if smoke else family for family in FAMILIES)
