"""On what, and with which versions, the seconds were measured."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import platform
import resource
import sys
from pathlib import Path
from typing import Any

from optmech.base.errors import OptmechError

__all__ = ["PeerMissingError", "header", "peak_megabytes", "peer"]

PEERS = ("highspy", "PuLP", "cvxpy", "linopy", "qif", "opendp", "numpy", "scipy")
_KIB, _MIB = 2**10, 2**20


class PeerMissingError(OptmechError, ImportError):
    """A library to compare with is not installed, and need not be."""


def peer(name: str) -> Any:  # noqa: ANN401 - a library without types, or without types here
    """Return the module of a library to compare with.

    Raises
    ------
    PeerMissingError
        If it is not installed; the message says how to install it.
    """
    try:
        return importlib.import_module(name)
    except ImportError as trouble:
        message = f'not installed: {name} ({trouble}). Install it with `pip install ".[benchmarks]"`.'
        raise PeerMissingError(message) from None


def header() -> str:
    """Return the machine and the versions, in three lines."""
    versions = ", ".join(f"{name} {_version(name)}" for name in ("optmech", *PEERS))
    python = f"{platform.system()}, python {platform.python_version()}"
    return (
        f"{platform.machine()}, {os.cpu_count()} cores, {python}\n"
        f"{versions}\n"
        "Seconds are of this machine and this moment, with whatever else it did; compare ratios."
    )


def peak_megabytes() -> float:
    """Return the largest memory that this process has held so far, in MiB.

    Linux counts it for each program that is started; ``ru_maxrss`` would begin with that of the process that
    started this one.
    """
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * _KIB / _MIB
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest / _MIB if sys.platform == "darwin" else largest * _KIB / _MIB


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"
