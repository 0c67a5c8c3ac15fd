"""``optmech export``: a certified mechanism for programs in other languages, and for tables."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.visible import visible
from optmech.base.whole_files import write_together
from optmech.cli.certificate_files import certificate_beside, proved_at
from optmech.cli.output import answer, check_out, tell, warn
from optmech.cli.parsers import MECHANISM, Arguments, Command, option, out
from optmech.cli.progress import waiting
from optmech.question.protection import gaps_of

if TYPE_CHECKING:
    from optmech.proofs.certificate import Certificate

_TEXTS, _TABLES, _P_TABLES = ("c", "rust"), ("parquet",), ("ons", "ptable", "tau-argus", "sas")
_ENDINGS = {
    "c": (".h", ".c", ".hpp"),
    "rust": (".rs",),
    "parquet": (".parquet", ".pq"),
    **dict.fromkeys(_P_TABLES, (".csv", ".txt")),
}


def _run(arguments: Arguments) -> int:
    from optmech.release.plugs.promise import digest_of, flaw_of, promise_of  # noqa: PLC0415 - for this command alone

    _check(arguments)
    with waiting(f"proving {arguments.mechanism} again"):
        certificate = _certificate(arguments.mechanism)
        content = _content(certificate, arguments.format, arguments.name)
    query = certificate.problem.query
    flaw = flaw_of(certificate)
    summary: dict[str, Any] = {
        "caution": certificate.caution,
        "problem": str(certificate.problem),
        "question": certificate.problem.to_dict(),
        "format": arguments.format,
        "out": arguments.out,
        "sha256": digest_of(certificate),
        "responses": query.num_responses,
        "truths": query.num_truths,
        "differential_privacy": flaw is None,
    }
    if flaw is None:
        summary["epsilon"], summary["delta"] = promise_of(certificate, "`export`").one_person
    if arguments.out is not None:
        write_together({arguments.out: content})
    elif arguments.json:
        summary["text"] = content
    size = f"{query.num_responses} responses by {query.num_truths} truths"
    if arguments.json or arguments.out is not None:
        where = f"{size} written to {visible(arguments.out)}"
        answer(arguments, lambda: summary, lambda: [where], follow=_next(arguments))
    else:
        tell(str(content), end="")
    if certificate.caution is not None:
        warn(certificate.caution.text)
    if flaw is not None:
        warn(f"{arguments.mechanism} is not differential privacy: {flaw}")
    for gap in gaps_of(certificate.problem.query):
        warn(gap)
    return 0


def _check(arguments: Arguments) -> None:
    """Refuse what cannot be written before anything is read."""
    if arguments.out is None and arguments.format in _TABLES:
        message = f"`--out` must be given with `--format {arguments.format}`, which is no text to print."
        raise ProblemError(message)
    if arguments.name is not None and arguments.format != "c":
        message = (
            f"`--name` must be left out with `--format {arguments.format}`: only a C header has names to "
            "begin."
        )
        raise ProblemError(message)
    if arguments.out is not None:
        endings = _ENDINGS[arguments.format] if Path(arguments.out).suffix else ()
        check_out(
            arguments.out, *endings, reads=(arguments.mechanism, certificate_beside(arguments.mechanism))
        )


def _certificate(path: str) -> Certificate:
    certificate = proved_at(path)
    if certificate is None:
        message = (
            f"`{path}` must have its certificate beside it, {certificate_beside(path)}; there is none. "
            "Only proved mechanisms are exported: design it again with `--out`, or name the certificate."
        )
        raise ProblemError(message)
    return certificate[0]


def _content(certificate: Certificate, kind: str, name: str | None) -> str | bytes:
    from optmech.release import plugs  # noqa: PLC0415 - as above
    from optmech.release.plugs.matrix_files import parquet_bytes  # noqa: PLC0415

    if kind in _P_TABLES:
        from optmech.release.plugs.p_table_files import p_table_text  # noqa: PLC0415 - as above

        return p_table_text(certificate, kind)
    if kind == "c":
        return plugs.to_c(certificate, name="mechanism" if name is None else name)
    if kind == "rust":
        return plugs.to_rust(certificate)
    return parquet_bytes(certificate)


def _next(arguments: Arguments) -> list[str]:
    """Return the command that reads the file again, where there is one."""
    if arguments.format in _TEXTS:
        return []
    if arguments.format in _P_TABLES:
        return [shlex.join(["optmech", "verify", arguments.out, "--p-table"])]
    code = f"import optmech.release as r; print(r.read_{arguments.format}({json.dumps(arguments.out)}))"
    return [f"python -c {shlex.quote(code)}"]


COMMAND = Command(
    name="export",
    about="""\
Write a certified mechanism for other programs, in whole numbers: a C header or a Rust module that draws from
it without floating point, its matrix as Parquet, or a perturbation table for ONS's program, tau-ARGUS
or SAS, or as the R package ptable writes it. Only a certified mechanism is written.""",
    examples=(
        "optmech export mechanism.certificate.json --format c --name visits --out visits.h",
        "optmech export mechanism.csv --format parquet --out mechanism.parquet",
    ),
    options=(
        MECHANISM,
        option("--format", None, "what to write", required=True, choices=(*_TEXTS, *_TABLES, *_P_TABLES)),
        out("FILE", "write there, whole or not at all; text is printed without it"),
        option("--name", "NAME", "what names in a C header begin with; default: mechanism"),
    ),
    run=_run,
)
