"""Mechanisms of counts too large for a matrix: held as a law, drawn from exactly, proved in linear time."""

from optmech.designs.implicit.design import implicit_count
from optmech.designs.implicit.mechanism import ImplicitMechanism

__all__ = ["ImplicitMechanism", "implicit_count"]
