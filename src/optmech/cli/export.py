"""``optmech export``: a certified mechanism for programs in other languages, and for tables."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.visible import visible
from optmech.base.whole_files import check_writable, write_together
from optmech.cli.certified import certificate_at, certificate_beside, need_same_matrix
from optmech.cli.implicit import implicit_of
from optmech.cli.output import say_next, tell, warn
from optmech.cli.parsers import add_mechanism, command_parser
from optmech.cli.progress import waiting
from optmech.cli.show import json_text
from optmech.proofs.certificate_file import read_certificate
from optmech.question.caution import CAUTION
from optmech.question.protection import gaps_of

if TYPE_CHECKING:
    import argparse

    from optmech.proofs.certificate import Certificate

__all__ = ["add_export", "run_export"]

_ABOUT = """\
Write a certified mechanism for other programs, in whole numbers: a C header or a Rust module that draws from
it without floating point, or its matrix as Parquet or npz. What is not certified is refused."""
_EXAMPLES = (
    "optmech export mechanism.certificate.json --to c --name visits --out visits.h",
    "optmech export mechanism.csv --to parquet --out mechanism.parquet",
)
_TEXTS, _TABLES = ("c", "rust"), ("parquet", "npz")
_ENDINGS = {"c": (".h", ".c", ".hpp"), "rust": (".rs",), "npz": (".npz",), "parquet": (".parquet", ".pq")}


def add_export(subcommands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to the parser of the whole command line."""
    parser = command_parser(
        subcommands.add_parser,
        _ABOUT,
        _EXAMPLES,
        name="export",
        summary="write a mechanism as C, Rust or a table",
    )
    add_mechanism(parser)
    parser.add_argument("--to", required=True, choices=(*_TEXTS, *_TABLES), help="what to write")
    parser.add_argument(
        "--out", metavar="FILE", help="write there, whole or not at all; C and Rust are printed without it"
    )
    parser.add_argument(
        "--name", metavar="NAME", help="what names in a C header begin with; default: mechanism"
    )


def run_export(arguments: argparse.Namespace) -> int:
    """Read a certificate, prove it again, and write it in another form."""
    from optmech.release.plugs.promise import flaw_of, promise_of  # noqa: PLC0415 - only this command needs it

    _check(arguments)
    with waiting(f"proving {arguments.mechanism} again"):
        certificate = _certificate(arguments)
        content = _content(certificate, arguments.to, arguments.name)
    query = certificate.problem.query
    trouble = flaw_of(certificate)
    told: dict[str, Any] = {
        "caution": certificate.caution,
        "problem": str(certificate.problem),
        "to": arguments.to,
        "out": arguments.out,
        "sha256": certificate.matrix.sha256(),
        "responses": query.num_responses,
        "truths": query.num_truths,
        "differential_privacy": trouble is None,
    }
    if trouble is None:
        told["epsilon"], told["delta"] = promise_of(certificate, "`export`").one_person
    if arguments.out is not None:
        write_together({arguments.out: content})
    elif arguments.json:
        told["text"] = content
    else:
        tell(str(content), end="")
    if arguments.json:
        tell(json_text(told))
    elif arguments.out is not None:
        size = f"{query.num_responses} responses by {query.num_truths} truths"
        tell(f"{size} written to {visible(arguments.out)}")
        say_next(_next(arguments))
    if certificate.caution is not None:
        warn(certificate.caution.removeprefix(CAUTION))
    if trouble is not None:
        warn(f"{arguments.mechanism} is not differential privacy: {trouble}")
    for gap in gaps_of(certificate.problem.query):
        warn(gap)
    return 0


def _check(arguments: argparse.Namespace) -> None:
    """Refuse what cannot be written before anything is read."""
    if arguments.out is None and arguments.to in _TABLES:
        message = f"`--out` must be given with `--to {arguments.to}`, which is no text to print."
        raise ProblemError(message)
    if arguments.name is not None and arguments.to != "c":
        message = f"`--name` must be left out with `--to {arguments.to}`: only a C header has names to begin."
        raise ProblemError(message)
    if arguments.out is not None:
        for read in (arguments.mechanism, certificate_beside(arguments.mechanism)):
            if Path(read).resolve() == Path(arguments.out).resolve():
                message = f"`--out` must be another file than {read}, which is read."
                raise ProblemError(message)
        check_writable(arguments.out, *(_ENDINGS[arguments.to] if Path(arguments.out).suffix else ()))


def _certificate(arguments: argparse.Namespace) -> Certificate:
    path = certificate_at(arguments.mechanism, {})
    if path is None:
        message = (
            f"`{arguments.mechanism}` must have its certificate beside it, "
            f"{certificate_beside(arguments.mechanism)}; there is none. What is not proved is not exported: "
            "design it again with `--out`, or name the certificate."
        )
        raise ProblemError(message)
    if implicit_of(path) is not None:
        message = (
            f"`{path}` must hold a matrix to export; it is a law without one. "
            "Draw from it by `optmech apply`, or design a smaller range."
        )
        raise ProblemError(message)
    certificate = read_certificate(path)
    if path != arguments.mechanism:
        need_same_matrix(arguments.mechanism, certificate)
    return certificate


def _content(certificate: Certificate, to: str, name: str | None) -> str | bytes:
    from optmech.release import plugs  # noqa: PLC0415 - as above
    from optmech.release.plugs.matrix_files import npz_bytes, parquet_bytes  # noqa: PLC0415

    if to == "c":
        return plugs.to_c(certificate, name="mechanism" if name is None else name)
    if to == "rust":
        return plugs.to_rust(certificate)
    return parquet_bytes(certificate) if to == "parquet" else npz_bytes(certificate)


def _next(arguments: argparse.Namespace) -> list[str]:
    """Return the command that reads the file again, where there is one."""
    if arguments.to in _TEXTS:
        return []
    code = f"import optmech as om; print(om.read_{arguments.to}({arguments.out!r}))"
    return [f"python -c {shlex.quote(code)}"]
