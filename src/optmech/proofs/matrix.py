"""A mechanism matrix of integers over one denominator, for proofs and exact draws."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import ProblemError, broken_rule

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.base.arrays import Floats
    from optmech.proofs.ray_matrix import RayMatrix

    Integers = NDArray[Any]

# Integers of at most this many bits are doubles, and so are their quotients by such a power of two.
_MOST_BITS = 1000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExactMatrix:
    """Probabilities ``numerators / denominator``.

    Attributes
    ----------
    numerators : ndarray of int, shape (num_responses, num_truths)
        Python integers, zero or more; each column sums to the denominator.
    denominator : int
        Positive.
    rays : RayMatrix or None
        The rays that the matrix was made of, where it was.
    by_column : bool
        Whether its first column says all, and a file has no other: that of noise that is added.

    Raises
    ------
    ProblemError
        If a numerator is negative or a column does not sum to the denominator.

    Examples
    --------
    >>> ExactMatrix(numerators=[[3, 1], [1, 3]], denominator=4).nearest().tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """

    numerators: Integers
    denominator: int
    rays: RayMatrix | None = field(default=None, init=False, repr=False)
    by_column: bool = field(default=False, init=False, repr=False)
    # Computed on first use.
    _nearest: Floats | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        numerators = np.array(self.numerators, dtype=object)
        if numerators.ndim != 2 or not numerators.size:  # noqa: PLR2004 - responses by truths
            raise broken_rule("numerators", "be a table of whole numbers", f"shape {numerators.shape}")
        if set(map(type, numerators.flat)) != {int} or numerators.min() < 0:
            index, value = next(
                (index, value)
                for index, value in np.ndenumerate(numerators)
                if type(value) is not int or value < 0
            )
            raise broken_rule("numerators", "be whole, not negative", f"{value!r} at {list(index)}")
        wrong = np.flatnonzero(numerators.sum(axis=0) != self.denominator)
        if len(wrong) or self.denominator <= 0:
            column = int(wrong[0]) if len(wrong) else 0
            message = f"each column of `numerators` must sum to the denominator; column {column} does not."
            raise ProblemError(message)
        numerators.flags.writeable = False
        object.__setattr__(self, "numerators", numerators)

    @classmethod
    def of_rays(cls, rays: RayMatrix) -> ExactMatrix:
        """Return the matrix of a mixture of rays. ValueError: a number of it is beyond its limits."""
        matrix = cls(numerators=rays.numerators(), denominator=rays.denominator)
        object.__setattr__(matrix, "rays", rays)
        return matrix

    def in_a_column(self) -> ExactMatrix:
        """Return the same matrix, of which a file has the first column alone."""
        matrix = ExactMatrix(numerators=self.numerators, denominator=self.denominator)
        object.__setattr__(matrix, "by_column", True)
        return matrix

    def nearest(self) -> Floats:
        """Return the probabilities as doubles, each the nearest to its fraction; the array is read-only."""
        nearest = self._nearest
        if nearest is None:
            bottom, bits = self.denominator, self.denominator.bit_length() - 1
            if bottom == 1 << bits and bits <= _MOST_BITS:
                nearest = np.ldexp(self.numerators.astype(float), -bits)  # rounded once, to a normal double
            else:  # Python's division of integers rounds correctly, however long they are
                nearest = np.array([[value / bottom for value in line] for line in self.numerators.tolist()])
            nearest.flags.writeable = False
            object.__setattr__(self, "_nearest", nearest)
        return nearest

    def logarithms(self) -> Floats:
        """Return the logarithm of each probability, also of those too small for a double."""
        nearest = self.nearest()
        with np.errstate(divide="ignore"):
            logarithms: Floats = np.log(nearest)
        # Below the smallest normal double probabilities lose their digits, and at last become zero.
        is_lost = (nearest < np.finfo(float).tiny) & (self.numerators != 0)
        whole = log(self.denominator)
        logarithms[is_lost] = [log(numerator) - whole for numerator in self.numerators[is_lost].tolist()]
        return logarithms

    def rows(self) -> list[str]:
        """Return the numerators as text, a line for each response."""
        return [" ".join(map(str, line)) for line in self.numerators.tolist()]

    def sha256(self) -> str:
        """Return the SHA-256 of the denominator and the numerators as text."""
        text = "\n".join([str(self.denominator), *self.rows()])
        return hashlib.sha256(text.encode("ascii")).hexdigest()
