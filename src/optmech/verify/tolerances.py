"""By how much floating point may be off, check by check, with the reason."""

__all__ = [
    "EPSILON_ROUNDING",
    "OBJECTIVE_ROUNDING",
    "STRUCTURE_ROUNDING",
]

# A privacy loss is a difference of two rounded logarithms.
EPSILON_ROUNDING = 1e-9
# Mass, mean and support of bounded noise come out of a solver with its rounding.
STRUCTURE_ROUNDING = 1e-8
# A claimed objective further from the recomputed one, relatively, is another mechanism's.
OBJECTIVE_ROUNDING = 1e-6
