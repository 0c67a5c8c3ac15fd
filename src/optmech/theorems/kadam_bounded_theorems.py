"""Statements on all distances up to a largest one: Kadam et al. 2024, Lemma 4, Theorem 3, Corollary 2."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from optmech.theorems import kadam_question as ask
from optmech.theorems.kadam_bounded import (
    MOST_LEVELS,
    in_corrected_domain,
    lemma_4,
    most_levels,
    printed_accuracy,
    printed_required_delta,
    shortened,
    shortened_levels,
)
from optmech.theorems.kadam_limits import bounded_limit, bounded_limit_printed
from optmech.theorems.kadam_powers import Doubles, in_balls, in_doubles
from optmech.theorems.kadam_staircase import (
    best_staircase,
    circulant,
    error_rate,
    least_error_rate,
    noise_masses,
)
from optmech.theorems.theorem import Relation, Theorem, Truth

if TYPE_CHECKING:
    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

    from optmech.question.problem import Problem
    from optmech.theorems.kadam_powers import Powers

__all__ = ["THEOREMS"]

Amount = TypeVar("Amount", float, "arb")

# The printed program was solved for every largest distance up to so many answers.
_MOST_COMPUTED = 13


def _steps(problem: Problem) -> tuple[int, int, int]:
    n, largest = ask.bounded_size(problem)
    return (*divmod(n, largest), largest)


def _doubles(problem: Problem) -> Doubles:
    return Doubles(problem.privacy.epsilon)


def _bounded_objection(problem: Problem) -> str | None:
    return ask.error_rate_objection(problem) or ask.bounded_objection(problem)


def _lemma_4_objection(problem: Problem) -> str | None:
    return _bounded_objection(problem) or ask.leak_objection(problem)


def _hypothesis(problem: Problem) -> str | None:
    b, r, largest = _steps(problem)
    return None if b + r < largest else f"b + r = {b + r} is not below the largest distance {largest}."


def _printed_domain(problem: Problem) -> str | None:
    if not ask.is_printed(problem):
        return "each distance has its own budget; this speaks of the program as printed."
    n, largest = ask.bounded_size(problem)
    if not in_corrected_domain(_doubles(problem), n, largest):
        return "b + r <= largest distance, b <= 3 and (b <= 2 or e^epsilon >= xi_(b-1)) do not all hold."
    return None


def _theorem_3_objection(problem: Problem) -> str | None:
    return _bounded_objection(problem) or _printed_domain(problem)


def _corollary_2_objection(problem: Problem) -> str | None:
    return ask.least_delta_objection(problem) or ask.bounded_objection(problem) or _printed_domain(problem)


def _theorem_3_definition_objection(problem: Problem) -> str | None:
    if objection := _bounded_objection(problem) or _hypothesis(problem):
        return objection
    if not ask.is_definition(problem):
        return "all distances share their indicators; this speaks of Definition 2."
    return None


def _theorem_3_beyond_objection(problem: Problem) -> str | None:
    if objection := _bounded_objection(problem) or _hypothesis(problem):
        return objection
    if not ask.is_printed(problem):
        return "each distance has its own budget; this speaks of the program as printed."
    inside = in_corrected_domain(_doubles(problem), *ask.bounded_size(problem))
    return "Theorem 3 holds here, as far as is known." if inside else None


def _few_shortened(problem: Problem) -> str | None:
    levels = most_levels(*ask.bounded_size(problem))
    return None if levels <= MOST_LEVELS else f"there may be {levels} levels, too many to try each."


def _shortened_objection(problem: Problem) -> str | None:
    return _bounded_objection(problem) or _few_shortened(problem)


def _shortened_printed_objection(problem: Problem) -> str | None:
    if objection := _shortened_objection(problem):
        return objection
    if not ask.is_printed(problem):
        return "each distance has its own budget; this speaks of the program as printed."
    b, r, largest = _steps(problem)
    if b + r > largest and ask.modulus(problem) > _MOST_COMPUTED:
        return "b + r exceeds the largest distance; with so many answers counter-examples are known."
    return None


def _lemma_4(powers: Powers[Amount], problem: Problem) -> Amount:
    return error_rate(powers, lemma_4(*ask.bounded_size(problem)), ask.delta(problem))


def _theorem_3(powers: Powers[Amount], problem: Problem) -> Amount:
    return 1 - printed_accuracy(powers, *ask.bounded_size(problem), ask.delta(problem))


def _corollary_2(powers: Powers[Amount], problem: Problem) -> Amount:
    return printed_required_delta(powers, *ask.bounded_size(problem), ask.accuracy(problem))


def _shortened(powers: Powers[Amount], problem: Problem) -> Amount:
    return least_error_rate(powers, shortened(*ask.bounded_size(problem)), ask.delta(problem))


def _limit(powers: Powers[Amount], problem: Problem) -> Amount:
    return bounded_limit(powers, ask.bounded_size(problem)[1])


def _limit_printed(powers: Powers[Amount], problem: Problem) -> Amount:
    return bounded_limit_printed(powers, ask.bounded_size(problem)[1])


def _lemma_4_matrix(problem: Problem) -> NDArray[np.float64]:
    n, largest = ask.bounded_size(problem)
    stairs = lemma_4(n, largest)
    return circulant(noise_masses(_doubles(problem), shortened_levels(n, stairs), (), ask.delta(problem)))


def _shortened_matrix(problem: Problem) -> NDArray[np.float64]:
    (n, largest), powers, delta = ask.bounded_size(problem), _doubles(problem), ask.delta(problem)
    best = best_staircase(shortened(n, largest), powers, delta)
    return circulant(noise_masses(powers, shortened_levels(n, best), best.leaking, delta))


THEOREMS = (
    Theorem(
        name="kadam-lemma-4",
        source="Kadam et al. 2024, Lemma 4 (28), (29)",
        says=(
            "With all distances up to a largest one and delta = 0 the best noise is a staircase "
            "of that length."
        ),
        relation=Relation.EQUAL,
        truth=Truth.PROVED,
        objection=_lemma_4_objection,
        value=in_doubles(_lemma_4),
        ball=in_balls(_lemma_4),
        matrix=_lemma_4_matrix,
    ),
    Theorem(
        name="kadam-theorem-3",
        source="Kadam et al. 2024, Theorem 3 (30)-(41), with its domain corrected",
        says=(
            "Under the printed program the best noise is a staircase with steps shortened section by section."
        ),
        relation=Relation.EQUAL,
        truth=Truth.NUMERICAL,
        objection=_theorem_3_objection,
        value=in_doubles(_theorem_3),
        ball=in_balls(_theorem_3),
        matrix=_shortened_matrix,
    ),
    Theorem(
        name="kadam-theorem-3-under-definition-2",
        source="Kadam et al. 2024, Theorem 3 (30)-(41)",
        says=(
            "The same staircase is the best noise under Definition 2, where each distance has its own budget."
        ),
        relation=Relation.EQUAL,
        truth=Truth.FALSE,
        objection=_theorem_3_definition_objection,
        value=in_doubles(_theorem_3),
        ball=in_balls(_theorem_3),
        counter_example=(
            "n = 6, largest distance 3, epsilon 1.5, delta 0.26: "
            "it gives f(0) = 0.561775, the optimum is 0.581673. For the printed program (13) it holds "
            "wherever it was computed with b up to 3 and epsilon not small."
        ),
    ),
    Theorem(
        name="kadam-theorem-3-beyond",
        source="Kadam et al. 2024, Theorem 3 (30)-(41), where b > 3 or epsilon is small",
        says="The same staircase is the best noise for any number of steps and any epsilon.",
        relation=Relation.EQUAL,
        truth=Truth.FALSE,
        objection=_theorem_3_beyond_objection,
        value=in_doubles(_theorem_3),
        ball=in_balls(_theorem_3),
        counter_example=(
            "n = 20, largest distance 5, epsilon 1, delta 0.0989877948: its noise leaks 0.112384; "
            "f(0) = 0.269077 is printed, 0.268241 the optimum. n = 12, largest distance 4, epsilon 0.3, "
            "delta 0.173528: 0.134557 is printed, delta itself the optimum."
        ),
    ),
    Theorem(
        name="kadam-corollary-2",
        source="Kadam et al. 2024, Corollary 2 (42), with the domain of Theorem 3 corrected",
        says=(
            "Under the printed program the least delta belongs to the first section that allows "
            "the error rate."
        ),
        relation=Relation.EQUAL,
        truth=Truth.NUMERICAL,
        objection=_corollary_2_objection,
        value=in_doubles(_corollary_2),
        ball=in_balls(_corollary_2),
    ),
    Theorem(
        name="kadam-shortened-staircase",
        source="kadam_bounded, for Kadam et al. 2024, Theorem 3 and the program (13) as printed",
        says=(
            "Under the printed program the best noise is the best staircase with any of its steps shortened."
        ),
        relation=Relation.EQUAL,
        truth=Truth.NUMERICAL,
        objection=_shortened_printed_objection,
        value=in_doubles(_shortened),
        ball=in_balls(_shortened),
        matrix=_shortened_matrix,
    ),
    Theorem(
        name="kadam-shortened-staircase-is-private",
        source="kadam_bounded, for Kadam et al. 2024, Theorem 3",
        says="A staircase with steps shortened is private in either reading, so its error rate can be had.",
        relation=Relation.AT_LEAST,
        truth=Truth.PROVED,
        objection=_shortened_objection,
        value=in_doubles(_shortened),
        ball=in_balls(_shortened),
        matrix=_shortened_matrix,
    ),
    Theorem(
        name="kadam-bounded-limit",
        source="Kadam et al. 2024, (47) for every epsilon",
        says="With all distances up to a largest one the error rate never exceeds its limit.",
        relation=Relation.AT_LEAST,
        truth=Truth.PROVED,
        objection=_bounded_objection,
        value=in_doubles(_limit),
        ball=in_balls(_limit),
    ),
    Theorem(
        name="kadam-bounded-limit-printed",
        source="Kadam et al. 2024, (48)",
        says="That limit is 1/2 for epsilon up to the logarithm of one plus the largest distance.",
        relation=Relation.AT_LEAST,
        truth=Truth.FALSE,
        objection=_bounded_objection,
        value=in_doubles(_limit_printed),
        ball=in_balls(_limit_printed),
        counter_example="largest distance 1, epsilon 0.3, delta 0: at n = 2000 the error rate is 0.7408.",
    ),
)
"""What is known of all distances up to a largest one."""
