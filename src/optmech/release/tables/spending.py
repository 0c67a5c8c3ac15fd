"""The privacy that several draws together cost one person: the sum, and the composition."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

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
    def summed(self) -> Fraction | Logarithm:
        """An epsilon at the sum of all deltas that no further draw lowers.

        Exact composition at that sum may fall with a draw of small epsilon and large delta. So if some delta
        is positive, it is the sum over draws of the least epsilon of each at its own delta.
        """
        if self.total.delta and len(self.draws) > 1:
            keys = [(*map(id, draw.mechanisms), draw.uses) for draw in self.draws]
            alike = dict(zip(keys, self.draws, strict=True))
            each = {key: rational_above(Spending(draws=(draw,)).summed) for key, draw in alike.items()}
            return sum((each[key] for key in keys), Fraction(0))
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
        return self.composition is not None and self.composition.delta(most) <= delta
