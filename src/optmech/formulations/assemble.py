"""From a problem to a model, and from a model's values back to a mechanism matrix.

One assembler serves every combination of query, structure, privacy, properties and objective: a structure
says how its columns make entries, and all else is stated on entries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.errors import NotAcceptedError
from optmech.formulations.free import free_layout
from optmech.formulations.layout import at_most
from optmech.formulations.modular import modular_layout
from optmech.formulations.privacy_rows import privacy_part
from optmech.formulations.property_rows import property_rows
from optmech.formulations.symmetric_noise import symmetric_layout
from optmech.formulations.zero_bias_noise import zero_bias_layout
from optmech.model import Block, LinearModel, stack_rows
from optmech.problem.objective import ExpectedLoss, LeastDelta
from optmech.problem.structure import FreeMatrix, ModularNoise, SymmetricNoise, ZeroBiasNoise

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from optmech.formulations.layout import Layout
    from optmech.problem.problem import Problem

    Floats = NDArray[np.float64]

__all__ = ["Formulation", "assemble"]

# A direct program with more entries needs more memory than a workstation has, and days to solve.
_LARGEST_MATRIX = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Formulation:
    """A model together with the way from its values back to a mechanism matrix.

    Attributes
    ----------
    model : LinearModel
        The program.
    layout : Layout
        How its columns make entries.
    row_scale : ndarray, shape (num_rows,), or None
        By what each row as stated on entries was multiplied; ``None`` where none was.
    """

    model: LinearModel
    layout: Layout
    row_scale: Floats | None = None

    def matrix(self, values: Floats) -> Floats:
        """Return the mechanism matrix that `values` of the columns stand for, as the solver left it."""
        return self.layout.matrix(values)


def layout_of(problem: Problem) -> Layout:
    """Return how the structure of `problem` makes the entries of its matrix.

    Raises
    ------
    NotAcceptedError
        If the structure does not fit the query.
    """
    query, structure = problem.query, problem.structure
    match structure:
        case FreeMatrix():
            return free_layout(query)
        case ModularNoise():
            return modular_layout(query)
        case SymmetricNoise():
            return symmetric_layout(query, structure, problem.privacy)
        case ZeroBiasNoise():
            return zero_bias_layout(query, structure)


def assemble(problem: Problem) -> Formulation:
    """Return the model of `problem`.

    Raises
    ------
    NotAcceptedError
        If the structure, the privacy or a property does not fit the query, or the matrix is too large for
        a direct program.

    Examples
    --------
    >>> from optmech.formulations.croft import croft
    >>> from optmech.problem.queries import count
    >>> model = assemble(croft(count(5), "0.5")).model
    >>> model.num_columns, model.num_rows
    (36, 66)
    """
    query = problem.query
    size = query.num_responses * query.num_truths
    if size > _LARGEST_MATRIX:
        message = (
            f"a direct program needs a matrix of at most {_LARGEST_MATRIX:,} entries; got {size:,}. "
            "Ask for a coarser range."
        )
        raise NotAcceptedError(message)
    layout = layout_of(problem)
    privacy = privacy_part(problem.privacy, layout)
    columns = (*layout.columns, *privacy.columns)
    num_columns = sum(block.size for block in columns)
    rows = [*layout.rows, *privacy.rows, *property_rows(problem.properties, query, layout)]
    integer = np.concatenate([np.full(block.size, block.name in privacy.integer) for block in columns])
    cost, offset = np.zeros(num_columns), 0.0
    match problem.objective:
        case ExpectedLoss() as loss:
            cost[: layout.num_columns], offset = _on_columns(loss, layout)
        case LeastDelta(cost=loss, at_most=bound):
            cost[-1] = 1.0  # the column delta stands last
            if loss is not None and bound is not None:
                weights, constant = _on_columns(loss, layout)
                spent = sparse.csr_array(weights[None, :])
                rows.append(
                    at_most(
                        Block(name="cost", indices=np.empty((1, 0), dtype=np.int64)),
                        spent,
                        float(bound) - constant,
                    )
                )
    model = LinearModel(
        name=problem.name,
        columns=columns,
        rows=tuple(part.block for part in rows),
        cost=cost,
        offset=offset,
        matrix=stack_rows(rows, num_columns),
        row_lower=_joined(part.lower for part in rows),
        row_upper=_joined(part.upper for part in rows),
        column_lower=np.zeros(num_columns),
        column_upper=np.ones(num_columns),
        integer=integer,
    )
    return Formulation(model=model, layout=layout)


def _on_columns(loss: ExpectedLoss, layout: Layout) -> tuple[Floats, float]:
    """Return the expected loss as costs of the layout's columns, and its constant part."""
    weights = (loss.loss * loss.weights[None, :]).ravel()
    return layout.entries.T @ weights, float(weights @ layout.constant)


def _joined(parts: Iterable[Floats]) -> Floats:
    return np.concatenate([np.empty(0), *parts])
