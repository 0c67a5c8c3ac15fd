"""The privacy of a whole table: zCDP, epsilon and delta, or epsilon alone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, exact, exact_delta

if TYPE_CHECKING:
    from optmech.base.numbers import Number

_LEAST = Fraction(1, 10**6)
USUAL_DELTA = Fraction(1, 10**6)
"""The delta at which the epsilon of a rho is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBudget:
    """What one person spends, in one of three units.

    Attributes
    ----------
    rho : Fraction, optional
        Of zCDP; then `delta` is where its epsilon is told.
    epsilon : Fraction, optional
        Given in place of rho.
    delta : Fraction, default 0
        With `epsilon` zero for pure privacy.

    Examples
    --------
    >>> print(TableBudget(epsilon=Fraction(1), delta=Fraction(1, 10**6)))
    epsilon = 1, delta = 0.000001
    """

    rho: Fraction | None = None
    epsilon: Fraction | None = None
    delta: Fraction = Fraction()

    def __post_init__(self) -> None:
        if (self.rho is None) == (self.epsilon is None):
            message = "`zcdp` or `epsilon` must be given, one of the two: a table has one budget."
            raise ProblemError(message)
        name, value = ("zcdp", self.rho) if self.epsilon is None else ("epsilon", self.epsilon)
        assert value is not None  # noqa: S101 - one of the two is given
        if value <= 0:
            raise broken_rule(name, "be positive", as_text(value))
        exact_delta(self.delta)
        if self.rho is not None and not self.delta:
            raise broken_rule("delta", "be positive, for the epsilon of zCDP is told there", "0")

    @property
    def is_pure(self) -> bool:
        """Whether it is epsilon alone."""
        return self.rho is None and not self.delta

    @property
    def name(self) -> str:
        """Such as ``0.1-zCDP``, for mechanisms that keep it."""
        if self.rho is not None:
            return f"{as_text(self.rho)}-zCDP"
        assert self.epsilon is not None  # noqa: S101 - one of the two is given
        pair = f"{as_text(self.epsilon)}, {as_text(self.delta)}" if self.delta else as_text(self.epsilon)
        return f"({pair})-private" if self.delta else f"{pair}-private"

    def __str__(self) -> str:
        if self.rho is not None:
            return f"rho = {as_text(self.rho)} of zCDP"
        assert self.epsilon is not None  # noqa: S101 - one of the two is given
        delta = f", delta = {as_text(self.delta)}" if self.delta else ""
        return f"epsilon = {as_text(self.epsilon)}{delta}"


def budget_of(zcdp: Number | None, epsilon: Number | None, delta: Number | None) -> TableBudget:
    """Return the budget of these numbers, within what the proofs reach.

    >>> print(budget_of("0.1", None, None))
    rho = 0.1 of zCDP
    """
    usual = Fraction() if zcdp is None else USUAL_DELTA
    return TableBudget(
        rho=None if zcdp is None else _within_limits(exact(zcdp, "zcdp"), "zcdp", 10),
        epsilon=None if epsilon is None else _within_limits(exact(epsilon, "epsilon"), "epsilon", 100),
        delta=usual if delta is None else exact(delta, "delta"),
    )


def _within_limits(value: Fraction, name: str, most: int) -> Fraction:
    """Return a budget that the proofs reach."""
    if not _LEAST <= value <= most:
        raise broken_rule(name, f"be from 1e-6 to {most}", as_text(value))
    return value
