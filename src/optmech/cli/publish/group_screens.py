"""Questions about groups: columns, their public levels or bins, rows that fit none, and totals."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.base.visible import visible
from optmech.base.wording import shorten
from optmech.cli.publish.answers import DROP, STOP, Counted
from optmech.cli.publish.dialogue import Screen, chosen, listed, several
from optmech.cli.publish.state import BINS, FOUND, LIST, SECRET

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.cli.publish.state import State

_NONE, _ALL, _CELLS = "none", "all", "cells"
_WAYS = {
    FOUND: "its levels are public knowledge: show me those in the file",
    LIST: "its levels are public: I type the list",
    BINS: "it holds numbers: I type the edges of bins",
    SECRET: "its levels are not public: release those that a delta allows",
}
_MOST_LEVELS = 1_000


def columns_screen(state: State) -> Screen:
    """Ask for the columns of groups."""
    taken = [*state.given["person"], *([state.given["of"]] if state.adds_up else [])]
    free = [name for name in state.names if name not in taken]
    needs = state.counted == Counted.ROWS

    def take(text: str) -> None:
        columns = [] if text == _NONE and _NONE not in free else several(text, free, "groups")
        if needs and not columns:
            message = "`groups` must be at least one column; count people for one number alone."
            raise ProblemError(message)
        state.put(columns=columns)

    return Screen(
        title="Groups",
        why="Each column becomes an axis of the table, and every cell and total is released.",
        options=[*listed(free), *([] if needs else [f"{_NONE}  one number of all"])],
        asked="columns, with commas",
        default=state.before("columns", ", ", _NONE) or ("" if needs else _NONE),
        take=take,
    )


def way_screen(state: State, name: str) -> Screen:
    """Ask whether the levels of a column are public."""
    words = [word for word in _WAYS if word != SECRET or not state.adds_up]
    return Screen(
        title=f"Levels of {visible(name)}",
        why="A level that one person alone has gives that person away, unless everybody knows beforehand "
        "that there is such a level.",
        options=[f"{word}  {_WAYS[word]}" for word in words],
        asked=", ".join(words),
        default=state.ways.get(name, LIST),
        take=lambda text: state.ways.update({name: chosen(text, words, "levels")}),
    )


def levels_screen(state: State, name: str) -> Screen:
    """Ask for the list, or the bins, of a column."""
    way, shown = state.ways[name], visible(name)
    if way == BINS:
        return Screen(
            title=f"Bins of {shown}",
            why="Each bin has its lower edge; `..` at an end stands for all other numbers there.",
            asked="edges, such as 0,18,65,..",
            default=state.edges.get(name, "0,18,40,65,.." if "age" in name.lower() else ""),
            take=partial(_take_edges, state, name),
        )
    found = list(state.levels(name)) if way == FOUND else []
    many = f": {len(found):,} levels" if found else ""
    return Screen(
        title=f"List of {shown}{many}",
        why="These are in the file. Add those that nobody has: they are released like all others."
        if found
        else "Every level that there can be has a place in the table, also those that nobody has.",
        options=[visible(shorten(found))] if found else [],
        asked="levels with commas" + (", or `+` and further ones" if found else ""),
        default="these" if found else ", ".join(state.lists.get(name, ())),
        take=partial(_take_levels, state, name, found),
    )


def _take_edges(state: State, name: str, text: str) -> None:
    from optmech.release.tabulate.bins import bins_of  # noqa: PLC0415 - Arrow takes a moment to load

    bins_of(text)
    state.edges[name] = text


def _take_levels(state: State, name: str, found: Sequence[str], text: str) -> None:
    first = list(found) if text == "these" or text.startswith("+") else []
    more = "" if text == "these" else text.removeprefix("+")
    levels = tuple(dict.fromkeys([*first, *(part.strip() for part in more.split(",") if part.strip())]))
    if not 2 <= len(levels) <= _MOST_LEVELS:  # noqa: PLR2004 - one level is no axis
        message = (
            f"`levels` must be 2 to {_MOST_LEVELS:,}; got {len(levels):,}. `back` leaves the column out."
        )
        raise ProblemError(message)
    state.lists[name] = levels


def others_screen(state: State) -> Screen:
    """Ask for the fate of rows of other groups."""
    words = [STOP, DROP]
    return Screen(
        title="Rows of other groups",
        why="A row may name a level that is not listed, or a number beyond the bins.",
        options=[f"{STOP}  say which, and draw nothing", f"{DROP}  leave such rows out"],
        asked="stop or drop",
        default=state.before("others") or STOP,
        take=lambda text: state.put(others=chosen(text, words, "others")),
    )


def empty_screen(state: State) -> Screen:
    """Ask for the fate of rows with an empty cell."""
    return Screen(
        title="Rows with an empty cell",
        why="No answer is an answer, too: as a group it is counted, else it is missing from totals.",
        options=[
            f"{STOP}  say so, and draw nothing",
            f"{DROP}  leave such rows out",
            "any other word  count them as a group of that name, such as unknown",
        ],
        asked="stop, drop or a name",
        default=state.before("empty") or STOP,
        take=lambda text: state.put(empty=text),
    )


def totals_screen(state: State) -> Screen:
    """Ask for the totals."""

    def take(text: str) -> None:
        cells = "*".join(state.given["columns"])
        state.put(totals={_ALL: "", _CELLS: cells}.get(text, text))

    first = state.given["columns"][0]
    return Screen(
        title="Totals",
        why="Totals are released with the cells and add up; fewer of them leave smaller errors.",
        options=[
            f"{_ALL}  every total",
            f"{_CELLS}  none",
            f"a list with semicolons, such as {visible(first)}; total",
        ],
        asked="totals",
        default=state.before("totals") or _ALL,
        take=take,
    )
