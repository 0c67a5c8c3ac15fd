"""Measure what the designs are worth and cost, audit others, or compute again what the papers print.

``python -m benchmarks [quality | cost [case ...]]``, ``python -m benchmarks papers NAME ...``,
``python -m benchmarks audit solvers|library ...``;
``python -m benchmarks cost --against CHECKOUT`` holds designs to those of another version.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.audit import command as audit
from benchmarks.cost import (
    against,
    against_qif,
    building,
    chain,
    engines,
    large,
    memory,
    sampling,
    scale,
    solving,
    tables,
)
from benchmarks.cost.machine import header
from benchmarks.papers import command as papers
from benchmarks.quality.report import report
from benchmarks.table import Table, markdown

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLES = Path(__file__).parent / "tables"
COST = ("engines", "chain", "scale", "building", "qif", "memory", "solving", "tables", "sampling")
LARGE = "large"
LIMIT = 120.0


def main() -> int:
    """Print the tables that are asked for, those of `quality` and `cost` if no command is named."""
    if sys.argv[1:2] == ["papers"]:  # whose options are its own
        return papers.run(sys.argv[2:])
    if sys.argv[1:2] == ["audit"]:
        return audit.run(sys.argv[2:])
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure what the designs are worth and cost.",
        epilog="`python -m benchmarks papers --help` says how to compute again what the papers print, "
        "`python -m benchmarks audit --help` how to examine solvers and libraries.",
    )
    parser.add_argument("command", nargs="?", choices=("quality", "cost"), help="both if none is given")
    parser.add_argument(
        "cases", nargs="*", metavar="case", help=f"of cost: {', '.join(COST)}; all if none is given"
    )
    parser.add_argument("--smoke", action="store_true", help="the smallest size of everything, once")
    parser.add_argument(
        "--full", action="store_true", help="of cost: the large designs as well, some minutes each"
    )
    parser.add_argument(
        "--limit",
        type=float,
        default=LIMIT,
        metavar="SECONDS",
        help="of cost: for each solve; 120 by default",
    )
    parser.add_argument(
        "--beside",
        type=float,
        metavar="SECONDS",
        help="of scale: for the other engine, which is there to compare with; as --limit by default",
    )
    parser.add_argument(
        "--write", action="store_true", help="of quality and scale: write the tables into benchmarks/tables"
    )
    parser.add_argument(
        "--against",
        type=Path,
        metavar="CHECKOUT",
        help="of cost: the same designs by another checkout, alone",
    )
    arguments = parser.parse_args()
    if unknown := [case for case in arguments.cases if case not in (*COST, LARGE)]:
        parser.error(f"case must be among {', '.join((*COST, LARGE))}; got {unknown[0]}")
    if LARGE in arguments.cases and arguments.smoke:
        parser.error(f"{LARGE} has no smallest size; leave --smoke out")
    limits = _limits(parser, arguments)
    if arguments.cases and arguments.command != "cost":
        parser.error("cases are those of cost: python -m benchmarks cost CASE")
    if arguments.write and arguments.smoke:
        parser.error("--write writes all questions; leave --smoke out")
    if arguments.against is not None:
        return _against(parser, arguments)
    broken: list[str] = []
    if arguments.command != "cost":
        broken = _quality(smoke=arguments.smoke, write=arguments.write)
    if arguments.command != "quality":
        cases = [*(arguments.cases or COST), *([LARGE] if arguments.full and not arguments.smoke else [])]
        _cost(cases, limits, smoke=arguments.smoke, write=arguments.write)
    return 1 if broken else 0


def _limits(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> tuple[float, float]:
    """Return the time limits in seconds, the second one of an engine to compare with."""
    limits = arguments.limit, arguments.limit if arguments.beside is None else arguments.beside
    for name, limit in zip(("--limit", "--beside"), limits, strict=True):
        if not limit > 0:
            parser.error(f"{name} must be positive; got {limit:g}")
    return limits


def _against(parser: argparse.ArgumentParser, question: argparse.Namespace) -> int:
    other = question.against.resolve()
    if question.command != "cost" or question.cases or question.full:
        parser.error("--against is of cost, without cases: python -m benchmarks cost --against CHECKOUT")
    if not (other / "src" / "optmech").is_dir():
        parser.error(
            f"--against must be a checkout of this project, with src/optmech in it; got {question.against}"
        )
    print(header())
    print(f"\n{markdown(against.table(other, smoke=question.smoke))}")
    return 0


def _quality(*, smoke: bool, write: bool) -> list[str]:
    texts, broken = report(smoke=smoke)
    for name, text in texts.items():
        print(text)
        if write:
            (TABLES / name).write_text(text, encoding="utf-8")
    for line in broken:
        print(f"FAILS: {line}")
    print(f"{len(broken)} rules broken" if broken else "every figure keeps its rule")
    print()
    return broken


def _cost(cases: list[str], limits: tuple[float, float], *, smoke: bool, write: bool) -> None:
    print(header())
    if "scale" in cases:
        _scale(limits, smoke=smoke, write=write)
    for table in _tables(cases, limits[0], smoke=smoke):
        print(f"\n{markdown(table)}", flush=True)
    if "sampling" in cases:
        sampling.main(smoke=smoke)


def _scale(limits: tuple[float, float], *, smoke: bool, write: bool) -> None:
    print(f"\n{scale.title(limits)}")
    kept: list[scale.Measured] = []
    for line in scale.rows(scale.measured(limits, smoke=smoke), kept):
        print(line, flush=True)
        if write:  # so that what was measured stays, however it ends
            (TABLES / "scale.csv").write_text(scale.csv_text(kept), encoding="utf-8")
    for table in (scale.growth(kept), scale.choice(kept)):
        print(f"\n{markdown(table)}", flush=True)


def _tables(cases: list[str], limit: float, *, smoke: bool) -> Iterator[Table]:
    if "engines" in cases:
        yield from engines.tables(limit, smoke=smoke)
    if "chain" in cases:
        yield from chain.tables(limit, smoke=smoke)
    if "building" in cases:
        yield building.table(smoke=smoke)
    if "qif" in cases:
        yield against_qif.table(limit, smoke=smoke)
    if "memory" in cases:
        yield memory.table(limit, smoke=smoke)
    if "solving" in cases:
        yield solving.table(smoke=smoke)
    if "tables" in cases:
        yield tables.table(smoke=smoke)
    if LARGE in cases:
        yield large.table()


if __name__ == "__main__":
    sys.exit(main())
