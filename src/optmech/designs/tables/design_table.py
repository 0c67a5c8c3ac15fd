"""Design the noise of a whole table, with the certificate that proves it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.errors import NotAcceptedError
from optmech.designs.tables.centre import epsilon_of, rho_of
from optmech.designs.tables.covariance import best_prices, best_variances
from optmech.designs.tables.multipliers import approximate_multipliers, count_multipliers
from optmech.designs.tables.shares import best_shares, margin_noise, normal_margins
from optmech.mechanisms.tables.lattice_draws import LatticeDraws
from optmech.mechanisms.tables.table_certificate import TableCertificate
from optmech.mechanisms.tables.table_noise import LatticeNoise
from optmech.proofs.tables.count_bound import CountMultipliers
from optmech.question.tables.margins import subsets

if TYPE_CHECKING:
    from optmech.mechanisms.tables.table_noise import TableNoise
    from optmech.question.tables.margins import Axes
    from optmech.question.tables.table_problem import TableProblem

# Normal noise is taken where it is better by this factor: pure noise needs no delta.
_CLOSE = Fraction(101, 100)
# Of sums of records a certificate is short: these prove no bound.
_FEW = CountMultipliers(rows=1, points=1, weight=Fraction(1), bits=0, logarithms=(0,))
# Up to this rho a million cells are rejected in 2 % of draws at most.
_SURELY_DRAWN = Fraction(1, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDesign:
    """A designed table.

    Attributes
    ----------
    certificate : TableCertificate
        The noise and its proof.
    other : TableCertificate, optional
        Under epsilon and delta the noise that was not taken.
    """

    certificate: TableCertificate
    other: TableCertificate | None = None


def design_table(problem: TableProblem) -> TableDesign:
    """Return the best noise of a table that is known, and its certificate.

    Under zCDP this is whole-number normal noise of the best covariance. Under pure privacy it is geometric
    noise on margins, made consistent. Where both are allowed, the one with the smaller objective is taken.

    Examples
    --------
    >>> from optmech.question.tables.table import table
    >>> design = design_table(table({"region": 5, "age": 10}, zcdp="0.1"))
    >>> float(design.certificate.objective), float(design.certificate.relative_gap) < 0.00042
    (15.151515151515152, True)
    """
    budget = problem.budget
    if budget.is_pure:
        return TableDesign(certificate=_pure(problem))
    if budget.rho is not None:
        return TableDesign(certificate=_normal(problem))
    pure = _pure(problem)
    try:
        normal = _normal(problem)
    except NotAcceptedError:  # a rho too small for its proof: there pure noise is far better
        return TableDesign(certificate=pure)
    chosen, other = (normal, pure) if normal.objective * _CLOSE < pure.objective else (pure, normal)
    return TableDesign(certificate=chosen, other=other)


def _pure(problem: TableProblem) -> TableCertificate:
    budget = problem.budget
    assert budget.epsilon is not None  # noqa: S101 - not asked of zCDP
    noise = margin_noise(problem, budget.epsilon, best_shares(problem, budget.epsilon))
    return TableCertificate(
        problem=problem,
        noise=noise,
        epsilon=budget.epsilon,
        prices=None if problem.weights is not None else best_prices(problem),
        count=None if budget.is_pure else approximate_multipliers(budget.epsilon, budget.delta),
    )


def _normal(problem: TableProblem) -> TableCertificate:
    budget, prices = problem.budget, best_prices(problem)
    if budget.rho is not None:
        epsilon, centre = epsilon_of(budget.rho, budget.delta)
        rho = budget.rho
        multipliers: CountMultipliers | tuple[Fraction, Fraction]
        multipliers = count_multipliers(rho) if problem.records is None else _FEW
    else:
        assert budget.epsilon is not None  # noqa: S101 - the other budget
        epsilon = budget.epsilon
        rho, centre = rho_of(epsilon, budget.delta)
        multipliers = approximate_multipliers(epsilon, budget.delta)
    variances = (
        best_variances(problem, rho, prices)
        if problem.records is None
        else dict.fromkeys(subsets(problem.shape.every), problem.person.squares / (2 * rho))
    )
    return TableCertificate(
        problem=problem,
        noise=_drawable(problem, rho, variances),
        epsilon=epsilon,
        centre=centre,
        prices=None if problem.weights is not None else prices,
        count=multipliers,
    )


def _drawable(problem: TableProblem, rho: Fraction, variances: dict[Axes, Fraction]) -> TableNoise:
    """Return lattice noise, or normal noise on margins where it is too small to be drawn."""
    noise = LatticeNoise(problem.shape.sizes, variances)
    if rho <= _SURELY_DRAWN or problem.records is not None:
        return noise
    try:
        LatticeDraws(noise)
    except NotAcceptedError:
        return normal_margins(problem, rho, variances)
    return noise
