"""Columns of true answers in, columns of responses out, each group by its own mechanism."""

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

    from optmech.release.tables.column_mechanisms import ColumnMechanism, Laws

    Positions = NDArray[np.int64]

# A table in the order of its true answers is told from chance by this many rows and so many steps.
_ROWS_IN_ORDER, _STEPS_IN_ORDER = 8, 3
_LONGEST_LIST = 60


class Releaser:
    """Draws the responses of one column, of the type `kind`, a part of the table after the other.

    There is one mechanism for all rows, or one for each group; the one under ``None`` is for all other
    groups. With `clamp`, numbers beyond the ends of a range stand for its ends; how many were `clamped` so
    far is a fact about true answers, not to be published. With `level`, the probability of an interval, it
    knows the `limits` of each draw, with `drop_zero` as one that is shown: NotAcceptedError where answers
    have no order.
    """

    def __init__(
        self,
        laws: Laws,
        *,
        clamp: bool = False,
        drop_zero: bool = False,
        level: Fraction | None = None,
    ) -> None:
        for law in laws.values() if clamp else ():
            _check_ends(law)
        self._names = {name: place for place, name in enumerate(laws)}
        self._laws = [(law, Truths(law.values, law.labels, clamp=clamp), _Order()) for law in laws.values()]
        self.kind = released_type(laws)
        self._limits = (
            []
            if level is None
            else [Limits(law, level, clamp=clamp, drop_zero=drop_zero) for law in laws.values()]
        )
        self.clamped = 0

    @property
    def in_order(self) -> bool:
        """Whether the rows stand in the order of their true answers, which tells what noise hides."""
        return any(order.is_kept for _, _, order in self._laws)

    def draw(self, answers: pa.Array, groups: pa.Array | None = None) -> pa.Array:
        """Return a draw for each answer, or none where one, or its group, is refused by UnfitAnswerError."""

        def responses(place: int, rows: Positions) -> list[pa.Array]:
            try:
                return [self._responses(place, answers.take(pa.array(rows)))]
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

        def ends(place: int, rows: Positions) -> list[pa.Array]:
            return self._limits[place].of(responses.take(pa.array(rows)), kind)

        return self._by_law(groups, len(responses), [kind, kind], ends)

    def _by_law(
        self,
        groups: pa.Array | None,
        num_rows: int,
        kinds: list[pa.DataType],
        columns_of: Callable[[int, Positions], list[pa.Array]],
    ) -> list[pa.Array]:
        """Return columns made of the rows of each mechanism by themselves, in the order of all rows."""
        places = np.zeros(num_rows, np.int64) if groups is None else self._places_of_groups(groups)
        order, columns = [np.array([], np.int64)], [[pa.array([], kind) for kind in kinds]]
        for place in range(len(self._laws)):
            rows = np.flatnonzero(places == place)
            if rows.size:  # answers may have no type where there are none
                order.append(rows)
                columns.append(columns_of(place, rows))
        back = pa.array(np.argsort(np.concatenate(order)))
        return [pa.concat_arrays(parts).take(back) for parts in zip(*columns, strict=True)]

    def _responses(self, place: int, answers: pa.Array) -> pa.Array:
        law, truths, order = self._laws[place]
        places = truths.need_places(answers)
        order.goes_on(places.positions)
        self.clamped += int(places.clamped.sum())
        return law.draw(places.positions, self.kind)

    def _places_of_groups(self, groups: pa.Array) -> Positions:
        if not pa.types.is_dictionary(groups.type):
            groups = encode(groups)
        names = ["" if name is None else str(name) for name in groups.dictionary.to_pylist()]
        place_of_name = np.array(
            [self._names.get(name, self._names.get(None, -1)) for name in names], dtype=np.int64
        )
        rows = groups.indices.cast(pa.int64()).fill_null(-1).to_numpy()
        places = np.where(rows < 0, -1, place_of_name[rows] if place_of_name.size else -1)
        wrong = np.flatnonzero(places < 0)
        if wrong.size:
            row = int(wrong[0])
            group = "null" if rows[row] < 0 else repr(names[rows[row]])
            among = _names([name for name in self._names if name is not None])
            remedy = "Give this group a mechanism, or a default to all others."
            raise UnfitAnswerError(row, "groups", among, group, remedy)
        return places


def _check_ends(law: ColumnMechanism) -> None:
    """Refuse to clamp where two neighbours beyond the range could become two truths that are none."""
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
    """Return the type of a released column, which follows from the responses of its mechanisms alone.

    It is whole numbers of 64 bits, or doubles, or text where one of them has labels.
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
