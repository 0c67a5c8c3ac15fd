"""The least epsilon, and the least half-width, at which a question can be met."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.analysis.inversion import parameter
from optmech.analysis.inversion.evidence import Settings
from optmech.analysis.inversion.threshold import precise, threshold
from optmech.analysis.inversion.within import question_within
from optmech.base.arguments import an_instance, need_text, takes, whole_number
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, exact
from optmech.question.problem import Problem

if TYPE_CHECKING:
    from optmech.analysis.inversion.threshold import Threshold
    from optmech.base.numbers import Number
    from optmech.models.solvers.interface import SolverName

_MOST_EPSILON = 30
_MOST_WIDTH = 100


@takes(problem=an_instance(Problem), solver=need_text)
def least_epsilon(
    problem: Problem,
    target: Number | None = None,
    *,
    precision: Number = "0.001",
    highest: Number = _MOST_EPSILON,
    solver: SolverName = "auto",
    time_limit: float | None = None,
    threads: int | None = None,
) -> Threshold:
    """Find the smallest epsilon at which a question can be met, proved on both sides.

    At the epsilon returned a certified mechanism has an objective of at most `target`. At one smaller by at
    most `precision` multipliers prove that none has, and so at no smaller epsilon: what is private there is
    private here. Both are rationals, short decimals, and each proof is a certificate.

    Parameters
    ----------
    problem : Problem
        The question at any epsilon; the search begins there.
    target : str, int, float or Fraction, optional
        The largest objective that will do, in its unit: an expected loss, the loss at the worst truth, the
        probability of a larger error, or delta. Or ``"within 3 with 95 %"``: an error of at most 3 with that
        probability at every true answer, which then is the loss; ``on average`` may follow. Left out, any
        mechanism will do that keeps the problem's privacy, properties, limits and bounds.
    precision : str, int, float or Fraction, default 0.001
        The largest difference of the two values of epsilon.
    highest : str, int, float or Fraction, default 30
        The largest epsilon to try.
    solver, threads
        As of `design`.
    time_limit : float, optional
        Seconds for the search.

    Returns
    -------
    Threshold
        ``value`` is the epsilon, ``design`` the mechanism there, ``beyond`` the epsilon at which there is
        none. Where the two proofs at an epsilon leave room for the target, it says between which values
        nothing is decided.

    Raises
    ------
    ProblemError
        If an argument breaks its rule, or a program is meant as its paper prints it.
    NotAcceptedError
        If the structure does not fit the query.

    Examples
    --------
    >>> from optmech.question.problems.question import question
    >>> from optmech.question.queries import count
    >>> threshold = least_epsilon(question(count(20), 1), "0.5")
    >>> float(threshold.value - threshold.beyond) <= 0.001, threshold.design.objective <= 0.5
    (True, True)
    >>> threshold.refuted.design.lower_bound > 0.5
    True
    """
    # A value on the target itself is not decided, its neighbours are.
    step = precise(precision, Fraction(1)) / 2
    asked, number = question_within(problem, target)
    epsilon_searched = parameter.epsilon(asked, step, exact(highest, "highest"))
    settings = Settings.validated(solver, time_limit, threads)
    return threshold(epsilon_searched, checked_target(number), 2 * step, settings)


@takes(problem=an_instance(Problem), solver=need_text, highest=whole_number)
def least_half_width(
    problem: Problem,
    target: Number | None = None,
    *,
    highest: int = _MOST_WIDTH,
    solver: SolverName = "auto",
    time_limit: float | None = None,
    threads: int | None = None,
) -> Threshold:
    """Find the smallest half-width of the noise at which a question can be met, proved on both sides.

    Parameters
    ----------
    problem : Problem
        With noise of bounded width, or a limit ``within``; at any half-width. Noise that is one law for all
        counts is asked for counts from the half-width on, as `sadeghi_symmetric` does.
    target : str, int, float or Fraction, optional
        The largest objective that will do, such as delta of `sadeghi`. Left out, any mechanism will do.
    highest : int, default 100
        The largest half-width to try.
    solver, threads, time_limit
        As of `least_epsilon`.

    Raises
    ------
    ProblemError
        If an argument breaks its rule.
    NotAcceptedError
        If the problem has no half-width, or a loss without a name; if noise that is one law for all counts is
        asked with a loss summed over counts, or without some responses, where a half-width moves the counts.

    Examples
    --------
    >>> from optmech.question.problems.sadeghi import sadeghi_symmetric
    >>> threshold = least_half_width(sadeghi_symmetric("2.18", "0.8", 6), "0.005")
    >>> print(threshold.value, threshold.beyond)
    3 2
    """
    if highest < 1:
        raise broken_rule("highest", "be a whole number of at least 1", highest)
    width_searched = parameter.half_width(problem, whole_number(highest, "highest"))
    settings = Settings.validated(solver, time_limit, threads)
    return threshold(width_searched, checked_target(target), Fraction(1), settings)


def checked_target(target: Number | None) -> Fraction | None:
    """Return a target exactly as given."""
    if target is None:
        return None
    value = exact(target, "target")
    if value < 0:
        message = (
            f"`target` must be zero or more; got {as_text(value)}. "
            "It is the largest loss, or delta, that will do, in the unit of the objective."
        )
        raise ProblemError(message)
    return value
