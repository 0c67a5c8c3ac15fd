"""The least delta of all perturbation tables with the constraints of a given one, proved."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import count as count_up
from typing import TYPE_CHECKING, Any

from optmech.base.number_format import exactly
from optmech.base.numbers import as_text
from optmech.base.wording import join_words
from optmech.question.problems.p_table import p_table

if TYPE_CHECKING:
    from optmech.analysis.p_tables.table import PTable
    from optmech.base.logarithm import Logarithm
    from optmech.proofs.certificate import Certificate
    from optmech.question.problem import Problem

# A program of more counts takes more than some seconds.
_MOST_OWN, _MOST_WITHIN = 100, 50
_CUT, _DIGITS = Fraction(1, 10**6), 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraints:
    """The constraints that a table keeps, which say the tables that are compared with it.

    Attributes
    ----------
    within : int
        The largest noise.
    variance : Fraction
        The largest mean of the squared noise of a count.
    without : tuple of int
        The counts 1, 2, … that are never published, without a gap.
    zero_stays_zero, unbiased : bool
        Whether they hold.
    same_noise_from : int
        The count whose noise all larger ones have.
    """

    within: int
    variance: Fraction
    without: tuple[int, ...]
    zero_stays_zero: bool
    unbiased: bool
    same_noise_from: int

    @property
    def theorem(self) -> Fraction | None:
        """A delta that no such table is below at any epsilon, ``None`` where there may be a bias.

        At count 0 an unbiased table publishes 0 alone. At 1 let X be the published count: its mean is 1, its
        mean square at most 1 + V, and ``1 = (E X 1[X > 0])^2 <= E X^2 P(X > 0)``. So what shows that the
        count is not 0 has probability 1 / (1 + V) at least.
        """
        return 1 / (1 + self.variance) if self.unbiased else None

    def problem(self, epsilon: Fraction | Logarithm) -> Problem:
        """Return the question of the least delta."""
        return p_table(
            self.within,
            epsilon,
            variance=self.variance,
            without=self.without,
            zero_stays_zero=self.zero_stays_zero,
            unbiased=self.unbiased,
            same_noise_from=self.same_noise_from,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return them as values of JSON, numbers exact."""
        return {
            "within": self.within,
            "variance": as_text(self.variance),
            "without": list(self.without),
            "zero_stays_zero": self.zero_stays_zero,
            "unbiased": self.unbiased,
            "same_noise_from": self.same_noise_from,
        }

    def __str__(self) -> str:
        spread = "variance" if self.unbiased else "mean square"
        words = [f"noise within {self.within}", f"{spread} at most {exactly(self.variance, up=True)}"]
        words += [f"never {join_words(map(str, self.without), 'or')}"] if self.without else []
        words += ["0 stays"] if self.zero_stays_zero else []
        words += ["unbiased"] if self.unbiased else []
        return ", ".join([*words, f"the same noise from {self.same_noise_from} on"])


def constraints_of(table: PTable) -> Constraints | str:
    """Return the constraints of a table, or why tables like it are not compared.

    Where digits were cut, a mean that is off by less than 1e-6 is none, and the variance is rounded to
    1e-5.
    """
    start, reach = table.same_from, table.reach
    if start is None:
        return f"larger counts use {table.turn} counts in turn"
    never = set(table.never_published())
    without = []
    for published in count_up(1):
        if published not in never:
            break
        without.append(published)
    start = max(start, len(without))
    if reach == 0:
        return "nothing is changed"
    if start > _MOST_OWN or reach > _MOST_WITHIN:
        return f"the noise changes beyond count {_MOST_OWN}, or reaches beyond {_MOST_WITHIN}"
    biases = [sum((value * p for value, p in noise), Fraction(0)) for noise in table.noise]
    squares = [sum((value**2 * p for value, p in noise), Fraction(0)) for noise in table.noise]
    variance = max(squares)
    return Constraints(
        within=reach,
        variance=round(variance, _DIGITS) if table.is_rounded else variance,
        without=tuple(without),
        zero_stays_zero=table.zero_stays,
        unbiased=all(abs(bias) <= (_CUT if table.is_rounded else 0) for bias in biases),
        same_noise_from=start,
    )


def least_delta(constraints: Constraints, epsilon: Fraction | Logarithm) -> Certificate:
    """Return the table of least delta at an epsilon, with the proof that none has less."""
    from optmech.designs.design import design  # noqa: PLC0415 - solvers take a moment to load

    certificate = design(constraints.problem(epsilon)).certificate
    assert certificate is not None  # noqa: S101 - only a raw design has none
    return certificate
