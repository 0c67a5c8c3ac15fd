"""The questions of a publication. None shows a number of the data; levels only where they are public."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.cli.publish.answers import name_of
from optmech.cli.publish.dialogue import Screen
from optmech.cli.publish.group_screens import (
    columns_screen,
    empty_screen,
    levels_screen,
    others_screen,
    totals_screen,
    way_screen,
)
from optmech.cli.publish.person_screens import (
    bound_screen,
    count_screen,
    limits_screen,
    people_screen,
    person_screen,
    sum_screen,
)
from optmech.cli.publish.state import BINS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.cli.publish.state import State


def screens(state: State) -> Iterator[Screen]:
    """Yield the screens up to the first whose answer the next depend on, and it."""
    yield person_screen(state)
    if "person" in state.given:
        yield count_screen(state)
    if "counted" not in state.given:
        return
    if state.adds_up:
        yield sum_screen(state)
        if "of" not in state.given:
            return
        yield limits_screen(state)
    yield columns_screen(state)
    for name in state.given.get("columns", ()):
        yield way_screen(state, name)
        if name in state.ways and (state.ways[name] == BINS or not state.is_secret):
            yield levels_screen(state, name)
    if {*state.given.get("columns", [""])} <= {*state.ways}:
        yield from (make(state) for key, make in _LATER.items() if state.asks(key))


def budget_screen(state: State) -> Screen:
    """Ask for the budget of one person."""
    usual = "epsilon=1 delta=1e-6" if state.is_secret else "rho=0.1"
    before = " ".join(
        f"{'rho' if name == 'zcdp' else name}={state.given[name]}"
        for name in ("zcdp", "epsilon", "delta")
        if state.given.get(name)
    )
    ways = ["rho=0.1  zCDP", "epsilon=1  pure", "epsilon=1 delta=1e-6"]
    return Screen(
        title="Budget of one person",
        why="It is what one person spends in all numbers of this table together; less has larger errors.",
        options=ways[2:] if state.is_secret else ways,
        asked="budget",
        default=before or usual,
        take=lambda text: state.put(**_budget_of(text)),
    )


def data_screen(state: State) -> Screen:
    """Ask for the name of the data."""
    return Screen(
        title="Name of the data",
        why="Releases of the same data add up in the ledger under this name, whatever their files are.",
        asked="name",
        default=state.before("data") or name_of(state.table),
        take=lambda text: state.put(data=text),
    )


_LATER = {
    "others": others_screen,
    "empty": empty_screen,
    "at_most": bound_screen,
    "most_people": people_screen,
    "totals": totals_screen,
    "budget": budget_screen,
    "data": data_screen,
}
_SPELT = {"rho": "zcdp", "ρ": "zcdp", "zcdp": "zcdp", "epsilon": "epsilon", "eps": "epsilon", "ε": "epsilon"}  # noqa: RUF001 - as people type it
_SPELT |= {"delta": "delta", "δ": "delta"}


def _budget_of(text: str) -> dict[str, str]:
    """Return the budget of ``rho=0.1``, ``epsilon=1`` or ``epsilon=1 delta=1e-6``.

    >>> _budget_of("ε = 1, δ = 1e-6")
    {'zcdp': '', 'epsilon': '1', 'delta': '1e-6'}
    """
    words = text.replace("=", " ").replace(",", " ").split()
    names = [_SPELT.get(word.lower()) for word in words[::2]]
    told = dict(zip(names, words[1::2], strict=False))
    if len(words) % 2 or None in told or len(told) < len(names) or ("zcdp" in told) == ("epsilon" in told):
        message = f"`budget` must be such as rho=0.1, epsilon=1 or epsilon=1 delta=1e-6; got {text!r}."
        raise ProblemError(message)
    return {name: told.get(name, "") for name in ("zcdp", "epsilon", "delta")}
