"""Draw columns of responses for columns of true answers, with a mechanism for each group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from optmech.base.errors import NotAcceptedError
from optmech.release.tables.interval import Limits, limits_type
from optmech.release.tables.truths import Truths, UnfitAnswerError, encode

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from numpy.typing import NDArray

    from optmech.release.tables.cell_law import CellLaw
    from optmech.release.tables.column_mechanisms import Laws

    Positions = NDArray[np.int64]

# A table counts as sorted by its true answers from this many rows and steps on.
_ROWS_IN_ORDER, _STEPS_IN_ORDER = 8, 3
_LONGEST_LIST = 60
_CHANGED = "The table was changed: run `optmech tabulate` again."


class Releaser:
    """Draws the responses of one column, of the type `kind`, one part of the table at a time.

    There is one mechanism for all rows, or one for each group; the one under ``None`` is for all other
    groups. With `clamp`, numbers beyond a range are clamped; their number `clamped` is a fact about true
    answers, not to be published. With `level`, the probability of an interval, `limits` gives the interval of
    each draw, with `drop_zero` that of a shown one; NotAcceptedError where answers have no order.
    """

    def __init__(
        self,
        laws: Laws,
        *,
        clamp: bool = False,
        drop_zero: bool = False,
        level: Fraction | None = None,
        num_keys: int = 0,
    ) -> None:
        columns = list(laws.values())
        for column in columns if clamp else ():
            _check_ends(column.law)
        self._names = {name: index for index, name in enumerate(laws)}
        self._laws = [
            (
                column,
                Truths(column.law.answers, column.law.labels, clamp=clamp, is_count=column.is_of_counts),
                _Order(),
            )
            for column in columns
        ]
        self.kind, self._num_keys = released_type(laws), num_keys
        self._limits = (
            []
            if level is None
            else [Limits(column, level, clamp=clamp, drop_zero=drop_zero) for column in columns]
        )
        self.clamped = 0

    @property
    def in_order(self) -> bool:
        """Whether rows are sorted by their true answers, which reveals what noise hides."""
        return any(order.is_kept for _, _, order in self._laws)

    def draw(
        self, answers: pa.Array, groups: pa.Array | None = None, keys: pa.Array | None = None
    ) -> pa.Array:
        """Return a draw for each answer, by its cell key where there are `keys`.

        UnfitAnswerError: one does not fit. Nothing is drawn then.
        """
        by_key = None if keys is None else self._positions_of(keys)

        def responses(index: int, rows: Positions) -> list[pa.Array]:
            try:
                of_rows = None if by_key is None else by_key[rows]
                return [self._responses(index, answers.take(pa.array(rows)), of_rows)]
            except UnfitAnswerError as unfit:
                raise unfit.at_row(int(rows[unfit.row])) from None

        return self._by_law(groups, len(answers), [self.kind], responses)[0]

    @property
    def has_limits(self) -> bool:
        """Whether intervals were asked for."""
        return bool(self._limits)

    @property
    def limits_kind(self) -> pa.DataType:
        """Kind of the ends of intervals."""
        return limits_type([law for law, _, _ in self._laws], self.kind)

    def limits(self, responses: pa.Array, groups: pa.Array | None) -> list[pa.Array]:
        """Return both ends of the interval of each draw, by the mechanism of its group."""
        kind = self.limits_kind

        def ends(index: int, rows: Positions) -> list[pa.Array]:
            return self._limits[index].of(responses.take(pa.array(rows)), kind)

        return self._by_law(groups, len(responses), [kind, kind], ends)

    def _by_law(
        self,
        groups: pa.Array | None,
        num_rows: int,
        kinds: list[pa.DataType],
        columns_of: Callable[[int, Positions], list[pa.Array]],
    ) -> list[pa.Array]:
        """Return columns computed for the rows of each mechanism, in the order of all rows."""
        indices = np.zeros(num_rows, np.int64) if groups is None else self._indices_of_groups(groups)
        order, columns = [np.array([], np.int64)], [[pa.array([], kind) for kind in kinds]]
        for index in range(len(self._laws)):
            rows = np.flatnonzero(indices == index)
            if rows.size:  # an empty column may have no type
                order.append(rows)
                columns.append(columns_of(index, rows))
        back = pa.array(np.argsort(np.concatenate(order)))
        return [pa.concat_arrays(parts).take(back) for parts in zip(*columns, strict=True)]

    def _positions_of(self, keys: pa.Array) -> Positions:
        """Return cell keys as whole numbers; an error says nothing of them, for they are secret."""
        truths = Truths(range(self._num_keys))
        positions = truths.positions_of(keys).positions
        wrong = np.flatnonzero(positions < 0)
        if wrong.size:
            raise UnfitAnswerError(int(wrong[0]), "cell keys", truths.among, "another", _CHANGED)
        return positions

    def _responses(self, index: int, answers: pa.Array, keys: Positions | None) -> pa.Array:
        law, truths, order = self._laws[index]
        answered = truths.need_positions(answers)
        order.goes_on(answered.positions)
        self.clamped += int(answered.clamped.sum())
        if keys is not None:
            return law.draw_by_key(answered.positions, keys, self.kind)
        return law.draw(answered.positions, self.kind)

    def _indices_of_groups(self, groups: pa.Array) -> Positions:
        if not pa.types.is_dictionary(groups.type):
            groups = encode(groups)
        names = ["" if name is None else str(name) for name in groups.dictionary.to_pylist()]
        index_of_name = np.array(
            [self._names.get(name, self._names.get(None, -1)) for name in names], dtype=np.int64
        )
        rows = groups.indices.cast(pa.int64()).fill_null(-1).to_numpy()
        indices = np.where(rows < 0, -1, index_of_name[rows] if index_of_name.size else -1)
        wrong = np.flatnonzero(indices < 0)
        if wrong.size:
            row = int(wrong[0])
            group = "null" if rows[row] < 0 else repr(names[rows[row]])
            among = _names([name for name in self._names if name is not None])
            remedy = "Give this group a mechanism, or a default to all others."
            raise UnfitAnswerError(row, "groups", among, group, remedy)
        return indices


def _check_ends(law: CellLaw) -> None:
    """Refuse to clamp where two neighbours beyond the range could become truths that are not neighbours."""
    if law.has_ends and not law.labels:
        return
    if law.labels:
        reason = "answers that are no numbers have no ends to be clamped to."
    elif law.has_ends is None:
        reason = (
            "a mechanism without a certificate does not say which answers are neighbours, and on a circle "
            "clamping protects nobody. Pass its certificate, which stands beside the matrix or in the design."
        )
    else:
        reason = (
            "answers that have neighbours farther off than some that are none have no ends to be clamped to."
        )
    message = f"`clamp` must be left out: {reason}"
    raise NotAcceptedError(message)


def released_type(laws: Laws) -> pa.DataType:
    """Return the type of a released column, from the responses of its mechanisms alone.

    It is 64-bit integers, doubles, or text where a mechanism has labels.
    """
    kinds = (pa.int64(), pa.float64(), pa.string())
    return next(kind for kind in kinds if all(law.holds(kind) for law in laws.values()))


@dataclass(slots=True)
class _Order:
    """Whether positions never fall, or never rise, so far."""

    last: int | None = None
    rows: int = 0
    steps: int = 0
    rising: bool = True
    falling: bool = True

    def goes_on(self, positions: Positions) -> None:
        if not positions.size or not (self.rising or self.falling):
            return
        steps = np.diff(positions, prepend=positions[0] if self.last is None else self.last)
        self.rising &= bool((steps >= 0).all())
        self.falling &= bool((steps <= 0).all())
        self.steps += int(np.count_nonzero(steps))
        self.rows += positions.size
        self.last = int(positions[-1])

    @property
    def is_kept(self) -> bool:
        return (self.rising or self.falling) and self.rows >= _ROWS_IN_ORDER and self.steps >= _STEPS_IN_ORDER


def _names(names: list[str]) -> str:
    text = ", ".join(names)
    return text if len(text) <= _LONGEST_LIST else f"{text[:_LONGEST_LIST]}…"
