"""A linear or mixed-integer program, independent of any solver.

Model
-----
    min   cost x + offset
    s.t.  row_lower    <= matrix x <= row_upper
          column_lower <=        x <= column_upper
          x[j] integer where integer[j]

Columns and rows come in named blocks, such as ``M[r,f]`` or ``privacy[r,f,g]``, so that a row can be
compared with its algebra. Names are made on demand, for people and text files. The program finds columns and
rows by their origin.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.base.arguments import need_text, numbers, of_form
from optmech.base.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    from optmech.base.arrays import Floats, Integers, Marks
    from optmech.models.origin import BlockOrigin


def _read_only(array: ArrayLike, dtype: type) -> NDArray[np.generic]:
    copy: NDArray[np.generic] = np.array(array, dtype=dtype)
    copy.flags.writeable = False
    return copy


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A family of columns or rows that share a name, such as ``"M"``: the subscripts of each as a row.

    A scalar such as ``delta`` has `indices` of shape (1, 0). `origin` is the part of a question's rules that
    the members state, in the same order, ``None`` in a model that states no question.

    >>> list(Block(name="M", indices=[[0, 0], [0, 1]]).names())
    ['M[0,0]', 'M[0,1]']
    >>> list(Block(name="delta", indices=[[]]).names())
    ['delta']
    """

    name: str
    indices: Integers
    origin: BlockOrigin | None = None

    def __post_init__(self) -> None:
        indices = _read_only(self.indices, np.int64)
        if indices.ndim != 2:  # noqa: PLR2004 - one row per member, one column per subscript
            message = f"block {self.name} needs a table of subscripts; got {indices.ndim} axes"
            raise ModelError(message)
        object.__setattr__(self, "indices", indices)

    @property
    def size(self) -> int:
        """Number of members."""
        return len(self.indices)

    def names(self) -> Iterator[str]:
        """Yield the name of each member, in order."""
        if self.indices.shape[1] == 0:
            yield from (self.name for _ in range(self.size))
            return
        for subscripts in self.indices.tolist():
            yield f"{self.name}[{','.join(map(str, subscripts))}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearModel:
    """A linear or mixed-integer program, frozen, sparse, with named blocks.

    Attributes
    ----------
    name : str
        Short name without spaces.
    columns, rows : tuple of Block
        Blocks in the order of the arrays.
    cost : ndarray, shape (num_columns,)
        Objective coefficients; the model is always a minimisation.
    offset : float
        Constant part of the objective.
    matrix : csr_array, shape (num_rows, num_columns)
        Coefficients, without stored zeros.
    row_lower, row_upper : ndarray, shape (num_rows,)
        Bounds of the rows, infinite where there is none.
    column_lower, column_upper : ndarray, shape (num_columns,)
        Bounds of the columns, infinite where there is none.
    integer : ndarray of bool, shape (num_columns,)
        Marks of the columns that must be whole numbers.

    Raises
    ------
    ModelError
        If shapes disagree, a name is used twice, a coefficient is not finite or a bound is reversed.

    Examples
    --------
    The smallest of two numbers that sum to one, each at most twice the other:

    >>> model = LinearModel(
    ...     name="pair",
    ...     columns=(Block(name="x", indices=[[0], [1]]),),
    ...     rows=(Block(name="total", indices=[[]]), Block(name="ratio", indices=[[0], [1]])),
    ...     cost=[1, 0], offset=0.0, matrix=[[1, 1], [1, -2], [-2, 1]],
    ...     row_lower=[1, -np.inf, -np.inf], row_upper=[1, 0, 0],
    ...     column_lower=[0, 0], column_upper=[1, 1], integer=[False, False])
    >>> model.num_rows, model.row_names()
    (3, ['total', 'ratio[0]', 'ratio[1]'])
    >>> float(model.violation([1 / 3, 2 / 3]))
    0.0
    """

    name: str
    columns: tuple[Block, ...]
    rows: tuple[Block, ...]
    cost: Floats
    offset: float
    matrix: sparse.csr_array
    row_lower: Floats
    row_upper: Floats
    column_lower: Floats
    column_upper: Floats
    integer: Marks

    @of_form("matrix", "be numbers in equal rows, with blocks, costs and bounds of its shape")
    def __post_init__(self) -> None:
        matrix = sparse.csr_array(self.matrix, dtype=np.float64, copy=True)
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        for part in (matrix.data, matrix.indices, matrix.indptr):
            part.flags.writeable = False
        object.__setattr__(self, "matrix", matrix)
        num_rows, num_columns = matrix.shape
        for name, size, dtype in (
            ("cost", num_columns, np.float64),
            ("column_lower", num_columns, np.float64),
            ("column_upper", num_columns, np.float64),
            ("integer", num_columns, np.bool_),
            ("row_lower", num_rows, np.float64),
            ("row_upper", num_rows, np.float64),
        ):
            array = _read_only(getattr(self, name), dtype)
            if array.shape != (size,):
                message = f"model {self.name}: {name} has shape {array.shape}, the matrix {matrix.shape}"
                raise ModelError(message)
            object.__setattr__(self, name, array)
        self._check_blocks()
        self._check_numbers()

    def _check_blocks(self) -> None:
        for kind, blocks, size in (
            ("columns", self.columns, self.num_columns),
            ("rows", self.rows, self.num_rows),
        ):
            size_of_blocks = sum(block.size for block in blocks)
            if size_of_blocks != size:
                message = f"model {self.name}: {size_of_blocks} names for {size} {kind}"
                raise ModelError(message)
            names = [block.name for block in blocks]
            for shared in {name for name in names if names.count(name) > 1}:
                members = [member for block in blocks if block.name == shared for member in block.names()]
                if len(set(members)) != len(members):
                    message = f"model {self.name}: two {kind} share a name in blocks called {shared}"
                    raise ModelError(message)

    def _check_numbers(self) -> None:
        finite = all(np.isfinite(part).all() for part in (self.cost, self.matrix.data, self.offset))
        if not finite:
            message = f"model {self.name}: a coefficient is not finite"
            raise ModelError(message)
        for lower, upper in (
            (self.row_lower, self.row_upper),
            (self.column_lower, self.column_upper),
        ):
            if np.isnan(lower).any() or np.isnan(upper).any() or (lower > upper).any():
                message = f"model {self.name}: a lower bound lies above its upper bound"
                raise ModelError(message)

    @property
    def num_columns(self) -> int:
        """Number of columns (variables)."""
        return int(self.matrix.shape[1])

    @property
    def num_rows(self) -> int:
        """Number of rows (constraints)."""
        return int(self.matrix.shape[0])

    @property
    def is_mixed_integer(self) -> bool:
        """Whether any column must be a whole number."""
        return bool(self.integer.any())

    def column_names(self) -> list[str]:
        """Return the name of every column, in order."""
        return [name for block in self.columns for name in block.names()]

    def row_names(self) -> list[str]:
        """Return the name of every row, in order."""
        return [name for block in self.rows for name in block.names()]

    def columns_of(self, name: str) -> slice:
        """Return the slice of the columns called `name`, for people who know the algebra."""
        return _slice_of(self.columns, name)

    def rows_of(self, name: str) -> slice:
        """Return the slice of the rows called `name`, for people who know the algebra."""
        return _slice_of(self.rows, name)

    def columns_from(self, origin: BlockOrigin) -> slice:
        """Return the slice of the columns that state a part of the rules; raise ModelError if none do."""
        return _only(self.columns, origin)

    def rows_from(self, origin: BlockOrigin) -> slice:
        """Return the slice of the rows that state a part of the rules; raise ModelError if none do."""
        return _only(self.rows, origin)

    def placed_rows(self) -> Iterator[tuple[Block, slice]]:
        """Yield each block of rows and its slice."""
        return _placed(self.rows)

    def objective(self, values: ArrayLike) -> float:
        """Return the objective at `values`, recomputed in floating point."""
        return float(self.cost @ numbers(values, "values", (self.num_columns,)) + self.offset)

    def violation(self, values: ArrayLike, *, relative: bool = False) -> float:
        """Return the largest amount by which `values` break a row, a bound or integrality.

        If `relative`, the amount is divided by the size of the terms of a row or column, where that exceeds
        one.
        """
        point = numbers(values, "values", (self.num_columns,))
        if not np.isfinite(point).all():
            return float("inf")
        activity = self.matrix @ point
        size = np.maximum(1.0, abs(self.matrix) @ abs(point)) if relative else 1.0
        own = np.maximum(1.0, abs(point)) if relative else 1.0
        parts = (
            (self.row_lower - activity) / size,
            (activity - self.row_upper) / size,
            (self.column_lower - point) / own,
            (point - self.column_upper) / own,
            np.abs(point - np.round(point))[self.integer],
        )
        return max(float(np.max(part, initial=0.0)) for part in parts)

    def dual_bound(self, row_duals: ArrayLike) -> float:
        """Return the lower bound on the objective that `row_duals` give, in floating point.

        For any multipliers ``y`` and reduced costs ``d = cost - y matrix``, every point of the model has
        ``cost x = y (matrix x) + d x``, which is at least the sum of each term at its cheaper bound. The
        bound is ``-inf`` where such a bound is missing. It needs no trust in the solver, only in rounding.
        """
        duals = numbers(row_duals, "row_duals", (self.num_rows,)).copy()
        # A multiplier on a bound that does not exist is noise: without it the bound stays valid.
        duals[(duals > 0) & np.isneginf(self.row_lower)] = 0.0
        duals[(duals < 0) & np.isposinf(self.row_upper)] = 0.0
        reduced_costs = self.cost - self.matrix.T @ duals
        return float(
            least_in_box(duals, self.row_lower, self.row_upper)
            + least_in_box(reduced_costs, self.column_lower, self.column_upper)
            + self.offset
        )


def unnamed_program(
    name: str,
    cost: Floats,
    matrix: sparse.sparray,
    rows: tuple[ArrayLike, ArrayLike],
    columns: tuple[ArrayLike, ArrayLike] = (0.0, np.inf),
) -> LinearModel:
    """Return a linear program without names of columns and rows.

    The bounds of rows and of columns are lower and upper ends, each an array or one number for all.
    """
    num_rows, num_columns = matrix.shape
    row_lower, row_upper = (np.broadcast_to(np.asarray(end, float), num_rows) for end in rows)
    column_lower, column_upper = (np.broadcast_to(np.asarray(end, float), num_columns) for end in columns)
    return LinearModel(
        name=name,
        columns=(Block(name="column", indices=np.arange(num_columns)[:, None]),),
        rows=(Block(name="row", indices=np.arange(num_rows)[:, None]),),
        cost=cost,
        offset=0.0,
        matrix=sparse.csr_array(matrix),
        row_lower=row_lower,
        row_upper=row_upper,
        column_lower=column_lower,
        column_upper=column_upper,
        integer=np.zeros(num_columns, dtype=bool),
    )


def least_in_box(weights: Floats, lower: Floats, upper: Floats, noise: Floats | float = 0.0) -> float:
    """Return the least of ``weights x`` from `lower` to `upper`; without an end `noise` counts as zero."""
    ends = np.where(weights > 0, lower, upper)
    mask = (weights != 0) & (np.isfinite(ends) | (abs(weights) > noise))
    return float(weights[mask] @ ends[mask])


def _placed(blocks: tuple[Block, ...]) -> Iterator[tuple[Block, slice]]:
    end = 0
    for block in blocks:
        start, end = end, end + block.size
        yield block, slice(start, end)


def _only(blocks: tuple[Block, ...], origin: BlockOrigin) -> slice:
    slices = [part for block, part in _placed(blocks) if block.origin == origin]
    if len(slices) != 1:
        message = f"one block must state {origin.part.name.lower()} of a block of rules; {len(slices)} do"
        raise ModelError(message)
    return slices[0]


def _slice_of(blocks: tuple[Block, ...], name: str) -> slice:
    need_text(name, "name")
    slices = [part for block, part in _placed(blocks) if block.name == name]
    if not slices:
        message = f"no block is called {name!r}; there are {', '.join(block.name for block in blocks)}"
        raise ModelError(message)
    if any(first.stop != second.start for first, second in pairwise(slices)):
        message = f"blocks called {name!r} stand apart: ask for each by its origin"
        raise ModelError(message)
    return slice(slices[0].start, slices[-1].stop)
