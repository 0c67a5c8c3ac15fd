"""The engine of chains: truths in a row under any trade-off, by thresholds on the orbits of its curve.

Source: `docs/theory/chain.md`; of pure privacy and convex losses Ghosh, Roughgarden, Sundararajan 2012.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import ProblemError
from optmech.designs.chain.gaussian_orbit import (
    gaussian_noise,
    gaussian_places,
    gaussian_thresholds,
    lists_tails,
)
from optmech.designs.chain.multipliers import leaf_of_chain
from optmech.designs.chain.noise_orbit import noise_of_law, reaches_into_tails
from optmech.designs.chain.orbits import WHOLE_TAILS, noise_of_pairs
from optmech.designs.chain.thresholds import best_thresholds
from optmech.designs.chain.worst import PRIOR_BITS, least_favourable
from optmech.designs.deadline import Deadline
from optmech.designs.engine_result import EngineResult
from optmech.models.solvers import solver
from optmech.models.solvers.options import SolveOptions
from optmech.proofs.certificate import Certificate
from optmech.proofs.chain.certificate import NoiseCertificate
from optmech.proofs.chain.curve import LINE_BITS, pairs_around
from optmech.proofs.enclosure import enclosures_of
from optmech.proofs.matrix import ExactMatrix
from optmech.proofs.multipliers import BITS
from optmech.question.chain_question import ChainQuestion, no_chain_question
from optmech.question.losses import WorstLoss
from optmech.theorems.chain import no_convexity

if TYPE_CHECKING:
    from optmech.proofs.chain.noise import Noise
    from optmech.proofs.enclosure import Enclosure
    from optmech.question.problem import Problem

__all__ = ["by_chain", "is_distribution", "no_chain"]

_FACTOR_BITS = LINE_BITS + 8


def is_distribution(problem: Problem) -> bool:
    """Whether the mechanism of a chain is a distribution: it is large, or reaches into tails of the noise."""
    law = problem.privacy.curve
    if law is not None:
        number = problem.query.num_truths
        if law.is_continuous:
            return problem.query.is_large or not lists_tails(law.deviation, number)
        return problem.query.is_large or reaches_into_tails(law, number)
    tails = any(privacy.delta == 0 for privacy in problem.privacies)
    several = len(problem.privacies) > 1 and tails and problem.query.num_truths > WHOLE_TAILS
    return problem.query.is_large or several


def no_chain(problem: Problem) -> str | None:
    """Return why the engine does not design a problem, ``None`` where it does."""
    if not isinstance(problem.objective, WorstLoss):
        return no_chain_question(problem)
    if problem.privacy.curve is not None:
        return "of the worst truth it knows pairs of epsilon and delta alone"
    if problem.properties or problem.query.num_truths > WHOLE_TAILS:
        return (
            f"of the worst truth it knows questions without properties, of at most {WHOLE_TAILS} true answers"
        )
    with_sum = _with_sum(problem)
    return no_chain_question(with_sum) or no_convexity(with_sum)


def by_chain(problem: Problem, options: SolveOptions | None = None) -> EngineResult:
    """Return the optimal mechanism of truths in a row, proved.

    Raises
    ------
    ProblemError
        If the theorem does not speak of the problem.
    VerificationError
        If the curve takes too many steps from nothing to certainty.
    """
    strange = no_chain(problem)
    if strange is not None:
        message = f"`engine` must fit the problem; got chain, but {strange}. Take auto."
        raise ProblemError(message)
    start = time.perf_counter()
    factor = enclosures_of(problem, _FACTOR_BITS)
    worst = isinstance(problem.objective, WorstLoss)
    question = ChainQuestion.of(_with_sum(problem) if worst else problem)
    noise, thresholds = _noise(problem, factor, question)
    certificate: Certificate
    if worst:
        certificate = _at_the_worst(problem, factor, question, noise, options or SolveOptions())
    else:
        places = thresholds or best_thresholds(question, noise)
        if problem.privacy.curve is not None and not is_distribution(problem):
            places = _outside_tails(places, noise, question.num_truths)
        certificate = NoiseCertificate(problem=problem, factor=factor, noise=noise, thresholds=tuple(places))
    return EngineResult.certified(
        "chain",
        certificate,
        solver="theorem of chains",
        method="least favourable prior" if worst else "closed form",
        message="the orbits of the privacy curve, and the best threshold for each step of the responses",
        seconds=time.perf_counter() - start,
    )


def _noise(problem: Problem, factor: Enclosure, question: ChainQuestion) -> tuple[Noise, list[int] | None]:
    """Return the orbits of the privacy curve as a noise; of a smooth curve those of the best thresholds."""
    law = problem.privacy.curve
    if law is None:
        inner, _ = pairs_around(factor, problem.privacies)
        return noise_of_pairs(inner, question.num_truths - 1), None
    if not law.is_continuous:
        return noise_of_law(law, question.num_truths), None
    limits = gaussian_thresholds(question, law.deviation)
    noise = gaussian_noise(limits, law.deviation, question.num_truths)
    return noise, gaussian_places(limits, noise, question.num_truths)


def _outside_tails(places: list[int], noise: Noise, number: int) -> list[int]:
    """Return places with those at which some truth is in a tail, far beyond 2**-100, put at the ends."""
    if not noise.tail:
        return places
    never, always = noise.ends(number)
    lowest = noise.first + noise.period * (number - 1)
    return [always if place > noise.last else never if place < lowest else place for place in places]


# One object, so that what is read of it is read once.
@lru_cache(maxsize=2)
def _with_sum(problem: Problem) -> Problem:
    """Return the question of the sum over truths: the losses that a prior weighs."""
    objective = problem.objective
    assert isinstance(objective, WorstLoss)  # noqa: S101 - its callers have looked
    return replace(problem, objective=objective.at_each_truth())


def _at_the_worst(
    problem: Problem, factor: Enclosure, question: ChainQuestion, noise: Noise, options: SolveOptions
) -> Certificate:
    """Return the mixture that is best at the worst truth, proved by the least favourable prior."""
    loss = problem.least_loss
    assert loss is not None  # noqa: S101 - the worst loss is one
    deadline = Deadline.after(options.time_limit)
    worst = least_favourable(
        question,
        loss.loss,
        noise,
        lambda model: solver("highs").solve(model, options),
        lambda: deadline.is_up,
    )
    _, outer = pairs_around(factor, problem.privacies)
    prior = np.array(worst.prior, dtype=float) / 2.0**PRIOR_BITS
    leaf = leaf_of_chain(
        np.diff(loss.loss, axis=0) * prior,
        question.signs,
        noise,
        outer,
        worst.thresholds,
        [part << BITS - PRIOR_BITS for part in worst.prior],
    )
    matrix = ExactMatrix(numerators=worst.numerators, denominator=worst.denominator)
    return Certificate(problem=problem, factor=factor, matrix=matrix, proof=leaf)
