"""Structures: which matrices are allowed, one file each."""

from optmech.question.structures.columns import Columns, Comparisons
from optmech.question.structures.free import FreeMatrix
from optmech.question.structures.modular import ModularNoise, distances_of
from optmech.question.structures.structure import Structure
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
]

STRUCTURES: tuple[type[Structure], ...] = (FreeMatrix, ModularNoise, SymmetricNoise, ZeroBiasNoise)
"""All that have a name."""
