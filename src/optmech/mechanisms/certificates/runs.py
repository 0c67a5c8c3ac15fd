"""Write long lists of integers as short text, runs as ``number*count``; see `docs/certificate.md`."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def text_of_runs(numbers: Iterable[int]) -> str:
    """Return the numbers separated by spaces, with a run of equal ones as ``number*count``."""
    runs = [(number, sum(1 for _ in same)) for number, same in groupby(numbers)]
    return " ".join(f"{number}*{count}" if count > 1 else f"{number}" for number, count in runs)


def text_of_steps(numbers: Sequence[int]) -> str:
    """Return the first number and the differences to the next ones, as `text_of_runs`."""
    return text_of_runs([numbers[0], *(after - before for before, after in pairwise(numbers))])


def one_each(text: str, number: int) -> list[int]:
    """Return the numbers that `text_of_runs` wrote, and check their count."""
    numbers = numbers_of_runs(text, number)
    if len(numbers) != number:
        message = f"there are not {number} numbers"
        raise ValueError(message)
    return numbers


def numbers_of_runs(text: str, most: int) -> list[int]:
    """Return the numbers that `text_of_runs` wrote, at most `most`: a short text may stand for many.

    >>> numbers_of_runs("7 0*3", 4)
    [7, 0, 0, 0]
    """
    numbers: list[int] = []
    for part in text.split(" "):
        number, _, times = part.partition("*")
        length = int(times or 1)
        if not 0 < length <= most - len(numbers):
            message = f"there are more than {most} numbers"
            raise ValueError(message)
        numbers += [int(number)] * length
    return numbers
