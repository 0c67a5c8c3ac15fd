"""``optmech doctor``: what works on this machine, and what to do about what does not."""

from __future__ import annotations

from optmech.base.notes import Failure, TextLine
from optmech.base.wrapping import wrapped
from optmech.cli.output import json_text, say, tell
from optmech.cli.parsers import Arguments, Command
from optmech.cli.progress import waiting
from optmech.cli.screen import screen_width


def _run(arguments: Arguments) -> int:
    from optmech.analysis.doctor import examine  # noqa: PLC0415 - only this command needs it

    with waiting("trying out versions, solvers and a design by each"):
        findings = list(examine())
    bad = [one for one in findings if not one.works]
    if arguments.json:
        tell(json_text({"works": not bad, "findings": [one._asdict() for one in findings]}))
        return 1 if bad else 0
    lines: list[str] = ["all that is needed works"]
    if bad:
        lines = [TextLine(f"{len(bad)} of {len(findings)} ", Failure.FAIL, "; what to do:")]
        lines += [TextLine("  ", Failure.FAILS, f"  {one.name}: {one.text}. {one.remedy}") for one in bad]
    parts = dict.fromkeys(one.part for one in findings)
    for part in parts:
        own = [one for one in findings if one.part == part and one.works]
        texts = [f"  {one.name}: {one.text}" for one in own]
        lines += (
            ["", part, *texts] if arguments.explain else [f"{part}: {', '.join(one.name for one in own)}"]
        )
    say(*wrapped(lines, screen_width()))
    return 1 if bad else 0


COMMAND = Command(
    name="doctor",
    about="""\
Say what works on this machine: versions, solvers, and a self-test of a few seconds that designs, proves,
checks and draws. Exit code 0 if all that is needed works, 1 if something does not.""",
    examples=("optmech doctor", "optmech doctor --json"),
    run=_run,
)
