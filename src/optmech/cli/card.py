"""``optmech card``: everything that who signs off a mechanism asks of it, for people or for programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.visible import visible
from optmech.base.whole_files import check_writable, write_whole
from optmech.cli.certified import certificate_at, need_question, need_same_matrix
from optmech.cli.output import say_page, warn, warn_unsaid
from optmech.cli.parsers import add_mechanism, command_parser
from optmech.cli.progress import waiting
from optmech.cli.questions import CHOICES, add_choices
from optmech.cli.show import json_text
from optmech.mechanisms.mechanism import Mechanism
from optmech.proofs.certificate_file import read_certificate
from optmech.question.problems.named import FORMULATIONS, named_problem

if TYPE_CHECKING:
    import argparse

    from optmech.reports.card import Card

__all__ = ["add_card", "card_of_files", "run_card"]

_ABOUT = """\
Write the card of a mechanism: the question in plain words, who is protected, what epsilon and delta mean, how
large errors are, what is proved, and what none of it covers. Of a matrix without a certificate say the
question, as for `optmech verify`; then nothing is proved. Exit code 1 if it does not hold what was asked."""
_EXAMPLES = (
    "optmech card mechanism.certificate.json",
    "optmech card mechanism.csv --out card.json",
    "optmech card mechanism.csv --out card.md --query count --range 0:5 --epsilon 0.5",
)
_FORMATS = {".json": "json", ".md": "markdown", ".markdown": "markdown"}


def add_card(subcommands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to the parser of the whole command line."""
    parser = command_parser(
        subcommands.add_parser, _ABOUT, _EXAMPLES, name="card", summary="write the card of a mechanism"
    )
    add_mechanism(parser)
    parser.add_argument(
        "--out", metavar="FILE", help="write it there, whole or not at all: card.json or card.md"
    )
    parser.add_argument(
        "--format", choices=("markdown", "json"), help="default: by the ending of --out, else markdown"
    )
    parser.add_argument(
        "--formulation", choices=tuple(FORMULATIONS), default="croft", help="whose question; default: croft"
    )
    add_choices(parser, list(CHOICES))


def run_card(arguments: argparse.Namespace, choices: dict[str, Any]) -> int:
    """Read a mechanism, prove it again if it can be, and write its card."""
    from optmech.reports.card import card_json, card_markdown  # noqa: PLC0415 - only this command needs it

    out, kind = arguments.out, _format(arguments)
    if out is not None:
        check_writable(out)
    with waiting(f"looking at {arguments.mechanism}"):
        card = card_of_files(arguments.mechanism, arguments.formulation, choices, out=out)
        text = card_json(card) if kind == "json" else card_markdown(card)
    if out is not None:
        write_whole(out, text)
        told = {"out": out, "format": kind, "certified": card.certified, "holds": card.privacy.holds}
        text = json_text(told) if arguments.json else f"written to {visible(out)}"
    say_page(text.rstrip("\n"))
    for caution in (card.words.allows, *card.words.cautions):
        warn_unsaid(caution, json=kind == "json" or out is not None)
    if not card.privacy.holds:
        warn(f"{arguments.mechanism} does not hold what was asked: the card says what")
    elif not card.words.is_differential_privacy:
        warn(f"{arguments.mechanism} is not differential privacy at its epsilon and delta: the card says why")
    return 0 if card.privacy.holds else 1


def card_of_files(path: str, formulation: str, choices: dict[str, Any], *, out: str | None = None) -> Card:
    """Return the card of a certificate, of a matrix with one beside it, or of a matrix with a typed question.

    Raises
    ------
    ProblemError
        If a question is typed that a certificate says itself, or `out` is what is read.
    FileFormatError, VerificationError
        If a file cannot be read, or something in it does not hold.
    """
    from optmech.reports.card import card_of  # noqa: PLC0415 - only this command needs it

    certified = certificate_at(path, choices)
    for read in (path, certified):
        if read is not None and out is not None and Path(read).resolve() == Path(out).resolve():
            message = f"`--out` must be another file than {read}, which is read."
            raise ProblemError(message)
    if certified is None:
        need_question(path, formulation, choices)
        return card_of(Mechanism.from_csv(path), named_problem(formulation, choices))
    if choices:
        message = f"`{next(iter(choices))}` must be left out: the certificate says what was asked."
        raise ProblemError(message)
    certificate = read_certificate(certified)
    if certified != path:
        need_same_matrix(path, certificate)
    return card_of(certificate)


def _format(arguments: argparse.Namespace) -> str:
    """Return how the card is written: by what is typed, else by the ending of the file."""
    out, typed = arguments.out, arguments.format
    ending = None if out is None else _FORMATS.get(Path(out).suffix.lower())
    if out is None:
        if arguments.json and typed == "markdown":
            message = "`--format` must be json with `--json`; got markdown. Give `--out` to write Markdown."
            raise ProblemError(message)
        return "json" if arguments.json else typed or "markdown"
    if ending is None and typed is None:
        message = f"`--out` must end in .json or .md, or `--format` be given; got {out}."
        raise ProblemError(message)
    if None not in (ending, typed) and ending != typed:
        message = f"`--out` must end as its format does; got {out} for {typed}."
        raise ProblemError(message)
    return str(typed or ending)
