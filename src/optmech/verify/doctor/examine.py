"""All that is looked at, in order, each by itself."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from optmech.verify.doctor import machine, packages, self_test
from optmech.verify.doctor.finding import Finding, Observation, State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_LONGEST = 300


class Question(NamedTuple):
    """One thing to look at."""

    part: str
    name: str
    look: Callable[[], Observation]
    remedy: str
    """What to do if looking itself fails."""


def questions() -> list[Question]:
    """Return what is looked at, from what all else needs to what shows that it works together."""
    reinstall = "Install it anew: `pip install --force-reinstall {}`."
    return [
        Question("versions", "Python", packages.interpreter, "Run optmech with Python 3.11 or newer."),
        Question("versions", "optmech", packages.own_version, "Install optmech anew."),
        *(
            Question("versions", name, partial(packages.required_package, name), reinstall.format(name))
            for name in packages.REQUIRED
        ),
        *(
            Question("solvers", name, partial(packages.solver_observation, name), f"Install {name} anew.")
            for name in packages.SOLVERS
        ),
        *(
            Question("extras", name, partial(packages.extra, name), f'Run `pip install "optmech[{name}]"`.')
            for name in packages.EXTRAS
        ),
        Question("machine", "temporary folder", machine.temporary_folder, "Set TMPDIR to a writable folder."),
        Question("machine", "randomness", machine.randomness, "Release nothing from this machine."),
        Question("machine", "threads", machine.threads, "Give --threads."),
        *(
            Question(
                "self-test", f"design by {name}", partial(self_test.solves, name), f"Install {name} anew."
            )
            for name in packages.SOLVERS
        ),
        Question("self-test", "exact arithmetic", self_test.arithmetic, "Install optmech anew."),
        Question("self-test", "draws", self_test.draws, "Install optmech anew."),
    ]


def examine(list_of_questions: Iterable[Question]) -> Iterator[Finding]:
    """Yield findings, one by one; whatever a look raises is a finding too.

    >>> [finding] = examine([Question("machine", "division", lambda: 1 / 0, "Do not divide.")])
    >>> finding.state.name, finding.text, finding.remedy
    ('BAD', 'ZeroDivisionError: division by zero', 'Do not divide.')
    """
    for part, name, look, remedy in list_of_questions:
        start = time.perf_counter()
        try:
            observation = look()
        except Exception as trouble:  # noqa: BLE001 - a broken library may raise anything at all
            text = " ".join(str(trouble).split())[:_LONGEST]
            kind = type(trouble).__name__
            observation = Observation(State.BAD, f"{kind}: {text}" if text else kind, remedy)
        yield Finding(part=part, name=name, **observation._asdict(), seconds=time.perf_counter() - start)
