"""Statements on any set of distances, for Kadam et al. 2024: pure noise, two bounds, and the search."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from optmech.theorems import kadam_question as ask
from optmech.theorems.kadam_any import (
    cayley_levels,
    hockey_stick_error_rate,
    hockey_stick_required_delta,
    pure_error_rate,
)
from optmech.theorems.kadam_bounded import lemma_4, shortened_levels
from optmech.theorems.kadam_powers import Doubles, in_balls, in_doubles
from optmech.theorems.kadam_sets import MOST_ANSWERS, set_error_rate, set_levels, set_required_delta
from optmech.theorems.kadam_staircase import circulant, error_rate, noise_masses
from optmech.theorems.theorem import Relation, Theorem, Truth

if TYPE_CHECKING:
    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

    from optmech.question.problem import Problem
    from optmech.theorems.kadam_powers import Powers
    from optmech.theorems.kadam_staircase import Levels

__all__ = ["THEOREMS"]

Amount = TypeVar("Amount", float, "arb")


def _levels(problem: Problem) -> Levels:
    return cayley_levels(ask.modulus(problem), ask.distances(problem))


def _pure_objection(problem: Problem) -> str | None:
    return ask.error_rate_objection(problem) or ask.leak_objection(problem)


def _search(problem: Problem) -> str | None:
    answers = ask.modulus(problem)
    if answers > MOST_ANSWERS:
        return f"there are {answers} answers; the search takes up to {MOST_ANSWERS}."
    definition = ask.is_definition(problem)
    return None if definition else "all distances share their indicators; this speaks of Definition 2."


def _search_objection(problem: Problem) -> str | None:
    return ask.error_rate_objection(problem) or _search(problem)


def _search_least_objection(problem: Problem) -> str | None:
    return ask.least_delta_objection(problem) or _search(problem)


def _zeros_objection(problem: Problem) -> str | None:
    if objection := _search_objection(problem):
        return objection
    bounded = ask.largest_distance(problem) is not None
    return None if bounded else "the distances are not 1, 2, ... up to a largest one."


def _pure(powers: Powers[Amount], problem: Problem) -> Amount:
    return pure_error_rate(powers, _levels(problem))


def _hockey_stick(powers: Powers[Amount], problem: Problem) -> Amount:
    return hockey_stick_error_rate(powers, _levels(problem), ask.delta(problem))


def _hockey_stick_least(powers: Powers[Amount], problem: Problem) -> Amount:
    return hockey_stick_required_delta(powers, _levels(problem), ask.accuracy(problem))


def _lemma_1(powers: Powers[Amount], problem: Problem) -> Amount:
    stairs = lemma_4(ask.modulus(problem) - 1, ask.distances(problem)[-1])
    return error_rate(powers, stairs, ask.delta(problem))


def _set(powers: Powers[Amount], problem: Problem) -> Amount:
    return set_error_rate(powers, ask.modulus(problem), ask.distances(problem), ask.delta(problem))


def _zeros(powers: Powers[Amount], problem: Problem) -> Amount:
    size, steps = ask.modulus(problem), ask.distances(problem)
    return set_error_rate(powers, size, steps, ask.delta(problem), zeros_for_good=True)


def _set_least(powers: Powers[Amount], problem: Problem) -> Amount:
    return set_required_delta(powers, ask.modulus(problem), ask.distances(problem), ask.accuracy(problem))


def _pure_matrix(problem: Problem) -> NDArray[np.float64]:
    return _noise(problem, _levels(problem), ())


def _lemma_1_matrix(problem: Problem) -> NDArray[np.float64]:
    n = ask.modulus(problem) - 1
    return _noise(problem, shortened_levels(n, lemma_4(n, ask.distances(problem)[-1])), ())


def _set_matrix(problem: Problem) -> NDArray[np.float64]:
    size, steps, delta = ask.modulus(problem), ask.distances(problem), ask.delta(problem)
    return _noise(problem, *set_levels(Doubles(problem.privacy.epsilon), size, steps, delta))


def _zeros_matrix(problem: Problem) -> NDArray[np.float64]:
    size, steps, delta = ask.modulus(problem), ask.distances(problem), ask.delta(problem)
    powers = Doubles(problem.privacy.epsilon)
    return _noise(problem, *set_levels(powers, size, steps, delta, zeros_for_good=True))


def _noise(problem: Problem, levels: Levels, leaking: tuple[int, ...]) -> NDArray[np.float64]:
    powers = Doubles(problem.privacy.epsilon)
    return circulant(noise_masses(powers, levels, leaking, ask.delta(problem)))


THEOREMS = (
    Theorem(
        name="kadam-pure-noise",
        source="kadam_any, for Kadam et al. 2024 (14); Lemmas 3 and 4 are cases",
        says="At delta = 0 the best noise falls by e^-epsilon with each distance that is needed to reach it.",
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=_pure_objection,
        value=in_doubles(_pure),
        ball=in_balls(_pure),
        matrix=_pure_matrix,
    ),
    Theorem(
        name="kadam-lemma-1",
        source="Kadam et al. 2024, Lemma 1 with Lemma 4",
        says="The staircase for all distances up to the largest one is private for any of them.",
        relation=Relation.AT_LEAST,
        truth=Truth.PROVED,
        objection=ask.error_rate_objection,
        value=in_doubles(_lemma_1),
        ball=in_balls(_lemma_1),
        matrix=_lemma_1_matrix,
    ),
    Theorem(
        name="kadam-hockey-stick",
        source="kadam_any, for Kadam et al. 2024, Definition 2",
        says=(
            "Telling the truth with probability delta, else adding pure noise, has the least error rate of "
            "(epsilon, delta)-differential privacy, which probabilistic privacy implies."
        ),
        relation=Relation.AT_MOST,
        truth=Truth.PROVED,
        objection=ask.error_rate_objection,
        value=in_doubles(_hockey_stick),
        ball=in_balls(_hockey_stick),
    ),
    Theorem(
        name="kadam-hockey-stick-least-delta",
        source="kadam_any, for Kadam et al. 2024 (15)",
        says=(
            "No noise of a wanted error rate has a smaller delta than that mixture, in the weaker definition."
        ),
        relation=Relation.AT_MOST,
        truth=Truth.PROVED,
        objection=ask.least_delta_objection,
        value=in_doubles(_hockey_stick_least),
        ball=in_balls(_hockey_stick_least),
    ),
    Theorem(
        name="kadam-leaking-steps",
        source="kadam_sets, for Kadam et al. 2024, Definition 2",
        says="The best choice of steps that may leak gives the least error rate.",
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=_search_objection,
        value=in_doubles(_set),
        ball=in_balls(_set),
        matrix=_set_matrix,
    ),
    Theorem(
        name="kadam-leaking-steps-least-delta",
        source="kadam_sets, for Kadam et al. 2024 (15)",
        says="The best choice of steps that may leak gives the least delta at a wanted error rate.",
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=_search_least_objection,
        value=in_doubles(_set_least),
        ball=in_balls(_set_least),
    ),
    Theorem(
        name="kadam-zero-masses",
        source="kadam_sets, for Kadam et al. 2024, Definition 2 with all distances up to a largest one",
        says="The best noise is a staircase with some masses set to zero.",
        relation=Relation.EQUAL,
        truth=Truth.NUMERICAL,
        objection=_zeros_objection,
        value=in_doubles(_zeros),
        ball=in_balls(_zeros),
        matrix=_zeros_matrix,
    ),
)
"""What is known of any set of distances."""
