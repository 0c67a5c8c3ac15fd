"""``optmech report`` of a release: certificates, logs and a description become one page."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.base.number_format import at_most
from optmech.base.whole_files import write_whole
from optmech.cli.certificate_files import table_at
from optmech.cli.output import answer, check_out, count_text, warn
from optmech.cli.progress import waiting
from optmech.cli.questions import CERTIFICATE, question_file_of
from optmech.mechanisms.certificates.certificate_file import read_certificate
from optmech.question.problems.instances import states_question

if TYPE_CHECKING:
    import argparse

    from optmech.reports.release_report import Description, ReleaseFacts

_LOG = ".release.json"
_DIGITS, _FEW = 6, 3
_TABLES = (".csv", ".csv.gz", ".parquet", ".pq")


def files_of_release(arguments: argparse.Namespace) -> list[str] | None:
    """Return the files of a report where they are those of a release, ``None`` where it is of a mechanism."""
    paths: list[str] = arguments.mechanism
    file = question_file_of(arguments)
    if file is not None and not states_question(file):  # then it describes a release
        arguments.formulation = CERTIFICATE
        return [file, *paths]
    has_logs = arguments.ledger is not None or any(path.lower().endswith(_LOG) for path in paths)
    return paths if has_logs or (len(paths) > 1 and arguments.formulation == CERTIFICATE) else None


def report_release(paths: list[str], arguments: argparse.Namespace) -> int:
    """Read what a release consists of, and write its page."""
    from optmech.reports.release_report import facts_of_release, release_page  # noqa: PLC0415 - draws pages

    typed = {
        "a question": arguments.formulation != CERTIFICATE,
        "`--instance`": getattr(arguments, "instance", None) is not None,
        "`--for`": arguments.bound is not None,
    }
    for name, is_typed in typed.items():
        if is_typed:
            message = f"{name} must be left out of the report of a release: its logs say it."
            raise ProblemError(message)
    check_out(arguments.out, ".html", ".htm", reads=paths)
    descriptions = [path for path in paths if path.lower().endswith(".toml")]
    logs = [Path(path) for path in paths if path.lower().endswith(_LOG)]
    rest = [Path(path) for path in paths if path not in descriptions and Path(path) not in logs]
    if len(descriptions) > 1 or not (logs or arguments.ledger):
        message = (
            "`FILES` of a release must be logs, or `--ledger` a folder of them, and at most one description, "
            f"such as release.toml; got {len(descriptions)} .toml and {len(logs)} {_LOG}."
        )
        raise ProblemError(message)
    description, logs = _described(descriptions, logs, arguments)
    tables = [path for path in rest if path.name.lower().endswith(_TABLES)]
    folders = [path for path in rest if path.is_dir()]
    files = [path for path in rest if path not in tables and path not in folders]
    with waiting("proving certificates again"):
        of_tables = [path for path in files if table_at(str(path)) is not None]
        certificates = {path.name: read_certificate(path) for path in files if path not in of_tables}
    with waiting(f"composing, and drawing {arguments.out}"):
        if arguments.ledger is not None:
            folders += [Path(arguments.ledger), Path(arguments.ledger).absolute().parent]
        facts = facts_of_release(description, logs, certificates, [*folders, Path(), *of_tables], tables)
        _need_a_file(facts)
        further = [word for name in ("ledger", "data", "title") for word in _words(name, arguments)]
        words = ["optmech", "report", *paths, *further, "--out", arguments.out]
        text = release_page(facts, words=words)
    write_whole(arguments.out, text)
    account = facts.account
    epsilon = f"epsilon = {at_most(account.epsilon, _DIGITS)}"
    delta = f" at delta = {at_most(account.delta, _DIGITS)}" if account.delta else ""
    releases = count_text(account.draws, "release")
    answer(
        arguments,
        lambda: {
            "out": arguments.out,
            "data": description.data,
            "releases": len(account.draws),
            "unit": account.unit,
            "epsilon": account.epsilon,
            "delta": float(account.delta),
            "provenance": account.provenance,
            "cautions": list(facts.cautions),
        },
        lambda: [f"{releases} of {description.data}: {epsilon}{delta} of {account.unit}"],
        arguments.out,
        follow=[f"open {shlex.quote(arguments.out)} in a browser; it prints on A4"],
    )
    for caution in facts.cautions:
        warn(caution)
    for one in facts.files:
        if one.published is None:
            warn(f"the page does not show {one.log['output']['file']}, which is not beside {one.path}")
        if one.unproved:
            names = ", ".join(one.unproved[:_FEW])
            warn(f"nothing is proved of {one.path}: name its certificate, {names}, which is not beside it")
    return 1 if account.unknown else 0


def _words(name: str, arguments: argparse.Namespace) -> list[str]:
    """Return an option as it was typed."""
    value: str | None = getattr(arguments, name)
    return [] if value is None else [f"--{name}", value]


def _described(
    paths: list[str], logs: list[Path], arguments: argparse.Namespace
) -> tuple[Description, list[Path]]:
    """Return the description of a release and all of its logs; without a file it has the name of the data."""
    from optmech.reports.release_report import (  # noqa: PLC0415 - only this command needs what draws pages
        Description,
        data_of_logs,
        logs_in_ledger,
        read_description,
    )

    told = read_description(paths[0]) if paths else None
    data = arguments.data or (told.data if told else "")
    names = [data, *(told.tables if told else ())] if data else []
    if arguments.ledger is not None:
        logs = [*logs, *logs_in_ledger(Path(arguments.ledger), names)]
    data = data or data_of_logs(logs)
    given = {"title": arguments.title, "date": arguments.date}
    described = replace(told, data=data) if told else Description(title=data, data=data)
    return replace(described, **{name: value for name, value in given.items() if value}), logs


def _need_a_file(facts: ReleaseFacts) -> None:
    """Raise ProblemError where no released file of any log is at hand: the page would show no number."""
    if any(one.published is not None for one in facts.files):
        return
    first = facts.files[0]
    message = (
        f"`FILES` must have a released file of these logs; {first.log['output']['file']}, which {first.path} "
        "names, is neither beside it nor here. Name the file, or the folder that it is in."
    )
    raise ProblemError(message)
