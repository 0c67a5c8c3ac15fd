"""The known notions of a question; a question with any other is refused.

A subclass would be checked by the rules of its base class, and the proof would not match its name.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from optmech.base.errors import ProblemError
from optmech.base.numbers import brief
from optmech.question.limits import Accuracy, Within, Without
from optmech.question.linear_rule import LinearRule
from optmech.question.losses import OBJECTIVES, ExpectedLoss, LeastDelta, LossBound, WorstLoss
from optmech.question.privacy import PRIVACIES
from optmech.question.properties import PROPERTIES
from optmech.question.query import Query
from optmech.question.structures import STRUCTURES

_PARTS: dict[str, tuple[type[Any], ...]] = {
    "name": (str,),
    "structure": STRUCTURES,
    "privacy": PRIVACIES,
    "objective": OBJECTIVES,
}
_LISTS: dict[str, tuple[type[Any], tuple[type[Any], ...]]] = {
    "properties": (frozenset, tuple(map(type, PROPERTIES))),
    "limits": (frozenset, (Accuracy, Within, Without)),
    "bounds": (tuple, (LossBound,)),
    "further_privacy": (tuple, PRIVACIES),
    "rules": (tuple, (LinearRule,)),
}


def need_known(problem: Any) -> None:  # noqa: ANN401 - whatever its parts are
    """Refuse a question with a part of an unknown class, even a subclass of a known one."""
    if not isinstance(problem.query, Query):  # every certificate would state the base of a user's subclass
        _need("query", problem.query, (Query,))
    for name, kinds in _PARTS.items():
        _need(name, getattr(problem, name), kinds)
    for name, (container, kinds) in _LISTS.items():
        _need(name, getattr(problem, name), (container,))
        for part in getattr(problem, name):
            _need(name, part, kinds, "hold nothing but ")
    for bound in problem.bounds:
        _need("bounds", bound.loss, (ExpectedLoss, WorstLoss), "have losses that are ")
        _need("bounds", bound.at_most, (Fraction,), "be at most a ")
    if isinstance(problem.objective, LeastDelta):
        _need("objective", problem.objective.cost, (ExpectedLoss, type(None)), "have a cost that is ")
        _need("objective", problem.objective.at_most, (Fraction, type(None)), "be at most ")


def _need(name: str, part: object, kinds: tuple[type[Any], ...], verb: str = "be ") -> None:
    # A subclass may behave differently, so only the class itself is accepted.
    if type(part) not in kinds:
        message = (
            f"`{name}` must {verb}{_names(kinds)}; got {_description(part)}. No rule knows another, and "
            "nothing could be proved of it."
        )
        raise ProblemError(message)


def _names(kinds: tuple[type[Any], ...]) -> str:
    *first, last = ("None" if kind is type(None) else kind.__name__ for kind in kinds)
    return f"{', '.join(first)} or {last}" if first else last


def _description(part: object) -> str:
    """Return a short description of a part; its own text is not trusted and may be long."""
    if isinstance(part, (str, int, float)) or part is None:
        return brief(part)
    return f"one of class {type(part).__name__}"
