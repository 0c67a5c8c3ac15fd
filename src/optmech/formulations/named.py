"""A problem from named choices, as a command line or a TOML file states them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from optmech.errors import ProblemError
from optmech.formulations.croft import croft
from optmech.formulations.kadam import kadam, kadam_least_delta
from optmech.formulations.sadeghi import sadeghi, sadeghi_symmetric
from optmech.problem.queries import count, extremum, mean, residues

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from optmech.problem.problem import Problem
    from optmech.problem.query import Query

    Choices = Mapping[str, Any]

__all__ = ["FORMULATIONS", "QUERIES", "named_problem"]

QUERIES = ("count", "mean", "extremum")
# Every formulation takes it instead of epsilon.
_IN_PLACE = "exp_epsilon"
_EXTREMES = ("max", "min", "median")
_RANGE = re.compile(r"\s*([+-]?\d+)\s*:\s*([+-]?\d+)\s*")


def named_problem(formulation: str, choices: Choices) -> Problem:
    """Return the problem that the choices describe.

    Parameters
    ----------
    formulation : {"croft", "sadeghi", "sadeghi-symmetric", "kadam"}
        Whose problem.
    choices : mapping
        ``epsilon`` or ``exp_epsilon`` and, by formulation: ``query``, ``range``, ``records``, ``variant``,
        ``loss``, ``prior``, ``properties``; ``accuracy``, ``half_width``, ``counts``, ``rows``; ``modulus``,
        ``distances``, ``symmetric``, ``delta`` or ``at_most``, ``cost``, ``reading``. Ranges are text such
        as ``"0:5"``.

    Raises
    ------
    ProblemError
        If a choice is missing, unknown to the formulation, or breaks its rule.

    Examples
    --------
    >>> print(named_problem("croft", {"query": "extremum", "range": "1:5", "epsilon": "1"}))
    croft: max, min or median 1..5; any matrix; epsilon = 1; no further property; least expected loss
    """
    if formulation not in FORMULATIONS:
        message = f"`formulation` must be one of {', '.join(FORMULATIONS)}; got {formulation!r}."
        raise ProblemError(message)
    build, required, optional = FORMULATIONS[formulation]
    for name in choices:
        if name not in (*required, *optional, _IN_PLACE):
            known = ", ".join((*required, *optional, _IN_PLACE))
            message = f"`{name}` is no choice of {formulation}; it knows {known}."
            raise ProblemError(message)
    for name in required:
        if name not in choices and not (name == "epsilon" and _IN_PLACE in choices):
            message = f"`{name}` must be given for {formulation}."
            if name == "epsilon":
                message += f" In its place `{_IN_PLACE}` may be given, which is e^epsilon."
            raise ProblemError(message)
    return build(choices)


def _croft(choices: Choices) -> Problem:
    return croft(
        _query(choices),
        choices.get("epsilon"),
        **_given(choices, "variant", "loss", "prior", "properties", _IN_PLACE),
    )


def _sadeghi(choices: Choices) -> Problem:
    counts = _range(choices["counts"], "counts")
    noise = choices["accuracy"], choices["half_width"]
    return sadeghi(choices.get("epsilon"), *noise, counts, **_given(choices, _IN_PLACE))


def _sadeghi_symmetric(choices: Choices) -> Problem:
    further = _given(choices, "rows", _IN_PLACE)
    if "counts" in choices:
        further["counts"] = _range(choices["counts"], "counts")
    return sadeghi_symmetric(choices.get("epsilon"), choices["accuracy"], choices["half_width"], **further)


def _kadam(choices: Choices) -> Problem:
    query = residues(choices["modulus"], choices["distances"], symmetric=choices.get("symmetric", True))
    further = _given(choices, "cost", "reading", _IN_PLACE)
    if "at_most" not in choices:
        return kadam(query, choices.get("epsilon"), choices.get("delta", 0), **further)
    if "delta" in choices:
        message = "`delta` and `at_most` must not both be given: one is bounded, the other made least."
        raise ProblemError(message)
    return kadam_least_delta(query, choices.get("epsilon"), at_most=choices["at_most"], **further)


def _query(choices: Choices) -> Query:
    kind = "extremum" if choices["query"] in _EXTREMES else choices["query"]
    smallest, largest = _range(choices["range"], "range")
    if kind not in QUERIES:
        message = f"`query` must be one of {', '.join(QUERIES)}; got {kind!r}."
        raise ProblemError(message)
    if kind == "mean":
        if "records" not in choices:
            message = "`records` must be given for a mean: how many records it is taken over."
            raise ProblemError(message)
        return mean(choices["records"], largest, smallest=smallest)
    if "records" in choices:
        message = f"`records` must be left out for {kind}: only a mean depends on it."
        raise ProblemError(message)
    return count(largest, smallest=smallest) if kind == "count" else extremum(smallest, largest)


def _range(text: object, name: str) -> tuple[int, int]:
    match = _RANGE.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        message = f"`{name}` must be SMALLEST:LARGEST, such as 0:5; got {text!r}."
        raise ProblemError(message)
    return int(match[1]), int(match[2])


def _given(choices: Choices, *names: str) -> dict[str, Any]:
    return {name: choices[name] for name in names if name in choices}


FORMULATIONS: dict[str, tuple[Callable[[Choices], Problem], tuple[str, ...], tuple[str, ...]]] = {
    "croft": (
        _croft,
        ("query", "range", "epsilon"),
        ("records", "variant", "loss", "prior", "properties"),
    ),
    "sadeghi": (_sadeghi, ("epsilon", "accuracy", "half_width", "counts"), ()),
    "sadeghi-symmetric": (
        _sadeghi_symmetric,
        ("epsilon", "accuracy", "half_width"),
        ("counts", "rows"),
    ),
    "kadam": (
        _kadam,
        ("modulus", "distances", "epsilon"),
        ("symmetric", "delta", "at_most", "cost", "reading"),
    ),
}
