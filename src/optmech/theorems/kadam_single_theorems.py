"""Statements on one distance: Kadam et al. 2024, Lemma 3, Theorem 2, Remark 3, Corollary 1, and both ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from optmech.theorems import kadam_question as ask
from optmech.theorems.kadam_limits import single_limit, single_limit_printed
from optmech.theorems.kadam_powers import Doubles, in_balls, in_doubles
from optmech.theorems.kadam_single import (
    cycle_length,
    single_error_rate,
    single_required_delta,
    symmetric_error_rate,
    symmetric_required_delta,
)
from optmech.theorems.kadam_single_noise import last_kept, single_masses, symmetric_masses
from optmech.theorems.kadam_staircase import circulant
from optmech.theorems.theorem import Relation, Theorem, Truth

if TYPE_CHECKING:
    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

    from optmech.question.problem import Problem
    from optmech.theorems.kadam_powers import Powers

__all__ = ["THEOREMS"]

Amount = TypeVar("Amount", float, "arb")

_BOTH_WAYS = 2


def _cycle(problem: Problem) -> int:
    return cycle_length(ask.modulus(problem), ask.distances(problem)[0])


def _one_distance(problem: Problem) -> str | None:
    found = ask.distances(problem)
    return None if len(found) == 1 else f"there are {len(found)} distances; this speaks of one."


def _one_distance_both_ways(problem: Problem) -> str | None:
    found = ask.distances(problem)
    if len(found) != _BOTH_WAYS or sum(found) != ask.modulus(problem):
        return "the distances are not one distance and its negative."
    if not ask.is_definition(problem):
        return "all distances share their indicators; this speaks of Definition 2."
    return None


def _single_objection(problem: Problem) -> str | None:
    return ask.error_rate_objection(problem) or _one_distance(problem)


def _lemma_3_objection(problem: Problem) -> str | None:
    return _single_objection(problem) or ask.leak_objection(problem)


def _remark_3_objection(problem: Problem) -> str | None:
    if objection := _single_objection(problem):
        return objection
    common = _cycle(problem) < ask.modulus(problem)
    return None if common else "the distance and the modulus have no common factor."


def _single_least_objection(problem: Problem) -> str | None:
    return ask.least_delta_objection(problem) or _one_distance(problem)


def _symmetric_objection(problem: Problem) -> str | None:
    return ask.error_rate_objection(problem) or _one_distance_both_ways(problem)


def _symmetric_least_objection(problem: Problem) -> str | None:
    return ask.least_delta_objection(problem) or _one_distance_both_ways(problem)


def _single(powers: Powers[Amount], problem: Problem) -> Amount:
    return single_error_rate(powers, _cycle(problem), ask.delta(problem))


def _remark_3(powers: Powers[Amount], problem: Problem) -> Amount:
    # n replaced by N makes n + 1 = N + 1 masses.
    return single_error_rate(powers, _cycle(problem) + 1, ask.delta(problem))


def _single_least(powers: Powers[Amount], problem: Problem) -> Amount:
    return single_required_delta(powers, _cycle(problem), ask.accuracy(problem))


def _symmetric(powers: Powers[Amount], problem: Problem) -> Amount:
    return symmetric_error_rate(powers, _cycle(problem), ask.delta(problem))


def _symmetric_least(powers: Powers[Amount], problem: Problem) -> Amount:
    return symmetric_required_delta(powers, _cycle(problem), ask.accuracy(problem))


def _limit(powers: Powers[Amount], problem: Problem) -> Amount:  # noqa: ARG001 - the same for every modulus
    return single_limit(powers)


def _limit_printed(powers: Powers[Amount], problem: Problem) -> Amount:  # noqa: ARG001 - as above
    return single_limit_printed(powers)


def _single_matrix(problem: Problem) -> NDArray[np.float64]:
    powers, delta = Doubles(problem.privacy.epsilon), ask.delta(problem)
    kept = last_kept(powers, _cycle(problem), delta)
    return circulant(single_masses(powers, ask.modulus(problem), ask.distances(problem)[0], delta, kept))


def _symmetric_matrix(problem: Problem) -> NDArray[np.float64]:
    powers, delta = Doubles(problem.privacy.epsilon), ask.delta(problem)
    kept = last_kept(powers, _cycle(problem), delta, symmetric=True)
    return circulant(symmetric_masses(powers, ask.modulus(problem), ask.distances(problem)[0], delta, kept))


THEOREMS = (
    Theorem(
        name="kadam-lemma-3",
        source="Kadam et al. 2024, Lemma 3 (17), (18)",
        says=(
            "With one distance and delta = 0 the best noise falls by e^-epsilon at each step of the distance."
        ),
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=_lemma_3_objection,
        value=in_doubles(_single),
        ball=in_balls(_single),
        matrix=_single_matrix,
    ),
    Theorem(
        name="kadam-theorem-2",
        source="Kadam et al. 2024, Theorem 2 (19)-(21)",
        says="With one distance the least error rate is linear in delta between flat pieces.",
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=_single_objection,
        value=in_doubles(_single),
        ball=in_balls(_single),
        matrix=_single_matrix,
    ),
    Theorem(
        name="kadam-remark-3",
        source="Kadam et al. 2024, Remark 3",
        says="Where distance and modulus have a common factor, n becomes the length N of the walk.",
        relation=Relation.EQUAL,
        truth=Truth.FALSE,
        objection=_remark_3_objection,
        value=in_doubles(_remark_3),
        ball=in_balls(_remark_3),
        counter_example=(
            "n = 7, distance 2, epsilon 0.75, delta 0: it gives f(0) = 0.540341, the optimum is 0.555279. "
            "n + 1 becomes N, n becomes N - 1."
        ),
    ),
    Theorem(
        name="kadam-corollary-1",
        source="Kadam et al. 2024, Corollary 1 (24), (25)",
        says="With one distance the least delta at an error rate jumps down wherever fewer masses suffice.",
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=_single_least_objection,
        value=in_doubles(_single_least),
        ball=in_balls(_single_least),
    ),
    Theorem(
        name="kadam-single-limit",
        source="Kadam et al. 2024, (44) without its floor of 1/2",
        says="With one distance the error rate e^-epsilon is enough for every modulus.",
        relation=Relation.AT_LEAST,
        truth=Truth.PROVED,
        objection=_single_objection,
        value=in_doubles(_limit),
        ball=in_balls(_limit),
    ),
    Theorem(
        name="kadam-single-limit-printed",
        source="Kadam et al. 2024, (44)",
        says="With one distance the limit of the error rate is 1/2 for epsilon up to ln 2.",
        relation=Relation.AT_LEAST,
        truth=Truth.FALSE,
        objection=_single_objection,
        value=in_doubles(_limit_printed),
        ball=in_balls(_limit_printed),
        counter_example="distance 1, epsilon 0.3, delta 0: at n = 2000 the error rate is 0.7408.",
    ),
    Theorem(
        name="kadam-symmetric-distance",
        source="kadam_single, for Kadam et al. 2024, Definition 2",
        says="With one distance both ways the best noise falls by e^-epsilon at each step to either side.",
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=_symmetric_objection,
        value=in_doubles(_symmetric),
        ball=in_balls(_symmetric),
        matrix=_symmetric_matrix,
    ),
    Theorem(
        name="kadam-symmetric-distance-least-delta",
        source="kadam_single, for Kadam et al. 2024, (15)",
        says=(
            "With one distance both ways the least delta is the mass at the last step that the "
            "error rate allows."
        ),
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=_symmetric_least_objection,
        value=in_doubles(_symmetric_least),
        ball=in_balls(_symmetric_least),
    ),
)
"""What is known of one distance."""
