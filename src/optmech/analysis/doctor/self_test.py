"""Design, proof, check and draws, once through on each solver, in seconds.

The question is that of Croft et al. 2020, Table 4, whose optimum is known; a small mixed-integer program is
one of Kadam et al. 2024. The proof is checked once more here, with nothing but whole numbers.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.analysis.doctor.finding import judge
from optmech.analysis.doctor.packages import SOLVERS, reinstalling
from optmech.designs.design import design
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.question.problems.croft import croft
from optmech.question.problems.kadam import kadam
from optmech.question.queries import count, residues
from optmech.verify import verify

if TYPE_CHECKING:
    from optmech.analysis.doctor.finding import Observation
    from optmech.models.solvers.interface import SolverName
    from optmech.proofs.certificate import Certificate

_TABLE_4 = 6.82862009055
_NEAR = 1e-9
_LIMIT = 5.0
_DRAWS = 200_000
# A machine that works fails this once in a thousand million runs; with five degrees of freedom.
_CHI_SQUARE_LIMIT = 50.69


def solves(solver: SolverName) -> Observation:
    """Return whether a solver gives the expected designs, each proved and checked."""
    problem = croft(count(5), "0.5", variant=2)
    result = design(problem, engine="program", solver=solver, time_limit=_LIMIT)
    mixed_integer_design = design(kadam(residues(5, (1,)), "1.5", "0.1"), solver=solver, time_limit=_LIMIT)
    off = abs(result.objective / _TABLE_4 - 1)
    certificate = result.certificate
    wrong = []
    if certificate is None or certificate.relative_gap is None or certificate.relative_gap > _NEAR:
        wrong.append("its optimum of a linear program is not proved")
    if off > _NEAR:
        wrong.append(f"its optimum is {result.objective:.12g}, where Table 4 has {_TABLE_4:.12g}")
    if mixed_integer_design.certificate is None or not verify(
        mixed_integer_design.mechanism, mixed_integer_design.problem
    ):
        wrong.append("its answer to a mixed-integer program does not hold")
    if not verify(result.mechanism, problem):
        wrong.append("its mechanism does not hold")
    text = "; ".join(wrong) or f"{result.solution.solver}: designed, proved and checked two questions"
    remedy = f"{reinstalling(SOLVERS[solver])} Until then name another one by --solver."
    return judge(text, remedy, good=not wrong)


def arithmetic() -> Observation:
    """Return whether a certificate holds by whole numbers alone, and one that is spoiled does not."""
    certificate = _certificate()
    numerators = [[int(entry) for entry in row] for row in certificate.matrix.numerators.tolist()]
    holds = _holds(numerators, certificate)
    wrong_numerators = [list(row) for row in numerators]
    wrong_numerators[0][0] += 1
    is_caught = not _holds(wrong_numerators, certificate)
    good = holds and is_caught
    text = "privacy, columns and objective hold in whole numbers; a spoiled one is caught"
    if not good:
        text = "a certificate does not hold in whole numbers" if not holds else "a spoiled certificate passes"
    return judge(text, "Trust no certificate made or checked here; install optmech anew.", good=good)


def draws() -> Observation:
    """Return whether draws have the certified probabilities, by a chi-square test."""
    mechanism, truth = MatrixMechanism.certified(_certificate()), 2
    sample = mechanism.sample(np.full(_DRAWS, truth))
    statistic = chi_square(sample, mechanism.matrix[:, truth])
    text = f"{_DRAWS} draws, chi-square {statistic:.1f} of at most {_CHI_SQUARE_LIMIT}"
    remedy = "Run it again; if it fails again, release nothing from this machine."
    return judge(text, remedy, good=statistic <= _CHI_SQUARE_LIMIT)


def chi_square(sample: np.ndarray, masses: np.ndarray) -> float:
    """Return the distance of counts of responses 0, 1, ... from their distribution.

    >>> chi_square(np.array([0, 0, 1, 1]), np.array([0.5, 0.5]))
    0.0
    """
    counts = np.bincount(np.asarray(sample, dtype=np.int64), minlength=len(masses))
    expectations = masses * len(sample)
    return float(((counts - expectations) ** 2 / expectations).sum())


def _certificate() -> Certificate:
    certificate = design(croft(count(5), "0.5", variant=2)).certificate
    assert certificate is not None  # noqa: S101 - only raw designs have none
    return certificate


def _holds(numerators: list[list[int]], certificate: Certificate) -> bool:
    """Check columns, privacy and objective of a count at epsilon = 1/2 with whole numbers alone."""
    one, size = certificate.matrix.denominator, range(len(numerators))
    # The first terms of the exponential series at 1/2: below e^(1/2), so that what keeps it is private.
    ratio = sum(Fraction(1, 2**term * math.factorial(term)) for term in range(20))
    columns = all(sum(row[truth] for row in numerators) == one for truth in size)
    private = all(
        row[truth] * ratio.denominator <= row[other] * ratio.numerator
        for row in numerators
        for truth in size
        for other in (truth - 1, truth + 1)
        if other in size
    )
    loss = sum(abs(response - truth) * numerators[response][truth] for response in size for truth in size)
    return columns and private and Fraction(loss, one) == certificate.objective
