"""The trade-off between privacy and utility: certified mechanisms, and a curve that none can cross."""

from optmech.analysis.frontiers.curve import Frontier, frontier

__all__ = ["Frontier", "frontier"]
