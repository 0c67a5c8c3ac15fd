"""The notions that the rules of a question are written for; a question of any other is refused.

A notion that no rule knows would be held to the rules of another one, and what was proved would not be what
it is called.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.numbers import brief
from optmech.question.limits import Accuracy, Within, Without
from optmech.question.linear_rule import LinearRule
from optmech.question.losses import OBJECTIVES, ExpectedLoss, LeastDelta, LossBound, WorstLoss
from optmech.question.privacy import PRIVACIES
from optmech.question.properties import PROPERTIES
from optmech.question.query import Query
from optmech.question.structures import STRUCTURES

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["need_known"]


def need_known(
    *,
    name: object,
    query: object,
    structure: object,
    privacy: object,
    properties: Iterable[object],
    objective: object,
    limits: Iterable[object],
    bounds: Iterable[LossBound],
    rules: Iterable[object],
    further_privacy: Iterable[object],
) -> None:
    """Refuse a question of which a part is of no class that the rules know, be it a subclass of one."""
    _need("name", name, (str,))
    if not isinstance(query, Query):  # one of a user's own is read as its base in every certificate
        _need("query", query, (Query,))
    _need("structure", structure, STRUCTURES)
    _need("privacy", privacy, PRIVACIES)
    _need("objective", objective, OBJECTIVES)
    _need("properties", properties, (frozenset,))
    _need_each("properties", properties, tuple(map(type, PROPERTIES)))
    _need("limits", limits, (frozenset,))
    _need_each("limits", limits, (Accuracy, Within, Without))
    _need("bounds", bounds, (tuple,))
    _need_each("bounds", bounds, (LossBound,))
    _need("further_privacy", further_privacy, (tuple,))
    _need_each("further_privacy", further_privacy, PRIVACIES)
    _need("rules", rules, (tuple,))
    _need_each("rules", rules, (LinearRule,))
    for bound in bounds:
        _need("bounds", bound.loss, (ExpectedLoss, WorstLoss), "have losses that are ")
        _need("bounds", bound.at_most, (Fraction,), "be at most a ")
    if isinstance(objective, LeastDelta):
        _need("objective", objective.cost, (ExpectedLoss, type(None)), "have a cost that is ")
        _need("objective", objective.at_most, (Fraction, type(None)), "be at most ")


def _need(name: str, part: object, kinds: tuple[type[Any], ...], verb: str = "be ") -> None:
    # A subclass may say of itself what its class does not hold to, so that only the class itself will do.
    if type(part) not in kinds:
        message = (
            f"`{name}` must {verb}{_names(kinds)}; got {_description(part)}. No rule knows another, and "
            "nothing could be proved of it."
        )
        raise ProblemError(message)


def _need_each(name: str, parts: Iterable[object], kinds: tuple[type[Any], ...]) -> None:
    for part in parts:
        _need(name, part, kinds, "hold nothing but ")


def _names(kinds: tuple[type[Any], ...]) -> str:
    *first, last = ("None" if kind is type(None) else kind.__name__ for kind in kinds)
    return f"{', '.join(first)} or {last}" if first else last


def _description(part: object) -> str:
    """Return what a part is; its own words for itself are nobody's to trust, and may be pages."""
    if isinstance(part, (str, int, float)) or part is None:
        return brief(part)
    return f"one of class {type(part).__name__}"
