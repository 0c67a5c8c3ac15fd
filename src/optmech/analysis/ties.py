"""Choose among optimal mechanisms: least squared error first, then a symmetric one.

Method
------
An optimum need not be unique, and which one a solver returns is chance. So a second question is asked: of all
mechanisms whose objective is at most the one that was found, and a millionth of it more, the one of least
expected squared error. Where the question looks the same from both ends of the range, the mean of an optimal
matrix and its half-turn is private, optimal and as good in squared error (both are linear, and the set of
mechanisms is convex), so that symmetry is asked for as well and costs nothing.

A solver's answer to the second question lies on the edge of what the first allows. Mixed with a little of the
first mechanism, or of the mean of it and its half-turn, it lies within, and whole numbers can be made of it.

The returned mechanism is certified twice: as an answer to the question with the proof of its optimum, and as
an answer to the second one.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.arguments import an_instance, takes
from optmech.base.errors import ProblemError, VerificationError
from optmech.base.notes import Note, NoteKind
from optmech.base.time_left import need_time
from optmech.designs.certify import ENCLOSURE_BITS, ByCases, best_leaf, by_cases
from optmech.designs.choice import engine_of_matrix
from optmech.designs.constant import Repaired
from optmech.designs.design import Design, design
from optmech.designs.engines import program
from optmech.designs.engines.engine import Request
from optmech.designs.forced_zeros import forced_zeros
from optmech.designs.repair.repair import repair
from optmech.designs.unreleased_answers import unreleased_note
from optmech.mechanisms.certificates.readable import readable
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.models.solvers.options import SolveOptions
from optmech.proofs.enclosure import enclosures_of
from optmech.proofs.matrix_certificate import MatrixCertificate
from optmech.proofs.violation import objective_of, violation
from optmech.question.loss import loss_matrix
from optmech.question.losses import ExpectedLoss, LossBound
from optmech.question.privacy import PurePrivacy
from optmech.question.properties import SYMMETRIC
from optmech.rules import compile_rules

if TYPE_CHECKING:
    from optmech.proofs.certificate import Certificate
    from optmech.question.losses import Loss
    from optmech.question.problem import Problem

# The second question allows this share beyond the first optimum: room for whole numbers.
_ROOM = Fraction(1, 10**6)
# Shares of the first mechanism that are mixed in, the least first.
_SHARES = (1e-6, 1e-4, 1e-2, 0.1, 0.5, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settled:
    """A mechanism that ties do not leave to chance.

    Attributes
    ----------
    design : Design
        The mechanism as an answer to the question: its objective may exceed the first by a millionth.
    second : Certificate
        The same mechanism as an answer to the second question: its objective is the expected squared error,
        its bound what no mechanism that is as good can go below.
    symmetric : bool
        Whether it is its own half-turn.
    """

    design: Design
    second: Certificate
    symmetric: bool


@takes(result=an_instance(Design))
def break_ties(result: Design, *, time_limit: float | None = None) -> Settled:
    """Return the optimal mechanism of least expected squared error, symmetric where the question is.

    Parameters
    ----------
    result : Design
        A certified design of a free matrix; of a distribution the matrix is designed first.
    time_limit : float, optional
        Seconds, as for `design`.

    Raises
    ------
    ProblemError
        If the design is raw, or too large for a matrix, its structure leaves too little to choose, or the
        answers are no numbers.
    NoSolutionError, VerificationError
        As `design`.

    Examples
    --------
    >>> import optmech as om
    >>> query = om.Query([0, 1, 2], neighbours="all")
    >>> settled = break_ties(om.design(om.question(query, 1, loss="zero-one", worst_case=True)))
    >>> settled.symmetric, settled.second.relative_gap < 1e-6
    (True, True)
    """
    start = time.perf_counter()
    problem, first = result.problem, result.certificate
    if not problem.structure.is_free:
        message = f"ties can be broken of any matrix, without a structure; got {problem.structure}."
        raise ProblemError(message)
    if first.lacks_multipliers and (first.exact is None or engine_of_matrix(problem) != "auto"):
        result, first = _with_matrix(problem)
    query = problem.query
    if query.labels and not query.moduli:
        message = (
            "ties are broken by squared error, which needs answers that are numbers; those of "
            f"{query.title} are not, such as {query.labels[0]}. Leave the ties."
        )
        raise ProblemError(message)
    symmetric = looks_the_same_from_both_ends(problem)
    second = _second(_second_question(problem, first, symmetric=symmetric), result, symmetric, time_limit)
    certificate = MatrixCertificate(
        problem=problem,
        factor=first.factor,
        matrix=second.matrix,
        proof=first.entry_by_entry,
        claimed_bounds=first.claimed_bounds,
        repair={"how": "least squared error among the optimal", "cost": second.repair["cost"]},
        raw=first.raw,
        made_by=first.made_by,
    )
    mechanism = MatrixMechanism.certified(certificate)
    settled = replace(
        result,
        mechanism=mechanism,
        objective=float(certificate.objective),
        certificate=certificate,
        seconds=result.seconds + time.perf_counter() - start,
        notes=(
            *(note for note in result.notes if note != unreleased_note(problem, result.mechanism)),
            *filter(None, [unreleased_note(problem, mechanism)]),
            Note(
                NoteKind.INFORMATION,
                f"ties are broken by least squared error, {float(second.objective):.9g} here"
                + (", and by symmetry" if symmetric else ""),
            ),
        ),
    )
    return Settled(design=settled, second=second, symmetric=symmetric)


def _with_matrix(problem: Problem) -> tuple[Design, Certificate]:
    """Return the design of a matrix, where a distribution was handed out."""
    result = design(problem, engine=engine_of_matrix(problem))
    if result.certificate is None or result.certificate.exact is None:
        message = f"ties can be broken of a matrix; got a distribution without one of {problem.query.title}."
        raise ProblemError(message)
    return result, result.certificate


def _second(problem: Problem, design: Design, symmetric: bool, time_limit: float | None) -> Certificate:  # noqa: FBT001
    """Return the certified answer to the second question."""
    answer = program.design(problem, Request(options=SolveOptions(time_limit=time_limit), is_patient=True))
    need_time("breaking ties: take the first mechanism")
    inner = design.mechanism.matrix
    inner = (inner + inner[::-1, ::-1]) / 2 if symmetric else inner
    # The bound on the first objective leaves so little room that whole numbers are made without it, and held
    # to it then.
    without = compile_rules(replace(problem, bounds=design.problem.bounds))
    factor = enclosures_of(problem, ENCLOSURE_BITS)
    rules = compile_rules(problem)
    for share in _SHARES:
        outer = inner if answer.raw is None else answer.raw
        matrix = repair(without, (1 - share) * outer + share * inner, factor)
        if matrix is not None and violation(rules, matrix, factor) is None:
            how = f"{share:g} of the first mechanism mixed in"
            best = Repaired(how, matrix, objective_of(rules, matrix, factor))
            if rules.choice is None:
                found = ByCases(best, best_leaf(forced_zeros(problem), answer.leaves(), factor).leaf)
            else:
                found = by_cases(rules, best, factor)
            certificate = MatrixCertificate(
                problem=problem,
                factor=factor,
                matrix=found.best.matrix,
                proof=found.proof,
                repair={"how": f"{found.best.origin}, repaired", "cost": "unknown"},
            )
            return readable(certificate, found.smaller)
    message = (
        f"no matrix for {problem.query.title} could be made of least squared error and as good as the first. "
        "Take the first."
    )
    raise VerificationError(message)


def _second_question(problem: Problem, first: Certificate, *, symmetric: bool) -> Problem:
    """Return the question for the least squared error among mechanisms as good as the first."""
    query, objective = problem.query, problem.least_loss
    good_enough = _short_above(first.objective * (1 + _ROOM))
    weights: dict[str, object] = {"weights": np.ones(query.num_truths), "weights_name": "sum"}
    bounds, privacy = problem.bounds, problem.privacy
    if objective is None:
        if first.delta == 0:
            privacy = PurePrivacy(privacy.epsilon)
        else:
            privacy = privacy.spending(min(good_enough, (1 + first.delta) / 2))
        cost_bound = problem.bounded_cost
        bounds = bounds if cost_bound is None else (*bounds, cost_bound)
    else:
        bounds = (*bounds, LossBound(objective, good_enough))
        each = objective.at_each_truth()
        weights = {"weights": each.weights, "weights_name": each.weights_name, "exactly": each.exactly}
    squared_error = ExpectedLoss(loss_matrix("squared", query), loss_name="squared", **weights)  # type: ignore[arg-type]
    return replace(
        problem,
        name="ties",
        privacy=privacy,
        properties=problem.properties | ({SYMMETRIC} if symmetric else set()),
        objective=squared_error,
        bounds=bounds,
    )


def _short_above(value: Fraction) -> Fraction:
    """Return a decimal of about 15 digits that is at least `value`."""
    if value == 0:
        return value
    scale = Fraction(10) ** (16 + len(str(value.denominator)) - len(str(value.numerator)))
    return Fraction(ceil(value * scale)) / scale


def looks_the_same_from_both_ends(problem: Problem) -> bool:
    """Whether the half-turn of any mechanism of the problem is one, with the same objective.

    >>> import optmech as om
    >>> skewed = om.question(om.count(1), 1, prior=[0.9, 0.1])
    >>> looks_the_same_from_both_ends(om.question(om.count(1), 1)), looks_the_same_from_both_ends(skewed)
    (True, False)
    """
    query = problem.query
    # No mean keeps choices or rules.
    if query.labels or not query.symmetric or problem.privacy.has_choices or problem.rules:
        return False
    last = query.num_truths - 1
    pairs = np.column_stack([query.pairs, query.weights])
    images = np.column_stack([last - query.pairs, query.weights])
    truths, midpoints = query.truths, [response.midpoint for response in query.responses]
    ends = {low + high for grid in (truths, midpoints) for low, high in zip(grid, grid[::-1], strict=True)}
    same = np.array_equal(np.unique(images, axis=0), np.unique(pairs, axis=0)) and len(ends) == 1
    aims = (problem.least_loss, problem.loss, *(bound.loss for bound in problem.bounds))
    turned = all(aim is None or _turns(aim) for aim in aims)
    if not same or not turned or (query.home != query.num_responses - 1 - query.home[::-1]).any():
        return False
    limits = compile_rules(problem).demanded_limits
    return limits is None or all((side == side[::-1]).all() for side in limits)


def _turns(loss: Loss) -> bool:
    """Whether a loss is its own half-turn."""
    is_turned = np.array_equal(loss.loss, loss.loss[::-1, ::-1])
    return is_turned and np.array_equal(loss.weights, loss.weights[::-1])
