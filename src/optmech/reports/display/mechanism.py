"""A mechanism: its matrix, or the corners of it where it is large."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.numbers import as_text
from optmech.base.wording import plural
from optmech.reports.display.markup import Shaded, note, page, table

if TYPE_CHECKING:
    from optmech.mechanisms.mechanism import Mechanism

__all__ = ["html_of", "matrix_table"]

# What a screen holds: all, or the first and the last.
_MOST, _FIRST, _LAST = 12, 7, 3
_LONGEST = 40
_SMALLEST_SHOWN = 0.0005


def html_of(mechanism: Mechanism) -> str:
    """Return the matrix as a table."""
    return page(repr(mechanism)[1:-1], matrix_table(mechanism))


def matrix_table(mechanism: Mechanism) -> str:
    """Return the matrix with a shade behind each probability, abbreviated where it is large."""
    matrix = mechanism.matrix
    largest = float(matrix.max())
    rows, columns = map(_shown, matrix.shape)
    truths = [_short(name) for name in mechanism.labels or map(as_text, mechanism.truths)]
    responses = [_short(name) for name in mechanism.labels or map(as_text, mechanism.responses)]

    def cell(row: int | None, column: int | None) -> str | Shaded:
        if row is None or column is None:
            return "⋮" if row is None else "…"
        value = float(matrix[row, column])
        return Shaded(_brief(value), value / largest)

    shown = table(
        "Probability of each released answer (row), for each true answer (column)",
        ["", *("…" if column is None else truths[column] for column in columns)],
        (("⋮" if row is None else responses[row], [cell(row, column) for column in columns]) for row in rows),
        texts=(),
    )
    if None not in [*rows, *columns]:
        return shown
    size = f"{plural(matrix.shape[0], 'response')} and {plural(matrix.shape[1], 'truth')}"
    told = f"The first and the last of {size}; .matrix has all, .plot_matrix() draws all."
    return shown + note(told, quiet=True)


def _shown(size: int) -> list[int | None]:
    """Return which places are shown, with ``None`` where some are left out.

    Examples
    --------
    >>> _shown(3), _shown(100)
    ([0, 1, 2], [0, 1, 2, 3, 4, 5, 6, None, 97, 98, 99])
    """
    return [*range(size)] if size <= _MOST else [*range(_FIRST), None, *range(size - _LAST, size)]


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"


def _brief(value: float) -> str:
    """Return three digits, and tell what is impossible from what is unlikely.

    Examples
    --------
    >>> [_brief(value) for value in (0.0, 1e-12, 0.25, 1.0)]
    ['0', '<0.001', '0.250', '1']
    """
    if value in {0.0, 1.0}:
        return f"{value:.0f}"
    return "<0.001" if value < _SMALLEST_SHOWN else f"{value:.3f}"
