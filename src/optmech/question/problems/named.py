"""A problem from named choices, as a command line or a TOML file states them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.numbers import exact
from optmech.question.problems.croft import croft
from optmech.question.problems.kadam import kadam, kadam_least_delta
from optmech.question.problems.named_query import QUERIES, QUERY_CHOICES, given, named_query, range_of
from optmech.question.problems.question import question
from optmech.question.problems.sadeghi import noisy_counts, sadeghi, sadeghi_symmetric
from optmech.question.structures import FreeMatrix, ModularNoise, SymmetricNoise, ZeroBiasNoise

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from optmech.question.problem import Problem
    from optmech.question.query import Query
    from optmech.question.structures import Structure

    Choices = Mapping[str, Any]

__all__ = ["FORMULATIONS", "QUERIES", "STRUCTURES", "named_problem"]

# Every formulation takes it instead of epsilon.
_IN_PLACE = "exp_epsilon"
STRUCTURES = ("free", "modular", "symmetric", "zero-bias")


def named_problem(formulation: str, choices: Choices) -> Problem:
    """Return the problem that the choices describe.

    Parameters
    ----------
    formulation : {"question", "croft", "sadeghi", "sadeghi-symmetric", "kadam"}
        Whose problem.
    choices : mapping
        ``epsilon`` or ``exp_epsilon`` and, by formulation: ``query`` and what `named_query` reads for it,
        ``variant``, ``loss``, ``prior``, ``properties``; ``accuracy``, ``half_width``, ``counts``, ``rows``;
        ``modulus`` or ``moduli``, ``distances``, ``changes``, ``symmetric``, ``delta`` or ``at_most``,
        ``cost``, ``reading``; and for a question
        of any kind ``structure``, ``definition``, ``worst_case``, ``least``, ``bounds``. Ranges are text such
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
        named_query(choices),
        choices.get("epsilon"),
        **given(choices, "variant", "loss", "prior", "properties", _IN_PLACE),
    )


def _sadeghi(choices: Choices) -> Problem:
    counts = range_of(choices["counts"], "counts")
    noise = choices["accuracy"], choices["half_width"]
    return sadeghi(choices.get("epsilon"), *noise, counts, **given(choices, _IN_PLACE))


def _sadeghi_symmetric(choices: Choices) -> Problem:
    further = given(choices, "rows", _IN_PLACE)
    if "counts" in choices:
        further["counts"] = range_of(choices["counts"], "counts")
    return sadeghi_symmetric(choices.get("epsilon"), choices["accuracy"], choices["half_width"], **further)


def _kadam(choices: Choices) -> Problem:
    query = named_query({**choices, "query": "vector" if "moduli" in choices else "residues"})
    further = given(choices, "cost", "reading", _IN_PLACE)
    if "at_most" not in choices:
        return kadam(query, choices.get("epsilon"), choices.get("delta", 0), **further)
    if "delta" in choices:
        message = "`delta` and `at_most` must not both be given: one is bounded, the other made least."
        raise ProblemError(message)
    return kadam_least_delta(query, choices.get("epsilon"), at_most=choices["at_most"], **further)


def _question(choices: Choices) -> Problem:
    structure = _structure(choices)
    query = _noisy_query(choices, structure) or named_query(choices)
    further = given(
        choices, "delta", "definition", "properties", "loss", "worst_case", "least", "bounds", _IN_PLACE
    )
    if "prior" in choices:
        further["prior"] = None if choices["prior"] == "sum" else choices["prior"]
    if choices.get("loss") == "distance":
        if not isinstance(choices.get("distance"), list):
            message = "`distance` must be given as a matrix where it is the loss; got none."
            raise ProblemError(message)
        further["loss"] = [[float(exact(value, "distance")) for value in row] for row in choices["distance"]]
    return question(query, choices.get("epsilon"), structure=structure, **further)


def _structure(choices: Choices) -> Structure:
    kind = choices.get("structure", "free")
    if kind not in STRUCTURES:
        message = f"`structure` must be one of {', '.join(STRUCTURES)}; got {kind!r}."
        raise ProblemError(message)
    bounded: dict[str, type[SymmetricNoise | ZeroBiasNoise]] = {
        "symmetric": SymmetricNoise,
        "zero-bias": ZeroBiasNoise,
    }
    noise = bounded.get(kind)
    for name in ("half_width", "accuracy"):
        if (name in choices) != (noise is not None):
            message = f"`{name}` must be given for symmetric and zero-bias noise, and for nothing else."
            raise ProblemError(message)
    if noise is not None:
        return noise(choices["half_width"], choices["accuracy"])
    return FreeMatrix() if kind == "free" else ModularNoise()


def _noisy_query(choices: Choices, structure: Structure) -> Query | None:
    """Return the query of noise of bounded width, which needs room beside the range."""
    if not isinstance(structure, (SymmetricNoise, ZeroBiasNoise)):
        return None
    if choices.get("query", "count") != "count" or "range" not in choices:
        message = "`query` must be a count with a `range` for symmetric and zero-bias noise."
        raise ProblemError(message)
    return noisy_counts(*range_of(choices["range"], "range"), structure.half_width)


FORMULATIONS: dict[str, tuple[Callable[[Choices], Problem], tuple[str, ...], tuple[str, ...]]] = {
    "question": (
        _question,
        ("query", "epsilon"),
        (
            *QUERY_CHOICES,
            *("structure", "half_width", "accuracy", "delta", "definition", "properties"),
            *("loss", "prior", "worst_case", "least", "bounds"),
        ),
    ),
    "croft": (
        _croft,
        ("query", "epsilon"),
        (*QUERY_CHOICES, "variant", "loss", "prior", "properties"),
    ),
    "sadeghi": (_sadeghi, ("epsilon", "accuracy", "half_width", "counts"), ()),
    "sadeghi-symmetric": (
        _sadeghi_symmetric,
        ("epsilon", "accuracy", "half_width"),
        ("counts", "rows"),
    ),
    "kadam": (
        _kadam,
        ("distances", "epsilon"),
        ("modulus", "moduli", "changes", "symmetric", "delta", "at_most", "cost", "reading"),
    ),
}
