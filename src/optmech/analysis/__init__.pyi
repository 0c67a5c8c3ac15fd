# The public names of this room, and where each is.
from .comparison import Comparison as Comparison
from .comparison.prices import Prices as Prices
from .comparison.prices import prices as prices
from .composition import Composition as Composition
from .composition import EpsilonPerQuery as EpsilonPerQuery
from .composition import PrivacyCurve as PrivacyCurve
from .composition import epsilon_per_query as epsilon_per_query
from .composition import privacy_curve as privacy_curve
from .frontiers import Frontier as Frontier
from .frontiers import frontier as frontier
from .improvement import Improvement as Improvement
from .improvement import improve as improve
from .inversion import Threshold as Threshold
from .inversion import largest_accuracy as largest_accuracy
from .inversion import least_epsilon as least_epsilon
from .inversion import least_half_width as least_half_width
from .p_tables import PTable as PTable
