"""The protocol of mechanisms: every public call, with or without a matrix in memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, overload

from optmech.base.arguments import an_instance, flag, need_path, takes
from optmech.base.errors import ProblemError
from optmech.base.rendering import Renderable
from optmech.base.whole_files import write_whole
from optmech.mechanisms.matrix_csv import matrix_text
from optmech.mechanisms.plots import Plots
from optmech.question.loss import loss_matrix
from optmech.question.prior import truth_weights
from optmech.question.privacy import loss as measures
from optmech.question.privacy.loss import factor_of
from optmech.question.properties import PROPERTIES, Property
from optmech.question.query import Query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from decimal import Decimal
    from fractions import Fraction
    from os import PathLike

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from optmech.base.arrays import Floats, Integers
    from optmech.base.numbers import Number
    from optmech.mechanisms.sampling.words import RandomBytes, Seed
    from optmech.proofs.certificate import Certificate
    from optmech.proofs.matrix import ExactMatrix
    from optmech.question.loss import LossName
    from optmech.question.privacy.loss import Worst

    OneNumber: TypeAlias = int | float | Decimal | Fraction | np.integer[Any] | np.floating[Any]
    ManyTruths: TypeAlias = Iterable[Any]


class ColumnsOfPairs(NamedTuple):
    """Pairs of columns, and the index among them for each pair of neighbours of a query."""

    columns: list[tuple[list[int], list[int]]]
    indices: list[int]


# Solvers keep equalities within about 1e-9; a smaller violation of a property is rounding.
PROPERTY_ROUNDING = 1e-8


class Mechanism(Renderable, Plots, ABC):
    """A randomised answer: the probability of each response at each truth.

    A `MatrixMechanism` holds every probability, a `NoiseMechanism` a noise and thresholds. Both have these
    members, so callers need not know the type.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def matrix(self) -> Floats:
        """The probabilities in doubles, shape (num_responses, num_truths).

        Entry ``[r, f]`` is the probability of response r when f is true. Columns sum to one.
        NotAcceptedError: the matrix would be too large.
        """

    @property
    @abstractmethod
    def responses(self) -> tuple[Fraction, ...]:
        """The numbers that rows stand for; a response category is named by its midpoint."""

    @property
    @abstractmethod
    def truths(self) -> tuple[Fraction, ...]:
        """The numbers that columns stand for."""

    @property
    @abstractmethod
    def labels(self) -> tuple[str, ...]:
        """The names of truths, which are then the responses, where they are no numbers; else empty."""

    @property
    @abstractmethod
    def exact(self) -> ExactMatrix | None:
        """The probabilities in whole numbers, entry by entry, where exact arithmetic confirmed them."""

    @property
    @abstractmethod
    def certificate(self) -> Certificate | None:
        """The proof from which the mechanism is made, if it is needed to read it."""

    @abstractmethod
    def is_proved_by(self, certificate: Certificate) -> bool:
        """Whether a certificate is about this very mechanism."""

    @abstractmethod
    def provenance_line(self, certificate: Certificate, file: str) -> str:
        """Return the line of a matrix file that names its certificate, which is in another `file`."""

    @abstractmethod
    def column(self, truth: Any) -> Floats:  # noqa: ANN401 - a number of any type, or a label
        """Return the probability of each response at a truth as doubles, shape (num_responses,)."""

    @abstractmethod
    def row(self, response: Any) -> Floats:  # noqa: ANN401 - as above
        """Return the probability of a response at each truth as doubles, shape (num_truths,)."""

    @abstractmethod
    def weights(self, truth: Any) -> list[int]:  # noqa: ANN401 - as above
        """Return the probability of each response at a truth in whole numbers, over their sum."""

    @abstractmethod
    def probability(self, response: Any, truth: Any) -> Fraction:  # noqa: ANN401 - as above
        """Return the probability of a response at a truth, exactly as it is drawn."""

    @overload
    def sample(
        self,
        truths: OneNumber,
        size: None = ...,
        *,
        constant_time: bool = ...,
        seed: Seed | None = ...,
    ) -> int | float: ...

    @overload
    def sample(
        self, truths: str, size: None = ..., *, constant_time: bool = ..., seed: Seed | None = ...
    ) -> str | int | float: ...

    @overload
    def sample(
        self,
        truths: OneNumber | str | ManyTruths,
        size: int | tuple[int, ...],
        *,
        constant_time: bool = ...,
        seed: Seed | None = ...,
    ) -> NDArray[Any]: ...

    @overload
    def sample(
        self, truths: ManyTruths, size: None = ..., *, constant_time: bool = ..., seed: Seed | None = ...
    ) -> NDArray[Any]: ...

    @takes(constant_time=flag)
    def sample(
        self,
        truths: OneNumber | str | ManyTruths,
        size: int | tuple[int, ...] | None = None,
        *,
        constant_time: bool = False,
        seed: Seed | None = None,
    ) -> NDArray[Any] | str | int | float:
        """Draw a response for each true answer, with the operating system's randomness.

        The draw uses integers only, so its distribution is exactly that of the mechanism: of a matrix in
        doubles, with each column divided by its sum.

        Parameters
        ----------
        truths : number or array of numbers
            Each among this mechanism's truths. A double stands for the truth that it is the double of. Where
            there are labels, truths and drawn responses are labels, as text; noise takes whole numbers.
        size : int or tuple of int, optional
            Number of draws for each truth; their axes stand before those of `truths`.
        constant_time : bool, optional
            Take the same time for all truths and draws, hundreds of times longer. Only for
            columns whose doubles sum to one exactly. Holds for `truths` that are whole numbers or
            doubles, best in an array; other numbers are read in a time that depends on them.
            See `optmech.mechanisms.sampling.constant_time` for the protected quantities.
        seed : int or numpy.random.Generator, optional
            For experiments: draws that can be repeated. They are **not private**.

        Returns
        -------
        int, float, str or ndarray, shape ``size + truths.shape``
            Whole numbers where all responses are whole, else doubles. A number for a number without `size`.

        Warns
        -----
        NotPrivateWarning
            If there is a `seed`.

        Raises
        ------
        ProblemError
            If a truth is not one of this mechanism's truths.
        NotAcceptedError
            If it cannot be drawn in constant time, such as noise, whose time may depend on its result.

        Examples
        --------
        >>> from optmech.mechanisms.matrix_mechanism import MatrixMechanism
        >>> certain = MatrixMechanism(matrix=[[0, 1], [1, 0]], responses=(0, 1), truths=(0, 1))
        >>> certain.sample(0), certain.sample([0, 1, 1])
        (1, array([1, 0, 0]))
        >>> certain.sample([0, 1], size=3).shape
        (3, 2)
        """
        drawn: NDArray[Any] | str | int | float
        drawn = self._sample(truths, size, constant_time=constant_time, seed=seed)
        return drawn

    @abstractmethod
    def _sample(
        self,
        truths: Any,  # noqa: ANN401 - a number, an array, or anything that holds numbers
        size: int | tuple[int, ...] | None,
        *,
        constant_time: bool,
        seed: Seed | None,
    ) -> Any:  # noqa: ANN401 - a number for a number, else an array
        """Draw as described in `sample`."""

    @abstractmethod
    def position_sampler(self, random_bytes: RandomBytes) -> Callable[[ArrayLike], Integers]:
        """Return a function from positions of truths to drawn positions of responses.

        Its randomness is bytes from a function such as `os.urandom`.
        """

    @abstractmethod
    def moments(self) -> tuple[Floats, Floats, Floats]:
        """Return for each truth the mean of the error, its variance and the mean of its size.

        The error is the response's midpoint less the truth.
        """

    @abstractmethod
    def error_quantiles(self, levels: Sequence[float], *, signed: bool) -> Floats:
        """Return the quantiles of the absolute error for each level and truth.

        Shape (num_levels, num_truths).
        """

    @abstractmethod
    def probability_within(self, distance: Fraction) -> Floats:
        """Return for each truth the probability of a response within a distance, shape (num_truths,)."""

    @abstractmethod
    def probability_beyond(self, distance: Fraction) -> Floats:
        """Return for each truth the probability of a response beyond a distance, shape (num_truths,).

        It is a sum, not a difference, so a small probability keeps its digits.
        """

    @abstractmethod
    def loss_by_truth(self, losses: Floats) -> Floats:
        """Return for each truth the mean loss, from losses at the integer distances 0, 1, ...."""

    @property
    @abstractmethod
    def is_certified(self) -> bool:
        """Whether exact arithmetic confirmed the probabilities."""

    @abstractmethod
    def columns_of_pairs(self, query: Query, most: int) -> ColumnsOfPairs:
        """Return the columns of neighbours in integers, each over its sum, without duplicates.

        More than `most` entries raise NotAcceptedError or ProblemError.
        """

    @abstractmethod
    def privacy_loss(self, query: Query) -> Worst:
        """Return the largest privacy loss between neighbours of `query`, over weights, and its entry."""

    def expected_loss(self, loss: LossName | ArrayLike, prior: str | ArrayLike | None = "uniform") -> float:
        """Average loss of this mechanism for a user with the given prior.

        This is ``sum_f prior[f] * sum_r loss[r, f] * matrix[r, f]``.

        Parameters
        ----------
        loss : str or ndarray, shape (num_responses, num_truths)
            A matrix, or ``"absolute"`` or ``"squared"``, measured to the responses' midpoints, or
            ``"zero-one"`` where every truth is a response. For categories pass
            ``loss_matrix("zero-one", query)``.
        prior : ndarray, shape (num_truths,), "uniform" or None
            Non-negative, sums to one. ``None`` weighs every truth with one: the papers' plain sum.

        Raises
        ------
        ProblemError
            If a shape does not match ``matrix``.
        """
        return float(self._losses(loss) @ truth_weights(prior, self._grid()))

    def worst_case_loss(self, loss: LossName | ArrayLike) -> float:
        """Largest expected loss over the truths; `loss` as in `expected_loss`."""
        return float(self._losses(loss).max())

    def effective_epsilon(self, query: Query) -> float:
        """Smallest epsilon of pure privacy that this mechanism has between the neighbours of `query`.

        If a response is possible under one truth and impossible under a neighbour, the privacy loss is
        ``math.inf``. Between neighbours with a weight the loss is divided by that.
        """
        return self.privacy_loss(query).value

    def per_outcome_delta(self, query: Query, epsilon: Number) -> float:
        """Smallest delta with ``P(r) <= e^epsilon Q(r) + delta`` for each response, Sadeghi (7)-(8)."""
        return measures.largest_excess(self.matrix, self._check(query).pairs, factor_of(epsilon)).value

    def hockey_stick_delta(self, query: Query, epsilon: Number) -> float:
        """Smallest delta of (epsilon, delta)-differential privacy, over all sets of responses."""
        return measures.largest_hockey_stick(self.matrix, self._check(query).pairs, factor_of(epsilon)).value

    def probabilistic_delta(self, query: Query, epsilon: Number) -> float:
        """Smallest delta of probabilistic privacy, Kadam et al. 2024, Definition 2.

        It jumps where a ratio equals ``e^epsilon``; ratios within 1e-9 of it, relatively, count as kept.
        """
        return measures.largest_leak(self.matrix, self._check(query).pairs, factor_of(epsilon)).value

    def properties(self, query: Query) -> frozenset[Property]:
        """Properties that the matrix has, up to the rounding of solvers."""
        self._check(query)
        return frozenset(
            each for each in PROPERTIES if each.is_kept_by(self.matrix, query, within=PROPERTY_ROUNDING)
        )

    @takes(path=need_path)
    def to_csv(self, path: str | PathLike[str], *, comments: Iterable[str] = ()) -> None:
        """Write the matrix as a table: first row the truths, first column the responses.

        The numbers read back to the same doubles. The file is written completely or not at all. Each of
        `comments` becomes a line that begins with ``#``.

        Raises
        ------
        FileFormatError
            If the path cannot be written.
        """
        write_whole(path, matrix_text(self.responses, self.truths, self.matrix, comments, labels=self.labels))

    def _losses(self, loss: LossName | ArrayLike) -> Floats:
        """Return the expected loss at each truth."""
        grid = self._grid()
        if isinstance(loss, str) and loss == "zero-one" and (grid.home < 0).any():
            message = (
                "`loss` must be a matrix here; got 'zero-one', and some truth is no response. "
                "Pass loss_matrix('zero-one', query): the query knows the category of each truth."
            )
            raise ProblemError(message)
        losses: Floats = (loss_matrix(loss, grid) * self.matrix).sum(axis=0)
        return losses

    def _grid(self) -> Query:
        return Query(self.truths, self.responses, neighbours=())

    def _check(self, query: Query) -> Query:
        """Return the query if it fits, else raise ProblemError."""
        an_instance(Query)(query, "query")
        shape = len(self.responses), len(self.truths)
        if (query.num_responses, query.num_truths) != shape:
            message = (
                f"`query` must have {shape[0]} responses and {shape[1]} truths like "
                f"the matrix; got {query.num_responses} and {query.num_truths} ({query.title})."
            )
            raise ProblemError(message)
        return query
