"""Groups of quantities that are equal in every mechanism, and exact matrices from them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.designs.repair.rounding import BITS, rounded_down
from optmech.designs.repair.sums import Residual
from optmech.proofs.matrix import ExactMatrix

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers, Marks, Whole
    from optmech.designs.repair.quantity_rules import QuantityRules
    from optmech.designs.repair.strict_interior import StrictInterior
    from optmech.designs.repair.sums import Sums

# Beside room in the rules, so much counts how large the solver's value is that takes what is lacking.
_LITTLE = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Groups:
    """Groups of equal quantities, and a mechanism with room."""

    rules_of_quantities: QuantityRules  # of the quantities before
    group: Integers  # of each quantity
    interior: Floats  # of each group, the mechanism with room
    is_fixed: Marks  # whether a group has only one value
    values: Whole  # that value as a fraction, else zero
    sums: Sums  # equations on groups
    residual: Residual  # which groups take what they lack

    @classmethod
    def of(cls, quantity_rules: QuantityRules, strict: StrictInterior, solution: Floats) -> Groups:
        """Return the groups that an interior leaves; those near `solution` that are large take residuals."""
        number = quantity_rules.size
        count, group = number, np.arange(number)
        if len(strict.tied):
            links = sparse.coo_array(
                (np.ones(len(strict.tied)), tuple(strict.tied.T)), shape=(number, number)
            )
            count, group = sparse.csgraph.connected_components(links, directed=False)
        interior, near = (np.bincount(group, each) / np.bincount(group) for each in (strict.values, solution))
        is_fixed, values = np.zeros(count, dtype=bool), np.full(count, Fraction(0), dtype=object)
        only = np.flatnonzero(np.isfinite(strict.fixed))
        exact = quantity_rules.rules.quantities
        for quantity in only.tolist():
            at_least = abs(quantity_rules.least[quantity] - strict.fixed[quantity])
            at_most = abs(quantity_rules.most[quantity] - strict.fixed[quantity])
            values[group[quantity]] = (exact.least if at_least <= at_most else exact.most)[quantity]
        is_fixed[group[only]] = True
        interior[is_fixed] = values[is_fixed].astype(float)
        least, most = np.zeros(count), np.ones(count)
        np.maximum.at(least, group, quantity_rules.least)
        np.minimum.at(most, group, quantity_rules.most)
        room = np.minimum(interior - least, most - interior) * (
            _LITTLE + np.clip(np.minimum(near - least, most - near), 0.0, None)
        )
        sums = quantity_rules.sums_with(strict.equal) if strict.equal else quantity_rules.sums
        if count < number:
            sums = sums.merge(group, count)
        return cls(
            rules_of_quantities=quantity_rules,
            group=group,
            interior=interior,
            is_fixed=is_fixed,
            values=values,
            sums=sums,
            residual=Residual.among(sums, np.where(is_fixed, 0.0, np.clip(room, 0.0, None))),
        )

    def means(self, values: Floats) -> Floats:
        """Return the mean value of each group, or the only one."""
        means: Floats = np.bincount(self.group, values) / np.bincount(self.group)
        means[self.is_fixed] = self.values[self.is_fixed].astype(float)
        return means

    def complete(self, values: Whole) -> ExactMatrix | None:
        """Return whole numbers near `values`, doubles or fractions, that keep every equation, or ``None``."""
        scale = lcm(*(value.denominator for value in self.values[self.is_fixed]))
        bits = BITS
        if values.dtype == object:  # enough bits of the smallest are kept for e^epsilon
            least = min(value for value in values if value > 0)
            bits += BITS + max(0, least.denominator.bit_length() - least.numerator.bit_length())
            whole = np.array(
                [(value.numerator << bits) // value.denominator for value in values], dtype=object
            )
        else:
            whole = rounded_down(values)
        whole, total = whole * scale, scale << bits
        whole[self.is_fixed] = [int(value * total) for value in self.values[self.is_fixed]]
        result = self.residual.complete(whole, total)
        if result is None:
            return None
        return ExactMatrix(
            numerators=result[0][self.group][self.rules_of_quantities.names], denominator=result[1]
        )
