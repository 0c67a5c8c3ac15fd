"""Choices around a design: composition, smallest epsilon, frontiers, comparison, baselines, utility, ties.

`doctor` examines this installation.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
