"""Privacy spent by several releases together."""

from optmech.analysis.composition.budget import EpsilonPerQuery, epsilon_per_query
from optmech.analysis.composition.compose import Composition, Queries, compose
from optmech.analysis.composition.curve import PrivacyCurve
from optmech.analysis.composition.pairs import privacy_curve

__all__ = [
    "Composition",
    "EpsilonPerQuery",
    "PrivacyCurve",
    "Queries",
    "compose",
    "epsilon_per_query",
    "privacy_curve",
]
