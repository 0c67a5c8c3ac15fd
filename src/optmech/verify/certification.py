"""A matrix from anywhere, proved: is it private, how far from optimal, and a certificate of it.

As it is        its entries, over their common denominator, keep every demand of the question exactly; noise
                without a matrix keeps it as noise
Repaired        else the nearest that the repair of designs finds does, and the result says how far that is
Mixed           else as little as needed of the uniform answer or of the optimum is mixed in
Bound           the multipliers of the engine that designs the question: they hold for every mechanism of it
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import singledispatch
from math import lcm
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import an_instance, function, takes
from optmech.base.errors import NotAcceptedError, ProblemError, VerificationError
from optmech.base.provenance import Provenance
from optmech.base.rendering import Renderable
from optmech.base.version import __version__
from optmech.base.wrapping import wrapped
from optmech.designs.choice import engine_of_matrix
from optmech.designs.design import Design, design
from optmech.designs.repair.repair import repair
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.mechanisms.source import find_source, mechanism_of
from optmech.proofs.chain.certificate import NoiseCertificate
from optmech.proofs.file_limits import MOST_DIGITS
from optmech.proofs.matrix import ExactMatrix
from optmech.proofs.matrix_certificate import MatrixCertificate
from optmech.proofs.violation import violation
from optmech.question.chain_question import no_chain_question
from optmech.question.problem import Problem
from optmech.verify.checks import verify
from optmech.verify.entries import SUM_ROUNDING, entries_of, need_grid
from optmech.verify.matrix_files import matrix_in_file
from optmech.verify.mixtures import nearest_mixture
from optmech.verify.shortfall import Shortfall, privacy_shortfall

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from fractions import Fraction

    from numpy.typing import ArrayLike, NDArray

    from optmech.mechanisms.mechanism import Mechanism
    from optmech.mechanisms.source import MechanismSource
    from optmech.models.solution import Solution
    from optmech.proofs.certificate import Certificate
    from optmech.proofs.enclosure import Enclosure
    from optmech.rules import Rules

    Fractions = NDArray[Any]
    MatrixArgument = ArrayLike | str | PathLike[str] | MechanismSource | Solution | Mapping[str, float]

# A bound within this share of the best known objective says what the least is, in the digits shown.
_SHARP = 1e-6
_SUMS = "columns sum to one only up to the rounding of their digits"
# An objective within this share of the bound is that of an optimum, up to the rounding of a repair.
_OPTIMAL = 1e-7
ROUNDING = 1e-12
"""Doubles of a private matrix need to be moved by no more."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Certification(Renderable):
    """The verdict of exact arithmetic on a matrix.

    Attributes
    ----------
    design : Design
        The matrix as an answer to the question, repaired where it must be, with its certificate.
    optimum : Design
        The engine's design for the same question.
    violation : str or None
        The first demand that the matrix breaks as it was given, of a privacy with the epsilon or delta that
        its columns have, over their sums, and where; ``None`` where it keeps all, exactly.
    is_rounding : bool
        Whether the rounding of its digits explains what it breaks.
    moved : float
        The distance by which the repair moved it: the largest total variation distance of two columns, which
        is the probability with which a release can differ. Zero where it is certified as it is.
    reading : str
        A sentence on how a file was read that does not name truths and responses; empty elsewhere.
    """

    design: Design
    optimum: Design
    violation: str | None
    is_rounding: bool
    moved: float
    reading: str = ""

    @property
    def as_given(self) -> bool:
        """Whether the matrix is certified as it was given."""
        return self.violation is None

    @property
    def problem(self) -> Problem:
        """The question."""
        return self.design.problem

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism that is certified."""
        return self.design.mechanism

    @property
    def certificate(self) -> Certificate:
        """The proof."""
        own = self.design.certificate
        assert own is not None  # noqa: S101 - a certification has one
        return own

    @property
    def bound(self) -> Fraction | None:
        """The largest lower bound that is proved, of the mechanism or of the optimum."""
        proved_bounds = (each.bound for each in (self.certificate, self.optimum.certificate) if each)
        return max((bound for bound in proved_bounds if bound is not None), default=None)

    @property
    def excess(self) -> float | None:
        """By which share the objective exceeds the lower bound; ``None`` where none is proved."""
        bound = self.bound
        if bound is None:
            return None
        gap = self.certificate.objective - bound
        return float(gap / bound) if bound > 0 else 0.0 if gap == 0 else np.inf

    def _line(self) -> str:
        return f"{self.problem}; {' '.join(self.sentences())}"

    def sentences(self) -> tuple[str, ...]:
        """Return how a file without names was read, whether it keeps what is asked, and how good it is."""
        return (*filter(None, [self.reading]), *self._verdict())

    def _verdict(self) -> tuple[str, str]:
        """Return whether it keeps what is asked, and how far from optimal it is."""
        if self.violation is None:
            sentence = "The matrix keeps what is asked, exactly, and is certified as it is."
        elif self.is_rounding:
            sentence = (
                f"Up to the rounding of its digits the matrix keeps what is asked ({self.violation}); what "
                f"is certified moves a column by at most {self.moved:.0e} in total variation."
            )
        else:
            sentence = (
                f"As it was given the matrix does not keep what is asked: {self.violation}. It is repaired, "
                f"which moves a column by at most {self.moved:.2g} in total variation."
            )
        objective = f"Its objective is {float(self.certificate.objective):.10g}"
        bound, excess = self.bound, self.excess
        if bound is None or excess is None:
            return (
                sentence,
                f"{objective}, proved; how far that is from optimal is not: there is no lower bound.",
            )
        if excess <= _OPTIMAL:
            return sentence, f"{objective}: optimal to a share of {excess:.0e}, proved."
        best, value = float(self.optimum.objective), float(self.certificate.objective)
        if best <= float(bound) * (1 + _SHARP):
            return (
                sentence,
                f"{objective}: {100 * excess:.3g} % above the least there is, {best:.10g}, proved.",
            )
        beside = "no more than" if value <= best else f"{100 * (value - best) / best:.3g} % above"
        return sentence, (
            f"{objective}: {beside} that of the best known, {best:.10g}; "
            f"none is below {float(bound):.10g}, proved."
        )

    def __str__(self) -> str:
        return "\n".join(wrapped(self.sentences()))


@takes(problem=an_instance(Problem), designer=function)
def certify(
    matrix: MatrixArgument, problem: Problem, *, designer: Callable[[Problem], Design] = design
) -> Certification:
    """Prove a matrix from anywhere: whether it is private, and how far from optimal.

    Where it keeps everything that the problem promises, exactly, it is certified as it is; else it is
    repaired, and the result says what it breaks and how far it was moved. The bound is that of the engine
    that designs the problem, so that it takes as long as `design`.

    Parameters
    ----------
    matrix : array_like, path, Mechanism, Certificate, Design, Solution or mapping of str to float
        Rows are responses, columns truths: doubles, fractions or texts such as ``"1/3"``. A double stands for
        the shortest decimal that reads back to it. A path is that of a CSV file as `Mechanism.to_csv` writes
        them, of numbers alone, or of the solution that HiGHS, CBC, Clp, GLPK, SCIP or Gurobi wrote of the
        exported model. A solution of that model is also values of its columns, in order or by name.
    problem : Problem
        The question that it should answer.
    designer : callable, optional
        A function that designs the optimum: `design`, or one that calls it with further settings.

    Returns
    -------
    Certification

    Raises
    ------
    ProblemError
        If it is no matrix of probabilities with the responses and truths of the problem.
    FileFormatError
        If the file cannot be read or is no such matrix.
    NotAcceptedError
        If the mechanism of the problem is a distribution without a matrix.
    NoSolutionError, VerificationError
        If no mechanism keeps the promises; see `design`.

    Examples
    --------
    >>> import optmech as om
    >>> problem = om.croft(om.count(1), "ln 3", prior="uniform")
    >>> print(certify([["2/3", "1/3"], ["1/3", "2/3"]], problem))
    The matrix keeps what is asked, exactly, and is certified as it is.
    Its objective is 0.3333333333: 33.3 % above the least there is, 0.25, proved.
    >>> far = certify([[0.8, 0.2], [0.2, 0.8]], problem)
    >>> print(far.violation, round(far.moved, 6), sep="; ")  # doctest: +NORMALIZE_WHITESPACE
    pure privacy: effective epsilon 1.38629436112 exceeds ln 3:
    matrix[0, 0] = 0.8 beside matrix[0, 1] = 0.2; 0.05
    """
    no_matrix = problem.query.no_matrix
    if no_matrix is not None:
        message = (
            f"`problem` must be small enough for a matrix; got {problem.query.title}: {no_matrix}. "
            "Certify a smaller range."
        )
        raise NotAcceptedError(message)
    in_file = matrix_in_file(matrix, problem, SUM_ROUNDING) if isinstance(matrix, str | PathLike) else None
    given: Any = matrix if in_file is None else in_file.matrix
    own_noise = _noise_without_matrix(given, problem)
    entries = entries_of(given, problem) if own_noise is None else None
    optimum = designer(problem)
    an_instance(Design)(optimum, "designer")
    optimum_certificate = optimum.certificate
    if optimum_certificate is None:
        message = "`designer` must return a certified design; got a raw one. Leave out `raw`."
        raise ProblemError(message)
    certificate: Certificate
    noise = None if own_noise is None else _as_answer(own_noise, problem, optimum_certificate.factor)
    if noise is not None:
        certificate, shortfall, moved = noise, None, 0.0
    else:
        entries = entries_of(given, problem) if entries is None else entries
        certificate, shortfall, moved = _matrix_certificate(entries, optimum, optimum_certificate)
    objective = float(certificate.objective)
    bound = optimum.lower_bound if certificate.bound is None else min(float(certificate.bound), objective)
    result = replace(
        optimum,
        mechanism=mechanism_of(certificate),
        objective=objective,
        objective_standing=Provenance.PROVED,
        lower_bound=bound,
        certificate=certificate,
        notes=(),
    )
    return Certification(
        design=result,
        optimum=optimum,
        violation=shortfall and shortfall.text,
        is_rounding=shortfall is not None and shortfall.is_rounding and moved < ROUNDING,
        moved=moved,
        reading="" if in_file is None else in_file.reading,
    )


def _noise_without_matrix(argument: object, problem: Problem) -> Certificate | None:
    """Return the proof of noise that has no matrix, as one with tails: doubles of it lose the smallest."""
    source = find_source(argument)
    if source is None or source.certificate is None or source.certificate.exact is not None:
        return None
    need_grid(problem, source.mechanism)
    return source.certificate


@singledispatch
def _as_answer(certificate: Certificate, problem: Problem, factor: Enclosure) -> Certificate | None:  # noqa: ARG001
    """Return a mechanism proved as an answer to a question, ``None`` where it does not keep its demands."""
    return certificate if certificate.is_about(problem) else None


@_as_answer.register(NoiseCertificate)
def _(noise: NoiseCertificate, problem: Problem, factor: Enclosure) -> NoiseCertificate | None:
    if no_chain_question(problem) is not None:
        return None
    if noise.is_about(problem):
        return noise
    with suppress(VerificationError):
        return NoiseCertificate(
            problem=problem, factor=factor, noise=noise.noise, thresholds=noise.thresholds
        )
    return None


def _matrix_certificate(
    entries: Fractions, optimum: Design, optimum_certificate: Certificate
) -> tuple[MatrixCertificate, Shortfall | None, float]:
    """Return the certificate of a matrix, repaired where it must be, what it breaks, and how far it moved."""
    problem = optimum.problem
    if optimum_certificate.lacks_multipliers:
        engine = engine_of_matrix(problem)
        engine = "program" if engine == "auto" else engine
        optimum_certificate = design(problem, engine=engine).certificate or optimum_certificate
    factor = optimum_certificate.factor
    exactly, shortfall = _as_given(entries, optimum_certificate.rules, factor)
    exact_matrix = (
        exactly
        or repair(optimum_certificate.rules, entries.astype(float), factor)
        or nearest_mixture(optimum_certificate.rules, entries, optimum_certificate.matrix, factor)
    )
    if exact_matrix is None:
        message = (
            "no matrix of whole numbers near the given one could be made that keeps what is asked, and no "
            f"mixture of it with the optimum or the uniform answer keeps it; {shortfall and shortfall.text}. "
            "Design the question instead."
        )
        raise VerificationError(message)
    certificate = MatrixCertificate(
        problem=problem,
        factor=factor,
        matrix=exact_matrix,
        proof=optimum_certificate.entry_by_entry,
        claimed_bounds=optimum_certificate.claimed_bounds,
        repair={"how": "a matrix that was given" + ("" if exactly else ", repaired"), "cost": "unknown"},
        made_by={"optmech": __version__, "engine": "none", "bound by": optimum.engine},
    )
    return certificate, shortfall, 0.0 if exactly else _movement(entries, exact_matrix)


def _as_given(
    entries: Fractions, rules: Rules, factor: Enclosure
) -> tuple[ExactMatrix | None, Shortfall | None]:
    """Return the matrix as it is where it keeps all, else what it breaks first."""
    bottom = 1
    for value in {entry.denominator for entry in entries.ravel().tolist()}:
        bottom = lcm(bottom, value)
        if bottom >= 10**MOST_DIGITS:
            text = f"the common denominator of its entries has more than {MOST_DIGITS:,} digits"
            return None, Shortfall(text, is_rounding=True)
    numerators = np.array([[int(entry * bottom) for entry in row] for row in entries.tolist()], dtype=object)
    shortfall = privacy_shortfall(numerators, rules.problem, factor)
    if shortfall is not None:
        return None, shortfall
    if (numerators.sum(axis=0) != bottom).any():
        failure = _failure(entries / entries.sum(axis=0), rules.problem)
        return None, Shortfall(failure or _SUMS, is_rounding=failure is None)
    matrix = ExactMatrix(numerators=numerators, denominator=bottom)
    reason = violation(rules, matrix, factor)
    return (matrix, None) if reason is None else (None, Shortfall(reason, is_rounding=True))


def _failure(entries: Fractions, problem: Problem) -> str | None:
    """Return which check fails by more than rounding: columns of doubles hardly ever sum to one exactly."""
    mechanism = MatrixMechanism.answering(problem.query, entries.astype(float))
    checks = verify(mechanism, problem, theorems=False).checks
    return next((f"{check.name}: {check.text}" for check in checks if check.holds is False), None)


def _movement(entries: Fractions, matrix: ExactMatrix) -> float:
    """Return the largest total variation distance between columns."""
    apart = np.abs(matrix.numerators - entries * matrix.denominator).sum(axis=0)
    return float(max(apart.tolist()) / (2 * matrix.denominator))
