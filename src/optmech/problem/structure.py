"""Which matrices are allowed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optmech.errors import ProblemError
from optmech.problem.numbers import as_text, exact

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["FreeMatrix", "ModularNoise", "Structure", "SymmetricNoise", "ZeroBiasNoise"]


@dataclass(frozen=True, slots=True)
class FreeMatrix:
    """Any matrix whose columns are distributions. Croft et al. 2020, Definition 3."""

    def __str__(self) -> str:
        return "any matrix"


@dataclass(frozen=True, slots=True)
class ModularNoise:
    """One noise distribution, added modulo the number of answers. Kadam et al. 2024 (4)."""

    def __str__(self) -> str:
        return "noise added modulo the number of answers"


@dataclass(frozen=True, slots=True)
class _BoundedNoise:
    half_width: int
    accuracy: Fraction

    def __post_init__(self) -> None:
        """Keep the accuracy exactly as given."""
        width = self.half_width
        if isinstance(width, bool) or not hasattr(width, "__index__") or width < 1:
            message = f"`half_width` must be a whole number of at least 1; got {width!r}."
            raise ProblemError(message)
        accuracy = exact(self.accuracy, "accuracy")
        if not 0 < accuracy < 1:
            message = (
                f"`accuracy` must lie strictly between 0 and 1; got {as_text(accuracy)}. "
                "It is the probability of releasing the truth."
            )
            raise ProblemError(message)
        object.__setattr__(self, "half_width", width.__index__())
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
