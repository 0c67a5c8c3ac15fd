"""``optmech reproduce``: what the papers print, beside what is computed."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.base.whole_files import check_writable, made_folder, write_together
from optmech.cli.output import tell
from optmech.cli.progress import watched
from optmech.cli.show import json_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from os import PathLike

    from optmech.reproduce.item import Item, Line, Reproduction

__all__ = ["EXAMPLES", "add_reproduce_options", "run_reproduce"]

EXAMPLES = ("optmech reproduce list", "optmech reproduce croft-table-4 kadam-table-1")


def add_reproduce_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "names", nargs="+", metavar="NAME", help="names of items, `all`, or `list` to see them"
    )
    parser.add_argument("--figures", metavar="FOLDER", help="draw each figure there, as PNG and SVG")
    parser.add_argument("--errata", metavar="FILE.md", help="write the misprints among these items there")


def run_reproduce(arguments: argparse.Namespace) -> int:
    """Print each item's numbers beside the paper's, and draw its figure."""
    # Baselines, theorems and SciPy load in half a second, which no other command should wait for.
    from optmech.reproduce.errata import errata_text  # noqa: PLC0415
    from optmech.reproduce.figures import figure_files  # noqa: PLC0415
    from optmech.reproduce.registry import ITEMS  # noqa: PLC0415

    if arguments.names == ["list"]:
        tell(_listed(ITEMS, as_json=arguments.json))
        return 0
    wanted = _wanted(arguments.names, ITEMS)
    folder = None if arguments.figures is None else made_folder(arguments.figures)
    if arguments.errata is not None:
        check_writable(arguments.errata)
    content, computed = {}, []
    written: dict[str | PathLike[str], str | bytes] = {}  # at the end, all or none
    for item in watched(wanted, lambda item: item.name):
        found = item.compute()
        computed.append((item, found))
        if folder is not None:
            written |= {folder / file: picture for file, picture in figure_files(item.name, found).items()}
        if arguments.json:
            lines = [asdict(line) for line in found.lines]
            content[item.name] = {"source": item.source, "note": found.note, "lines": lines}
        else:
            tell(_text(item, found))
    if arguments.json:
        tell(json_text(content))
    if arguments.errata is not None:
        written[arguments.errata] = errata_text(computed)
    write_together(written)
    return 0


def _listed(items: Sequence[Item], *, as_json: bool) -> str:
    if as_json:
        return json_text({"items": [{"name": i.name, "source": i.source, "title": i.title} for i in items]})
    return "\n".join(f"{item.name:22}{item.title} ({item.source})" for item in items)


def _wanted(names: Sequence[str], items: Sequence[Item]) -> list[Item]:
    known = {item.name: item for item in items}
    if list(names) == ["all"]:
        return list(items)
    for name in names:
        if name not in known:
            message = f"`name` must be one of {', '.join(known)}, all or list; got {name!r}."
            raise ProblemError(message)
    return [known[name] for name in names]


def _text(item: Item, found: Reproduction) -> str:
    tally = Counter(str(line.verdict) for line in found.lines)
    counted = ", ".join(f"{number} {verdict}" for verdict, number in tally.items())
    rows = [_row(line) for line in found.lines]
    note = [f"  {found.note}"] if found.note else []
    return "\n".join([f"{item.name}: {item.title} ({item.source})", *note, *rows, f"  {counted}", ""])


def _row(line: Line) -> str:
    weight = f"  {line.weight}:" if line.weight else ""
    note = f"  {line.note}" if line.note else ""
    return (
        f"  {line.verdict:17}{line.printed or '-':>14}{line.computed:>20.10g}  {line.quantity}{weight}{note}"
    )
