"""The orbits of the privacy curve of a chain question: pairs of epsilon and delta, or a noise.

Each class returns a noise that keeps its curve and the best thresholds; callers need not know the class.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING

from optmech.designs.chain.gaussian_orbit import gaussian_noise, gaussian_thresholds, lists_tails
from optmech.designs.chain.noise_orbit import noise_of_law, reaches_into_tails
from optmech.designs.chain.orbits import lists_tails as lists_whole_tails
from optmech.designs.chain.orbits import noise_of_pairs
from optmech.designs.chain.thresholds import best_thresholds, weights_of_lines
from optmech.proofs.chain.curve import lines_of_pairs, pairs_around

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.proofs.chain.certificate import NoiseCertificate
    from optmech.proofs.chain.noise import Noise
    from optmech.proofs.enclosure import Enclosure
    from optmech.question.chain_question import ChainQuestion
    from optmech.question.privacy import Privacy
    from optmech.question.privacy.noise_law import NoiseLaw
    from optmech.question.problem import Problem

# For continuous noise, for each truth and unit of standard deviation, measured at 120 to 1,001 truths.
_SECONDS = 0.003


class CurveOrbits(ABC):
    """The orbits of one privacy curve."""

    only_pairs: str | None = None
    """Why other engines do not support the curve; ``None`` for pairs."""
    praise: str = "the theorem of chains gives the optimal thresholds and their proof"
    """Sentence on the mechanism that is designed for it."""

    @abstractmethod
    def reaches_tails(self, number: int) -> bool:
        """Whether one of `number` truths is in a tail of the noise, so that it has no matrix."""

    @abstractmethod
    def noise(self, factor: Enclosure, question: ChainQuestion) -> tuple[Noise, list[int]]:
        """Return the orbits as a noise (the best ones of a smooth curve), and the best points on them."""

    def seconds(self, number: int) -> float:  # noqa: ARG002
        """Return an estimate of the seconds of noise and proof where they are many, else 0."""
        return 0.0

    def limits(self, certificate: NoiseCertificate) -> list[Fraction | float]:
        """Return the largest sum of position and noise that each response but the last is released for."""
        never, always = certificate.noise.ends(certificate.question.num_truths)
        return [
            -inf if point <= never else inf if point >= always else Fraction(point)
            for point in certificate.thresholds
        ]


@dataclass(frozen=True)
class PairOrbits(CurveOrbits):
    """The orbits of pairs of epsilon and delta."""

    privacies: Sequence[Privacy]

    def reaches_tails(self, number: int) -> bool:
        """Whether a pair has no delta, so that tails never end, and truths or their bits are many."""
        largest = max(float(privacy.epsilon) for privacy in self.privacies)
        return any(not privacy.delta for privacy in self.privacies) and not lists_whole_tails(number, largest)

    def noise(self, factor: Enclosure, question: ChainQuestion) -> tuple[Noise, list[int]]:
        """Return the orbits as a noise, and the best points by the lines of the bound."""
        inner, outer = pairs_around(factor, self.privacies)
        number = question.num_truths
        noise = noise_of_pairs(inner, number - 1, has_tails=self.reaches_tails(number))
        return noise, best_thresholds(question, noise, weights_of_lines(noise, lines_of_pairs(outer)))


@dataclass(frozen=True)
class LawOrbits(CurveOrbits):
    """The orbits of the polygon of a noise in whole numbers."""

    law: NoiseLaw

    only_pairs = "it knows pairs of epsilon and delta alone"
    praise = "the theorem of chains covers every curve: it gives the thresholds and their proof"

    def reaches_tails(self, number: int) -> bool:
        """Whether some truth is in a tail of the noise."""
        return reaches_into_tails(self.law, number)

    def noise(self, factor: Enclosure, question: ChainQuestion) -> tuple[Noise, list[int]]:  # noqa: ARG002
        """Return a noise that keeps the curve of the distribution, and the best points."""
        noise = noise_of_law(self.law, question.num_truths)
        return noise, best_thresholds(question, noise)


class SmoothOrbits(LawOrbits):
    """The orbits of the continuous Gaussian: those of the best thresholds alone."""

    def reaches_tails(self, number: int) -> bool:
        """Whether some truth is in a tail of the noise."""
        return not lists_tails(self.law.deviation, number)

    def noise(self, factor: Enclosure, question: ChainQuestion) -> tuple[Noise, list[int]]:  # noqa: ARG002
        """Return a noise with the orbits of the best thresholds, and these."""
        return gaussian_noise(question, self.law.deviation)

    def seconds(self, number: int) -> float:
        """Return an estimate of the seconds: each truth has a value at each point in reach."""
        return _SECONDS * number * float(self.law.deviation)

    def limits(self, certificate: NoiseCertificate) -> list[Fraction | float]:
        """Return the best thresholds, which are not points of an integer noise."""
        return gaussian_thresholds(certificate.question, self.law.deviation)


def orbits_of(problem: Problem) -> CurveOrbits:
    """Return the orbits of the privacy of a problem."""
    law = problem.privacy.curve
    if law is None:
        return PairOrbits(problem.privacies)
    return SmoothOrbits(law) if law.is_continuous else LawOrbits(law)
