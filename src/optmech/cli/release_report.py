"""``optmech report`` of a release: certificates, logs and a description become one page."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.base.number_format import at_most
from optmech.base.whole_files import write_whole
from optmech.cli.output import answer, check_out, count_text, warn
from optmech.cli.progress import waiting
from optmech.cli.questions import CERTIFICATE, question_file_of
from optmech.mechanisms.certificates.certificate_file import read_certificate
from optmech.question.problems.instances import states_question

if TYPE_CHECKING:
    import argparse

    from optmech.proofs.certificate import Certificate

_LOG = ".release.json"
_DIGITS = 6


def files_of_release(arguments: argparse.Namespace) -> list[str]:
    """Return the files of a report where they are those of a release, none where it is of one mechanism."""
    paths: list[str] = arguments.mechanism
    file = question_file_of(arguments)
    if file is not None and not states_question(file):  # then it describes a release
        arguments.formulation = CERTIFICATE
        return [file, *paths]
    has_logs = any(path.lower().endswith(_LOG) for path in paths)
    return paths if has_logs or (len(paths) > 1 and arguments.formulation == CERTIFICATE) else []


def report_release(paths: list[str], arguments: argparse.Namespace) -> int:
    """Read what a release consists of, and write its page."""
    from optmech.reports.release_report import (  # noqa: PLC0415 - only this command needs what draws pages
        facts_of_release,
        read_description,
        release_page,
    )

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
    rest = [path for path in paths if path not in descriptions and Path(path) not in logs]
    if len(descriptions) != 1 or not logs:
        message = (
            "`FILES` of a release must be one description, such as release.toml, logs, and certificates; "
            f"got {len(descriptions)} .toml and {len(logs)} {_LOG}."
        )
        raise ProblemError(message)
    description = read_description(descriptions[0])
    with waiting("proving certificates again"):
        files = [path for path in rest if not Path(path).is_dir()]
        folders = [Path(path) for path in rest if path not in files]
        certificates: dict[str, Certificate] = {Path(path).name: read_certificate(path) for path in files}
    with waiting(f"composing, and drawing {arguments.out}"):
        facts = facts_of_release(description, logs, certificates, folders)
        words = ["optmech", "report", *paths, "--out", arguments.out]
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
    return 1 if account.unknown else 0
