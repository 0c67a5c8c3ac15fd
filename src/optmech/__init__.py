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

from optmech.base.errors import (
    FileFormatError,
    ModelError,
    NoSolutionError,
    NotAcceptedError,
    OptmechError,
    ProblemError,
    SolverMissingError,
    VerificationError,
)
from optmech.base.version import __version__
from optmech.designs.clash import Clash, clash
from optmech.designs.design import Design, design
from optmech.designs.implicit import ImplicitMechanism, implicit_count
from optmech.designs.ties import Settled, break_ties
from optmech.mechanisms.mechanism import Mechanism
from optmech.models.formulations.assemble import Formulation, assemble
from optmech.models.linear_model import LinearModel
from optmech.models.solution import Solution, Status
from optmech.models.solvers.options import SolveOptions
from optmech.proofs.certificate import Certificate
from optmech.proofs.certificate_file import read_certificate, write_certificate
from optmech.question.graphs import categories, graph
from optmech.question.limits import Accuracy, Within, Without
from optmech.question.linear_rule import LinearRule
from optmech.question.loss import loss_matrix
from optmech.question.problem import Problem
from optmech.question.problems.croft import croft
from optmech.question.problems.kadam import kadam, kadam_least_delta
from optmech.question.problems.question import bound, question
from optmech.question.problems.sadeghi import sadeghi, sadeghi_symmetric
from optmech.question.properties import Property
from optmech.question.queries import count, extremum, mean, residues
from optmech.question.query import Query
from optmech.question.query_from_data import distances_from_data
from optmech.question.structures import FreeMatrix, ModularNoise, SymmetricNoise, ZeroBiasNoise
from optmech.question.vectors import joint_pmf, marginal_pmf, vector
from optmech.verify import Report, verify

if TYPE_CHECKING:
    from optmech.analysis.comparison import Comparison, compare
    from optmech.analysis.comparison.prices import Prices, prices
    from optmech.analysis.composition import (
        Composition,
        EpsilonPerQuery,
        PrivacyCurve,
        compose,
        epsilon_per_query,
        privacy_curve,
    )
    from optmech.analysis.frontiers import Frontier, frontier
    from optmech.analysis.inversion import Threshold, largest_accuracy, least_epsilon, least_half_width
    from optmech.question.words import Words
    from optmech.release.plugs import (
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
    from optmech.release.tables import ReleasedTable, read_log, release_frame, release_table
    from optmech.reports.card import Card, card_json, card_markdown, card_of, words_of

# These rooms load SciPy's distributions and more, half a second that only their users should wait for.
_LOADED_WHEN_USED = {
    "Card": "optmech.reports.card",
    "Words": "optmech.question.words",
    "card_json": "optmech.reports.card",
    "card_markdown": "optmech.reports.card",
    "card_of": "optmech.reports.card",
    "words_of": "optmech.reports.card",
    "Comparison": "optmech.analysis.comparison",
    "compare": "optmech.analysis.comparison",
    "Prices": "optmech.analysis.comparison.prices",
    "prices": "optmech.analysis.comparison.prices",
    "Composition": "optmech.analysis.composition",
    "EpsilonPerQuery": "optmech.analysis.composition",
    "PrivacyCurve": "optmech.analysis.composition",
    "compose": "optmech.analysis.composition",
    "epsilon_per_query": "optmech.analysis.composition",
    "privacy_curve": "optmech.analysis.composition",
    "Distribution": "optmech.release.plugs",
    "distribution": "optmech.release.plugs",
    "noise_distribution": "optmech.release.plugs",
    "read_npz": "optmech.release.plugs",
    "read_parquet": "optmech.release.plugs",
    "to_c": "optmech.release.plugs",
    "to_diffprivlib": "optmech.release.plugs",
    "to_dp_accountant": "optmech.release.plugs",
    "to_dp_accounting": "optmech.release.plugs",
    "to_dp_event": "optmech.release.plugs",
    "to_opendp": "optmech.release.plugs",
    "to_rust": "optmech.release.plugs",
    "write_npz": "optmech.release.plugs",
    "write_parquet": "optmech.release.plugs",
    "ReleasedTable": "optmech.release.tables",
    "read_log": "optmech.release.tables",
    "release_frame": "optmech.release.tables",
    "release_table": "optmech.release.tables",
    "Frontier": "optmech.analysis.frontiers",
    "frontier": "optmech.analysis.frontiers",
    "Threshold": "optmech.analysis.inversion",
    "largest_accuracy": "optmech.analysis.inversion",
    "least_epsilon": "optmech.analysis.inversion",
    "least_half_width": "optmech.analysis.inversion",
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
    "LinearRule",
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
