"""``optmech crosscheck``: each optimum against each theorem, as a table."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

from optmech.cli.output import tell
from optmech.cli.progress import watched
from optmech.cli.show import json_text
from optmech.cli.table import csv_text, listed
from optmech.crosscheck.grid import FAMILIES, FULL, QUICK
from optmech.errors import ProblemError
from optmech.files.whole import check_writable, write_whole

if TYPE_CHECKING:
    import argparse

    from optmech.crosscheck.compare import Row, Verdict

__all__ = ["EXAMPLES", "add_crosscheck_options", "run_crosscheck"]

EXAMPLES = ("optmech crosscheck --quick --family croft --counts 2,5 --extremes 3",)
_RANGES = {
    "sadeghi_epsilons": "--sadeghi-epsilons",
    "accuracies": "--accuracies",
    "half_widths": "--half-widths",
    "croft_epsilons": "--croft-epsilons",
    "counts": "--counts",
    "extremes": "--extremes",
    "kadam_epsilons": "--kadam-epsilons",
    "largest_answer": "--largest-answer",
}
_HEADER = (
    f"{'verdict':17} {'optimum':>19} {'closed form':>19} {'difference':>10}  "
    f"{'the closed form':24} {'theorem':36} problem"
)
_WHOLE = ("half_widths", "counts", "extremes")
_FEWEST = {"half_widths": 1, "counts": 1, "extremes": 1}


def add_crosscheck_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="a grid of seconds; the default")
    size.add_argument("--full", action="store_true", help="a grid of minutes")
    parser.add_argument("--family", choices=FAMILIES, action="append", help="only this one; may be repeated")
    parser.add_argument("--solver", default="auto", metavar="NAME", help="auto, highs or cbc; default: auto")
    group = parser.add_argument_group("own ranges, with commas, in place of the grid's")
    for name, flag in _RANGES.items():
        kind = {"type": int, "metavar": "N"} if name == "largest_answer" else {"metavar": "LIST"}
        group.add_argument(flag, dest=name, **kind)
    parser.add_argument("--out", metavar="FILE.csv", help="write the table there, whole or not at all")


def run_crosscheck(arguments: argparse.Namespace) -> int:
    """Print the table and return 1 if a relation fails, else 0."""
    # Theorems and their ball arithmetic load in half a second, which no other command should wait for.
    from optmech.crosscheck.compare import Verdict, crosscheck  # noqa: PLC0415

    if arguments.out is not None:
        check_writable(arguments.out, ".csv")
    grid = (FULL if arguments.full else QUICK).with_ranges(
        **{name: _range(name, getattr(arguments, name)) for name in _RANGES}
    )
    cases = grid.cases(tuple(arguments.family or FAMILIES))
    rows: list[Row] = []
    if not arguments.json:
        tell(_HEADER)
    for case in watched(cases, lambda case: case.instance):
        for row in crosscheck(case, arguments.solver):
            rows.append(row)
            if not arguments.json:
                tell(_line(row))
    if arguments.out is not None:
        write_whole(arguments.out, csv_text(rows))
    tally = Counter(row.verdict for row in rows)
    if arguments.json:
        counted = {verdict.name.lower(): tally[verdict] for verdict in Verdict}
        tell(json_text({"rows": [asdict(row) for row in rows], "verdicts": counted}))
    else:
        tell(f"\n{len(cases)} problems, {len(rows)} comparisons: {_summary(tally)}")
        for note in dict.fromkeys(f"{row.theorem}: {row.note}" for row in rows if row.note):
            tell(f"  {note}")
    return 1 if tally[Verdict.FAILS] else 0


def _range(name: str, given: str | int | None) -> object:
    if given is None or isinstance(given, int):
        return given
    parts = listed(given)
    if name not in _WHOLE:
        return parts
    try:
        numbers = tuple(int(part) for part in parts)
    except ValueError:
        numbers = ()
    if not numbers or min(numbers) < _FEWEST[name]:
        message = f"`{name}` must be whole numbers from {_FEWEST[name]} on, with commas; got {given!r}."
        raise ProblemError(message)
    return numbers


def _line(row: Row) -> str:
    numbers = f"{row.optimum:19.12g} {row.closed_form:19.12g} {row.difference:10.1e}"
    return f"{row.verdict:17} {numbers}  {row.relation:24} {row.theorem:36} {row.instance}"


def _summary(tally: Counter[Verdict]) -> str:
    return ", ".join(f"{number} {verdict}" for verdict, number in sorted(tally.items()))
