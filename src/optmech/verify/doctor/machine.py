"""What optmech needs of the machine: randomness, a folder for temporary files, threads."""

from __future__ import annotations

import os
import secrets
import tempfile
from pathlib import Path

from optmech.verify.doctor.finding import Observation, State, judge

_NUM_BYTES = 4096
_FEWEST_VALUES = 200
_ENOUGH = 2**26
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


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
    """Return how many threads a solver may take."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    texts = [f"{usable} of {os.cpu_count()} processors"]
    texts += [f"{name}={os.environ[name]}" for name in _THREADS if os.environ.get(name)]
    return Observation(State.GOOD, ", ".join(texts))
