"""The theorem of chains as a row of `verify`: its value is the one that the engine proves."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from optmech.base.errors import OptmechError
from optmech.designs.chain.curve_orbits import orbits_of
from optmech.designs.engines import chain
from optmech.question.shape import Shape
from optmech.theorems.chain import no_convexity
from optmech.theorems.theorem import Form, proved_optimum

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.question.problem import Problem

_TOO_LONG = "its value takes longer than a few seconds for this many true answers"


def _not_one(problem: Problem) -> str | None:
    worst = Shape.of(problem).worst_loss is not None
    return "it speaks of an expected loss" if worst else chain.refusal(problem)


@lru_cache(maxsize=2)  # `verify` asks for the refusal, then for the value
def _proved(problem: Problem) -> Fraction | str:
    """Return the optimum, or why it is not found."""
    if orbits_of(problem).seconds(problem.query.num_truths):
        return _TOO_LONG
    try:
        bound = chain.design(problem).certificate.bound  # type: ignore[union-attr]
    except OptmechError as refusal:
        return str(refusal)
    return _TOO_LONG if bound is None else bound


def _too_long(problem: Problem) -> str | None:
    proved = _proved(problem)
    return proved if isinstance(proved, str) else None


CHAIN = proved_optimum(
    name="chain",
    source="docs/theory/chain.md",
    says="With true answers in a row and a loss that is convex for each, the least loss is a sum of "
    "least values of convex functions of one number, one for each step of the responses, for any "
    "privacy curve, which may differ from true answer to true answer.",
    conditions=(_not_one, no_convexity),
    form=Form(lambda problem: float(_proved(problem))),
    reads=frozenset({"further_privacy", "properties", "weights"}),
    of_any_size=True,
    too_long=_too_long,
)
"""The theorem; the engine `chain` makes the mechanism that attains it."""
