"""All multipliers of privacy in a proof: those that it lists, and those that its chains stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.proofs.multipliers import Rule
from optmech.proofs.reduced_costs import reduced_costs, worth_of_means

if TYPE_CHECKING:
    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.multipliers import Leaf
    from optmech.rules import Rules


def privacy_multipliers(rules: Rules, leaf: Leaf, factor: Enclosure) -> Rule:
    """Return all multipliers of the first privacy."""
    listed = leaf.rule("privacy", 3)
    if leaf.chains is None or leaf.totals is None or leaf.means is None:
        return listed
    _, costs = reduced_costs(rules, leaf, {}, factor)
    places, weights, begin = [listed.places], [listed.weights], 0
    for table in costs.tables:
        rest = table - leaf.totals * costs.unit
        if rules.means is not None:  # then the table has all rows
            rest -= worth_of_means(rules, leaf.means, costs.unit)
        if costs.chains is not None:
            for rows, taker, giver, multipliers in costs.chains.steps(rest, begin):
                ends = np.broadcast_to([taker, giver], (len(rows), 2))
                places.append(np.column_stack([begin + rows, ends]))
                weights.append(multipliers)
        begin += len(rest)
    return Rule(places=np.concatenate(places), weights=np.concatenate(weights))
