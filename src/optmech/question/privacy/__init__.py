"""Definitions of privacy: those of the papers, and the standard ones."""

from __future__ import annotations

from typing import Any

from optmech.base.errors import broken_rule
from optmech.base.wording import join_words
from optmech.question.privacy.approximate import ApproximatePrivacy, PurePrivacy
from optmech.question.privacy.as_private_as import NoisePrivacy, as_private_as
from optmech.question.privacy.privacy import Privacy
from optmech.question.privacy.single_responses import (
    PerOutcomePrivacy,
    ProbabilisticPrivacy,
    Reading,
    SymmetricRows,
)

__all__ = [
    "PRIVACIES",
    "ApproximatePrivacy",
    "NoisePrivacy",
    "PerOutcomePrivacy",
    "Privacy",
    "ProbabilisticPrivacy",
    "PurePrivacy",
    "Reading",
    "SymmetricRows",
    "as_private_as",
    "privacy_of",
]

PRIVACIES: tuple[type[Privacy], ...] = (
    PurePrivacy,
    ApproximatePrivacy,
    PerOutcomePrivacy,
    ProbabilisticPrivacy,
    NoisePrivacy,
)
"""All that have a name."""


def privacy_of(content: dict[str, Any]) -> Privacy:
    """Return the privacy that a certificate states, by its word."""
    kinds = {kind.word: kind for kind in PRIVACIES}
    kind = content["kind"]
    if kind not in kinds:
        raise broken_rule("privacy.kind", f"be {join_words(kinds, 'or')}", repr(kind))
    return kinds[kind].read(content)
