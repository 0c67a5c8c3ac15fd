"""What several releases spend together."""

from optmech.composition.budget import EpsilonPerQuery, epsilon_per_query
from optmech.composition.compose import Composition, Queries, compose
from optmech.composition.curve import PrivacyCurve
from optmech.composition.pairs import privacy_curve

__all__ = [
    "Composition",
    "EpsilonPerQuery",
    "PrivacyCurve",
    "Queries",
    "compose",
    "epsilon_per_query",
    "privacy_curve",
]
