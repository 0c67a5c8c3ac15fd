"""CBC as a program: where it lies, which version it is, one run of it."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from optmech.base.deferred_interrupt import load_module
from optmech.models.solvers.cbc_files import read_point
from optmech.models.solvers.no_entries import bounded_rows
from optmech.models.text import as_mps

if TYPE_CHECKING:
    from optmech.models.linear_model import LinearModel
    from optmech.models.solvers.cbc_files import CbcPoint

__all__ = ["PATIENCE", "Outcome", "executable", "run", "version_of"]

PATIENCE = 10.0
"""Seconds, or the time limit again if that is more, after which a CBC that misses its limit is killed."""

_VERSION = re.compile(r"^Version: (\S+)|^CBC (devel \(git:\w+\)|\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a run of CBC ended."""

    is_killed: bool
    code: int
    log: str
    first_line: str
    point: CbcPoint | None

    @property
    def is_crashed(self) -> bool:
        """Whether CBC ended by itself and left no status."""
        return not self.is_killed and not self.first_line


def executable() -> str | None:
    """Return where CBC lies: in PuLP, on the path, or in cbcbox, which PuLP 4 uses."""
    try:
        path = Path(load_module("pulp").PULP_CBC_CMD.pulp_cbc_path)
    except (ImportError, AttributeError):  # PuLP 4 has none
        path = None
    if path is not None and shutil.which(path):
        return str(path)
    if on_path := shutil.which("cbc"):
        return on_path
    try:
        path_of_box: str = load_module("cbcbox").cbc_bin_path()
    except (ImportError, AttributeError):
        return None
    return shutil.which(path_of_box)


@functools.cache
def version_of(path: str) -> str | None:
    """Return the version in CBC's greeting, None if it does not run."""
    try:
        greeting = subprocess.run(  # noqa: S603 - the path comes from a package or from PATH, not from a user
            [path, "-quit"], capture_output=True, text=True, encoding="utf-8", check=False, timeout=PATIENCE
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = _VERSION.search(greeting.stdout)
    return None if match is None else str(match[1] or match[2])


def run(arguments: list[str], model: LinearModel, time_limit: float | None) -> Outcome:
    """Run CBC in a directory that is gone afterwards; whatever interrupts us, CBC does not outlive it."""
    num_rows = int(bounded_rows(model).sum())
    patience = None if time_limit is None else time_limit + max(PATIENCE, time_limit)
    with tempfile.TemporaryDirectory(prefix="optmech-cbc-") as name:
        place = Path(name)
        (place / "model.mps").write_text(as_mps(model), encoding="ascii")
        outputs = ("-printingOptions", "all", "-solution", "solution.txt", "-saveSolution", "solution.bin")
        timed_out = False
        with subprocess.Popen(  # noqa: S603 - see `version_of`
            [*arguments, *outputs, "-quit"],
            cwd=place,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        ) as process:
            try:
                log, _ = process.communicate(timeout=patience)
            except subprocess.TimeoutExpired:
                timed_out = True
                process.kill()
                log, _ = process.communicate()
            except BaseException:
                process.kill()
                process.wait()
                raise
        text = place / "solution.txt"
        lines = text.read_text(encoding="utf-8", errors="replace").splitlines() if text.exists() else []
        point = read_point(place / "solution.bin", num_rows, model.num_columns)
    return Outcome(
        is_killed=timed_out,
        code=process.returncode,
        log=log,
        first_line=lines[0] if lines else "",
        point=point,
    )
