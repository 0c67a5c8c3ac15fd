"""Definitions of privacy, one file each: those that the papers use, and the field's own."""

from optmech.question.privacy.approximate import ApproximatePrivacy
from optmech.question.privacy.per_outcome import PerOutcomePrivacy, SymmetricRows
from optmech.question.privacy.privacy import Privacy
from optmech.question.privacy.probabilistic import ProbabilisticPrivacy, Reading
from optmech.question.privacy.pure import PurePrivacy

__all__ = [
    "PRIVACIES",
    "ApproximatePrivacy",
    "PerOutcomePrivacy",
    "Privacy",
    "ProbabilisticPrivacy",
    "PurePrivacy",
    "Reading",
    "SymmetricRows",
]

PRIVACIES: tuple[type[Privacy], ...] = (
    PurePrivacy,
    ApproximatePrivacy,
    PerOutcomePrivacy,
    ProbabilisticPrivacy,
)
"""All that have a name."""
