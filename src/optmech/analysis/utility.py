"""Utility of the answers: taken at face value, after a Bayesian guess, truth by truth.

    expected error            sum_f p_f sum_r M[r,f] l(r,f)                      Croft (23), (24)
    after a Bayesian guess    sum_r min_g sum_f p_f M[r,f] l(g,f)                Croft (25), (26), corrected

As printed, (25) and (26) weigh each response by Pr(r) a second time, which ranks mechanisms upside down: a
mechanism that spreads its answers thinly looks better; `benchmarks.papers` computes that.

Every number here is *recomputed* in floating point from the matrix, or from the tails of a distribution
without one, in time linear in its truths. Errors are measured from the midpoints
of responses.

Source: Croft, Sack, Shi 2020, section 4.2, (23)-(26).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optmech.base.arguments import numbers
from optmech.base.errors import broken_rule
from optmech.base.numbers import as_text, exact
from optmech.mechanisms.source import source_of
from optmech.question.loss import loss_matrix
from optmech.question.prior import truth_weights
from optmech.question.query import Query

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from numpy.typing import ArrayLike

    from optmech.base.arrays import Floats
    from optmech.base.numbers import Number
    from optmech.mechanisms.source import MechanismSource
    from optmech.question.loss import LossName


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BayesianGuess:
    """The best guess of a reader with a prior, for each response.

    Attributes
    ----------
    expected_loss : float
        Average loss of the guesses, in units of the loss.
    guesses : tuple of Fraction, length num_responses
        The truth that each response is taken for, the smallest one of several that are equally good. For a
        response that never comes it is the smallest truth.
    """

    expected_loss: float
    guesses: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UtilityMeasures:
    """The four measures of Croft et al. 2020.

    Attributes
    ----------
    error : float
        Expected absolute error, (23), in units of the answer.
    squared_error : float
        Expected squared error, (24), in squared units of the answer.
    error_after_guess : float
        Least expected absolute error of a reader who guesses, (25) corrected.
    squared_error_after_guess : float
        Least expected squared error of a reader who guesses, (26) corrected.
    """

    error: float
    squared_error: float
    error_after_guess: float
    squared_error_after_guess: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ErrorsByTruth:
    """The error of the response, taken at face value, at each truth.

    Attributes
    ----------
    bias : ndarray, shape (num_truths,)
        Mean response less truth, in units of the answer.
    variance : ndarray, shape (num_truths,)
        Variance of the response, in squared units; mean squared error is this plus squared bias.
    mean_absolute_error : ndarray, shape (num_truths,)
        Mean distance from the truth, in units of the answer.
    """

    bias: Floats
    variance: Floats
    mean_absolute_error: Floats

    def __post_init__(self) -> None:
        for array in (self.bias, self.variance, self.mean_absolute_error):
            array.flags.writeable = False


def utility_measures(
    mechanism: MechanismSource, prior: str | ArrayLike | None = "uniform"
) -> UtilityMeasures:
    """Return the four measures of Croft et al. 2020; for other losses see the functions beside.

    Parameters
    ----------
    mechanism : Design, Certificate or Mechanism
        Any.
    prior : "uniform", None or array_like, shape (num_truths,)
        Probability of each truth. ``None`` weighs each with one: the plain sum.

    Examples
    --------
    >>> from optmech.mechanisms.matrix_mechanism import MatrixMechanism
    >>> rows = [[0.5] * 3, [0] * 3, [0.5] * 3]
    >>> never_looks = MatrixMechanism(matrix=rows, responses=range(3), truths=range(3))
    >>> utility_measures(never_looks)
    UtilityMeasures(error=1.0, squared_error=1.6666666666666665, error_after_guess=0.6666666666666666,
    squared_error_after_guess=0.6666666666666666)
    """
    mechanism = source_of(mechanism, "mechanism").mechanism
    return UtilityMeasures(
        error=mechanism.expected_loss("absolute", prior),  # Croft (23)
        squared_error=mechanism.expected_loss("squared", prior),  # Croft (24)
        error_after_guess=bayesian_guess(mechanism, "absolute", prior).expected_loss,  # Croft (25)
        squared_error_after_guess=bayesian_guess(mechanism, "squared", prior).expected_loss,  # Croft (26)
    )


def bayesian_guess(
    mechanism: MechanismSource, loss: LossName | ArrayLike, prior: str | ArrayLike | None = "uniform"
) -> BayesianGuess:
    """Replace each response by the truth that makes the expected loss least, given the prior.

    Parameters
    ----------
    mechanism : Design, Certificate or Mechanism
        Any.
    loss : {"absolute", "squared", "zero-one"} or array_like, shape (num_truths, num_truths)
        Loss of a guess, in rows, at a truth, in columns. Guesses are truths, as the paper has it.
    prior : "uniform", None or array_like, shape (num_truths,)
        Probability of each truth. ``None`` weighs each with one.

    Raises
    ------
    ProblemError
        If the loss or the prior has the wrong shape.

    Examples
    --------
    >>> from optmech.mechanisms.matrix_mechanism import MatrixMechanism
    >>> mechanism = MatrixMechanism(matrix=[[0.6, 0.4], [0.4, 0.6]], responses=(0, 1), truths=(0, 1))
    >>> guess = bayesian_guess(mechanism, "zero-one", [0.75, 0.25])
    >>> [int(value) for value in guess.guesses], guess.expected_loss
    ([0, 0], 0.25)
    """
    mechanism = source_of(mechanism, "mechanism").mechanism
    grid = Query(mechanism.truths, neighbours=())
    # For each response r and guess g:  sum_f prior[f] M[r,f] loss[g,f]
    costs = (mechanism.matrix * truth_weights(prior, grid)) @ loss_matrix(loss, grid).T
    return BayesianGuess(
        expected_loss=float(costs.min(axis=1).sum()),
        guesses=tuple(mechanism.truths[choice] for choice in costs.argmin(axis=1).tolist()),
    )


def errors_by_truth(mechanism: MechanismSource) -> ErrorsByTruth:
    """Return bias, variance and mean absolute error for each truth.

    Examples
    --------
    >>> from optmech.mechanisms.matrix_mechanism import MatrixMechanism
    >>> mechanism = MatrixMechanism(matrix=[[0.75, 0.25], [0.25, 0.75]], responses=(0, 1), truths=(0, 1))
    >>> errors_by_truth(mechanism).bias.tolist(), errors_by_truth(mechanism).variance.tolist()
    ([0.25, -0.25], [0.1875, 0.1875])
    """
    mechanism = source_of(mechanism, "mechanism").mechanism
    bias, variance, mean = mechanism.moments()
    return ErrorsByTruth(bias=bias, variance=variance, mean_absolute_error=mean)


def error_quantiles(mechanism: MechanismSource, levels: Sequence[float], *, signed: bool = False) -> Floats:
    """Return quantiles of the error for each truth, shape (num_levels, num_truths).

    The quantile at a level is the smallest error e that the response meets, ``P(error <= e) >= level``.

    Parameters
    ----------
    mechanism : Design, Certificate or Mechanism
        Any.
    levels : sequence of float
        Each above 0 and at most 1.
    signed : bool, default False
        Whether errors are response less truth; otherwise distances.

    Raises
    ------
    ProblemError
        If a level is outside its range.

    Examples
    --------
    >>> from optmech.mechanisms.matrix_mechanism import MatrixMechanism
    >>> mechanism = MatrixMechanism(matrix=[[0.75, 0.25], [0.25, 0.75]], responses=(0, 1), truths=(0, 1))
    >>> error_quantiles(mechanism, [0.5, 0.9]).tolist()
    [[0.0, 0.0], [1.0, 1.0]]
    """
    mechanism = source_of(mechanism, "mechanism").mechanism
    quantile_levels = numbers(levels, "levels")
    if not ((quantile_levels > 0) & (quantile_levels <= 1)).all():
        worst = quantile_levels[~((quantile_levels > 0) & (quantile_levels <= 1))][0]
        raise broken_rule("levels", "lie above 0 and at most at 1", worst, "The median is 0.5.")
    return mechanism.error_quantiles(quantile_levels.tolist(), signed=signed)


def probability_within(mechanism: MechanismSource, distance: Number) -> Floats:
    """Return for each truth the probability that the response is at most `distance` away.

    Parameters
    ----------
    mechanism : Design, Certificate or Mechanism
        Any.
    distance : str, int, float or Fraction
        In units of the answer, zero or more; responses exactly so far away count.

    Raises
    ------
    ProblemError
        If the distance is negative.

    Examples
    --------
    >>> from optmech.mechanisms.matrix_mechanism import MatrixMechanism
    >>> mechanism = MatrixMechanism(matrix=[[0.75, 0.25], [0.25, 0.75]], responses=(0, 1), truths=(0, 1))
    >>> probability_within(mechanism, 0).tolist()
    [0.75, 0.75]
    """
    mechanism = source_of(mechanism, "mechanism").mechanism
    limit = exact(distance, "distance")
    if limit < 0:
        raise broken_rule("distance", "be zero or more", as_text(limit))
    return mechanism.probability_within(limit)
