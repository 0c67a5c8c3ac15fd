"""A question in cases: some choices are decided, so that a ratio is kept or a mass is paid.

An undecided ratio pays for excesses alone, as under approximate privacy.

Model: "by cases" in `privacy_rows`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import NotAcceptedError
from optmech.models.formulations.assemble import model_of
from optmech.models.formulations.privacy_rows import case_part
from optmech.models.origin import BlockOrigin, BlockPart
from optmech.question.epsilon import factors_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.base.arrays import Floats
    from optmech.models.formulations.assemble import Formulation
    from optmech.models.linear_model import LinearModel
    from optmech.rules import Rules

    Decisions = NDArray[np.int8]

OPEN, KEPT, PAID = 0, 1, 2
# More than any probability.
_LARGE = 2.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cases:
    """The choices of a question, one for each comparison of the layout, and the programs of the cases.

    `factors` are the largest ratios of left entries to right entries.
    """

    formulation: Formulation
    factors: Floats

    @classmethod
    def of(cls, rules: Rules) -> Cases:
        """Return the cases of a compiled question; raise NotAcceptedError where it has no choices."""
        block = rules.choice
        if block is None:
            message = (
                "a proof by cases needs probabilistic privacy with a delta above zero; "
                f"got {rules.problem}. The duals of a linear program are its proof."
            )
            raise NotAcceptedError(message)
        formulation = model_of(rules, lambda _, layout: case_part(block, layout))
        model, layout = formulation.model, formulation.layout
        column_upper = model.column_upper.copy()
        column_upper[model.columns_from(BlockOrigin(BlockPart.EASE, block))] = 0.0
        if block.delta is None:
            column_upper[model.columns_from(BlockOrigin(BlockPart.DELTA, block))] = _LARGE
        return cls(
            formulation=replace(formulation, model=replace(model, column_upper=column_upper)),
            factors=factors_of(block.epsilon, layout.comparisons.weights),
        )

    @property
    def number(self) -> int:
        """Number of choices."""
        return len(self.factors)

    def rows(self, part: BlockPart) -> slice:
        """Return the rows of the choices, the same in every program."""
        return self.formulation.model.rows_from(self._origin(part))

    def _origin(self, part: BlockPart) -> BlockOrigin:
        return BlockOrigin(part, self.formulation.rules.choice)

    def program(self, decisions: Decisions) -> LinearModel:
        """Return the relaxation with these decisions, one for each choice."""
        model, layout = self.formulation.model, self.formulation.layout
        column_upper, row_upper = model.column_upper.copy(), model.row_upper.copy()
        column_upper[model.columns_from(self._origin(BlockPart.EXCESSES))] = np.where(
            decisions == KEPT, 0.0, _LARGE
        )
        rows = self.rows(BlockPart.PAID)
        row_upper[rows] = np.where(
            decisions == PAID, -layout.constant[layout.comparisons.left], row_upper[rows]
        )
        return replace(model, column_upper=column_upper, row_upper=row_upper)

    def least_violation(self, program: LinearModel) -> LinearModel:
        """Return the program of the least violation of privacy under these decisions, without the loss."""
        column_upper, ease = program.column_upper.copy(), program.columns_from(self._origin(BlockPart.EASE))
        cost = np.zeros(program.num_columns)
        column_upper[ease], cost[ease] = np.inf, 1.0
        return replace(program, column_upper=column_upper, cost=cost, offset=0.0)

    def undecided(self, decisions: Decisions, values: Floats) -> tuple[Floats, Floats]:
        """Return the masses that separate a solution from both decisions of each open choice, else zero.

        They are the excess of the ratio, and the rest of the mass to pay. Where one of them is zero the
        solution has decided.
        """
        layout = self.formulation.layout
        entries = layout.matrix(values).ravel()
        mass = entries[layout.comparisons.left]
        over = mass - self.factors * entries[layout.comparisons.right]
        excess = np.maximum(over, 0.0)
        rest = mass - excess + np.maximum(-over, 0.0)
        is_open = decisions == OPEN
        return np.where(is_open, excess, 0.0), np.where(is_open, rest, 0.0)

    def subscripts(self, choice: int) -> tuple[int, ...]:
        """Return the subscripts of a choice in a proof: response, truth and neighbour."""
        comparisons, truths = self.formulation.layout.comparisons, self.formulation.layout.shape[1]
        left, right = (int(ends[choice]) for ends in (comparisons.left, comparisons.right))
        return left // truths, left % truths, right % truths
