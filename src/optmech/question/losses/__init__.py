"""What can be least or bounded, one file each: expected losses, worst losses, delta."""

from optmech.question.losses.expected import ExpectedLoss, WorstLoss
from optmech.question.losses.least_delta import LeastDelta, LossBound
from optmech.question.losses.objective import Loss, Objective

__all__ = ["OBJECTIVES", "ExpectedLoss", "LeastDelta", "Loss", "LossBound", "Objective", "WorstLoss"]

OBJECTIVES: tuple[type[Objective], ...] = (ExpectedLoss, WorstLoss, LeastDelta)
"""All that can be least."""
