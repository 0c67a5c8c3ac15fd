"""``optmech card``: everything that who signs off a mechanism asks of it, for people or for programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.base.notes import Note, NoteKind
from optmech.base.visible import visible
from optmech.base.whole_files import check_writable, write_whole
from optmech.base.wrapping import wrapped
from optmech.cli.certificate_files import certificate_at, mechanism_at, table_at
from optmech.cli.output import check_apart, json_text, say, say_page, warn, warn_unsaid
from optmech.cli.parsers import MECHANISM, OF_A_MATRIX, Arguments, option, out
from optmech.cli.person import FOR_TABLE, bound_at
from optmech.cli.progress import waiting
from optmech.cli.question_parsers import QUESTIONS, QuestionCommand
from optmech.cli.questions import CERTIFICATE, question_beside, question_file_of
from optmech.cli.screen import LINES, first_lines, screen_width
from optmech.cli.table_view import table_lines
from optmech.reports.table_facts import table_json

if TYPE_CHECKING:
    from optmech.mechanisms.tables.table_certificate import TableCertificate
    from optmech.reports.card import Card

_WHOLE = "the whole card: --explain, or --out card.md"
_PER_CENT = 95
# Digits of a number, and characters of one that is shown exactly.
_DIGITS = 12, 24
_FORMATS = {".json": "json", ".md": "markdown", ".markdown": "markdown"}


def _run(arguments: Arguments) -> int:
    from optmech.reports.card import card_json, card_markdown, card_of  # noqa: PLC0415 - only this command needs it

    path, target, kind = arguments.mechanism, arguments.out, _format(arguments)
    question = question_beside(arguments)
    if target is not None:
        check_writable(target)
        check_apart(target, path, certificate_at(path, question), question_file_of(arguments))
    table = table_at(path)
    if table is not None:
        return _card_of_table(table, kind, arguments)
    with waiting(f"looking at {path}"):
        source, problem, _ = mechanism_at(path, question)
        card = card_of(source, problem, bound=bound_at(arguments.bound))
        text = card_json(card) if kind == "json" else card_markdown(card)
    if target is not None:
        write_whole(target, text)
        summary = {"out": target, "format": kind, "certified": card.certified, "holds": card.privacy.holds}
        text = json_text(summary) if arguments.json else f"written to {visible(target)}"
    if target is None and not (arguments.explain or arguments.json or arguments.format):
        width = screen_width()
        say(*first_lines(wrapped(_screen(card, text), width), LINES - 1), _WHOLE)
    else:
        say_page(text.rstrip("\n"), *filter(None, [card.words.allows]))
    for caution in (card.words.allows, *card.words.cautions):
        warn_unsaid(caution, json=kind == "json" or target is not None)
    if not card.privacy.holds:
        warn(f"{path} violates a requirement: the card says which")
    elif not card.words.is_differential_privacy:
        warn(f"{path} is not differential privacy at its epsilon and delta: the card says why")
    return 0 if card.privacy.holds else 1


def _card_of_table(certificate: TableCertificate, kind: str, arguments: Arguments) -> int:
    """Print or write the card of a whole table, which says itself whom it protects."""
    from optmech.reports.card.table_card import table_card  # noqa: PLC0415 - as above
    from optmech.reports.markup import escape_markdown  # noqa: PLC0415 - as above

    if arguments.bound is not None:
        message = "`--for` must be left out: the certificate of a table says what one person changes."
        raise ProblemError(message)
    target = arguments.out
    if kind == "json":
        text = json_text(table_json(certificate))
    elif certificate.problem.records is None:
        text = table_card(certificate)
    else:
        lines = (f"- {escape_markdown(line)}" for line in table_lines(certificate))
        text = "\n".join([f"# Mechanism card: {escape_markdown(certificate.problem.title)}", "", *lines])
    if target is not None:
        write_whole(target, text.rstrip("\n") + "\n")
        text = (
            json_text({"out": target, "format": kind}) if arguments.json else f"written to {visible(target)}"
        )
    if target is None and not (arguments.explain or arguments.json or arguments.format):
        say(*first_lines(wrapped(table_lines(certificate), screen_width()), LINES - 1), _WHOLE)
    else:
        say_page(text.rstrip("\n"))
    return 0


def _screen(card: Card, page: str) -> list[str]:
    """Return the title and the verdict of a page, then whom the mechanism protects and how good it is."""
    words, errors, proof = card.words, card.errors, card.proof.per_truth
    title, verdict, *_ = page.split("\n\n")
    allows = [Note(NoteKind.PRIVACY, words.allows)] if words.allows else []
    facts = {"protected": words.protected, "guarantee": words.guarantee}
    if errors.mean is not None:
        facts["mean error"] = (
            f"{errors.mean.at_most(*_DIGITS)}   {errors.mean.provenance}: over all true answers alike"
        )
    within = {f"{one.percent} % of draws": one.error for one in errors.quantiles if one.percent == _PER_CENT}
    facts |= {
        name: f"within {error.at_most(*_DIGITS)}   {error.provenance}" for name, error in within.items()
    }
    facts["objective"] = (
        f"{proof.objective.at_most(*_DIGITS)}   {proof.objective.provenance}: {proof.minimised}"
    )
    if proof.bound is not None:
        facts["lower bound"] = f"{proof.bound.at_least(*_DIGITS)}   {proof.bound.provenance}"
    facts["limits"] = f"{len(card.caveats)} sentences on what none of it covers"
    plain = verdict.removeprefix(f"**{words.allows}** ").replace("**", "")
    return [
        *allows,
        title.removeprefix("# "),
        plain,
        "",
        *(f"{name:19}{text}" for name, text in facts.items()),
    ]


def _format(arguments: Arguments) -> str:
    """Return the format of the card: the typed one, else that of the file's suffix."""
    out, choice = arguments.out, arguments.format
    ending = None if out is None else _FORMATS.get(Path(out).suffix.lower())
    if out is None:
        if arguments.json and choice == "markdown":
            message = "`--format` must be json with `--json`; got markdown. Give `--out` to write Markdown."
            raise ProblemError(message)
        return "json" if arguments.json else choice or "markdown"
    if ending is None and choice is None:
        message = f"`--out` must end in .json or .md, or `--format` be given; got {out}."
        raise ProblemError(message)
    if None not in (ending, choice) and ending != choice:
        message = f"`--out` must end as its format does; got {out} for {choice}."
        raise ProblemError(message)
    return str(choice or ending)


COMMAND = QuestionCommand(
    name="card",
    about="""\
Write the card of a mechanism: the question in plain words, who is protected, what epsilon and delta mean, how
large errors are, what is proved, and what none of it covers. With a matrix without a certificate give
the question, too; then nothing is proved. Exit code 1 if it violates a requirement.""",
    examples=(
        "optmech card mechanism.certificate.json",
        "optmech card mechanism.csv --out card.json",
        "optmech card question.toml mechanism.csv --out card.md",
    ),
    formulations=QUESTIONS,
    usual=CERTIFICATE,
    question_of=OF_A_MATRIX,
    further={**dict.fromkeys(QUESTIONS, " mechanism.csv"), "file": "question.toml mechanism.csv"},
    options=(
        MECHANISM,
        FOR_TABLE,
        out("FILE", "write it there, whole or not at all: card.json or card.md"),
        option(
            "--format", None, "default: by the ending of --out, else markdown", choices=("markdown", "json")
        ),
    ),
    run=_run,
)
