"""The privacy that several draws together cost one person: the sum, and the composition."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from optmech.analysis.composition.concentrated import epsilon_of_one_table, epsilon_of_rho, rho_of_pure
from optmech.analysis.composition.curve import rational_above, rounded_down, rounded_up
from optmech.analysis.composition.releases import ComposedRelease, StatedGuarantee, compose_releases
from optmech.base.provenance import Provenance

if TYPE_CHECKING:
    from optmech.analysis.composition import Composition
    from optmech.base.logarithm import Logarithm
    from optmech.release.tables.draws import Draw

# Beyond these limits only sums are given: a composition would take minutes, and fill the memory.
_MOST_USES = 10_000
_LARGEST_EPSILON = 10_000
_NEVER = 1e300
_OF_ONE_TABLE = "epsilon is that of one table, by its worst centre"
_CONVERTED = "rho adds up, and epsilon is its conversion (Canonne, Kamath, Steinke 2020)"


@dataclass(frozen=True, kw_only=True)
class Spending:
    """The total of draws with known spending."""

    draws: tuple[Draw, ...]

    @cached_property
    def total(self) -> StatedGuarantee:
        """The sums of all epsilons and deltas; logarithms are added as doubles, rounded up."""
        epsilon, delta = Fraction(0), Fraction(0)
        for draw in self.draws:
            each = draw.guarantee
            epsilon += draw.uses * rational_above(each.epsilon)
            delta += draw.uses * each.delta
        return StatedGuarantee(epsilon, delta)

    @property
    def delta(self) -> Fraction:
        """The sum of all deltas, at most 1."""
        return min(self.total.delta, Fraction(1))

    @cached_property
    def composition(self) -> Composition | None:
        """The composition of all draws, ``None`` where they are too many."""
        uses = sum(draw.uses for draw in self.draws)
        if not self.draws or uses > _MOST_USES or self.total.epsilon > _LARGEST_EPSILON:
            return None
        return compose_releases(
            [ComposedRelease(draw.mechanisms, draw.uses, draw.within) for draw in self.draws]
        )

    @property
    def simple(self) -> float:
        """The sum of all epsilons, rounded up."""
        return rounded_up(self.total.epsilon)

    @property
    def provenance(self) -> Provenance:
        """Proved if every certificate was at hand, else reported by the logs."""
        return Provenance.PROVED if all(draw.is_proved for draw in self.draws) else Provenance.REPORTED

    @cached_property
    def rho(self) -> Fraction | None:
        """The rho of zCDP: that of whole tables and of pure draws adds up; else ``None``."""
        if not self.draws or any(draw.rho is None and draw.guarantee.delta for draw in self.draws):
            return None
        rhos = (
            draw.uses * rho_of_pure(rational_above(draw.guarantee.epsilon)) if draw.rho is None else draw.rho
            for draw in self.draws
        )
        return sum(rhos, Fraction())

    @cached_property
    def _each(self) -> list[tuple[Draw, Fraction]]:
        """The draws, and the least epsilon of each at its own delta."""
        keys = [(*map(id, draw.mechanisms), draw.uses) for draw in self.draws]
        alike = dict(zip(keys, self.draws, strict=True))
        each = {key: rational_above(Spending(draws=(draw,)).summed) for key, draw in alike.items()}
        return [(draw, each[key]) for key, draw in zip(keys, self.draws, strict=True)]

    @cached_property
    def _tables(self) -> tuple[Fraction, Fraction]:
        """The epsilons of tables with rho, added, and that of their rho at the least of their deltas."""
        rhos = [(draw.rho, draw.guarantee.delta) for draw in self.draws if draw.rho is not None]
        added = sum((alone for draw, alone in self._each if draw.rho is not None), Fraction())
        if len(rhos) <= 1:
            return added, added
        least = epsilon_of_rho(sum((rho for rho, _ in rhos), Fraction()), min(delta for _, delta in rhos))
        return added, added if math.isinf(least) else Fraction(least)

    def way(self, delta: Fraction | None) -> str:
        """Return how epsilon follows from rho; empty where it does not."""
        if delta is None:
            added, converted = self._tables
            return _CONVERTED if converted < added else ""
        epsilon, reason = self._by_rho(delta)
        simple = self.simple if self.total.delta <= delta else math.inf
        return reason if epsilon < simple else ""

    def _by_rho(self, delta: Fraction) -> tuple[float, str]:
        """Return epsilon by way of zCDP, and how; infinite where no draw is of a whole table with rho."""
        tables = tuple(draw for draw in self.draws if draw.rho is not None)
        others = Spending(draws=tuple(draw for draw in self.draws if draw.rho is None))
        if not tables:
            return math.inf, ""
        rho = sum((draw.rho for draw in tables if draw.rho is not None), Fraction())
        ways = []
        alone = tables[0] if len(tables) == 1 and not others.draws else None
        if alone is not None and alone.uses == 1 and not alone.is_of_quantiles:  # that is of normal noise
            ways.append((epsilon_of_one_table(rho, delta), _OF_ONE_TABLE))
        if self.rho is not None:
            ways.append((epsilon_of_rho(self.rho, delta), _CONVERTED))
        if others.draws and delta > others.delta:
            rest = epsilon_of_rho(rho, delta - others.delta)
            ways.append((others.epsilon(others.delta) + rest, f"{_CONVERTED}; that of the others is added"))
        return min(ways, default=(math.inf, ""))

    @cached_property
    def summed(self) -> Fraction | Logarithm:
        """An epsilon at the sum of all deltas that no further draw lowers.

        Exact composition at that sum may fall with a draw of small epsilon and large delta. So if some delta
        is positive, it is the sum over draws of the least epsilon of each at its own delta. Whole tables with
        rho count together, by the conversion of their rho at the least of their deltas, where that is less:
        with a further table rho grows and that delta does not.
        """
        if self.total.delta and len(self.draws) > 1:
            others = (alone for draw, alone in self._each if draw.rho is None)
            return sum(others, min(self._tables))
        composed = None if self.composition is None else self.composition.curve.exact_epsilon(self.delta)
        if composed is None or isinstance(composed, float) or composed > self.total.epsilon:
            return self.total.epsilon
        return composed

    def epsilon(self, delta: Fraction | None) -> float:
        """Return an upper bound on epsilon at this delta, or at the sum of all deltas as `summed`.

        It is ``math.inf`` where there is none.
        """
        if delta is None:
            return math.inf if self.delta >= 1 else rounded_up(self.summed)
        if delta >= 1:
            return math.inf
        simple = self.simple if self.total.delta <= delta else math.inf
        simple = min(simple, self._by_rho(delta)[0])
        return simple if self.composition is None else min(self.composition.epsilon(delta), simple)

    def attained(self, delta: Fraction) -> float:
        """Return a lower bound on epsilon at this delta, 0 where none is known."""
        if delta >= 1 or self.composition is None:
            return 0.0
        return rounded_down(self.composition.attained.exact_epsilon(delta))

    def is_exact(self, delta: Fraction | None) -> bool:
        """Whether `epsilon` is exact: some data spend it."""
        at = self.delta if delta is None else delta
        if at >= 1 or self.composition is None:
            return False
        most = self.summed if delta is None else self.composition.curve.exact_epsilon(at)
        return self.composition.attained.exact_epsilon(at) == most

    def within(self, most: Fraction | Logarithm, delta: Fraction | None) -> bool:
        """Whether a limit is kept, exactly; never if all deltas sum to 1, where no privacy is left."""
        if self.total.delta >= 1 or (delta is not None and delta >= 1):
            return False
        if delta is None:
            return self.summed <= most
        if self.total.epsilon <= most and self.total.delta <= delta:
            return True
        if Fraction(min(self._by_rho(delta)[0], _NEVER)) <= most:
            return True
        return self.composition is not None and self.composition.delta(most) <= delta

    def within_rho(self, most: Fraction) -> bool:
        """Whether a limit on rho is kept, exactly."""
        return self.rho is not None and self.rho <= most
