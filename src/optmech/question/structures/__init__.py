"""Structures: sets of allowed matrices, one file each."""

from __future__ import annotations

from typing import Any

from optmech.base.errors import broken_rule
from optmech.base.wording import join_words
from optmech.question.structures.free import FreeMatrix
from optmech.question.structures.modular import ModularNoise, distances_of
from optmech.question.structures.structure import Columns, Comparisons, Structure
from optmech.question.structures.symmetric import SymmetricNoise
from optmech.question.structures.zero_bias import ZeroBiasNoise

__all__ = [
    "STRUCTURES",
    "Columns",
    "Comparisons",
    "FreeMatrix",
    "ModularNoise",
    "Structure",
    "SymmetricNoise",
    "ZeroBiasNoise",
    "distances_of",
    "structure_of",
]

STRUCTURES: tuple[type[Structure], ...] = (FreeMatrix, ModularNoise, SymmetricNoise, ZeroBiasNoise)
"""All that have a name."""


def structure_of(content: dict[str, Any]) -> Structure:
    """Return the structure that a certificate states, by its word."""
    kinds = {kind.word: kind for kind in STRUCTURES}
    kind = content["kind"]
    if kind not in kinds:
        raise broken_rule("structure.kind", f"be {join_words(kinds, 'or')}", repr(kind))
    return kinds[kind].read(content)
