"""The compiled question: exact constraints on the entries of a matrix."""

from optmech.rules.compatibility import mismatch
from optmech.rules.compile import compile_rules
from optmech.rules.quantities import CompiledLoss, Quantities
from optmech.rules.rules import Rules

__all__ = ["CompiledLoss", "Quantities", "Rules", "compile_rules", "mismatch"]
