"""From what is wanted to what it takes: the least epsilon, the largest accuracy, the least half-width."""

from optmech.analysis.inversion.accuracy import largest_accuracy
from optmech.analysis.inversion.smallest_parameter import least_epsilon, least_half_width
from optmech.analysis.inversion.threshold import Threshold

__all__ = ["Threshold", "largest_accuracy", "least_epsilon", "least_half_width"]
