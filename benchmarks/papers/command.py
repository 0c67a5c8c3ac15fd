"""``python -m benchmarks papers``: what the papers print, beside what is computed.

Exit codes are those of `optmech`: 0 done, 2 bad input, 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

from benchmarks.papers import figures
from benchmarks.papers.errata import errata_text
from benchmarks.papers.registry import ITEMS
from optmech.base.errors import OptmechError, ProblemError
from optmech.base.visible import visible, visible_lines
from optmech.base.whole_files import check_writable, made_folder, write_together

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from benchmarks.papers.item import Item, Line, Reproduction

__all__ = ["run"]

_DONE, _BAD_INPUT, _INTERRUPTED = 0, 2, 130


def run(arguments: Sequence[str]) -> int:
    """Print each item's numbers beside the paper's, draw its figure, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks papers",
        description="Compute again what the papers print, and say how it compares.",
        epilog="example: python -m benchmarks papers croft-table-4 kadam-table-1 --figures figures",
    )
    parser.add_argument(
        "names", nargs="+", metavar="NAME", help="names of items, `all`, or `list` to see them"
    )
    parser.add_argument("--figures", metavar="FOLDER", help="draw each figure there, as PNG and SVG")
    parser.add_argument("--errata", metavar="FILE.md", help="write the misprints among these items there")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quiet", "-q", action="store_true", help="print nothing but errors")
    options = parser.parse_args(arguments)
    try:
        _run(options)
    except OptmechError as trouble:
        print(f"benchmarks: {visible(trouble)}", file=sys.stderr)
        return _BAD_INPUT
    except KeyboardInterrupt:
        print("benchmarks: interrupted; no file is half written. Run the same again.", file=sys.stderr)
        return _INTERRUPTED
    return _DONE


def _run(question: argparse.Namespace) -> None:
    def tell(text: str) -> None:
        if question.json or not question.quiet:
            print(visible_lines(text), flush=True)

    if question.names == ["list"]:
        rows = [{"name": item.name, "source": item.source, "title": item.title} for item in ITEMS]
        lines = [f"{row['name']:22}{row['title']} ({row['source']})" for row in rows]
        tell(_json({"items": rows}) if question.json else "\n".join(lines))
        return
    items = _items(question.names)
    folder = None if question.figures is None else made_folder(question.figures)
    if question.errata is not None:
        check_writable(question.errata)
    content, computed = {}, []
    written: dict[str | PathLike[str], str | bytes] = {}  # at the end, all or none
    for item in items:
        result = item.compute()
        computed.append((item, result))
        if folder is not None:
            drawn = figures.figure_files(item.name, result)
            written |= {folder / file: picture for file, picture in drawn.items()}
        if question.json:
            content[item.name] = {"source": item.source, "note": result.note, "lines": _rows(result)}
        else:
            tell(_text(item, result))
    if question.json:
        tell(_json(content))
    if question.errata is not None:
        written[question.errata] = errata_text(computed)
    write_together(written)


def _json(content: object) -> str:
    return json.dumps(content, indent=2, allow_nan=False)


def _rows(result: Reproduction) -> list[dict[str, object]]:
    """Return the lines for JSON, which has no infinities: they become text."""
    return [
        asdict(line) | ({} if math.isfinite(line.computed) else {"computed": str(line.computed)})
        for line in result.lines
    ]


def _items(names: Sequence[str]) -> Sequence[Item]:
    known = {item.name: item for item in ITEMS}
    if list(names) == ["all"]:
        return ITEMS
    for name in names:
        if name not in known:
            message = f"`name` must be one of {', '.join(known)}, all or list; got {name!r}."
            raise ProblemError(message)
    return [known[name] for name in names]


def _text(item: Item, result: Reproduction) -> str:
    tally = Counter(str(line.verdict) for line in result.lines)
    counted = ", ".join(f"{number} {verdict}" for verdict, number in tally.items())
    note = [f"  {result.note}"] if result.note else []
    rows = map(_row, result.lines)
    return "\n".join([f"{item.name}: {item.title} ({item.source})", *note, *rows, f"  {counted}", ""])


def _row(line: Line) -> str:
    weight = f"  {line.weight}:" if line.weight else ""
    note = f"  {line.note}" if line.note else ""
    return (
        f"  {line.verdict:17}{line.printed or '-':>14}{line.computed:>20.10g}  {line.quantity}{weight}{note}"
    )
