"""Optimal differentially private mechanisms, by linear and mixed-integer programs.

>>> import optmech as om
>>> problem = om.croft(om.count(5), epsilon="0.5", variant=2)
>>> design = om.design(problem)
>>> bool(om.verify(design.mechanism, problem)), design.certificate.relative_gap < 1e-9
(True, True)
"""

from optmech.cli import interrupts as _interrupts  # noqa: F401 - Ctrl-C while the rest loads  # isort: skip

from importlib import import_module
from typing import TYPE_CHECKING, Any

from optmech.engines.clash import Clash, clash
from optmech.engines.design import Design, design
from optmech.engines.ties import Settled, break_ties
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
from optmech.problem.graphs import categories, graph
from optmech.problem.limits import Accuracy, Within, Without
from optmech.problem.loss import loss_matrix
from optmech.problem.problem import Problem
from optmech.problem.properties import Property
from optmech.problem.queries import count, extremum, mean, residues
from optmech.problem.query import Query
from optmech.problem.query_from_data import distances_from_data
from optmech.problem.structure import FreeMatrix, ModularNoise, SymmetricNoise, ZeroBiasNoise
from optmech.problem.vectors import joint_pmf, marginal_pmf, vector
from optmech.solution import Solution, Status
from optmech.solvers.options import SolveOptions
from optmech.verify import Report, verify
from optmech.version import __version__

if TYPE_CHECKING:
    from optmech.card import Card, Words, card_json, card_markdown, card_of, words_of
    from optmech.comparison import Comparison, compare
    from optmech.comparison.prices import Prices, prices
    from optmech.composition import (
        Composition,
        EpsilonPerQuery,
        PrivacyCurve,
        compose,
        epsilon_per_query,
        privacy_curve,
    )
    from optmech.frontiers import Frontier, frontier
    from optmech.inversion import Threshold, largest_accuracy, least_epsilon, least_half_width
    from optmech.plugs import (
        Distribution,
        distribution,
        noise_distribution,
        read_npz,
        read_parquet,
        to_c,
        to_diffprivlib,
        to_dp_accountant,
        to_dp_accounting,
        to_dp_event,
        to_opendp,
        to_rust,
        write_npz,
        write_parquet,
    )
    from optmech.tables import ReleasedTable, read_log, release_frame, release_table

# These rooms load SciPy's distributions and more, half a second that only their users should wait for.
_LOADED_WHEN_USED = {
    "Card": "optmech.card",
    "Words": "optmech.card",
    "card_json": "optmech.card",
    "card_markdown": "optmech.card",
    "card_of": "optmech.card",
    "words_of": "optmech.card",
    "Comparison": "optmech.comparison",
    "compare": "optmech.comparison",
    "Prices": "optmech.comparison.prices",
    "prices": "optmech.comparison.prices",
    "Composition": "optmech.composition",
    "EpsilonPerQuery": "optmech.composition",
    "PrivacyCurve": "optmech.composition",
    "compose": "optmech.composition",
    "epsilon_per_query": "optmech.composition",
    "privacy_curve": "optmech.composition",
    "Distribution": "optmech.plugs",
    "distribution": "optmech.plugs",
    "noise_distribution": "optmech.plugs",
    "read_npz": "optmech.plugs",
    "read_parquet": "optmech.plugs",
    "to_c": "optmech.plugs",
    "to_diffprivlib": "optmech.plugs",
    "to_dp_accountant": "optmech.plugs",
    "to_dp_accounting": "optmech.plugs",
    "to_dp_event": "optmech.plugs",
    "to_opendp": "optmech.plugs",
    "to_rust": "optmech.plugs",
    "write_npz": "optmech.plugs",
    "write_parquet": "optmech.plugs",
    "ReleasedTable": "optmech.tables",
    "read_log": "optmech.tables",
    "release_frame": "optmech.tables",
    "release_table": "optmech.tables",
    "Frontier": "optmech.frontiers",
    "frontier": "optmech.frontiers",
    "Threshold": "optmech.inversion",
    "largest_accuracy": "optmech.inversion",
    "least_epsilon": "optmech.inversion",
    "least_half_width": "optmech.inversion",
}

__all__ = [
    "Accuracy",
    "Card",
    "Certificate",
    "Clash",
    "Comparison",
    "Composition",
    "Design",
    "Distribution",
    "EpsilonPerQuery",
    "FileFormatError",
    "Formulation",
    "FreeMatrix",
    "Frontier",
    "ImplicitMechanism",
    "LinearModel",
    "Mechanism",
    "ModelError",
    "ModularNoise",
    "NoSolutionError",
    "NotAcceptedError",
    "OptmechError",
    "Prices",
    "PrivacyCurve",
    "Problem",
    "ProblemError",
    "Property",
    "Query",
    "ReleasedTable",
    "Report",
    "Settled",
    "Solution",
    "SolveOptions",
    "SolverMissingError",
    "Status",
    "SymmetricNoise",
    "Threshold",
    "VerificationError",
    "Within",
    "Without",
    "Words",
    "ZeroBiasNoise",
    "__version__",
    "assemble",
    "bound",
    "break_ties",
    "card_json",
    "card_markdown",
    "card_of",
    "categories",
    "clash",
    "compare",
    "compose",
    "count",
    "croft",
    "design",
    "distances_from_data",
    "distribution",
    "epsilon_per_query",
    "extremum",
    "frontier",
    "graph",
    "implicit_count",
    "joint_pmf",
    "kadam",
    "kadam_least_delta",
    "largest_accuracy",
    "least_epsilon",
    "least_half_width",
    "loss_matrix",
    "marginal_pmf",
    "mean",
    "noise_distribution",
    "prices",
    "privacy_curve",
    "question",
    "read_certificate",
    "read_log",
    "read_npz",
    "read_parquet",
    "release_frame",
    "release_table",
    "residues",
    "sadeghi",
    "sadeghi_symmetric",
    "to_c",
    "to_diffprivlib",
    "to_dp_accountant",
    "to_dp_accounting",
    "to_dp_event",
    "to_opendp",
    "to_rust",
    "vector",
    "verify",
    "words_of",
    "write_certificate",
    "write_npz",
    "write_parquet",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - as many types as names
    """Return a name that is loaded when it is first used."""
    if name not in _LOADED_WHEN_USED:
        message = f"module 'optmech' has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(import_module(_LOADED_WHEN_USED[name]), name)
    globals()[name] = value
    return value
