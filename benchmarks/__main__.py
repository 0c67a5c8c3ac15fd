"""Measure what building, solving and sampling cost: ``python -m benchmarks [case ...] [--smoke]``.

Seconds are of this machine and this moment; compare ratios. Each figure is the median of five runs.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import time
from typing import TYPE_CHECKING

import numpy as np
import scipy

import optmech as om
from benchmarks import sampling
from optmech.solvers import installed

if TYPE_CHECKING:
    from collections.abc import Callable

RUNS = 5
CASES = ("solving", "sampling")

SIZES: dict[str, tuple[tuple[int, ...], Callable[[int], om.Problem]]] = {
    "croft-1 count": ((10, 20, 40), lambda size: om.croft(om.count(size), "0.5")),
    "croft-2 count": ((10, 20, 40), lambda size: om.croft(om.count(size), "0.5", variant=2)),
    "croft-1 mean of": ((2, 5, 10), lambda size: om.croft(om.mean(size, 4), "0.5")),
    "sadeghi 1..": ((10, 20, 50), lambda size: om.sadeghi(1, "0.5", 4, counts=(1, size))),
    "kadam modulo": ((8, 12, 16), lambda size: om.kadam(om.residues(size, [1, 2]), 1, "0.05")),
}


def median_seconds(work: Callable[[], object], runs: int) -> float:
    """Return the median wall time of several runs."""
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def print_solving(solvers: list[tuple[str, str]], runs: int, *, smoke: bool) -> None:
    """Print seconds and gaps of each model, by solver."""
    first = solvers[0][0]
    names = "".join(f"{name:>10} s" for name, _ in solvers)
    ratios = "".join(f"{name + '/' + first:>12}" for name, _ in solvers[1:])
    print(f"{'case':<20}{'columns':>9}{'rows':>9}{'build s':>10}{names}{ratios}{'gap':>10}")
    for case, (sizes, ask) in SIZES.items():
        for size in sizes[:1] if smoke else sizes:
            problem = ask(size)
            model = om.assemble(problem).model
            build = median_seconds(lambda problem=problem: om.assemble(problem), runs)  # type: ignore[misc]
            costs, gap = [], 0.0
            for name, _ in solvers:
                costs.append(
                    median_seconds(
                        lambda problem=problem, name=name: om.design(problem, solver=name),  # type: ignore[misc]
                        runs,
                    )
                )
                design = om.design(problem, solver=name)
                gap = max(gap, design.objective - design.lower_bound)
            row = "".join(f"{cost:12.3f}" for cost in costs)
            row += "".join(f"{cost / costs[0]:12.1f}" for cost in costs[1:])
            shape = f"{model.num_columns:9}{model.num_rows:9}{build:10.4f}"
            print(f"{case + ' ' + str(size):<20}{shape}{row}{gap:10.1e}")
    print()


def main() -> None:
    """Print the tables that are asked for, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="the smallest size of each case, one run")
    parser.add_argument(
        "cases", nargs="*", metavar="case", help=f"{' or '.join(CASES)}; all if none is given"
    )
    arguments = parser.parse_args()
    smoke, cases = arguments.smoke, arguments.cases or CASES
    if unknown := [case for case in cases if case not in CASES]:
        parser.error(f"case must be {' or '.join(CASES)}; got {unknown[0]}")
    runs = 1 if smoke else RUNS
    solvers = [(solver.name, solver.version()) for solver in installed()]
    print(f"optmech {om.__version__}, {', '.join(f'{name} {version}' for name, version in solvers)}")
    print(f"numpy {np.__version__}, scipy {scipy.__version__}, python {platform.python_version()}")
    print(f"{platform.machine()}, default tolerances and threads, median of {runs}\n")
    if "solving" in cases:
        print_solving(solvers, runs, smoke=smoke)
    if "sampling" in cases:
        sampling.main(smoke=smoke)


if __name__ == "__main__":
    main()
