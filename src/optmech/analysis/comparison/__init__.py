"""Loss of the mechanisms in use on a given question, against the proved optimum."""

from optmech.analysis.comparison.compare_baselines import Comparison, compare
from optmech.analysis.comparison.libraries import LIBRARIES, LibraryCall
from optmech.analysis.comparison.row import ComparisonRow
from optmech.analysis.comparison.sentences import sentences

__all__ = ["LIBRARIES", "Comparison", "ComparisonRow", "LibraryCall", "compare", "sentences"]
