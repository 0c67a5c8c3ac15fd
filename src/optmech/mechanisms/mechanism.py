"""The mechanism matrix, and what can be read off it."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import an_instance, flag, items, need_path, numbers, optional, takes
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, exact
from optmech.base.rendering import Renderable
from optmech.base.whole_files import write_whole
from optmech.mechanisms.certificates.certificate_source import certificate_of
from optmech.mechanisms.matrix_csv import matrix_text, read_matrix
from optmech.mechanisms.plots import Plots
from optmech.mechanisms.release import Release
from optmech.mechanisms.sampling import whole_weights
from optmech.proofs.matrix import ExactMatrix
from optmech.question.loss import loss_matrix
from optmech.question.prior import truth_weights
from optmech.question.privacy import loss as measures
from optmech.question.privacy.loss import factor_of
from optmech.question.properties import PROPERTIES, Property
from optmech.question.query import Query

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction
    from os import PathLike

    from numpy.typing import ArrayLike

    from optmech.base.arrays import Floats
    from optmech.base.numbers import Number
    from optmech.mechanisms.certificates.certificate_source import CertificateSource
    from optmech.question.privacy.loss import Worst

# Columns of 400 entries, each a rounded double, sum to one within about 400 * 2**-53; the rest is room for
# matrices that came through a file with ten digits or more.
COLUMN_SUM_ROUNDING = 1e-9
# Solvers keep equalities within 1e-9 or so; a property missed by less is the solver's rounding.
PROPERTY_ROUNDING = 1e-8


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Mechanism(Renderable, Plots):
    """A randomised answer: for each truth, with which probability each response is released.

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
        What truths, which are then the responses, are called where they are no numbers; else empty.

    Raises
    ------
    ProblemError
        If the shape does not match, an entry is negative or not finite, a column does not sum to one, or
        `matrix` does not hold the doubles nearest to `exact`.

    Examples
    --------
    Randomised response on yes and no, with the odds of telling the truth at 3 to 1:

    >>> from optmech.question.queries import count
    >>> mechanism = Mechanism(matrix=[[0.75, 0.25], [0.25, 0.75]], responses=(0, 1), truths=(0, 1))
    >>> round(mechanism.effective_epsilon(count(1)), 6)  # log 3
    1.098612
    """

    matrix: Floats
    responses: tuple[Fraction, ...]
    truths: tuple[Fraction, ...]
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

    def expected_loss(self, loss: str | ArrayLike, prior: str | ArrayLike | None = "uniform") -> float:
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

    def worst_case_loss(self, loss: str | ArrayLike) -> float:
        """Largest expected loss over the truths; `loss` as in `expected_loss`."""
        return float(self._losses(loss).max())

    def effective_epsilon(self, query: Query) -> float:
        """Smallest epsilon of pure privacy that this mechanism has between the neighbours of `query`.

        Zeros count: where a response is possible under one truth and impossible under a neighbour, the
        privacy loss is ``math.inf``. Between neighbours with a weight the loss is divided by that.
        """
        return self.privacy_loss(query).value

    def privacy_loss(self, query: Query) -> Worst:
        """Largest privacy loss between the neighbours of `query`, over their weights, and where it is.

        A mechanism of whole numbers is measured by these: an entry too small for a double is no zero.
        """
        self._check(query)
        if self.exact is None:
            return measures.largest_privacy_loss(self.matrix, query.pairs, query.weights)
        return measures.largest_log_ratio(self.exact.logarithms(), query.pairs, query.weights)

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
        """Properties that the matrix has, up to the rounding of solvers; of order where there is one."""
        self._check(query)
        return frozenset(
            each
            for each in PROPERTIES
            if not (each.of_order and query.labels)
            if each.gap(self.matrix, query) <= PROPERTY_ROUNDING
        )

    @takes(constant_time=flag)
    def sample(
        self,
        truths: Any,  # noqa: ANN401 - a number, an array, or anything that holds numbers
        size: int | tuple[int, ...] | None = None,
        *,
        constant_time: bool = False,
        seed: int | np.random.Generator | None = None,
    ) -> Any:  # noqa: ANN401 - a number for a number, else an array
        """Draw a response for each true answer, with the operating system's randomness.

        The doubles of each column are taken as whole numbers over one denominator and drawn from in whole
        numbers, so that the law of the draw is the matrix as it stands, each column over its own sum.

        Parameters
        ----------
        truths : number or array of numbers
            Each among this mechanism's truths. A double stands for the truth that it is the double of. Where
            there are labels a truth is given by its own, as text, and what is drawn is a label as well.
        size : int or tuple of int, optional
            How many draws for each truth; their axes stand before those of `truths`.
        constant_time : bool, optional
            Take the same time whatever the truths and the draws, hundreds of times longer. Only for
            columns whose doubles sum to one exactly. Holds for `truths` that are whole numbers or
            doubles, best in an array; other numbers are read in a time that depends on them.
            `optmech.mechanisms.sampling.constant_time` says what is protected.
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
            If a truth is none of this mechanism's truths.
        NotAcceptedError
            If a column has no law in constant time.

        Examples
        --------
        >>> certain = Mechanism(matrix=[[0, 1], [1, 0]], responses=(0, 1), truths=(0, 1))
        >>> certain.sample(0), certain.sample([0, 1, 1])
        (1, array([1, 0, 0]))
        >>> certain.sample([0, 1], size=3).shape
        (3, 2)
        """
        release = self._release
        if release is None:
            weights = whole_weights(self.matrix, self.exact)
            release = Release(weights, self.responses, self.truths, self.labels)
            object.__setattr__(self, "_release", release)
        return release.sample(truths, size, constant_time=constant_time, seed=seed)

    @takes(path=need_path)
    def to_csv(self, path: str | PathLike[str], *, comments: Iterable[str] = ()) -> None:
        """Write the matrix as a table: first row the truths, first column the responses.

        The numbers read back to the same doubles. The file is written whole or not at all. Each of
        `comments` becomes a line that begins with ``#``.

        Raises
        ------
        FileFormatError
            If the path cannot be written.
        """
        write_whole(path, matrix_text(self.responses, self.truths, self.matrix, comments, labels=self.labels))

    @classmethod
    def from_csv(cls, path: str | PathLike[str]) -> Mechanism:
        """Read a matrix that `to_csv` wrote, or that was typed in the same layout.

        Raises
        ------
        FileFormatError
            If the file cannot be read, is ragged, or holds something that is no mechanism.
        """
        responses, truths, matrix, labels = read_matrix(path, COLUMN_SUM_ROUNDING)
        return cls(matrix=matrix, responses=responses, truths=truths, labels=labels)

    @classmethod
    def certified(cls, certificate: CertificateSource) -> Mechanism:
        """Return the mechanism of a certificate: doubles to look at, whole numbers to draw from."""
        certificate = certificate_of(certificate, "`certificate`")
        query = certificate.problem.query
        return cls(
            matrix=certificate.matrix.nearest(),
            responses=tuple(response.midpoint for response in query.responses),
            truths=query.truths,
            exact=certificate.matrix,
            labels=query.labels,
        )

    def _line(self) -> str:
        kind = "in doubles" if self.exact is None else "in whole numbers"
        return f"{len(self.responses)} responses by {len(self.truths)} truths, {kind}"

    def _losses(self, loss: str | ArrayLike) -> Floats:
        """Return the expected loss at each truth."""
        grid = self._grid()
        if isinstance(loss, str) and loss == "zero-one" and (grid.home < 0).any():
            message = (
                "`loss` must be a matrix here; got 'zero-one', and some truth is no response. "
                "Pass loss_matrix('zero-one', query): the query knows which category holds which truth."
            )
            raise ProblemError(message)
        losses: Floats = (loss_matrix(loss, grid) * self.matrix).sum(axis=0)
        return losses

    def _grid(self) -> Query:
        return Query(self.truths, self.responses, neighbours=())

    def _check(self, query: Query) -> Query:
        an_instance(Query)(query, "query")
        if (query.num_responses, query.num_truths) != self.matrix.shape:
            message = (
                f"`query` must have {self.matrix.shape[0]} responses and {self.matrix.shape[1]} truths like "
                f"the matrix; got {query.num_responses} and {query.num_truths} ({query.title})."
            )
            raise ProblemError(message)
        return query
