"""A question from named choices, as a command line states them; `command_words` is the inverse."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from optmech.base.arguments import one_of
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import exact
from optmech.question import structures
from optmech.question.privacy import as_private_as
from optmech.question.privacy.noise_laws import noise_law_of
from optmech.question.problems.croft import croft
from optmech.question.problems.histogram import histogram_cell
from optmech.question.problems.kadam import kadam, kadam_least_delta
from optmech.question.problems.named_query import (
    QUERIES,
    QUERY_CHOICES,
    about_query,
    choices_among,
    choices_of_query,
    example_of_query,
    named_query,
    pairs_of,
    range_of,
)
from optmech.question.problems.p_table import p_table
from optmech.question.problems.question import question
from optmech.question.problems.sadeghi import noisy_counts, sadeghi, sadeghi_symmetric
from optmech.question.structures.bounded import BoundedNoise

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from optmech.question.problem import Problem
    from optmech.question.query import Query
    from optmech.question.structures import Structure

    Choices = Mapping[str, Any]

__all__ = ["FORMULATIONS", "QUERIES", "STRUCTURES", "WITHOUT_ORDER", "named_problem", "structures_of"]

# Every formulation takes it instead of epsilon.
_INSTEAD = "exp_epsilon"
# In place of epsilon, where the formulation knows it.
_PAIRS = "privacy"
_CURVE = "as_private_as"
WITHOUT_ORDER = ("categories", "graph")
"""Queries without distances between answers: a response is right or wrong."""
_NOISE = ("half_width", "accuracy")
_STRUCTURES = {structure.word: structure for structure in structures.STRUCTURES}
STRUCTURES = tuple(_STRUCTURES)


def named_problem(formulation: str, choices: Choices) -> Problem:
    """Return the problem that the choices describe.

    The formulation is a kind of query, such as ``"count"``; ``"histogram"`` for one of its cells;
    ``"question"`` for any ``query``; or a paper's problem: ``"croft"``, ``"sadeghi"``,
    ``"sadeghi-symmetric"``, ``"kadam"``. `FORMULATIONS` says which choices each has. Ranges are text such as
    ``"0:5"``. In all of them ``exp_epsilon`` may stand for ``epsilon``.

    >>> print(named_problem("croft", {"query": "extremum", "range": "1:5", "epsilon": "1"}))
    croft: max, min or median 1..5; any matrix; epsilon = 1; no further property; least expected loss
    >>> print(named_problem("count", {"range": "0:5", "privacy": "0.5, 1e-3; 1, 1e-6"}).privacies[1])
    epsilon = 1, delta = 0.000001
    """
    build, required, optional = FORMULATIONS[one_of(formulation, FORMULATIONS, "formulation")][:3]
    for name in choices:
        if name not in (*required, *optional, _INSTEAD):
            names = ", ".join((*required, *optional, _INSTEAD))
            message = f"`{name}` is no choice of {formulation}; it knows {names}."
            raise ProblemError(message)
    instead = [name for name in (_INSTEAD, _PAIRS, _CURVE) if name in choices]
    for name in required:
        # A choice that a kind of query lacks is asked for with an example.
        if (
            name not in choices
            and not (name == "epsilon" and instead)
            and not (name in QUERY_CHOICES and formulation in (*QUERIES, "histogram"))
        ):
            message = f"`{name}` must be given for {formulation}."
            if name == "epsilon":
                message += f" Instead, `{_INSTEAD}` may be given, which is e^epsilon."
            raise ProblemError(message)
    return build(choices)


def _beside_query(choices: Choices, *others: str) -> dict[str, Any]:
    """Return the choices that are arguments of a question, not of its query."""
    names = ("query", *QUERY_CHOICES, *others)
    return {name: value for name, value in choices.items() if name not in names}


def _croft(choices: Choices) -> Problem:
    return croft(named_query(choices), **_beside_query(choices))


def _sadeghi(ask: Callable[..., Problem], choices: Choices) -> Problem:
    """Return a question of Sadeghi et al., whose choices are its arguments."""
    counts = {"counts": range_of(choices["counts"], "counts")} if "counts" in choices else {}
    return ask(**{**choices, **counts})


def _kadam(choices: Choices) -> Problem:
    query = named_query({**choices, "query": "vector" if "moduli" in choices else "residues"})
    further = _beside_query(choices)
    if "at_most" not in choices:
        return kadam(query, **further)
    if "delta" in choices:
        message = "`delta` and `at_most` must not both be given: one is bounded, the other minimised."
        raise ProblemError(message)
    return kadam_least_delta(query, **further)


def _question(choices: Choices) -> Problem:
    structure = _structure(choices)
    query = _noisy_query(choices, structure) or named_query(choices)
    further = _beside_query(choices, "structure", *_NOISE, _CURVE)
    if further.get("prior") == "sum":
        further["prior"] = None
    if _PAIRS in choices:
        further[_PAIRS] = pairs_of(choices[_PAIRS])
    if choices.get("loss") == "distance":
        if not isinstance(choices.get("distance"), list):
            raise broken_rule("distance", "be given as a matrix where it is the loss", "none")
        further["loss"] = [[float(exact(value, "distance")) for value in row] for row in choices["distance"]]
    if _CURVE in choices and _PAIRS in choices:
        message = (
            f"`{_CURVE}` and `{_PAIRS}` must not both be given: a noise keeps all pairs of its own curve."
        )
        raise ProblemError(message)
    if _CURVE in choices:
        further["privacy"] = as_private_as(noise_law_of(choices[_CURVE]))
    return question(query, structure=structure, **further)


def _structure(choices: Choices) -> Structure:
    structure = _STRUCTURES[one_of(choices.get("structure", "free"), STRUCTURES, "structure")]
    for name in _NOISE:
        if (name in choices) != issubclass(structure, BoundedNoise):
            message = f"`{name}` must be given for symmetric and zero-bias noise, and for nothing else."
            raise ProblemError(message)
    return structure(**choices_among(choices, *_NOISE))


def _noisy_query(choices: Choices, structure: Structure) -> Query | None:
    """Return the query for noise of bounded width, with responses beside the range."""
    if not isinstance(structure, BoundedNoise):
        return None
    if choices.get("query", "count") != "count" or "range" not in choices:
        message = "`query` must be a count with a `range` for symmetric and zero-bias noise."
        raise ProblemError(message)
    if "responses" in choices:
        message = "`responses` must be left out for noise of bounded width, from which they follow."
        raise ProblemError(message)
    return noisy_counts(*range_of(choices["range"], "range"), structure.half_width)


def _of_query(query: str, choices: Choices) -> Problem:
    """Return the question of this kind of query."""
    usual = {"loss": "zero-one"} if query in WITHOUT_ORDER else {}
    return _question({**usual, **choices, "query": query})


def _histogram(choices: Choices) -> Problem:
    """Return the question of one cell of a histogram: a count, at its part of the privacy."""
    return _of_query("count", histogram_cell(choices))


def _p_table(choices: Choices) -> Problem:
    """Return the question of a perturbation table: of least delta, or of least loss at a given one."""
    further = dict(choices)
    seeks = "delta" if "delta" not in choices else "loss"
    least = one_of(further.pop("least", seeks), ("delta", "loss"), "least")
    if least != seeks:
        rule = "be left out where delta is to be least" if least == "delta" else "be given for the least loss"
        raise broken_rule("delta", rule, choices.get("delta", "none"))
    if "loss" in choices and "delta" not in choices:
        message = "`loss` must be left out where delta is to be least; `variance` bounds the squared loss."
        raise ProblemError(message)
    return p_table(**further)


class NamedProblem(NamedTuple):
    """The maker of a question, its required and optional choices, and words and an example for its help."""

    build: Callable[[Choices], Problem]
    required: tuple[str, ...]
    optional: tuple[str, ...]
    about: str
    example: dict[str, str]


_QUESTION_CHOICES = (
    "delta",
    "definition",
    _PAIRS,
    _CURVE,
    "properties",
    "loss",
    "prior",
    "worst_case",
    "least",
    "bounds",
)


def structures_of(query: str) -> tuple[type[Structure], ...]:
    """Return the structures that a command line offers for a kind of query, the free one first.

    >>> [structure.word for structure in structures_of("count")]
    ['free', 'symmetric', 'zero-bias']
    """
    return tuple(kind for kind in structures.STRUCTURES if not kind.of_kinds or query in kind.of_kinds)


def _structure_choices(query: str) -> tuple[str, ...]:
    """Return the choices of structure for a kind of query: none where there is only one."""
    own = structures_of(query)
    keys = dict.fromkeys(key.name for structure in own for key in structure.keys)
    return ("structure", *(name for name in keys if name in _NOISE)) if len(own) > 1 else ()


def _formulation(query: str) -> NamedProblem:
    """Return the maker of a question for this kind of query, with its choices."""
    required, optional = choices_of_query(query)
    further = (*optional, *_structure_choices(query), *_QUESTION_CHOICES)
    example = {**example_of_query(query), "epsilon": "1"}
    return NamedProblem(
        partial(_of_query, query), (*required, "epsilon"), further, about_query(query), example
    )


FORMULATIONS: dict[str, NamedProblem] = {
    **{query: _formulation(query) for query in QUERIES},
    "histogram": NamedProblem(
        _histogram,
        ("range", "epsilon"),
        (
            *("records_per_person", "adjacency", "delta", _PAIRS),
            *("properties", "loss", "prior", "worst_case", "bounds"),
        ),
        "a count for each of several groups that share no record",
        {"range": "0:50", "epsilon": "1"},
    ),
    "p-table": NamedProblem(
        _p_table,
        ("within", "epsilon"),
        (
            *("variance", "without", "zero_stays_zero", "positive_stays_positive", "unbiased"),
            *("same_noise_from", "properties", "delta", "loss", "least"),
        ),
        "a perturbation table of the cell key method, for all counts",
        {"within": "5", "variance": "3", "epsilon": "1"},
    ),
    "question": NamedProblem(
        _question,
        ("query", "epsilon"),
        (*QUERY_CHOICES, "structure", *_NOISE, *_QUESTION_CHOICES),
        "any query",
        {"query": "count", "range": "0:10", "epsilon": "1"},
    ),
    "croft": NamedProblem(
        _croft,
        ("query", "epsilon"),
        (*QUERY_CHOICES, "variant", "loss", "prior", "properties"),
        "least expected loss among all matrices on a range (Croft et al. 2020)",
        {"query": "count", "range": "0:5", "epsilon": "0.5", "variant": "2"},
    ),
    "sadeghi": NamedProblem(
        partial(_sadeghi, sadeghi),
        ("epsilon", "accuracy", "half_width", "counts"),
        (),
        "zero-bias noise of least delta, count by count (Sadeghi et al. 2020, Prop. 2)",
        {"epsilon": "1", "accuracy": "0.5", "half_width": "2", "counts": "1:3"},
    ),
    "sadeghi-symmetric": NamedProblem(
        partial(_sadeghi, sadeghi_symmetric),
        ("epsilon", "accuracy", "half_width"),
        ("counts", "rows"),
        "symmetric noise of least delta (Sadeghi et al. 2020, Prop. 3)",
        {"epsilon": "2.18", "accuracy": "0.8", "half_width": "6"},
    ),
    "kadam": NamedProblem(
        _kadam,
        ("distances", "epsilon"),
        ("modulus", "moduli", "changes", "symmetric", "delta", "at_most", "cost", "reading"),
        "noise modulo the number of answers, probabilistic privacy (Kadam et al. 2024)",
        {"modulus": "9", "distances": "1,2,3", "epsilon": "1.5", "delta": "0.1238"},
    ),
}
