"""Counts under (epsilon, delta): the theorem of chains beside the program, end to end, and growth."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import optmech as om
from benchmarks.cost.measure import fitted, interleaved, ratio
from benchmarks.cost.worker import run
from benchmarks.table import Table, figure

__all__ = ["tables"]

PAIRS = (("0.5", "1e-3"), ("1", "1e-6"))
COUNTS, SMALL = (50, 100), (15,)
RUNS, FASTER = 5, 100
COUNT, RECORDS, SECONDS = 1000, 100_000, 20
SIZES, SMALL_SIZES, LARGEST_SECONDS, EXPONENT = (3000, 10_000, 30_000, 100_000), (3000, 6000), 60, 1.3


def tables(limit: float, *, smoke: bool) -> list[Table]:
    """Return the comparison with the program, one table of data from end to end, and the growth.

    Parameters
    ----------
    limit : float
        Seconds for each solve by the program.
    smoke : bool
        Whether the smallest size is enough.
    """
    return [_comparison(limit, smoke=smoke), _end_to_end(smoke=smoke), _growth(smoke=smoke)]


def _comparison(limit: float, *, smoke: bool) -> Table:
    rows = []
    for largest in SMALL if smoke else COUNTS:
        for epsilon, delta in PAIRS:
            first, *asked = _asked(largest, epsilon, delta, RUNS + 1)
            certificate = om.design(
                first, engine="chain"
            ).certificate  # so that nothing is loaded while time runs
            ours = interleaved({"chain": lambda: om.design(asked.pop(), engine="chain")}, RUNS)["chain"]  # noqa: B023
            assert certificate is not None  # it is not raw
            choices = {"range": f"0:{largest}", "epsilon": epsilon, "delta": delta}
            job = {"work": "design", "formulation": "count", "choices": choices, "engine": "program"}
            answer = run({**job, "limit": limit}, 2 * limit)
            theirs = answer.get("seconds")
            rows.append(
                (
                    f"0..{largest}",
                    f"{epsilon}, {delta}",
                    figure(ours, 3),
                    f"> {limit:g}" if theirs is None else figure(theirs, 3),
                    ratio(limit if theirs is None else theirs, ours, at_least=theirs is None),
                    f">= {FASTER}" if largest in COUNTS else "",
                    f"{certificate.relative_gap:.1e}",
                    "none" if theirs is None or answer["gap"] is None else f"{answer['gap']:.1e}",
                    "one answer"
                    if theirs is None
                    else f"{answer['objective'] - float(certificate.objective):.1e}",
                )
            )
    return Table(
        title="Counts by the theorem of chains and by the program",
        header=(
            "count", "epsilon, delta", "chain, s", "program, s", "program / chain", "wanted",
            "gap: chain", "gap: program", "optima differ by",
        ),
        rows=tuple(rows),
        notes=(
            f"Seconds are all of `design`, both proofs included; the chain's the median of {RUNS}.",
            f"The program ran once, in a process of its own; `> {limit:g}` was stopped.",
        ),
    )  # fmt: skip


def _asked(largest: int, epsilon: str, delta: str, number: int) -> list[om.Problem]:
    """Return one question several times: of a problem that was designed before something is still known."""
    return [om.question(om.count(largest), epsilon, delta=delta) for _ in range(number)]


def _end_to_end(*, smoke: bool) -> Table:
    largest, records = (50, 1000) if smoke else (COUNT, RECORDS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = [f"{row},{row % (largest + 1)}" for row in range(records)]
        (folder / "t.csv").write_text("\n".join(["id,n", *lines]) + "\n", encoding="utf-8")
        text = f"count --range 0:{largest} --epsilon 1 --delta 1e-6"
        steps = {
            "design": f"design {text} --out m.csv",
            "verify": "verify m.certificate.json m.csv",
            "report": "report m.certificate.json --out r.html",
            "apply": "apply m.certificate.json t.csv --column n --out released.csv",
        }
        seconds = {step: _command(words, folder) for step, words in steps.items()}
    total = sum(seconds.values())
    expected = {"all": "" if smoke else f"< {SECONDS}"}
    return Table(
        title=f"A count 0..{largest} with delta from end to end, {records:,} records released",
        header=("command", "seconds", "wanted"),
        rows=tuple(
            (step, figure(took, 3), expected.get(step, ""))
            for step, took in {**seconds, "all": total}.items()
        ),
        notes=("Each command once, in a process of its own, its start included.",),
    )


def _command(words: str, folder: Path) -> float:
    start = time.perf_counter()
    subprocess.run(  # noqa: S603 - its own commands
        [sys.executable, "-m", "optmech", *words.split()], cwd=folder, check=True, capture_output=True
    )
    return time.perf_counter() - start


def _growth(*, smoke: bool) -> Table:
    epsilon, delta = PAIRS[-1]
    sizes, runs = SMALL_SIZES if smoke else SIZES, 1 if smoke else RUNS
    problems = {size: _asked(size, epsilon, delta, runs) for size in sizes}
    works = {
        str(size): lambda asked=asked: om.design(asked.pop(), engine="chain")
        for size, asked in problems.items()
    }
    seconds = list(interleaved(works, runs).values())
    expected = [f"< {LARGEST_SECONDS}" if size == SIZES[-1] else "" for size in sizes]
    rows = [
        (f"0..{size}", figure(took, 3), goal)
        for size, took, goal in zip(sizes, seconds, expected, strict=True)
    ]
    growth = ("growth, seconds as a power of the size", str(fitted(sizes, seconds)), f"<= {EXPONENT}")
    return Table(
        title=f"Counts by the theorem of chains at ({epsilon}, {delta}), designed and proved",
        header=("count", "seconds", "wanted"),
        rows=(*rows, growth),
        notes=(f"Medians of {runs} turns in one process.",),
    )
