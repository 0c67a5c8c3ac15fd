"""A mechanism in use: its matrix, the privacy asked of it and the privacy it spends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.question.privacy import PurePrivacy
from optmech.question.privacy.loss import TIE, largest_hockey_stick, largest_privacy_loss

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import ArrayLike, NDArray

    from optmech.base.logarithm import Logarithm
    from optmech.base.numbers import Number
    from optmech.question.query import Query

    Floats = NDArray[np.float64]

__all__ = [
    "Baseline",
    "Distribution",
    "UnboundedNoise",
    "measure_baseline",
    "positive_epsilon",
    "sensitivity",
]


class Distribution(Protocol):
    """Noise that can be cut: a frozen distribution of SciPy, or one of ours."""

    def cdf(self, noise: ArrayLike, /) -> Floats:
        """Probability of noise at most so large."""
        ...

    def sf(self, noise: ArrayLike, /) -> Floats:
        """Probability of noise above that, without the cancellation of ``1 - cdf``."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Baseline:
    """A mechanism matrix on the grid of a query.

    Attributes
    ----------
    name : str
        Short, such as ``"snapped Laplace"``.
    source : str
        Who proposed it, with the equation that the matrix is built from.
    says : str
        What it does in one sentence, with the parameters it was given.
    matrix : ndarray, shape (num_responses, num_truths)
        Entry ``[r, f]`` is the probability of response r when f is true. Columns sum to one.
    asked_epsilon : Fraction or Logarithm
        The epsilon it was made for, or is compared at.
    spent_epsilon : float
        Smallest epsilon of pure privacy, *recomputed* from the matrix over the query's neighbours. It is
        infinite where a response is possible under one truth and impossible under a neighbour, also when
        a probability below 1e-308 became zero.
    spent_delta : float
        Smallest delta of (`asked_epsilon`, delta)-differential privacy, the hockey-stick divergence,
        recomputed. Zero where `spent_epsilon` exceeds `asked_epsilon` by no more than the rounding, 1e-9.
    """

    name: str
    source: str
    says: str
    matrix: Floats
    asked_epsilon: Fraction | Logarithm
    spent_epsilon: float
    spent_delta: float

    def __post_init__(self) -> None:
        """Own a read-only copy."""
        matrix = np.array(self.matrix, dtype=float)
        matrix.flags.writeable = False
        object.__setattr__(self, "matrix", matrix)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UnboundedNoise:
    """Noise that is added to the true answer, before any range is enforced.

    Attributes
    ----------
    name, source, says : str
        As of a `Baseline`.
    distribution : Distribution
        Of the noise: a frozen distribution of SciPy or an object with ``cdf``, ``sf`` and ``pmf`` or
        ``pdf``. Whole-number noise counts steps of the grid, other noise has the unit of the answers.
    asked_epsilon : Fraction or Logarithm
        The epsilon it was made for, or is compared at.
    spent_epsilon : float
        Smallest epsilon of pure privacy, by the formula of the noise, not by computing.
    spent_delta : float
        Smallest delta at `asked_epsilon`, by the formula of the noise.
    """

    name: str
    source: str
    says: str
    distribution: Distribution
    asked_epsilon: Fraction | Logarithm
    spent_epsilon: float
    spent_delta: float


def measure_baseline(
    *, name: str, source: str, says: str, matrix: Floats, query: Query, epsilon: Number
) -> Baseline:
    """Return the baseline with the privacy that its matrix spends between the neighbours of `query`."""
    exact_value = positive_epsilon(epsilon)
    loss = largest_privacy_loss(matrix, query.pairs, query.weights).value
    within = loss <= float(exact_value) + TIE
    factors = PurePrivacy(exact_value).factors(query.weights)
    delta = 0.0 if within else largest_hockey_stick(matrix, query.pairs, factors).value
    return Baseline(
        name=name,
        source=source,
        says=says,
        matrix=matrix,
        asked_epsilon=exact_value,
        spent_epsilon=loss,
        spent_delta=delta,
    )


def positive_epsilon(epsilon: Number) -> Fraction | Logarithm:
    """Return `epsilon` exactly as given, refused like everywhere else if it is not positive."""
    return PurePrivacy(epsilon).epsilon  # type: ignore[arg-type]


def sensitivity(query: Query) -> Fraction:
    """Return how far one person can move the true answer, the paper's Delta F, in units of the answer.

    Raises
    ------
    NotAcceptedError
        If the answers are no numbers: the distance of their positions means nothing.
    ProblemError
        If no two truths are neighbours.

    Examples
    --------
    >>> from optmech.question.queries import mean
    >>> print(sensitivity(mean(10, 4)))
    2/5
    """
    if query.labels:
        message = (
            f"this mechanism needs answers that are numbers; those of {query.title} are not, such as "
            f"{query.labels[0]}. Use randomized response."
        )
        raise NotAcceptedError(message)
    if not len(query.pairs):
        message = (
            f"`query` must have neighbours, whose distance sets the noise; got none ({query.title}). "
            "Name them when you make the query."
        )
        raise ProblemError(message)
    values = query.truth_values
    apart = np.abs(values[query.pairs[:, 0]] - values[query.pairs[:, 1]])
    left, right = query.pairs[int(np.argmax(apart))].tolist()
    distance: Fraction = abs(query.truths[left] - query.truths[right])
    return distance
