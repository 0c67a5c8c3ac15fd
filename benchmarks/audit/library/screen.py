"""``python -m benchmarks audit library``: the exact loss of libraries beside the loss that they claim."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

from optmech.base.notes import Failure, TextLine
from optmech.base.number_format import at_most
from optmech.base.version import __version__
from optmech.base.visible import visible
from optmech.base.whole_files import write_whole
from optmech.base.wrapping import wrapped
from optmech.cli.output import answer, check_out, csv_text
from optmech.cli.parsers import Arguments, Command, option, out
from optmech.cli.progress import watch
from optmech.cli.screen import LINES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.audit.library.libraries import Library
    from benchmarks.audit.library.verdict import LibraryRow

_COLUMNS = {
    "keeps": "KEEPS",
    "less": "SPENDS_LESS",
    "rounding": "ROUNDS",
    "breaks": "BREAKS",
    "unknown": "UNKNOWN",
}
_CELL = 11


def _run(arguments: Arguments) -> int:
    # The closed forms load in a tenth of a second, which no other command should wait for.
    from benchmarks.audit.library.libraries import audit, libraries  # noqa: PLC0415

    check_out(arguments.out, ".csv")
    chosen = libraries(arguments.library)
    rows: list[LibraryRow] = []
    for library in watch([one for one in chosen if one.version], lambda one: one.name):
        rows += audit(library)
    if arguments.out is not None:
        write_whole(arguments.out, csv_text([asdict(row) for row in rows]))
    broken = [row for row in rows if row.verdict == "BREAKS"]
    answer(
        arguments,
        lambda: {
            "optmech": __version__,
            "libraries": [{"name": one.name, "version": one.version} for one in chosen],
            "rows": [asdict(row) for row in rows],
            "broken": len(broken),
        },
        lambda: (_all_lines if arguments.explain else _screen)(chosen, rows),
    )
    return 1 if broken else 0


def _screen(chosen: Sequence[Library], rows: Sequence[LibraryRow]) -> list[str]:
    """Return a line for each library, what breaks its promise, and the largest of the other differences."""
    last = "losses are exact, on the inputs that --explain lists; others may cost more"
    lines = wrapped([*_table(chosen, rows), ""])
    for sentence in _sentences(rows):
        parts = wrapped([sentence])
        if len(lines) + len(parts) < LINES:
            lines += parts
    return [*lines, last]


def _sentences(rows: Sequence[LibraryRow]) -> Iterator[str]:
    """Yield what is worth a line, the worst first."""
    of = {name: [row for row in rows if row.verdict == name] for name in _COLUMNS.values()}
    broken, unknown = of["BREAKS"], of["UNKNOWN"]
    if broken:
        first, others = broken[0], len(broken) - 1
        more = f"; and {others} more" if others else ""
        yield TextLine(f"{first.library} {first.mechanism} ", Failure.FAILS, f": {_numbers(first)}{more}")
    if unknown:
        first, others = unknown[0], len(unknown) - 1
        more = f"; and {others} more" if others else ""
        yield f"not examined: {first.library} {first.mechanism} ({visible(first.remark)}){more}"
    if not broken and not unknown:
        yield "no mechanism breaks its promise"
    rounded = [row for row in of["ROUNDS"] if not row.claimed_delta]
    if rounded:
        first = max(rounded, key=lambda row: row.epsilon or 0)
        yield f"furthest by rounding: {_name(first)}: {_numbers(first)}"
    less = [row for row in of["SPENDS_LESS"] if not row.claimed_delta]
    if less:
        least = min(less, key=_share)
        yield f"furthest below its claim: {_name(least)}: {_numbers(least)}"


def _name(row: LibraryRow) -> str:
    return f"{row.library} {row.mechanism}, {row.inputs}"


def _all_lines(chosen: Sequence[Library], rows: Sequence[LibraryRow]) -> list[str]:
    """Return the table, then each mechanism with its numbers, and the legend."""
    from benchmarks.audit.library.case import LawSource  # noqa: PLC0415
    from benchmarks.audit.library.verdict import NEGLIGIBLE, ROUNDING  # noqa: PLC0415

    lines = list(_table(chosen, rows))
    for library in dict.fromkeys(row.library for row in rows):
        lines += ["", library]
        for row in rows:
            if row.library == library:
                inputs = f", {row.inputs}" if row.inputs else ""
                standing = f" ({row.law.lower()})" if row.law else ""
                lines += [f"  {row.mechanism}{inputs}{standing}", f"      {_verdict(row)}: {_numbers(row)}"]
    lines += ["", *(f"{one.name.lower():12}{one}" for one in LawSource)]
    return [
        *lines,
        f"{'rounding':12}less than {float(ROUNDING):g} of the claim, or a δ below {float(NEGLIGIBLE):g}",
        f"{'inputs':12}the loss is that of the inputs that are named; others may cost more",
        f"{'not here':12}noise on real numbers: Laplace, Gaussian, staircase, snapping",
    ]


def _table(chosen: Sequence[Library], rows: Sequence[LibraryRow]) -> Iterator[str]:
    yield f"{'library':15}{'version':9}" + "".join(f"{title:>{_CELL}}" for title in _COLUMNS)
    for library in chosen:
        if library.version is None:
            yield f"{library.name:15}not installed; `pip install {library.name}` to audit it"
            continue
        counts = Counter(row.verdict for row in rows if row.library == library.name)
        numbers = "".join(f"{counts[name]:{_CELL}}" for name in _COLUMNS.values())
        yield f"{library.name:15}{visible(library.version)[:9]:9}{numbers}"
    others = [one for one in chosen if one.version not in (None, one.read_at)]
    if others:
        read = ", ".join(f"{one.name} {one.read_at}" for one in others)
        yield f"their rules were read at {read}; those of another version may differ"


def _verdict(row: LibraryRow) -> str:
    from benchmarks.audit.library.verdict import ClaimVerdict  # noqa: PLC0415

    return str(ClaimVerdict[row.verdict])


def _share(row: LibraryRow) -> float:
    """Return the share of its claim that a mechanism spends."""
    return (row.epsilon or 0.0) / (row.claimed_epsilon or math.inf)


def _numbers(row: LibraryRow) -> str:
    """Return the claim, and the exact number that it is held against."""
    if row.claimed_epsilon is None or row.delta is None:
        return visible(row.remark)
    claim = f"claims ε {row.claimed_epsilon:.7g}"
    remark = f" ({row.remark})" if row.remark and row.verdict in ("ROUNDS", "BREAKS") else ""
    if row.claimed_delta or row.epsilon is None:
        return f"{claim} with δ {row.claimed_delta:.7g}; exact δ there {at_most(row.delta, 7)}{remark}"
    if row.verdict not in ("ROUNDS", "BREAKS"):
        less = f", {row.claimed_epsilon - row.epsilon:.2g} less" if row.verdict == "SPENDS_LESS" else ""
        return f"{claim}, spends {row.epsilon:.7g}{less}"
    more = row.epsilon - row.claimed_epsilon
    spent = "infinite" if math.isinf(row.epsilon) else f"{row.epsilon:.7g}"
    if row.is_least:
        spent = f"at least {spent}"
    elif math.isfinite(more):
        spent = f"{more:.1e} more"
    return f"{claim}, spends {spent}; exact δ there {at_most(row.delta, 2)}{remark}"


COMMAND = Command(
    name="library",
    about="""\
Hold what libraries claim of their finite mechanisms against the exact loss: by their own code on every draw,
or by the closed form of their rule. Exit code 1 if one breaks its promise by more than rounding.""",
    examples=(
        "python -m benchmarks audit library opendp",
        "python -m benchmarks audit library opendp diffprivlib --explain",
    ),
    options=(
        option(
            "library",
            "NAME",
            "diffprivlib, dp-accounting or opendp; default: all that are installed",
            nargs="*",
        ),
        out("FILE.csv"),
    ),
    run=_run,
)
