"""One thing that was looked at, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optmech.base.arguments import Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["Finding", "State", "looked_at"]

_LONGEST = 300


class State(Word):
    """What was found."""

    GOOD = "it works"
    ABSENT = "it is not there, and only some need it"
    BAD = "it does not work, and what needs it fails or must not be trusted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at.

    Attributes
    ----------
    part : {"versions", "solvers", "extras", "machine", "self-test"}
        What it belongs to.
    name : str
        What was looked at.
    state : State
        Whether it works.
    told : str
        What was seen: a version, a number, or what is wrong.
    remedy : str
        What to do, a sentence; empty where there is nothing to do.
    seconds : float
        How long it took to find out.
    """

    part: str
    name: str
    state: State
    told: str
    remedy: str = ""
    seconds: float = 0.0


def looked_at(
    part: str, name: str, look: Callable[[], Iterable[Finding]], remedy: str
) -> tuple[Finding, ...]:
    """Return what `look` finds; whatever it raises is a finding too, with this remedy.

    Examples
    --------
    >>> [found] = looked_at("machine", "division", lambda: [1 / 0], "Do not divide.")
    >>> found.state.name, found.told, found.remedy
    ('BAD', 'ZeroDivisionError: division by zero', 'Do not divide.')
    """
    try:
        return tuple(look())
    except Exception as trouble:  # noqa: BLE001 - a broken library may raise anything at all
        said = " ".join(str(trouble).split())[:_LONGEST]
        told = f"{type(trouble).__name__}: {said}" if said else type(trouble).__name__
        return (Finding(part=part, name=name, state=State.BAD, told=told, remedy=remedy),)
