# The public names of this room, and where each is.
from .formulations.assemble import Formulation as Formulation
from .formulations.assemble import assemble as assemble
from .linear_model import LinearModel as LinearModel
from .solution import Solution as Solution
from .solution import Status as Status
