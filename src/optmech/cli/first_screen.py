"""Show a design on one screen: its question, the mechanism, error, bound, privacy, and who is protected.

A screen has 16 lines of 80 columns, with the two that say what was written and what to do next. A matrix that
does not fit is shown by one of its columns, and by the probabilities of its errors. All else, such as each
check, is said by `optmech design --explain` and by `optmech verify`.
"""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING

from optmech.base.notes import NoteKind
from optmech.base.numbers import as_text
from optmech.base.wrapping import WIDTH, wrapped
from optmech.cli.screen import LINES
from optmech.proofs.file_limits import MOST_TRUTHS
from optmech.question.shape import Shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    from optmech.base.arrays import Floats
    from optmech.designs.design import Design
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.question.problem import Problem

_CELL, _CELLS = 7, 9
# Beyond so many truths a matrix takes more lines than there are, and a column says as much.
_MOST_ROWS = 6


def first_screen(design: Design, before: Sequence[str], numbers: Iterable[str], after: int) -> list[str]:
    """Return what fits on a screen between the lines `before` and so many `after`, with those of numbers."""
    problem, mechanism = design.problem, design.mechanism
    notes = [f"note: {note}" for note in design.notes if note.kind is NoteKind.INFORMATION]
    head = wrapped([*before, problem.brief, *notes])
    tail = wrapped(numbers)
    room = LINES - after - sum(line.count("\n") + 1 for line in (*head, *tail, "", ""))
    shown = _whole(mechanism, problem)
    if shown is None or len(shown) > room or any(len(line) > WIDTH for line in shown):
        title, column, errors = _in_part(mechanism, problem)
        size = [f"{len(mechanism.responses):,} responses, {len(mechanism.truths):,} truths"]
        parts = ([*title, *column, *errors], [*title, *column], size)
        shown = next((part for part in parts if len(part) <= room), size)
    return [*head, "", *shown, "", *tail]


def _whole(mechanism: Mechanism, problem: Problem) -> list[str] | None:
    """Return the noise, or the matrix, as a table; None if there are too many rows."""
    size = len(mechanism.truths)
    if size * _CELL <= WIDTH and (noise := problem.structure.noise_of(mechanism.matrix)) is not None:
        noises = mechanism.labels or list(map(str, range(size)))
        return _rows({"noise": noises, "probability": [f"{mass:.4f}" for mass in noise.tolist()]})
    if len(mechanism.responses) > _MOST_ROWS:
        return None
    responses = mechanism.labels or tuple(map(as_text, mechanism.responses))
    header, *rows = _rows(
        {
            "response": mechanism.labels or tuple(map(as_text, mechanism.truths)),
            **{
                response: [f"{entry:.3f}" for entry in row]
                for response, row in zip(responses, mechanism.matrix.tolist(), strict=True)
            },
        }
    )
    return [f"{header}   <- truth", *rows]


def _in_part(mechanism: Mechanism, problem: Problem) -> tuple[list[str], list[str], list[str]]:
    """Return a title, the likeliest responses of a truth in the middle, and the probabilities of errors."""
    size = len(mechanism.truths)
    middle = size // 2
    truth = (mechanism.labels or mechanism.truths)[middle]
    column = mechanism.column(truth)
    first = max(0, min(int(column.argmax()) - _CELLS // 2, len(column) - _CELLS))
    part = slice(first, first + _CELLS)
    name = truth if isinstance(truth, str) else as_text(truth)
    shown = mechanism.labels[part] or tuple(map(as_text, mechanism.responses[part]))
    around = f"at the truth {name}, around its likeliest response:"
    title = wrapped([f"{len(column):,} responses, {size:,} truths; {around}"])
    masses = [f"{mass:.4f}" for mass in column[part].tolist()]
    lines = _fitting({"response": list(shown), "probability": masses})
    if mechanism.labels or Shape.of(problem).reach is None:  # answers have no order, or go around
        return title, lines, []
    shares = _shares_within(mechanism, column, middle)
    steps, probabilities = list(map(as_text, shares)), list(map(_share, shares.values()))
    return title, lines, _fitting({"error at most": steps, "probability": probabilities})


def _shares_within(mechanism: Mechanism, column: Floats, at: int) -> dict[Fraction, float]:
    """Return the least distances of responses from a truth, and the probability of each or less."""
    truths, responses = mechanism.truths, mechanism.responses
    if len(column) > MOST_TRUTHS:  # responses are the truths, which stand in a row
        step = truths[1] - truths[0]
        return {step * far: float(column[at - far : at + far + 1].sum()) for far in range(_CELLS)}
    distances = [abs(response - truths[at]) for response in responses]
    *nearer, farthest = sorted(set(distances))
    shares = {step: fsum(column[[distance <= step for distance in distances]]) for step in nearer[:_CELLS]}
    return {**shares, farthest: 1.0} if len(nearer) < _CELLS else shares  # no error is larger


def _share(value: float) -> str:
    """Return a probability to four digits, of which one that is not 1 is no 1."""
    text = f"{value:.4f}"
    return ">.9999" if text == "1.0000" and value < 1 else text


def _fitting(rows: dict[str, list[str]]) -> list[str]:
    """Return as much of rows as fits, from the left."""
    number = min(map(len, rows.values()))
    while number > 1 and any(len(line) > WIDTH for line in _rows(_first(rows, number))):
        number -= 1
    return _rows(_first(rows, number))


def _first(rows: dict[str, list[str]], number: int) -> dict[str, list[str]]:
    return {name: cells[:number] for name, cells in rows.items()}


def _rows(rows: Mapping[str, Sequence[str]]) -> list[str]:
    """Return rows of cells below each other, their names before them."""
    width = max(map(len, rows))
    cell = max(_CELL, 1 + max(len(text) for cells in rows.values() for text in cells))
    return [f"{name:>{width}}" + "".join(f"{text:>{cell}}" for text in cells) for name, cells in rows.items()]
