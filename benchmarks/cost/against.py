"""The same designs by this checkout and by another one, in turns: what is slower now, and what quicker."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path

from benchmarks.cost import one_case
from benchmarks.cost.measure import ratio
from benchmarks.table import Table, figure

__all__ = ["table"]

TURNS, LARGEST = 3, 1.2
# Threads of linear algebra that wait for each other would count as work.
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
_HERE = Path(__file__).parents[2]


def table(other: Path, *, smoke: bool) -> Table:
    """Return seconds of each case here and there.

    Parameters
    ----------
    other : Path
        The root of another checkout of this project, such as ``git worktree add`` makes.
    smoke : bool
        Whether one case is enough, in one turn.
    """
    turns, names = 1 if smoke else TURNS, list(one_case.CASES)
    rows = [_row(name, other, turns) for name in (names[:1] if smoke else names)]
    return Table(
        title=f"Beside {other.name}",
        header=("case", f"{other.name}, s", "here, s", f"here / {other.name}", "wanted"),
        rows=tuple(rows),
        notes=(
            "Seconds of the processor, proofs included, which other programs on the machine move less.",
            f"Medians of {turns} turns, each in a process of its own and of {one_case.RUNS} runs.",
        ),
    )


def _row(name: str, other: Path, turns: int) -> tuple[str, ...]:
    answers: dict[Path, list[str]] = {other: [], _HERE: []}
    for _ in range(turns):
        for root, line in answers.items():
            line.append(_seconds(name, root))
    try:
        there, here = (statistics.median(map(float, line)) for line in answers.values())
    except ValueError:  # the longest is the word on what went wrong
        return (name, *(max(line, key=len) for line in answers.values()), "", "")
    return (name, figure(there, 3), figure(here, 3), ratio(here, there), f"<= {LARGEST}")


def _seconds(name: str, root: Path) -> str:
    """Return the seconds that a checkout takes, or the last that it says where it does not know the case."""
    done = subprocess.run(  # noqa: S603 - this interpreter, this script
        # Without -P the folder of the script would be looked through first, by other packages too.
        [sys.executable, "-P", str(Path(one_case.__file__)), name],
        env={**os.environ, **_ONE_THREAD, "PYTHONPATH": str(root / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or (done.stderr.strip().splitlines() or ["no word"])[-1]
