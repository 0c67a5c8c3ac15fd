"""The proved checker of coq/: how it is built, and what it says of a file."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

COQ = Path(__file__).parents[2] / "coq"
PROVED, REFUSED, NOT_COVERED = 0, 1, 2


def need(*programs):
    """Skip a test where a program is missing, or zarith, the library of whole numbers."""
    for name in programs:
        if shutil.which(name) is None:
            pytest.skip(f"`{name}` must be installed; it is not")
    if (
        "ocamlfind" in programs
        and subprocess.run(["ocamlfind", "query", "zarith"], capture_output=True, check=False).returncode
    ):
        pytest.skip("zarith must be installed; it is not")


def build(directory):
    """Build the program in a directory, from the extracted source and without Coq, and return its path."""
    need("make", "ocamlfind")
    for part in ("extracted", "reader"):
        shutil.copytree(COQ / part, directory / part, ignore=shutil.ignore_patterns("*.cm*", "*.o"))
    shutil.copy(COQ / "Makefile", directory)
    done = subprocess.run(["make", "-C", directory, "program"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return directory / "optmech-check"


def run(path, *arguments, **settings):
    """Run the program on a file."""
    command = [str(path), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, **settings)
