"""What optmech needs of the machine: randomness, a folder for temporary files, threads."""

from __future__ import annotations

import os
import secrets
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from optmech.verify.doctor.finding import Finding, State

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["randomness", "temporary_folder", "threads"]

_DRAWN = 4096
_FEWEST_VALUES = 200
_ENOUGH = 2**26
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def temporary_folder() -> Iterator[Finding]:
    """Yield whether temporary files can be written, where CBC gets its programs, and how much fits."""
    folder = Path(tempfile.gettempdir())
    with tempfile.TemporaryDirectory(prefix="optmech-doctor-") as name:
        probe = Path(name, "probe")
        probe.write_bytes(bytes(_DRAWN))
        whole = probe.read_bytes() == bytes(_DRAWN)
    left = os.statvfs(folder) if hasattr(os, "statvfs") else None
    free = None if left is None else left.f_bavail * left.f_frsize
    enough = whole and (free is None or free >= _ENOUGH)
    yield Finding(
        part="machine",
        name="temporary folder",
        state=State.GOOD if enough else State.BAD,
        told=f"{folder}, writable" + ("" if free is None else f", {free / 2**30:.1f} GiB free"),
        remedy="" if enough else "Free some space there, or set TMPDIR to another folder.",
    )


def randomness() -> Iterator[Finding]:
    """Yield whether the operating system gives random bytes, which draws are made of."""
    first, second = secrets.token_bytes(_DRAWN), secrets.token_bytes(_DRAWN)
    good = first != second and min(len(set(first)), len(set(second))) >= _FEWEST_VALUES
    yield Finding(
        part="machine",
        name="randomness",
        state=State.GOOD if good else State.BAD,
        told="of the operating system" if good else "the operating system repeats itself",
        remedy="" if good else "Do not release anything from this machine: its draws can be guessed.",
    )


def threads() -> Iterator[Finding]:
    """Yield how many threads a solver may take."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    told = [f"{allowed} of {os.cpu_count()} processors"]
    told += [f"{name}={os.environ[name]}" for name in _THREADS if os.environ.get(name)]
    yield Finding(part="machine", name="threads", state=State.GOOD, told=", ".join(told))
