"""Questions about one person: whose rows, what is counted, and how much of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError, broken_rule
from optmech.base.visible import visible
from optmech.cli.publish.answers import Counted
from optmech.cli.publish.dialogue import Screen, chosen, listed, several

if TYPE_CHECKING:
    from optmech.cli.publish.state import State

_ROW = "row"
_ID_WORDS = ("id", "person", "patient", "client", "user", "customer", "household", "resident", "pupil")


def person_screen(state: State) -> Screen:
    """Ask whose a row is."""

    def take(text: str) -> None:
        is_row = text == _ROW and _ROW not in state.names
        state.put(person=[] if is_row else several(text, state.names, "person"))
        if not is_row and not state.given["person"]:
            message = "`person` must be a column, or the word row; got nothing."
            raise ProblemError(message)

    likely = [name for name in state.names if any(word in name.lower() for word in _ID_WORDS)]
    return Screen(
        title="One person",
        why="Privacy is for a person with all their rows: nobody but you knows which rows are whose.",
        options=[
            *listed([visible(name) for name in state.names]),
            f"{_ROW}  no two rows are of one person: your claim",
        ],
        asked="columns with the id of a person",
        default=state.before("person", ", ", _ROW) or (likely[0] if likely else _ROW),
        take=take,
    )


def count_screen(state: State) -> Screen:
    """Ask for rows, people, a sum or a mean."""
    words = list(map(str, Counted))
    about = (
        "rows, such as visits",
        "people: each once in a group",
        "a sum of whole numbers, such as cents",
        "their mean, of people whose number is not public either",
    )
    return Screen(
        title="Numbers of the table",
        why="A count of people has smaller errors than one of rows, for each changes it by one.",
        options=[f"{each}  {text}" for each, text in zip(words, about, strict=True)],
        asked="rows, people, sum or mean",
        default=state.before("counted") or (Counted.PEOPLE if state.given["person"] else Counted.ROWS),
        take=lambda text: state.put(counted=chosen(text, words, "numbers")),
    )


def sum_screen(state: State) -> Screen:
    """Ask for the column of a sum."""
    free = [name for name in state.names if name not in state.given["person"]]
    return Screen(
        title="Column of numbers",
        why="Its cells are whole numbers: take cents in place of euros with fractions.",
        options=listed(free),
        asked="column",
        default=state.before("of"),
        take=lambda text: state.put(of=chosen(text, free, "column")),
    )


def limits_screen(state: State) -> Screen:
    """Ask for the limits of one person in a sum."""

    def take(text: str) -> None:
        from optmech.question.problems.named_query import range_of  # noqa: PLC0415 - as it is typed elsewhere

        low, high = range_of(text, "between")
        if low >= high:
            raise broken_rule("between", "have LOW below HIGH", text)
        state.put(between=text)

    return Screen(
        title="Limits of one person",
        why="The sum of one person in a group is clamped to them, and errors grow with them. Choose them "
        "from what you know of people such as these, never from these data. Usual: 0 to a sum that one in "
        "a hundred exceeds by figures that are published.",
        asked="LOW:HIGH, such as 0:500",
        default=state.before("between"),
        take=take,
    )


def bound_screen(state: State) -> Screen:
    """Ask for the bound of one person."""
    unit = "rows" if state.counted == Counted.ROWS else "groups"

    return Screen(
        title="Bound of one person",
        why=f"At most so many {unit} of one person are counted, and errors grow with it. Choose it from "
        "what you know of people such as these, never from these data. Usual: 1 where people come once, "
        "3 for visits in a year, 12 for months.",
        asked=f"{unit} of one person, at most",
        default=state.before("at_most") or ("3" if state.counted == Counted.ROWS else "1"),
        take=lambda text: state.put(at_most=_whole(text)),
    )


def people_screen(state: State) -> Screen:
    """Ask for the most people there can be."""
    return Screen(
        title="Most people there can be",
        why="A count has a largest one. Take it from what is public, such as who lives there.",
        asked="most people",
        default=state.before("most_people"),
        take=lambda text: state.put(most_people=_whole(text)),
    )


def _whole(text: str) -> int:
    """Return a positive whole number, such as ``10,000``."""
    digits = text.replace(",", "")
    if not (digits.isascii() and digits.isdecimal() and int(digits)):
        message = f"`number` must be whole and at least 1; got {text!r}."
        raise ProblemError(message)
    return int(digits)
