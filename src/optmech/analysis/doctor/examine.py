"""The list of checks, in order, each by itself."""

from __future__ import annotations

import os
import secrets
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from optmech.analysis.doctor import packages, self_test
from optmech.analysis.doctor.finding import Finding, Observation, State, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_LONGEST = 300
_NUM_BYTES = 4096
_FEWEST_VALUES = 200
_ENOUGH = 2**26
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Question(NamedTuple):
    """One check."""

    part: str
    name: str
    look: Callable[[], Observation]
    remedy: str
    """Remedy if the examination itself fails."""


def questions() -> list[Question]:
    """Return the checks, from basic requirements to tests of the whole."""
    return [
        Question("versions", "Python", packages.interpreter, "Run optmech with Python 3.11 or newer."),
        Question("versions", "optmech", packages.own_version, "Install optmech anew."),
        *(
            Question("versions", name, partial(packages.required_package, name), packages.reinstalling(name))
            for name in packages.REQUIRED
        ),
        *(
            Question(
                "solvers", name, partial(packages.solver_observation, name), packages.reinstalling(package)
            )
            for name, package in packages.SOLVERS.items()
        ),
        *(
            Question("extras", name, partial(packages.extra, name), f'Run `pip install "optmech[{name}]"`.')
            for name in packages.EXTRAS
        ),
        Question("machine", "temporary folder", temporary_folder, "Set TMPDIR to a writable folder."),
        Question("machine", "randomness", randomness, "Release nothing from this machine."),
        Question("machine", "threads", threads, "Give --threads."),
        *(
            Question(
                "self-test",
                f"design by {name}",
                partial(self_test.solves, name),
                packages.reinstalling(package),
            )
            for name, package in packages.SOLVERS.items()
        ),
        Question("self-test", "exact arithmetic", self_test.arithmetic, "Install optmech anew."),
        Question("self-test", "draws", self_test.draws, "Install optmech anew."),
    ]


def examine(list_of_questions: Iterable[Question]) -> Iterator[Finding]:
    """Yield findings, one by one; every error of a look is a finding too.

    >>> [finding] = examine([Question("machine", "division", lambda: 1 / 0, "Do not divide.")])
    >>> finding.state.name, finding.text, finding.remedy
    ('BAD', 'ZeroDivisionError: division by zero', 'Do not divide.')
    """
    for part, name, look, remedy in list_of_questions:
        start = time.perf_counter()
        try:
            observation = look()
        except Exception as error:  # noqa: BLE001 - a broken library may raise anything at all
            text = " ".join(str(error).split())[:_LONGEST]
            kind = type(error).__name__
            observation = Observation(State.BAD, f"{kind}: {text}" if text else kind, remedy)
        yield Finding(part=part, name=name, **observation._asdict(), seconds=time.perf_counter() - start)


def temporary_folder() -> Observation:
    """Return whether temporary files can be written, where CBC gets its programs, and how much fits."""
    folder = Path(tempfile.gettempdir())
    with tempfile.TemporaryDirectory(prefix="optmech-doctor-") as name:
        probe = Path(name, "probe")
        probe.write_bytes(bytes(_NUM_BYTES))
        whole = probe.read_bytes() == bytes(_NUM_BYTES)
    statistics = os.statvfs(folder) if hasattr(os, "statvfs") else None
    free = None if statistics is None else statistics.f_bavail * statistics.f_frsize
    enough = whole and (free is None or free >= _ENOUGH)
    text = f"{folder}, writable" + ("" if free is None else f", {free / 2**30:.1f} GiB free")
    return judge(text, "Free some space there, or set TMPDIR to another folder.", good=enough)


def randomness() -> Observation:
    """Return whether the operating system gives random bytes, which draws are made of."""
    first, second = secrets.token_bytes(_NUM_BYTES), secrets.token_bytes(_NUM_BYTES)
    good = first != second and min(len(set(first)), len(set(second))) >= _FEWEST_VALUES
    text = "of the operating system" if good else "the operating system repeats itself"
    return judge(text, "Do not release anything from this machine: its draws can be guessed.", good=good)


def threads() -> Observation:
    """Return the number of threads that a solver may use."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    texts = [f"{usable} of {os.cpu_count()} processors"]
    texts += [f"{name}={os.environ[name]}" for name in _THREADS if os.environ.get(name)]
    return Observation(State.GOOD, ", ".join(texts))
