"""The commands that a publication consists of: those that anybody could type."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from optmech.cli.publish.answers import DROP, STOP, Counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optmech.cli.publish.answers import Answers

GROUPS, COUNTS, BOUND = "groups.csv", "counts.csv", "counts.csv.json"
CERTIFICATE, RELEASED, LOG, PAGE = "table.json", "released.csv", "released.release.json", "report.html"
SCRIPT, SETTINGS = "publish.sh", "publish.toml"
_ABOUT = """\
#!/bin/sh
# The commands by which this folder was made. Here they refuse to draw again, which spends the budget again.
set -eu
cd "$(dirname "$0")"
"""


class Plan(NamedTuple):
    """The words of each command, behind ``optmech``, in their order; none where there is no such step."""

    tabulate: list[str]
    design: list[str]
    apply: list[str]
    report: list[str]


def plan_of(answers: Answers, table: str) -> Plan:
    """Return the commands in the folder of a release, from where the records are at `table`."""
    return Plan(
        _tabulate(answers, table),
        [*_design(answers), "--out", CERTIFICATE],
        [
            "apply",
            CERTIFICATE,
            COUNTS,
            *_released(answers),
            *_typed(("--data", answers.data)),
            "--out",
            RELEASED,
        ],
        [] if answers.counted == Counted.MEAN else ["report", LOG, "--out", PAGE],  # a mean has no page yet
    )


def script_of(plan: Plan) -> str:
    """Return the commands as a script of a shell.

    >>> from optmech.cli.publish.answers import Answers
    >>> asked = Answers(table="v.csv", groups={"ward": ("A", "B")}, zcdp="0.1", data="v")
    >>> print(script_of(plan_of(asked, "../v.csv")).splitlines()[4][:45])
    optmech tabulate ../v.csv --each-row-a-person
    """
    lines = [_line(plan.tabulate), _line(plan.design), _line(plan.apply)]
    remove = f"rm {COUNTS} {BOUND} # true counts"
    return "\n".join([_ABOUT.rstrip(), *lines, remove, *([_line(plan.report)] if plan.report else [])]) + "\n"


def _line(words: Iterable[str]) -> str:
    return shlex.join(["optmech", *words])


def _typed(*pairs: tuple[str, object]) -> list[str]:
    """Return options with their values; a value that begins as an option is joined to its flag."""
    words = []
    for flag, value in pairs:
        text = str(value)
        words += [f"{flag}={text}"] if text.startswith("-") else [flag, text]
    return words


def _tabulate(answers: Answers, table: str) -> list[str]:
    is_named = answers.empty not in (STOP, DROP)
    return [
        "tabulate",
        table,
        *(_typed(*(("--person", name) for name in answers.person)) or ["--each-row-a-person"]),
        *_typed(*(("--group", name) for name in answers.columns)),
        *_typed(*(("--bins", f"{name}={edges}") for name, edges in answers.bins.items())),
        *(["--groups", GROUPS] if answers.groups else []),
        *(["--groups-from-data"] if answers.from_data else []),
        *(["--people"] if answers.counted == Counted.PEOPLE else []),
        *(_typed((f"--{answers.counted}", answers.of), ("--between", answers.between)) if answers.of else []),
        *([] if answers.at_most is None else _typed(("--at-most", answers.at_most))),
        *(["--drop-others"] if answers.others == DROP else []),
        *(["--drop-empty"] if answers.empty == DROP else []),
        *(_typed(("--empty-as", answers.empty)) if is_named else []),
        "--out",
        COUNTS,
    ]


def _design(answers: Answers) -> list[str]:
    budget = [(f"--{name}", getattr(answers, name)) for name in ("zcdp", "epsilon", "delta")]
    typed = _typed(*((flag, text) for flag, text in budget if text))
    if answers.counted == Counted.MEAN:
        return ["design", "mean", "--people", "private", "--for", BOUND, *typed]
    if answers.is_joint:
        totals = _typed(("--totals", answers.totals)) if answers.totals else []
        return ["design", "table", "--for", BOUND, *typed, *totals]
    per_group = 1 if answers.counted == Counted.PEOPLE else answers.at_most or 1
    largest = (answers.most_people or 1) * per_group
    property_ = ["--property", "zero-stays-zero"]
    return ["design", "count", "--range", f"0:{largest}", *typed, *property_, "--for", BOUND]


def _released(answers: Answers) -> list[str]:
    if answers.counted == Counted.MEAN:
        return []
    return (
        ["--wide" if answers.wide else "--errors"]
        if answers.is_joint
        else ["--column", "count", "--clamp", "--drop-zero"]
    )
