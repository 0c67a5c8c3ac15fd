"""Judge a perturbation table: its noise, and the privacy of all counts, in exact arithmetic.

Neighbours are counts one apart. All that is said is of record keys that are secret and uniform, and of one
cell: a person in several different cells composes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from optmech.analysis.composition.curve import (
    PrivacyCurve,
    checked_epsilon,
    curve_of,
    rounded_down,
    rounded_up,
)
from optmech.analysis.composition.losses import envelope, losses_of
from optmech.analysis.p_tables.evidence import Disclosure, evidence_of, pairs_of
from optmech.analysis.p_tables.least import Constraints, constraints_of, least_delta
from optmech.analysis.p_tables.table import PTable
from optmech.base.arguments import an_instance, flag, items, takes
from optmech.base.number_format import at_least, at_most, exactly
from optmech.base.numbers import as_text
from optmech.base.wording import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optmech.analysis.p_tables.table import Noise
    from optmech.base.logarithm import Logarithm
    from optmech.base.numbers import Number
    from optmech.proofs.certificate import Certificate

EPSILONS = ("0.5", "1", "2")
"""Epsilons at which delta is told where none are named."""
# The epsilon in the middle of the usual ones.
_EPSILON_OF_EVIDENCE = Fraction(1)
_COLUMNS, _INDENT, _MOST_NAMED = 80, 19, 6


class CountFacts(NamedTuple):
    """The noise of one true count.

    Attributes
    ----------
    truth : int
        The true count.
    bias, variance, mean_square : Fraction
        Mean, variance and mean square of the noise.
    largest : int
        The largest distance of a published count.
    unchanged : Fraction
        The probability that the true count is published.
    """

    truth: int
    bias: Fraction
    variance: Fraction
    mean_square: Fraction
    largest: int
    unchanged: Fraction

    def to_dict(self) -> dict[str, Any]:
        """Return it as values of JSON, numbers exact."""
        values = self._asdict().items()
        return {name: value if isinstance(value, int) else as_text(value) for name, value in values}


class DeltaOfTable(NamedTuple):
    """The delta of a table at an epsilon, and the least one of tables with its constraints.

    Attributes
    ----------
    epsilon : Fraction or Logarithm
        As given.
    lower, upper : Fraction
        The delta of the table, rounded down and up where e^epsilon is irrational.
    least : Certificate or None
        The best table with the same constraints and its proof, where it was asked for and there are such.
    """

    epsilon: Fraction | Logarithm
    lower: Fraction
    upper: Fraction
    least: Certificate | None

    @property
    def line(self) -> str:
        """It in a line of text."""
        beside = "" if self.least is None else f", at best {at_most(self.least.objective)}"
        return f"{at_most(self.upper)} at epsilon {as_text(self.epsilon)}{beside}   proved"

    def to_dict(self) -> dict[str, Any]:
        """Return it as values of JSON: doubles, rounded outward."""
        bound = None if self.least is None else self.least.bound
        return {
            "epsilon": as_text(self.epsilon),
            "delta_at_least": rounded_down(self.lower),
            "delta_at_most": rounded_up(self.upper),
            "least_delta": None if self.least is None else rounded_up(self.least.objective),
            "least_delta_at_least": None if bound is None else rounded_down(bound),
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PTableAssessment:
    """The facts of a perturbation table, exact.

    Attributes
    ----------
    table : PTable
        The table.
    counts : tuple of CountFacts
        The noise of each count up to `PTable.last`.
    never_published : tuple of int
        Counts up to `PTable.last` that are published for no true count.
    zero_stays : bool
        Whether 0 is published where the count is 0.
    profile : PrivacyCurve
        The whole trade-off: delta at every epsilon, the largest of two counts one apart, both ways, among all
        counts 0, 1, 2, …
    deltas : tuple of DeltaOfTable
        Delta at some epsilons.
    evidence : Disclosure
        The results that give most away at epsilon 1.
    certain : Disclosure
        The results that exclude a count with the largest probability.
    constraints : Constraints or str
        The constraints that the table keeps, or the reason why tables like it are not compared.
    """

    table: PTable
    counts: tuple[CountFacts, ...]
    never_published: tuple[int, ...]
    zero_stays: bool
    profile: PrivacyCurve
    deltas: tuple[DeltaOfTable, ...]
    evidence: Disclosure
    certain: Disclosure
    constraints: Constraints | str

    @property
    def epsilon(self) -> float:
        """The epsilon of pure privacy, rounded up; infinite where a result excludes a count."""
        return self.profile.epsilon(0)

    @property
    def lines(self) -> list[str]:
        """The facts in lines of at most 80 columns."""
        cut = "; digits cut, columns normalised" if self.table.is_rounded else ""
        bias = max((facts.bias for facts in self.counts), key=abs)
        mean = f"mean off by up to {at_most(abs(bias), 2)}" if bias else "mean 0"
        variance = exactly(max(facts.variance for facts in self.counts))
        unchanged = [exactly(end(facts.unchanged for facts in self.counts)) for end in (min, max)]
        never = shorten(list(map(str, self.never_published))) or "none of the counts"
        if len(self.never_published) > _MOST_NAMED:
            never = f"{len(self.never_published)} counts: {never}"
        zero = "0 stays 0" if self.zero_stays else "0 may become another count"
        infinite = "infinite: some results exclude a count"
        epsilon = infinite if math.isinf(self.epsilon) else f"{at_most(self.epsilon)} at most"
        rows = [
            ("p-table", str(self.table).removeprefix("p-table: ")),
            ("source", f"{self.table.source}{cut}"),
            ("noise", f"within {self.table.reach}, variance up to {variance}, {mean}"),
            ("no change", f"with probability {unchanged[0]} to {unchanged[1]}"),
            ("never published", f"{never}; {zero}"),
            ("epsilon", f"{epsilon}   proved"),
            *(("" if place else "delta", row.line) for place, row in enumerate(self.deltas)),
            *self._rows_of_alike(),
            ("evidence", self.evidence.sentence),
            *([("", self.certain.meaning)] if self.certain.results else []),
            ("holds", "for secret, uniform keys; several cells of a person add up"),
        ]
        return [line for title, text in rows for line in _lines(title, text)]

    def _rows_of_alike(self) -> list[tuple[str, str]]:
        if isinstance(self.constraints, str):
            return [("at best", f"not compared: {self.constraints}")]
        rows = [("at best", f"of all tables with {self.constraints}")]
        if self.constraints.theorem is not None:
            least = at_least(self.constraints.theorem)
            rows.append(("theorem", f"each such table has a delta of {least} or more at every epsilon"))
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as values of JSON: exact numbers as text, doubles rounded outward.

        ``trade_off`` has the ratios and masses of `profile`: delta at epsilon is ``infinite`` plus the
        sum of ``mass (1 - e^epsilon / ratio)`` over the ratios above e^epsilon.
        """
        epsilon, constraints = self.profile.exact_epsilon(0), self.constraints
        is_compared = isinstance(constraints, Constraints)
        return {
            "table": str(self.table),
            "source": self.table.source,
            "is_rounded": self.table.is_rounded,
            "counts": [facts.to_dict() for facts in self.counts],
            "never_published": list(self.never_published),
            "zero_stays": self.zero_stays,
            "epsilon": self.epsilon,
            "exact_epsilon": None if isinstance(epsilon, float) else as_text(epsilon),
            "trade_off": {
                "ratios": list(map(as_text, self.profile.ratios)),
                "masses": list(map(as_text, self.profile.masses)),
                "infinite": as_text(self.profile.infinite),
            },
            "deltas": [row.to_dict() for row in self.deltas],
            "evidence": self.evidence.to_dict(),
            "certain": self.certain.to_dict(),
            "constraints": constraints.to_dict() if isinstance(constraints, Constraints) else None,
            "not_compared": None if is_compared else constraints,
        }

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __repr__(self) -> str:
        return f"<PTableAssessment: {str(self.table).removeprefix('p-table: ')}>"


@takes(table=an_instance(PTable), least=flag)
def assess_p_table(
    table: PTable, epsilons: Iterable[Number] = EPSILONS, *, least: bool = True
) -> PTableAssessment:
    """Return the facts of a perturbation table: noise, privacy, and the best table with its constraints.

    Parameters
    ----------
    table : PTable
        As `read_p_table` returns it.
    epsilons : iterable of str, int, float or Fraction, default 0.5, 1 and 2
        The epsilons at which delta is told.
    least : bool, default True
        Whether the least delta of tables with the same constraints is found and proved, by a linear program
        for each epsilon.

    Returns
    -------
    PTableAssessment
        Exact; its text is a summary.

    Raises
    ------
    ProblemError
        If an argument breaks its rule.
    NoSolutionError
        If no program for the least delta was solved.

    Examples
    --------
    >>> table = PTable([{0: 1}, {-1: "1/2", 1: "1/2"}, {-1: "1/4", 0: "1/2", 1: "1/4"}])
    >>> facts = assess_p_table(table, [1], least=False)
    >>> print(facts.epsilon, facts.deltas[0].upper, facts.certain.meaning)
    inf 1/2 a person alone in a cell is revealed with probability 0.5
    """
    listed = [checked_epsilon(epsilon) for epsilon in items(epsilons, "epsilons", "a list of numbers")]
    pairs, constraints = pairs_of(table), constraints_of(table)
    curve = curve_of(envelope(losses_of(*pair.columns) for pair in pairs))
    deltas = []
    for epsilon in listed:
        proof = least_delta(constraints, epsilon) if least and isinstance(constraints, Constraints) else None
        deltas.append(DeltaOfTable(epsilon, curve.delta_at_least(epsilon), curve.delta(epsilon), proof))
    return PTableAssessment(
        table=table,
        counts=tuple(_facts(count, noise) for count, noise in enumerate(table.noise)),
        never_published=table.never_published(),
        zero_stays=table.zero_stays,
        profile=curve,
        deltas=tuple(deltas),
        evidence=evidence_of(table, pairs, _EPSILON_OF_EVIDENCE),
        certain=evidence_of(table, pairs, None),
        constraints=constraints,
    )


def _facts(count: int, noise: Noise) -> CountFacts:
    bias = sum((value * probability for value, probability in noise), Fraction(0))
    square = sum((value**2 * probability for value, probability in noise), Fraction(0))
    largest = max(abs(value) for value, _ in noise)
    return CountFacts(count, bias, square - bias**2, square, largest, dict(noise).get(0, Fraction(0)))


def _lines(title: str, text: str) -> list[str]:
    """Return a row with its title, in as many lines as it takes."""
    width = _COLUMNS - _INDENT
    parts = [text] if len(text) <= width else wrap(text, width)
    return [f"{title if not place else '':{_INDENT}}{part}" for place, part in enumerate(parts)]
