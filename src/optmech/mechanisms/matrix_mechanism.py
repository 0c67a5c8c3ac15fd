"""The mechanism as a matrix: doubles for reading, and proved integers for draws where they exist."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import an_instance, brief, items, numbers, of_form, optional
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, exact
from optmech.mechanisms import matrix_errors
from optmech.mechanisms.certificates.certificate_source import certificate_of
from optmech.mechanisms.matrix_csv import read_matrix
from optmech.mechanisms.mechanism import ColumnsOfPairs, Mechanism
from optmech.mechanisms.release import Release
from optmech.mechanisms.sampling import Sampler, dyadic_weights, whole_weights
from optmech.proofs.matrix import ExactMatrix
from optmech.question.privacy import loss as measures

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from numpy.typing import ArrayLike

    from optmech.base.arrays import Floats, Integers
    from optmech.mechanisms.certificates.certificate_source import CertificateSource
    from optmech.mechanisms.sampling.words import RandomBytes, Seed
    from optmech.proofs.certificate import Certificate
    from optmech.question.privacy.loss import Worst
    from optmech.question.query import Query

# Columns of 400 entries, each a rounded double, sum to one within about 400 * 2**-53; the rest is room for
# matrices that came through a file with ten digits or more.
COLUMN_SUM_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class MatrixMechanism(Mechanism):
    """A mechanism that holds the probability of each response at each truth.

    Attributes
    ----------
    matrix : ndarray, shape (num_responses, num_truths)
        Entry ``[r, f]`` is the probability of response r when f is true. Columns sum to one.
    responses, truths : tuple of Fraction
        The numbers that rows and columns stand for; a response category is named by its midpoint.
    exact : ExactMatrix or None
        The same probabilities in whole numbers, where exact arithmetic confirmed them: `matrix` holds the
        doubles nearest to them, and samples follow them. Absent for matrices of doubles.
    labels : tuple of str
        Names of truths, which are then the responses, where they are no numbers; else empty.

    Raises
    ------
    ProblemError
        If the shape does not match, an entry is negative or not finite, a column does not sum to one, or
        `matrix` does not hold the doubles nearest to `exact`.

    Examples
    --------
    Randomised response on yes and no, with the odds of telling the truth at 3 to 1:

    >>> from optmech.question.queries import count
    >>> mechanism = MatrixMechanism(matrix=[[0.75, 0.25], [0.25, 0.75]], responses=(0, 1), truths=(0, 1))
    >>> round(mechanism.effective_epsilon(count(1)), 6)  # log 3
    1.098612
    """

    # `field()`: otherwise the protocol's properties would become defaults.
    matrix: Floats = field()
    responses: tuple[Fraction, ...] = field()
    truths: tuple[Fraction, ...] = field()
    exact: ExactMatrix | None = None
    labels: tuple[str, ...] = ()
    # Made by the first `sample`, from the fields above.
    _release: Release | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        matrix = numbers(self.matrix, "matrix").copy()
        matrix.flags.writeable = False
        responses = tuple(exact(value, "responses") for value in items(self.responses, "responses"))
        truths = tuple(exact(value, "truths") for value in items(self.truths, "truths"))
        if matrix.shape != (len(responses), len(truths)) or not matrix.size:
            message = (
                f"`matrix` must have shape {(len(responses), len(truths))}; got {matrix.shape}. "
                "Rows are responses, columns are truths."
            )
            raise ProblemError(message)
        for name, values in (("responses", responses), ("truths", truths)):
            if any(low >= high for low, high in pairwise(values)):
                raise broken_rule(name, "be increasing", ", ".join(map(as_text, values))[:60])
        sound = np.isfinite(matrix) & (matrix >= 0)
        if not sound.all():
            row, column = np.argwhere(~sound)[0].tolist()
            raise broken_rule("matrix", "hold probabilities", f"{matrix[row, column]} at [{row}, {column}]")
        sums = matrix.sum(axis=0)
        worst = int(np.argmax(np.abs(sums - 1.0)))
        if abs(sums[worst] - 1.0) > COLUMN_SUM_ROUNDING:
            message = (
                f"each column of `matrix` must sum to one; got {float(sums[worst])!r} in column {worst} "
                f"(truth {as_text(truths[worst])})."
            )
            raise ProblemError(message)
        labels = tuple(items(self.labels, "labels"))
        optional(an_instance(ExactMatrix))(self.exact, "exact")
        if labels and not (len(labels) == len(truths) and responses == truths):
            raise broken_rule("labels", f"be one for each of {len(truths)} truths", len(labels))
        if self.exact is not None and not np.array_equal(self.exact.nearest(), matrix):
            raise broken_rule("matrix", "hold the doubles nearest to `exact`", "others")
        object.__setattr__(self, "labels", labels)
        for name, value in (("matrix", matrix), ("responses", responses), ("truths", truths)):
            object.__setattr__(self, name, value)

    @property
    def certificate(self) -> None:
        """``None``: a matrix is read without a proof."""

    def is_proved_by(self, certificate: Certificate) -> bool:
        """Whether a certificate is about this very matrix."""
        return self.exact is not None and certificate.exact is self.exact

    def provenance_line(self, certificate: Certificate, file: str) -> str:
        """Return the line of a matrix file that names its certificate, which is in another `file`."""
        digest = certificate.matrix.sha256()
        return f"certified: {file}, SHA-256 of the matrix in whole numbers {digest}"

    def column(self, truth: Any) -> Floats:  # noqa: ANN401 - a number of any type, or a label
        """Return the probability of each response at a truth as doubles, shape (num_responses,)."""
        column: Floats = self.matrix[:, self._index_of(truth, self.truths, "truth")]
        return column

    def row(self, response: Any) -> Floats:  # noqa: ANN401 - as above
        """Return the probability of a response at each truth as doubles, shape (num_truths,)."""
        row: Floats = self.matrix[self._index_of(response, self.responses, "response")]
        return row

    def weights(self, truth: Any) -> list[int]:  # noqa: ANN401 - as above
        """Return the probability of each response at a truth in whole numbers, over their sum."""
        index = self._index_of(truth, self.truths, "truth")
        if self.exact is not None:
            proved: list[int] = self.exact.numerators[:, index].tolist()
            return proved
        doubles: list[int] = dyadic_weights(self.matrix[:, [index]])[:, 0].tolist()
        return doubles

    def probability(self, response: Any, truth: Any) -> Fraction:  # noqa: ANN401 - as above
        """Return the probability of a response at a truth, exactly as it is drawn.

        Doubles of a column are divided by their sum.
        """
        weights = self.weights(truth)
        return Fraction(weights[self._index_of(response, self.responses, "response")], sum(weights))

    @property
    def is_certified(self) -> bool:
        """Whether it holds integers that exact arithmetic confirmed."""
        return self.exact is not None

    def columns_of_pairs(self, query: Query, most: int) -> ColumnsOfPairs:
        """Return the columns of each pair of neighbours, divided by their sums as in draws."""
        self._check(query)
        if len(query.pairs) * query.num_responses > most:
            message = (
                f"a composition must have at most {most:,} ratios of neighbours; got "
                f"{len(query.pairs) * query.num_responses:,} ({query.title}). Ask for a coarser range."
            )
            raise ProblemError(message)
        weights = whole_weights(self.matrix, self.exact).T.tolist()
        columns = [(weights[truth], weights[neighbour]) for truth, neighbour in query.pairs.tolist()]
        return ColumnsOfPairs(columns, list(range(len(columns))))

    def privacy_loss(self, query: Query) -> Worst:
        """Return the largest privacy loss between neighbours of `query`, over their weights, and its entry.

        A mechanism of integers is measured by these: an entry too small for a double is no zero.
        """
        self._check(query)
        if self.exact is None:
            return measures.largest_privacy_loss(self.matrix, query.pairs, query.weights)
        return measures.largest_log_ratio(self.exact.logarithms(), query.pairs, query.weights)

    def _sample(
        self,
        truths: Any,  # noqa: ANN401 - a number, an array, or anything that holds numbers
        size: int | tuple[int, ...] | None,
        *,
        constant_time: bool,
        seed: Seed | None,
    ) -> Any:  # noqa: ANN401 - a number for a number, else an array
        release = self._release
        if release is None:
            release = Release(self.sampler(os.urandom), self.responses, self.truths, self.labels)
            object.__setattr__(self, "_release", release)
        return release.sample(truths, size, constant_time=constant_time, seed=seed)

    def position_sampler(self, random_bytes: RandomBytes) -> Callable[[ArrayLike], Integers]:
        """Return a function from positions of truths to drawn positions of responses."""
        return self.sampler(random_bytes).draw

    def sampler(self, random_bytes: RandomBytes) -> Sampler:
        """Return what draws positions, from bytes such as those of `os.urandom`."""
        return Sampler(whole_weights(self.matrix, self.exact), random_bytes=random_bytes)

    def moments(self) -> tuple[Floats, Floats, Floats]:
        """Return for each truth the mean of the error, its variance and the mean of its size."""
        return matrix_errors.moments(self)

    def error_quantiles(self, levels: Sequence[float], *, signed: bool) -> Floats:
        """Return the quantiles of the absolute error for each level and truth."""
        return matrix_errors.error_quantiles(self, levels, signed=signed)

    def probability_within(self, distance: Fraction) -> Floats:
        """Return for each truth the probability of a response within a distance."""
        return matrix_errors.probability_within(self, distance)

    def probability_beyond(self, distance: Fraction) -> Floats:
        """Return for each truth the probability of a response beyond a distance."""
        return matrix_errors.probability_beyond(self, distance)

    def loss_by_truth(self, losses: Floats) -> Floats:
        """Return for each truth the mean loss, from losses at the integer distances 0, 1, ...."""
        return matrix_errors.loss_by_truth(self, losses)

    @classmethod
    def from_csv(cls, path: str | PathLike[str]) -> MatrixMechanism:
        """Read a matrix that `to_csv` wrote, or that was typed in the same layout.

        Raises
        ------
        FileFormatError
            If the file cannot be read, is ragged, or is no mechanism.
        """
        responses, truths, matrix, labels = read_matrix(path, COLUMN_SUM_ROUNDING)
        return cls(matrix=matrix, responses=responses, truths=truths, labels=labels)

    @classmethod
    def certified(cls, certificate: CertificateSource) -> MatrixMechanism:
        """Return the mechanism of a certificate: doubles for reading, integers for draws."""
        certificate = certificate_of(certificate, "`certificate`")
        matrix = certificate.matrix
        return cls.answering(certificate.problem.query, matrix.nearest(), exact=matrix)

    @classmethod
    @of_form("query", "be a Query, with a matrix of its responses and truths")
    def answering(cls, query: Query, matrix: Floats, *, exact: ExactMatrix | None = None) -> MatrixMechanism:
        """Return a matrix as the mechanism that answers a query: of its responses and its truths.

        Parameters
        ----------
        query : Query
            The query.
        matrix : array_like, shape (num_responses, num_truths)
            Probabilities, in doubles.
        exact : ExactMatrix, optional
            The same in whole numbers.

        Raises
        ------
        ProblemError
            If it is no matrix of probabilities of that shape.

        Examples
        --------
        >>> from optmech.question.queries import mean
        >>> coin = MatrixMechanism.answering(mean(2, 1), [[0.5] * 3, [0] * 3, [0.5] * 3])
        >>> coin.responses == coin.truths == (0, 0.5, 1)
        True
        """
        return cls(
            matrix=matrix,
            responses=tuple(response.midpoint for response in query.responses),
            truths=query.truths,
            exact=exact,
            labels=query.labels,
        )

    def _line(self) -> str:
        kind = "in doubles" if self.exact is None else "in whole numbers"
        return f"{len(self.responses)} responses by {len(self.truths)} truths, {kind}"

    def _index_of(self, value: Any, values: tuple[Fraction, ...], name: str) -> int:  # noqa: ANN401 - any argument
        """Return the position of a truth or a response, by its label where there are labels."""
        names: tuple[Any, ...] = self.labels or values
        own = value if self.labels else exact(value, name)
        if own not in names:
            ends = ", ".join(self.labels)[:60] or f"{as_text(values[0])}..{as_text(values[-1])}"
            raise broken_rule(name, f"be among {ends} of this mechanism", brief(value))
        return names.index(own)
