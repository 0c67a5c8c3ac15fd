"""The largest probability of telling the truth that privacy and all else leave.

For a free matrix, or modular noise, it is one design: the accuracy is at least eta at every truth just when
the zero-one loss at the worst truth is at most 1 - eta. So the least such loss is one minus the largest
accuracy, and its two proofs, mechanism and bound, are those of the accuracy.

Noise of bounded width has its accuracy as a part of its structure, exactly, and the objective is held to a
target. For such noise the least delta, and the least loss, are convex in the accuracy: two mechanisms may be
mixed. So the accuracies that meet the target are an interval, and two proofs at neighbouring values, met and
not met, find its upper end.
"""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

from optmech.analysis.inversion import parameter
from optmech.analysis.inversion.evidence import Settings, Verdict, evidence
from optmech.analysis.inversion.smallest_parameter import checked_target
from optmech.analysis.inversion.threshold import Outcome, Threshold, precise, threshold
from optmech.base.arguments import an_instance, need_text, takes
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.question.homes import need_homes
from optmech.question.loss import loss_matrix
from optmech.question.losses import LossBound, WorstLoss
from optmech.question.problem import Problem

if TYPE_CHECKING:
    from optmech.base.numbers import Number
    from optmech.models.solvers.interface import SolverName

# Both accuracies are moved outwards to this many decimals, which their proofs allow.
_DECIMALS = 10**12
_LAW = "an accuracy of eta is a zero-one loss of at most 1 - eta at the worst truth, and none is less"


@takes(problem=an_instance(Problem), solver=need_text)
def largest_accuracy(
    problem: Problem,
    target: Number | None = None,
    *,
    precision: Number = "0.001",
    solver: SolverName = "auto",
    time_limit: float | None = None,
    threads: int | None = None,
) -> Threshold:
    """Find the largest probability with which every truth can be told, proved on both sides.

    Parameters
    ----------
    problem : Problem
        The question. A limit ``accuracy`` in it is left out, for it is what is sought.
    target : str, int, float or Fraction, optional
        The largest objective that will do: a loss, or delta. It must be given for a least delta, and for
        noise of bounded width; otherwise it may be left out, and the objective does not count.
    precision : str, int, float or Fraction, default 0.001
        The largest difference of the two accuracies.
    solver, time_limit, threads
        As of `least_epsilon`.

    Returns
    -------
    Threshold
        ``value`` is an accuracy that a certified mechanism has at every truth, and none has ``beyond``.

    Raises
    ------
    ProblemError
        If an argument breaks its rule, or some truth is in no response.
    NotAcceptedError
        If privacy is probabilistic and noise of bounded width: then two mechanisms must not be mixed.

    Examples
    --------
    A count under pure privacy: the ends of the range can be told apart from one side only.

    >>> from optmech.question.problems.question import question
    >>> from optmech.question.queries import residues
    >>> from optmech.question.structures import ModularNoise
    >>> problem = question(residues(5, [1, 2]), "ln 3", structure=ModularNoise(), loss="error-rate")
    >>> round(float(largest_accuracy(problem).value), 6)  # 3 / (3 + 4)
    0.428571
    """
    most = checked_target(target)
    step = precise(precision, Fraction(1, 2)) / 2
    if most is None and problem.least_loss is None:
        message = "`target` must be given where delta is the objective: the largest delta that will do."
        raise ProblemError(message)
    others = frozenset(limit for limit in problem.limits if not limit.of_truth)
    problem = replace(problem, limits=others)
    if problem.structure.width is None:
        return _by_loss(problem, most, 2 * step, Settings.validated(solver, time_limit, threads))
    if most is None:
        message = "`target` must be given for noise of bounded width: the largest loss that will do."
        raise ProblemError(message)
    if not problem.privacy.is_convex:
        message = (
            "`problem` must have a privacy that mixing keeps, to search for the accuracy of such noise; "
            f"got {problem.privacy}. Ask for (epsilon, delta)-differential privacy."
        )
        raise NotAcceptedError(message)
    accuracy = parameter.accuracy_of_noise(problem, step)
    return threshold(accuracy, most, 2 * step, Settings.validated(solver, time_limit, threads))


def _by_loss(problem: Problem, target: Fraction | None, precision: Fraction, settings: Settings) -> Threshold:
    """Return the accuracy as one minus the least zero-one loss at the worst truth."""
    start = time.perf_counter()
    result = evidence(_problem_of_accuracy(problem, target), Fraction(0), None, settings)
    objective, bound, below, above = result.objective, result.bound, None, None
    if result.verdict is Verdict.MET and objective is not None:
        value = Fraction(floor((1 - objective) * _DECIMALS), _DECIMALS)
        below = replace(result, value=value, target=1 - value)
        if bound is not None and bound > 0:
            value = Fraction(floor((1 - bound) * _DECIMALS) + 1, _DECIMALS)
            above = replace(result, value=value, target=1 - value, verdict=Verdict.REFUTED)
    if result.verdict is Verdict.REFUTED:  # nothing keeps the other promises, at an accuracy of 0 or more
        above = result
    outcome = Outcome.UNDECIDED
    if below is not None and above is not None and above.value - below.value <= precision:
        outcome = Outcome.PROVED
    elif settings.deadline.is_up:
        outcome = Outcome.LATE
    elif above is result:
        outcome = Outcome.NOWHERE
    return Threshold(
        parameter="accuracy",
        target=target,
        precision=precision,
        value=None if below is None else below.value,
        beyond=None if above is None else above.value,
        met=below,
        refuted=above,
        undecided=() if below is not None or above is not None else (result,),
        law=_LAW,
        outcome=outcome,
        designs=1,
        seconds=time.perf_counter() - start,
    )


def _problem_of_accuracy(problem: Problem, target: Fraction | None) -> Problem:
    """Return the question of least zero-one loss at the worst truth, the objective held to the target."""
    query, objective, privacy = problem.query, problem.objective, problem.privacy
    need_homes(query, "the accuracy")
    worst = WorstLoss.under(problem.structure, loss_matrix("zero-one", query), "zero-one")
    if target is None:
        return replace(problem, objective=worst)
    if problem.least_loss is None:
        privacy = privacy.spending(target)
    bounds = [LossBound(loss, most) for loss, most in objective.bounds_at(target)]
    return replace(problem, objective=worst, privacy=privacy, bounds=(*problem.bounds, *bounds))
