"""The engine of chains: truths in a row under any trade-off, by thresholds on the orbits of its curve.

Source: `docs/theory/chain.md`; of pure privacy and convex losses Ghosh, Roughgarden, Sundararajan 2012.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from optmech.designs.chain.curve_orbits import orbits_of
from optmech.designs.chain.matrix_of_chain import matrix_of_chain
from optmech.designs.chain.orbits import WHOLE_TAILS
from optmech.designs.chain.tail_orbit import certificate_of_tails
from optmech.designs.engine_result import EngineResult
from optmech.designs.engines.engine import USUAL, Request, need_fit
from optmech.designs.order import too_large_epsilon
from optmech.models.solvers.options import SolveOptions
from optmech.proofs.chain.certificate import NoiseCertificate
from optmech.proofs.enclosure import enclosures_of
from optmech.proofs.file_limits import MOST_COUNTED
from optmech.proofs.multipliers import Leaf
from optmech.question.chain_question import ChainQuestion, no_chain_question
from optmech.question.shape import Shape
from optmech.theorems.chain import no_convexity

if TYPE_CHECKING:
    from optmech.base.errors import ProblemError
    from optmech.proofs.certificate import Certificate
    from optmech.proofs.chain.noise import Noise
    from optmech.question.problem import Problem
    from optmech.question.query import Query

NAME = "chain"
# e^epsilon is known so much better than noise keeps it.
_FACTOR_BITS = 200
# Some three orbits for each pair and step, each with a value for each truth, take a second.
_MOST_VALUES = 500_000


def is_distribution(problem: Problem) -> bool:
    """Whether the mechanism of a chain is a distribution: it is large, or reaches into tails of the noise."""
    if problem.query.is_large:
        return True
    shape = Shape.of(problem)
    if shape.worst_loss is not None or not shape.equal_steps:
        return False  # the chain designs a matrix
    return orbits_of(problem).reaches_tails(problem.query.num_truths)


def is_proved_by_prices(problem: Problem) -> bool:
    """Whether noise that is all tails is best, of a loss that need not be convex."""
    return no_chain_question(problem) is None and ChainQuestion.of(problem).has_one_decay


def refusal(problem: Problem) -> str | None:
    """Return why the engine does not design a problem, ``None`` where it does."""
    shape = Shape.of(problem)
    worst = shape.worst_loss is not None
    if not worst and shape.equal_steps:
        return no_chain_question(problem) or (_no_run(problem.query) if is_distribution(problem) else None)
    case = "of the worst truth" if worst else "of steps that differ from each other, or from way to way,"
    if worst and (only_pairs := orbits_of(problem).only_pairs) is not None:
        return f"{case} {only_pairs}"
    if worst and (problem.properties or too_large_epsilon(problem)):
        return too_large_epsilon(problem) or f"{case} it knows questions without properties"
    if problem.query.num_truths > WHOLE_TAILS:
        return f"{case} it knows questions of at most {WHOLE_TAILS} true answers"
    if not shape.equal_steps and problem.query.num_truths**2 * len(problem.privacies) > _MOST_VALUES:
        return f"{case} it knows fewer pairs of epsilon and delta for so many true answers"
    with_sum = _with_sum(problem)
    return no_chain_question(with_sum, any_steps=True) or (no_convexity(with_sum) if worst else None)


def _no_run(query: Query) -> str | None:
    """Return why a query has no distribution: that is one of counts, as many as a file may have."""
    if query.num_truths > MOST_COUNTED:
        return f"noise and thresholds are of at most {MOST_COUNTED:,} true answers"
    if query.is_run:
        return None
    return "a distribution is of whole numbers in a row alone, which are released as they are"


def praise(problem: Problem) -> str:
    """Return that it proves its own thresholds."""
    return orbits_of(problem).praise


def too_short(problem: Problem, request: Request, end: float) -> ProblemError | None:  # noqa: ARG001 - none is
    """Return ``None``: its work is refused before it is long."""
    return None


def design(problem: Problem, request: Request = USUAL) -> EngineResult:
    """Return the optimal mechanism of truths in a row, proved.

    Others are refused with a `ProblemError`; with a `VerificationError` a curve that takes too many steps
    from nothing to certainty.
    """
    need_fit(NAME, refusal(problem))
    start = time.perf_counter()
    factor = enclosures_of(problem, _FACTOR_BITS)
    worst = Shape.of(problem).worst_loss
    question = ChainQuestion.of(_with_sum(problem), any_steps=True)
    certificate: Certificate
    if worst is not None or not Shape.of(problem).equal_steps:
        certificate = matrix_of_chain(problem, factor, question, request.options)
    elif is_distribution(problem) and question.has_one_decay:
        certificate = certificate_of_tails(problem, question)
    else:
        noise, places = orbits_of(problem).noise(factor, question)
        if not is_distribution(problem):
            places = _outside_tails(places, noise, question.num_truths)
        certificate = NoiseCertificate(problem=problem, factor=factor, noise=noise, thresholds=tuple(places))
    return EngineResult.certified(
        NAME,
        certificate,
        solver="theorem of chains",
        method="closed form" if worst is None else "least favourable prior",
        message="the orbits of the privacy curve, and the best threshold for each step of the responses",
        seconds=time.perf_counter() - start,
    )


def proof_of_chain(problem: Problem) -> Leaf | None:
    """Return the multipliers that prove a chain's optimum as that of a matrix; refusals are of `design`."""
    factor = enclosures_of(problem, _FACTOR_BITS)
    question = ChainQuestion.of(_with_sum(problem), any_steps=True)
    proof = matrix_of_chain(problem, factor, question, SolveOptions()).proof
    return proof if isinstance(proof, Leaf) else None


def _outside_tails(places: list[int], noise: Noise, number: int) -> list[int]:
    """Return places with those at which some truth is in a tail, next to nothing, put at the ends."""
    if not noise.tail:
        return places
    never, always = noise.ends(number)
    lowest = noise.first + noise.period * (number - 1)
    return [always if place > noise.last else never if place < lowest else place for place in places]


# One object, so that what is read of it is read once.
@lru_cache(maxsize=2)
def _with_sum(problem: Problem) -> Problem:
    """Return of a worst loss the question of the sum over truths: the losses that a prior weighs."""
    worst = Shape.of(problem).worst_loss
    return problem if worst is None else replace(problem, objective=worst.at_each_truth())
