"""What optmech needs of the machine: randomness, a folder for temporary files, threads."""

from __future__ import annotations

import os
import secrets
import tempfile
from pathlib import Path

from optmech.verify.doctor.finding import Seen, State, judged

__all__ = ["randomness", "temporary_folder", "threads"]

_DRAWN = 4096
_FEWEST_VALUES = 200
_ENOUGH = 2**26
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def temporary_folder() -> Seen:
    """Return whether temporary files can be written, where CBC gets its programs, and how much fits."""
    folder = Path(tempfile.gettempdir())
    with tempfile.TemporaryDirectory(prefix="optmech-doctor-") as name:
        probe = Path(name, "probe")
        probe.write_bytes(bytes(_DRAWN))
        whole = probe.read_bytes() == bytes(_DRAWN)
    left = os.statvfs(folder) if hasattr(os, "statvfs") else None
    free = None if left is None else left.f_bavail * left.f_frsize
    enough = whole and (free is None or free >= _ENOUGH)
    told = f"{folder}, writable" + ("" if free is None else f", {free / 2**30:.1f} GiB free")
    return judged(told, "Free some space there, or set TMPDIR to another folder.", good=enough)


def randomness() -> Seen:
    """Return whether the operating system gives random bytes, which draws are made of."""
    first, second = secrets.token_bytes(_DRAWN), secrets.token_bytes(_DRAWN)
    good = first != second and min(len(set(first)), len(set(second))) >= _FEWEST_VALUES
    told = "of the operating system" if good else "the operating system repeats itself"
    return judged(told, "Do not release anything from this machine: its draws can be guessed.", good=good)


def threads() -> Seen:
    """Return how many threads a solver may take."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    told = [f"{allowed} of {os.cpu_count()} processors"]
    told += [f"{name}={os.environ[name]}" for name in _THREADS if os.environ.get(name)]
    return Seen(State.GOOD, ", ".join(told))
