"""Build the model of a problem, and the mechanism matrix from the values of its columns.

One assembler serves every combination of query, structure, privacy, properties and objective: a structure
maps its columns to entries, and all else is stated on entries.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.arguments import an_instance, takes
from optmech.base.errors import NotAcceptedError
from optmech.models.formulations.demand_rows import demand_rows
from optmech.models.formulations.layout import Layout, stack_rows
from optmech.models.formulations.loss_rows import loss_part
from optmech.models.formulations.printed import privacy_statement
from optmech.models.formulations.privacy_rows import privacy_part
from optmech.models.linear_model import LinearModel
from optmech.models.origin import BlockOrigin, BlockPart
from optmech.question.problem import Problem
from optmech.rules import compile_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from optmech.base.arrays import Floats, Marks
    from optmech.base.blocks import PrivacyBlock
    from optmech.models.formulations.privacy_rows import PrivacyPart
    from optmech.models.linear_model import Block
    from optmech.rules import Rules

# A larger direct program needs more memory than a workstation has, and days to solve.
_LARGEST_MATRIX = 4_000_000
MOST_RATIOS = 10_000_000
"""The largest number of entries that a direct program compares, at 1.5 gigabytes a million."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Formulation:
    """A model, and the map from its values to a mechanism matrix.

    Attributes
    ----------
    rules : Rules
        The question that the model states; origins of columns and rows are its blocks.
    model : LinearModel
        The program.
    layout : Layout
        The map from its columns to entries.
    row_scale : ndarray, shape (num_rows,), or None
        The factor by which each row was multiplied; ``None`` where none was.
    """

    rules: Rules
    model: LinearModel
    layout: Layout
    row_scale: Floats | None = None

    def matrix(self, values: Floats) -> Floats:
        """Return the mechanism matrix of `values` of the columns, without repair."""
        return self.layout.matrix(values)


@takes(problem=an_instance(Problem))
def assemble(problem: Problem) -> Formulation:
    """Return the model of `problem`.

    Raises
    ------
    NotAcceptedError
        If the structure, the privacy or a property does not fit the query, or the matrix is too large for
        a direct program.

    Examples
    --------
    >>> from optmech.question.problems.croft import croft
    >>> from optmech.question.queries import count
    >>> model = assemble(croft(count(5), "0.5")).model
    >>> model.num_columns, model.num_rows
    (36, 66)
    """
    size = problem.query.num_responses * problem.query.num_truths
    if size > _LARGEST_MATRIX:
        message = (
            f"a direct program needs a matrix of at most {_LARGEST_MATRIX:,} entries; got {size:,}. "
            f"{problem.query.if_too_large}"
        )
        raise NotAcceptedError(message)
    ratios = ratios_of(problem)
    if ratios > MOST_RATIOS:
        message = (
            f"a direct program compares at most {MOST_RATIOS:,} pairs of entries; got {ratios:,}, of "
            f"{len(problem.query.pairs):,} pairs of neighbours. Ask for a coarser range, or fewer neighbours."
        )
        raise NotAcceptedError(message)
    return model_of(compile_rules(problem.by_definition), privacy_statement(problem))


def ratios_of(problem: Problem) -> int:
    """Return the number of pairs of entries that privacy compares for a free matrix, else 0."""
    return problem.structure.num_ratios(problem.query) * len(problem.privacies)


def model_of(
    rules: Rules, first_part: Callable[[PrivacyBlock, Layout], PrivacyPart] = privacy_part
) -> Formulation:
    """Return the model of a compiled question; errors as of `assemble`.

    `first_part` returns the columns and rows of the first privacy.
    """
    main, *further = rules.privacy
    structure_columns = rules.columns()
    layout = Layout.of(structure_columns, main.responses)
    privacy = first_part(main, layout)
    before = (*layout.columns, *privacy.columns)
    privacy_rows = list(privacy.rows)
    for number, also in enumerate(further, start=2):
        start = sum(block.size for block in before)
        part = privacy_part(also, Layout.of(structure_columns, also.responses), start, f"_{number}")
        before, privacy_rows = (*before, *part.columns), [*privacy_rows, *part.rows]
    loss = loss_part(rules, layout, sum(block.size for block in before))
    columns = (*before, *loss.columns)
    num_columns = sum(block.size for block in columns)
    rows = [*layout.rows, *privacy_rows, *demand_rows(rules, layout), *loss.rows]
    model = LinearModel(
        name=rules.name,
        columns=columns,
        rows=tuple(part.block for part in rows),
        cost=loss.cost,
        offset=loss.offset,
        matrix=stack_rows(rows, num_columns),
        row_lower=_concatenate(part.lower for part in rows),
        row_upper=_concatenate(part.upper for part in rows),
        column_lower=np.zeros(num_columns),
        column_upper=np.where(_are(BlockPart.WORST, columns), np.inf, 1.0),
        integer=_are(BlockPart.INDICATORS, columns),
    )
    return Formulation(rules=rules, model=model, layout=layout)


def fix_violations(formulation: Formulation, violations: Marks) -> LinearModel:
    """Return the model with its indicators fixed to `violations`, in the order of its columns."""
    model = formulation.model
    indicators = model.columns_from(BlockOrigin(BlockPart.INDICATORS, formulation.rules.privacy[0]))
    lower, upper = model.column_lower.copy(), model.column_upper.copy()
    lower[indicators] = upper[indicators] = violations
    return replace(
        model, column_lower=lower, column_upper=upper, integer=np.zeros(model.num_columns, dtype=bool)
    )


def _are(part: BlockPart, columns: tuple[Block, ...]) -> Marks:
    """Return a mask of the columns of one part, over all blocks of the rules."""
    origins = ((block.size, block.origin) for block in columns)
    return np.concatenate(
        [np.full(size, origin is not None and origin.part is part) for size, origin in origins]
    )


def _concatenate(parts: Iterable[Floats]) -> Floats:
    return np.concatenate([np.empty(0), *parts])
