"""Which matrices are allowed."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.arguments import whole_number
from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text, exact
from optmech.question.vectors import all_vectors

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

__all__ = ["FreeMatrix", "ModularNoise", "Structure", "SymmetricNoise", "ZeroBiasNoise"]


@dataclass(frozen=True, slots=True)
class FreeMatrix:
    """Any matrix whose columns are distributions. Croft et al. 2020, Definition 3."""

    def __str__(self) -> str:
        return "any matrix"


@dataclass(frozen=True, slots=True)
class ModularNoise:
    """One noise distribution, added modulo the number of answers. Kadam et al. 2024 (4).

    With `moduli` an answer is a vector, and the noise is added modulo each of its coordinates: the truths are
    all vectors in lexicographic order, the last coordinate running fastest. Kadam et al. 2024, section VI.
    """

    moduli: tuple[int, ...] = ()

    def noise(self, size: int) -> NDArray[np.int64]:
        """Return for each response and truth which noise turns the truth into the response.

        Parameters
        ----------
        size : int
            Number of truths.

        Returns
        -------
        ndarray of int, shape (size, size)
            Positions of noise values among the truths; noise at position 0 is none.

        Raises
        ------
        ProblemError
            If the vectors of the moduli are not as many as the truths.

        Examples
        --------
        >>> ModularNoise().noise(3).tolist()
        [[0, 2, 1], [1, 0, 2], [2, 1, 0]]
        >>> ModularNoise((2, 2)).noise(4)[3].tolist()
        [3, 2, 1, 0]
        """
        moduli = self.moduli or (size,)
        if prod(moduli) != size:
            message = f"`moduli` must make one vector for each truth; got {prod(moduli)} for {size}."
            raise ProblemError(message)
        vectors = all_vectors(moduli).T
        difference = (vectors[:, :, None] - vectors[:, None, :]) % np.array(moduli)[:, None, None]
        noise: NDArray[np.int64] = np.ravel_multi_index(tuple(difference), moduli)
        return noise

    def __str__(self) -> str:
        if self.moduli:
            return f"noise added to each coordinate modulo {', '.join(map(str, self.moduli))}"
        return "noise added modulo the number of answers"


@dataclass(frozen=True, slots=True)
class _BoundedNoise:
    half_width: int
    accuracy: Fraction

    def __post_init__(self) -> None:
        """Keep the accuracy exactly as given."""
        width = whole_number(self.half_width, "half_width")
        if width < 1:
            message = f"`half_width` must be a whole number of at least 1; got {width}."
            raise ProblemError(message)
        accuracy = exact(self.accuracy, "accuracy")
        if not 0 < accuracy < 1:
            message = (
                f"`accuracy` must lie strictly between 0 and 1; got {as_text(accuracy)}. "
                "It is the probability of releasing the truth."
            )
            raise ProblemError(message)
        object.__setattr__(self, "half_width", width)
        object.__setattr__(self, "accuracy", accuracy)


@dataclass(frozen=True, slots=True)
class ZeroBiasNoise(_BoundedNoise):
    """Noise within `half_width`, of mean zero, that is zero with probability `accuracy`, at each count.

    Properties P1 to P3 of Sadeghi et al. 2020; the distribution may differ from count to count.
    """

    def __str__(self) -> str:
        return _noise_text("zero-bias noise", self)


@dataclass(frozen=True, slots=True)
class SymmetricNoise(_BoundedNoise):
    """One symmetric noise distribution for all counts, otherwise as `ZeroBiasNoise`.

    Sadeghi et al. 2020, Proposition 3; the counts start at `half_width` or above.
    """

    def __str__(self) -> str:
        return _noise_text("symmetric noise", self)


Structure = FreeMatrix | ModularNoise | SymmetricNoise | ZeroBiasNoise


def _noise_text(kind: str, noise: _BoundedNoise) -> str:
    return f"{kind} within {noise.half_width}, truth with probability {as_text(noise.accuracy)}"
