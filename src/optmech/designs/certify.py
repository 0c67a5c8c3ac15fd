"""Certify a solver's proposal: integers that are private, and a proved bound."""

from __future__ import annotations

import itertools
import math
from contextlib import nullcontext
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.base.errors import VerificationError
from optmech.base.time_left import overtime, time_is_up
from optmech.base.version import __version__
from optmech.designs.branch import search
from optmech.designs.constant import Repaired, best_constant
from optmech.designs.forced_zeros import forced_zeros
from optmech.designs.proof_of_zeros import without_limits
from optmech.designs.repair.repair import empty_interior, repair
from optmech.designs.repair.rounding import BITS, MARGIN
from optmech.designs.shortened import shortened
from optmech.designs.without_cases import leaves_without_cases, pure_matrix
from optmech.mechanisms.certificates.readable import readable
from optmech.models.solution import Status
from optmech.proofs.bound import NotAProofError, proved_bound
from optmech.proofs.enclosure import enclosures_of
from optmech.proofs.file_limits import MOST_ENTRIES_OF_RAYS
from optmech.proofs.matrix_certificate import MatrixCertificate
from optmech.proofs.multipliers import Leaf
from optmech.proofs.violation import objective_of, violation
from optmech.question.privacy.loss import largest_privacy_loss
from optmech.rules import mismatch
from optmech.rules.compatibility import is_of_the_papers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from fractions import Fraction

    from optmech.designs.engine_result import EngineResult, Proposal
    from optmech.designs.forced_zeros import ForcedZeros
    from optmech.models.solution import Solution
    from optmech.proofs.certificate import Certificate
    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.matrix import ExactMatrix
    from optmech.proofs.multipliers import Tree
    from optmech.question.problem import Problem
    from optmech.rules import Rules

# The enclosure is so much narrower than a certified ratio can notice.
ENCLOSURE_BITS = 2 * BITS
# With more entries than this it is still far narrower than `MARGIN`, and all that is computed is shorter.
_MANY, _BITS_OF_MANY = 2**16, 96
# Gaps that are wider, relatively, are worth solving the program again to more digits.
_WIDE = 1e-8
# A proof by cases with a wider gap, relatively, may be worse than one without.
_FAR = 1e-3
# Matrices of more entries are written in short where they can be.
_SMALL = 2_500
# An objective below this may be what rounding leaves of zero.
_DUST = 1e-12


def certify(problem: Problem, engine_result: EngineResult) -> Certificate:
    """Return the certificate of the first proposal that can be repaired.

    VerificationError: no proposal can be repaired, or certificates do not cover such a problem.
    """
    strange = mismatch(problem)
    if strange is not None:
        message = (
            f"{problem.query.title} cannot be certified; {strange}. Ask for the solver's answer with `raw`."
        )
        raise VerificationError(message)
    entries = problem.query.num_responses * problem.query.num_truths
    factor = enclosures_of(problem, ENCLOSURE_BITS if entries <= _MANY else _BITS_OF_MANY)
    zeros = forced_zeros(problem)
    rules = zeros.rules
    solution = engine_result.solution
    free = _without_data(rules, factor)
    best = _best(zeros.closed, engine_result.proposals(), factor) if free is None else free
    if free is None and (best is None or not time_is_up()):
        best = _constant(rules, factor, best)
    if best is None and rules.choice is not None:  # the proof by cases finds better ones
        best = _under_pure_privacy(rules, factor) or best_constant(rules, factor, at_most=math.inf)
    if best is None and (time_is_up() or solution.status is Status.LIMIT):  # no time for reasons
        message = (
            f"the time was up before a matrix for {problem.query.title} was made that keeps its promises "
            "exactly. Raise `time_limit`, or ask for a coarser range."
        )
        raise VerificationError(message)
    if best is None:
        why = None if is_of_the_papers(problem) else empty_interior(rules, factor)
        why = why or "keep its promises exactly"
        message = (
            f"no matrix for {problem.query.title} could be made to {why}. "
            "Ask for the solver's own answer with `raw`, another solver, or fewer properties."
        )
        raise VerificationError(message)
    proof: Tree | None
    smaller: Callable[[int], Tree] | None = None
    if free is not None:
        proof = Leaf()
    elif engine_result.formulation is not None and engine_result.formulation.model.is_mixed_integer:
        best, proof, smaller = by_cases(rules, best, factor)
    else:
        best_proof = best_leaf(zeros, engine_result.leaves(), factor)
        if not is_of_the_papers(problem):
            best, best_proof = _refine(zeros, engine_result, best, best_proof, factor)
        proof = best_proof.leaf
        if not time_is_up():
            gap = best.objective - best_proof.bound
            proof = shortened(zeros.rules, proof, factor, best_proof.bound, gap)
    certificate = MatrixCertificate(
        problem=problem,
        factor=factor,
        matrix=_in_short(problem, best.matrix),
        proof=proof,
        claimed_bounds={} if proof is not None else _claims(solution),
        repair={"how": f"{best.origin}, repaired", "cost": _cost(best.objective, solution.objective)},
        raw=_raw(problem, engine_result),
        made_by={
            "optmech": __version__,
            "engine": engine_result.engine,
            "solver": solution.solver,
            "method": solution.method,
            "status": solution.status.name.lower(),
        },
    )
    return readable(certificate, smaller)


def _in_short(problem: Problem, matrix: ExactMatrix) -> ExactMatrix:
    """Return a large matrix of one noise as its first column; a small one is read more easily in full."""
    size = matrix.numerators.size
    if (
        not _SMALL < size <= MOST_ENTRIES_OF_RAYS
        or problem.structure.noise_table(len(matrix.numerators)) is None
    ):
        return matrix
    return matrix.in_a_column()


class ProvedLeaf(NamedTuple):
    """Multipliers and the bound that they prove."""

    leaf: Leaf
    bound: Fraction


def _best(rules: Rules, proposals: Iterable[Proposal], factor: Enclosure) -> Repaired | None:
    """Return the first proposal that can be repaired, or the one with the least delta if delta is sought.

    For a free matrix under probabilistic privacy it is the one of least objective: a program with that many
    indicators may stop early, far above the optimum of pure privacy.
    """
    best: Repaired | None = None
    problem = rules.problem
    any_matrix = rules.choice is not None and not rules.structural
    for origin, proposal in proposals:
        with overtime() if best is None else nullcontext():  # the first one, however late it is
            matrix = repair(rules, proposal, factor)
            if matrix is None and time_is_up():
                break
        if matrix is None:
            continue
        objective = objective_of(rules, matrix, factor)
        if best is None or objective < best.objective:
            best = Repaired(origin, matrix, objective)
        if objective == 0 or not (any_matrix or problem.least_loss is None) or time_is_up():
            break
    return best


def _without_data(rules: Rules, factor: Enclosure) -> Repaired | None:
    """Return an answer that ignores the data and has the least loss at each truth: no proof is shorter."""
    objective = rules.problem.least_loss
    if objective is None:
        return None
    average = objective.at_each_truth()
    floor = float((average.loss.min(axis=0) * average.weights).sum()) * objective.total / average.total
    constant = best_constant(rules, factor, at_most=floor)
    return constant if constant and constant.objective <= proved_bound(rules, Leaf(), factor) else None


def _constant(rules: Rules, factor: Enclosure, best: Repaired | None) -> Repaired | None:
    """Return a mechanism with equal columns, if it is better than the given one.

    If ``e^epsilon`` is so near one that rounding breaks every ratio, hardly any other matrix is private;
    elsewhere it does not replace a matrix that cannot be repaired. A least delta of zero does not need it.
    """
    if best is None:
        narrow = factor.lower <= 1 + 2 * MARGIN
        constant = best_constant(rules, factor, at_most=math.inf) if narrow else None
    elif rules.seeks_delta and not 0 < best.objective < _DUST:
        return best
    else:
        constant = best_constant(rules, factor, at_most=float(best.objective), beside=best.matrix)
    if constant is None or (best is not None and constant.objective >= best.objective):
        return best
    return constant


def _refine(
    zeros: ForcedZeros,
    engine_result: EngineResult,
    best: Repaired,
    best_proof: ProvedLeaf,
    factor: Enclosure,
) -> tuple[Repaired, ProvedLeaf]:
    """Return matrix and proof after steps of refinement, while the gap is wide."""
    steps = iter(engine_result.refinements())
    while best.objective - best_proof.bound > _WIDE * best.objective and not time_is_up():
        step = next(steps, None)
        if step is None:
            break
        proposal, leaf = step
        better = _best(zeros.closed, [("the solver's matrix to more digits", proposal)], factor)
        best = best if better is None or better.objective >= best.objective else better
        later = _proved_leaf(zeros, leaf, factor)
        best_proof = later if later.bound > best_proof.bound else best_proof
    return best, best_proof


class ByCases(NamedTuple):
    """A matrix, a proof by cases, ``None`` without one, and smaller proofs, of at most so many cases."""

    best: Repaired
    proof: Tree | None
    smaller: Callable[[int], Tree] | None = None


def by_cases(rules: Rules, best: Repaired, factor: Enclosure) -> ByCases:
    """Return the given matrix or a better one, and a proof by cases."""
    tree, matrix, smaller = search(rules, float(best.objective))
    if matrix is not None:
        better = _best(rules, [("a matrix from the proof of the bound", matrix)], factor)
        best = best if better is None or better.objective >= best.objective else better
    bound = None if tree is None else _bound(rules, tree, best.objective, factor)
    if bound is not None and best.objective - bound <= _FAR * best.objective:
        return ByCases(best, tree, smaller)
    pure = _under_pure_privacy(rules, factor)
    best = best if pure is None or pure.objective >= best.objective else pure
    for other in leaves_without_cases(rules.problem):
        other_bound = _bound(rules, other, best.objective, factor)
        if other_bound is not None and (bound is None or other_bound > bound):
            tree, bound, smaller = other, other_bound, None
        if bound is not None and best.objective - bound <= _FAR * best.objective:
            break
    return ByCases(best, tree if bound is not None else None, smaller)


def _under_pure_privacy(rules: Rules, factor: Enclosure) -> Repaired | None:
    """Return the optimum under pure privacy, which keeps any delta, where a theorem gives it."""
    pure = pure_matrix(rules.problem)
    if pure is None or violation(rules, pure, factor) is not None:
        return None
    return Repaired("the optimum under pure privacy", pure, objective_of(rules, pure, factor))


def best_leaf(zeros: ForcedZeros, leaves: Iterable[Leaf], factor: Enclosure) -> ProvedLeaf:
    """Return the multipliers that prove the best bound, and this bound."""
    remaining = iter(leaves)
    with overtime():  # the first one, however late it is
        first = list(itertools.islice(remaining, 1))
    in_time = itertools.takewhile(lambda _: not time_is_up(), remaining)
    # Without multipliers the least loss of each truth is still a proved bound.
    proved_leaves = [_proved_leaf(zeros, leaf, factor) for leaf in (*first, *in_time, Leaf())]
    return max(proved_leaves, key=lambda each: each.bound)


def _proved_leaf(zeros: ForcedZeros, leaf: Leaf, factor: Enclosure) -> ProvedLeaf:
    whole = without_limits(zeros, leaf, factor)
    return ProvedLeaf(whole, proved_bound(zeros.rules, whole, factor))


def _bound(rules: Rules, tree: Tree, objective: Fraction, factor: Enclosure) -> Fraction | None:
    """Return the bound that a tree proves, ``None`` if it is no proof because of rounding in the search."""
    try:
        bound = proved_bound(rules, tree, factor)
    except NotAProofError:
        return None
    return bound if bound <= objective else None


def _cost(after: Fraction, before: float | None) -> str:
    return "unknown" if before is None else f"{float(after) - before:.6g}"


def _claims(solution: Solution) -> dict[str, str]:
    return {} if solution.bound is None else {solution.solver: f"{solution.bound:.15g}"}


def _raw(problem: Problem, engine_result: EngineResult) -> dict[str, str]:
    """Return the objective and the exact epsilon of the engine's own matrix, where there is time for it."""
    objective = engine_result.solution.objective
    if (
        time_is_up()
        or engine_result.raw is None
        or objective is None
        or not np.isfinite(engine_result.raw).all()
    ):
        return {"objective": "none", "effective_epsilon": "none"}
    query = problem.query
    loss = largest_privacy_loss(np.clip(engine_result.raw, 0.0, None), query.pairs, query.weights).value
    return {
        "objective": f"{objective:.15g}",
        "effective_epsilon": "inf" if math.isinf(loss) else f"{loss:.15g}",
    }
