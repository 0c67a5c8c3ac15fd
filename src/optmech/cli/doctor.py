"""``optmech doctor``: what works on this machine, and what to do about what does not."""

from __future__ import annotations

import shutil
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from optmech.base.notes import Failure, TextLine
from optmech.base.wrapping import wrapped
from optmech.cli.output import has_colour, json_text, say, tell
from optmech.cli.parsers import Arguments, Command
from optmech.cli.progress import watch
from optmech.cli.screen import screen_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.analysis.doctor import Finding

_MARKS = {"GOOD": "ok", "ABSENT": "-", "BAD": Failure.FAILS}


def _run(arguments: Arguments) -> int:
    from optmech.analysis.doctor import examine, questions  # noqa: PLC0415 - only this command needs it

    findings: list[Finding] = []
    for question in watch(questions(), lambda each: f"{each.part}: {each.name}"):
        findings += examine([question])
    bad = [one for one in findings if one.state.name == "BAD"]
    if arguments.json:
        rows = [{**asdict(one), "state": one.state.name.lower()} for one in findings]
        tell(json_text({"works": not bad, "terminal": _terminal(), "findings": rows}))
        return 1 if bad else 0
    verdict: list[str] = ["all that is needed works"]
    if bad:
        remedies = (f"  {one.name}: {one.remedy or one.text}" for one in bad)
        verdict = [TextLine(f"{len(bad)} of {len(findings)} ", Failure.FAIL, "; what to do:"), *remedies]
    lines = _all_lines(findings) if arguments.explain else _counts(findings)
    say(*wrapped([*verdict, "", *lines], screen_width()))
    return 1 if bad else 0


def _counts(findings: Sequence[Finding]) -> list[str]:
    """Return a line for each part of what is examined, for each failure, and for all that is absent."""
    lines: list[str] = []
    for part in dict.fromkeys(one.part for one in findings):
        states = [one.state.name for one in findings if one.part == part]
        lines.append(f"{part:13}{states.count('GOOD')} of {len(states)} ok")
    lines += [_line(one) for one in findings if one.state.name == "BAD"]
    absent = ", ".join(one.name for one in findings if one.state.name == "ABSENT")
    lines += [f"  {_MARKS['ABSENT']:7}not installed, which only some need: {absent}"] if absent else []
    return [*lines, "", "optmech doctor --explain lists all that was found"]


def _all_lines(findings: Sequence[Finding]) -> list[str]:
    lines: list[str] = []
    for part in dict.fromkeys(one.part for one in findings):
        lines += [part, *(_line(one) for one in findings if one.part == part)]
        if part == "machine":
            lines.append(f"  {'ok':7}{'terminal':20}{_terminal()}")
    return lines


def _line(one: Finding) -> str:
    text = one.text if one.state.name == "GOOD" or not one.remedy else f"{one.text}. {one.remedy}"
    seconds = f"  ({one.seconds:.1f} s)" if one.part == "self-test" else ""
    mark = _MARKS[one.state.name]
    return TextLine("  ", mark, f"{'':{7 - len(mark)}}{one.name:20}{text}{seconds}")


def _terminal() -> str:
    """Return the kind of stdout, and its abilities."""
    kind = f"{shutil.get_terminal_size().columns} columns" if sys.stdout.isatty() else "a pipe or a file"
    colours = "colours" if has_colour(sys.stdout) else "no colours"
    return f"{kind}, {colours}, {getattr(sys.stdout, 'encoding', None) or 'no encoding'}"


COMMAND = Command(
    name="doctor",
    about="""\
Say what works on this machine: versions, solvers, extras, randomness, and a self-test of a few seconds that
designs, proves, checks and draws. Exit code 0 if all that is needed works, 1 if something does not.""",
    examples=("optmech doctor", "optmech doctor --json"),
    run=_run,
)
