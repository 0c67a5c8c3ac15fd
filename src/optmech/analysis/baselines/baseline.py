"""A mechanism in use: its matrix, the privacy asked of it and the privacy it spends."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.mechanisms.mechanism import Mechanism
from optmech.question.privacy import PurePrivacy
from optmech.question.privacy.loss import TIE, largest_hockey_stick, largest_privacy_loss
from optmech.question.query import Query

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from numpy.typing import ArrayLike

    from optmech.base.arrays import Floats
    from optmech.base.logarithm import Logarithm
    from optmech.base.numbers import Number

    Exact = Fraction | Logarithm
    Build = Callable[..., tuple[str, Floats]]

# Up to here every whole number is a double.
_LARGEST_WHOLE_DOUBLE = 2**53


class NoiseDistribution(Protocol):
    """Noise that can be cut: a frozen distribution of SciPy, or one of ours."""

    def cdf(self, noise: ArrayLike, /) -> Floats:
        """Probability of noise at most so large."""
        ...

    def sf(self, noise: ArrayLike, /) -> Floats:
        """Probability of noise above that, without the cancellation of ``1 - cdf``."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Baseline:
    """A mechanism matrix on the grid of a query, [response, truth], columns summing to one.

    `source` says who proposed it, with the equation that the matrix is built from, and `says` what it does in
    one sentence. `spent_epsilon` is the smallest epsilon of pure privacy, *recomputed* from the matrix over
    the query's neighbours: infinite where a response is possible under one truth and impossible under a
    neighbour, also when a probability below 1e-308 became zero, unless that alone is why epsilon is exceeded:
    see `above_underflow`. `spent_delta` is the hockey-stick divergence
    at `asked_epsilon`, recomputed; zero where `spent_epsilon` exceeds that by no more than the rounding,
    1e-9. `given` is the mechanism whose matrix it is, where there was one.
    """

    name: str
    source: str
    says: str
    matrix: Floats
    asked_epsilon: Fraction | Logarithm
    spent_epsilon: float
    spent_delta: float
    given: Mechanism | None = None

    def __post_init__(self) -> None:
        matrix = np.array(self.matrix, dtype=float)
        matrix.flags.writeable = False
        object.__setattr__(self, "matrix", matrix)

    def mechanism(self, query: Query) -> Mechanism:
        """Return it as a mechanism that answers `query`."""
        if self.given is not None:
            return self.given
        return MatrixMechanism.answering(query, self.matrix)


def measure_baseline(
    *, name: str, source: str, says: str, matrix: Floats | Mechanism, query: Query, epsilon: Number
) -> Baseline:
    """Return the baseline with the privacy that it spends between the neighbours of `query`.

    A mechanism in the place of a matrix says its privacy loss itself, however small its probabilities are.
    """
    exact_value = positive_epsilon(epsilon)
    given = matrix if isinstance(matrix, Mechanism) else None
    doubles = matrix.matrix if isinstance(matrix, Mechanism) else matrix
    loss = (
        given.privacy_loss(query)
        if given is not None
        else largest_privacy_loss(doubles, query.pairs, query.weights)
    ).value
    within = loss <= float(exact_value) + TIE
    factors = PurePrivacy(exact_value).factors(query.weights)
    delta = 0.0 if within else largest_hockey_stick(doubles, query.pairs, factors).value
    return Baseline(
        name=name,
        source=source,
        says=says,
        matrix=doubles,
        asked_epsilon=exact_value,
        spent_epsilon=loss,
        spent_delta=delta,
        given=given,
    )


def above_underflow(matrix: Floats, query: Query, epsilon: Number) -> Floats:
    """Return a matrix computed by a formula without entries that are too small for doubles, if it needs that.

    Below 2.2e-308 doubles lose their digits, below 5e-324 they are zero: what is possible seems impossible
    beside a neighbour. Where a matrix is private with 2.2e-308 in the place of all that is less, that is
    returned. Not so of a zero that is meant: beside it stands more than ``e^epsilon`` times as much.

    Examples
    --------
    >>> from optmech.question.queries import count
    >>> lost, meant = np.array([[1.0, 1.0], [1e-320, 0.0]]), np.array([[0.9, 1.0], [0.1, 0.0]])
    >>> [float(above_underflow(matrix, count(1), 1)[1, 1]) for matrix in (lost, meant)]
    [2.2250738585072014e-308, 0.0]
    """
    raised = np.maximum(matrix, np.finfo(float).tiny)
    if np.array_equal(raised, matrix):
        return matrix
    most = float(positive_epsilon(epsilon)) + TIE
    losses = [largest_privacy_loss(each, query.pairs, query.weights).value for each in (matrix, raised)]
    return raised if losses[1] <= most < losses[0] else matrix


def baseline(name: str, source: str) -> Callable[[Build], Callable[..., Baseline]]:
    """Make a `Baseline` of a function that returns what it does, in a sentence, and its matrix.

    The function is called with a query and an epsilon, which is exact, positive and asked of the matrix.
    """

    def decorate(build: Build) -> Callable[..., Baseline]:
        @wraps(build)
        def measured(query: Query, epsilon: Number, *args: Any, **kwargs: Any) -> Baseline:  # noqa: ANN401 - its own
            says, matrix = build(_near_zero(query), positive_epsilon(epsilon), *args, **kwargs)
            matrix = above_underflow(matrix, query, epsilon)
            return measure_baseline(
                name=name, source=source, says=says, matrix=matrix, query=query, epsilon=epsilon
            )

        return measured

    return decorate


def _near_zero(query: Query) -> Query:
    """Return the query counted from its first answer, where doubles do not tell its answers apart.

    Noise depends on distances alone: its matrix is the same.
    """
    origin = query.truths[0]
    if query.labels or max(abs(origin), abs(query.truths[-1])) <= _LARGEST_WHOLE_DOUBLE:
        return query
    return Query(
        [truth - origin for truth in query.truths],
        [(part.lower - origin, part.upper - origin) for part in query.responses],
        np.column_stack([query.pairs, query.weights]),
        symmetric=False,  # both directions are listed where both are protected
        name=query.title,
    )


def positive_epsilon(epsilon: Number) -> Fraction | Logarithm:
    """Return `epsilon` exactly as given, refused like everywhere else if it is not positive."""
    return PurePrivacy(epsilon).epsilon  # type: ignore[arg-type]


def sensitivity(query: Query) -> Fraction:
    """Return the largest change of the true answer by one person, the paper's Delta F, in its units.

    NotAcceptedError if answers are no numbers: the distance of their positions means nothing.
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
