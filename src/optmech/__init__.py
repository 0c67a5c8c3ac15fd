"""Optimal differentially private mechanisms, by linear and mixed-integer programs.

>>> import optmech as om
>>> problem = om.croft(om.count(5), epsilon="0.5", variant=2)
>>> design = om.design(problem)
>>> bool(om.verify(design.mechanism, problem)), design.certificate.relative_gap < 1e-9
(True, True)
"""

from optmech.engines.design import Design, design
from optmech.errors import (
    FileFormatError,
    ModelError,
    NoSolutionError,
    NotAcceptedError,
    OptmechError,
    ProblemError,
    SolverMissingError,
    VerificationError,
)
from optmech.exact.certificate import Certificate
from optmech.files.certificate import read_certificate, write_certificate
from optmech.formulations.assemble import Formulation, assemble
from optmech.formulations.croft import croft
from optmech.formulations.kadam import kadam, kadam_least_delta
from optmech.formulations.question import bound, question
from optmech.formulations.sadeghi import sadeghi, sadeghi_symmetric
from optmech.implicit import ImplicitMechanism, implicit_count
from optmech.mechanism import Mechanism
from optmech.model import LinearModel
from optmech.problem.limits import Accuracy, Within, Without
from optmech.problem.loss import loss_matrix
from optmech.problem.problem import Problem
from optmech.problem.properties import Property
from optmech.problem.queries import count, extremum, mean, residues
from optmech.problem.query import Query
from optmech.problem.structure import FreeMatrix, ModularNoise, SymmetricNoise, ZeroBiasNoise
from optmech.solution import Solution, Status
from optmech.solvers.options import SolveOptions
from optmech.verify import Report, verify
from optmech.version import __version__

__all__ = [
    "Accuracy",
    "Certificate",
    "Design",
    "FileFormatError",
    "Formulation",
    "FreeMatrix",
    "ImplicitMechanism",
    "LinearModel",
    "Mechanism",
    "ModelError",
    "ModularNoise",
    "NoSolutionError",
    "NotAcceptedError",
    "OptmechError",
    "Problem",
    "ProblemError",
    "Property",
    "Query",
    "Report",
    "Solution",
    "SolveOptions",
    "SolverMissingError",
    "Status",
    "SymmetricNoise",
    "VerificationError",
    "Within",
    "Without",
    "ZeroBiasNoise",
    "__version__",
    "assemble",
    "bound",
    "count",
    "croft",
    "design",
    "extremum",
    "implicit_count",
    "kadam",
    "kadam_least_delta",
    "loss_matrix",
    "mean",
    "question",
    "read_certificate",
    "residues",
    "sadeghi",
    "sadeghi_symmetric",
    "verify",
    "write_certificate",
]
