"""Programs that papers print and that differ from their definitions.

They are models, not questions: they are exported, solved and compared with the papers' results. They have no
proofs: noise that keeps (17)-(19) need not be private, and private noise may break (13).

Model
-----
Kadam et al. 2024, (13): one indicator for each noise, shared by all distances, so that a noise exceeds
``e^epsilon`` for all distances or for none. E = e^epsilon.

    sum_eta y[eta] <= delta                                budget                 (13c)
    y[eta] <= u[eta]                                       below                  (13c)
    u[eta] + f[eta] - y[eta] <= 1                          keep                   (13d)
    u[eta] - f[eta] + y[eta] <= 1                          cap                    (13e)
    f[eta] - E f[eta+mu] - u[eta] <= 0                     ratio, each distance   (13f)
    E f[eta+mu] - f[eta] + E u[eta] <= E                   converse, likewise     (13g)
    y >= 0, u in {0, 1}                                    for each noise         (13h)

Sadeghi et al. 2020, (17)-(19): the rows of symmetric noise for outcomes y = n-D..n alone. The other half is
not redundant: for small eta, ``alpha[1] (1-eta)/2 <= E eta + delta`` (y = n+1) is violated by the optimum of
the printed rows.

Sources: Kadam et al. 2024, (13), (15); Sadeghi, Asoodeh, Calmon 2020, Proposition 4.
Algebra: formulations/kadam_printed.mod, kadam_least_delta_printed.mod, sadeghi_symmetric_paper.mod.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.base.errors import NotAcceptedError
from optmech.models.formulations.layout import at_most, columns_at
from optmech.models.formulations.privacy_rows import (
    SCALAR,
    PrivacyPart,
    compared_rows,
    named_block,
    plus,
    privacy_part,
    ratio_of,
    sought_delta,
    within_delta,
)
from optmech.models.origin import BlockOrigin, BlockPart
from optmech.question.epsilon import exponential
from optmech.question.privacy import PerOutcomePrivacy
from optmech.rules.compatibility import not_printed

if TYPE_CHECKING:
    from optmech.base.blocks import PrivacyBlock
    from optmech.models.formulations.layout import Layout
    from optmech.question.problem import Problem


Statement = Callable[["PrivacyBlock", "Layout"], PrivacyPart]


def privacy_statement(problem: Problem) -> Statement:
    """Return the function that states the privacy of a problem: as defined, or as its paper prints it.

    NotAcceptedError: the paper prints no program for such a problem.
    """
    privacy = problem.privacy
    if privacy.as_printed is None:
        return privacy_part
    if (refusal := not_printed(problem)) is not None:
        raise NotAcceptedError(refusal)
    return _first_outcomes if isinstance(privacy, PerOutcomePrivacy) else _shared_indicators


def _first_outcomes(privacy: PrivacyBlock, layout: Layout) -> PrivacyPart:
    """Return the rows of outcomes n-D..n, Sadeghi (17)-(19)."""
    half_width, comparisons = layout.num_columns, layout.comparisons
    printed = comparisons.only(comparisons.left // layout.shape[1] <= half_width)
    return privacy_part(privacy, replace(layout, comparisons=printed))


def _shared_indicators(privacy: PrivacyBlock, layout: Layout) -> PrivacyPart:
    """Return the rows of modular noise with one indicator for each noise, Kadam (13c)-(13h)."""
    comparisons, origin = layout.comparisons, partial(BlockOrigin, block=privacy)
    number, size = len(comparisons.left), layout.num_columns
    start_u, start_y = size, 2 * size
    eta = comparisons.subscripts[:, 1]
    noise, meaning = np.arange(size)[:, None], origin(BlockPart.INDICATED)
    mass = columns_at(0, 1.0, size)  # f
    indicator, violations = columns_at(start_u, 1.0, size), columns_at(start_y, 1.0, size)  # u, y
    factor = exponential(privacy.epsilon)
    ratio, _ = ratio_of(privacy, layout)
    indicator_of_noise = sparse.csr_array((np.ones(number), (np.arange(number), start_u + eta)))
    budget = sparse.csr_array((np.ones(size), (np.zeros(size, int), start_y + np.arange(size))))
    spent = within_delta(budget, privacy.delta, 3 * size)
    converse = named_block("converse", comparisons.subscripts, meaning)
    rows = (
        at_most(named_block("budget", SCALAR, origin(BlockPart.BUDGETS)), *spent),  # (13c)
        at_most(named_block("below", noise, meaning), plus(violations, -indicator), 0.0),  # (13c)
        at_most(named_block("keep", noise, meaning), plus(indicator, mass, -violations), 1.0),  # (13d)
        at_most(named_block("cap", noise, meaning), plus(indicator, -mass, violations), 1.0),  # (13e)
        at_most(compared_rows(privacy, layout), plus(ratio, -indicator_of_noise), 0.0),  # (13f)
        at_most(converse, plus(-ratio, factor * indicator_of_noise), factor),  # (13g)
    )
    columns = (
        named_block("u", noise, origin(BlockPart.INDICATORS)),
        named_block("y", noise, origin(BlockPart.EXCESSES)),
    )
    return PrivacyPart(columns=(*columns, *sought_delta(privacy)), rows=rows)
