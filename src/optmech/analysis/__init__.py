"""Choices around a design: composition, smallest epsilon, frontiers, comparison, baselines, utility, ties.

`audit` examines the solvers of a machine, and `doctor` this installation.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
