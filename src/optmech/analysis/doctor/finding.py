"""One observation of the doctor, and its remedy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from optmech.base.arguments import Word


class State(Word):
    """The result of a look."""

    GOOD = "it works"
    ABSENT = "it is not there, and only some need it"
    BAD = "it does not work, and what needs it fails or must not be trusted"


class Observation(NamedTuple):
    """Whether something works, what was seen of it, and what to do if it does not work."""

    state: State
    text: str
    remedy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at, and what was seen: a version, a number, or what is wrong."""

    part: str
    """Section of the finding: versions, solvers, extras, machine, self-test."""
    name: str
    state: State
    text: str
    remedy: str = ""
    """Remedy, empty where nothing is to be done."""
    seconds: float = 0.0


def judge(text: str, remedy: str, *, good: bool) -> Observation:
    """Return what was seen; the remedy goes with what is bad alone."""
    return Observation(State.GOOD, text) if good else Observation(State.BAD, text, remedy)
