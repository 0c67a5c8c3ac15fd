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
    """Whether a check passed, its observation, and the remedy if it failed."""

    state: State
    text: str
    remedy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One check and its result: a version, a number, or an error."""

    part: str
    """Section of the finding: versions, solvers, extras, machine, self-test."""
    name: str
    state: State
    text: str
    remedy: str = ""
    """Remedy, empty where nothing is to be done."""
    seconds: float = 0.0


def judge(text: str, remedy: str, *, good: bool) -> Observation:
    """Return the observation, with the remedy if the check failed."""
    return Observation(State.GOOD, text) if good else Observation(State.BAD, text, remedy)
