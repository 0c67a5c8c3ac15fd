"""``optmech apply``: the true answers in a column of a file replaced by draws."""

from __future__ import annotations

import shlex
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.notes import NoteKind
from optmech.base.visible import visible
from optmech.base.wording import join_words
from optmech.cli.apply_joint import apply_table, is_of_table
from optmech.cli.apply_quantiles import RECORDS, apply_quantiles, is_of_quantiles
from optmech.cli.groups import SIZES, design_missing, mechanisms_of
from optmech.cli.ledger import SPENDING, next_draws, releasing, warn_of_seed
from optmech.cli.output import answer, check_out, count_text, notice_left_overs, warn, warn_unsaid
from optmech.cli.parsers import Arguments, either, given_to, option, out, switch
from optmech.cli.progress import counting, waiting
from optmech.cli.question_parsers import QuestionCommand
from optmech.cli.questions import CERTIFICATE
from optmech.cli.record_options import IDS
from optmech.cli.table_files import DIALECT, file_of, say_dialect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from optmech.base.notes import Note
    from optmech.release.tables.table import ReleasedTable

_PERCENT = 100
_DIGITS = 6
_MOST_LINES = 3
_OTHER_TABLE = (
    "a cell of another table by the same keys may differ by one person, whom the difference of both reveals"
)


def _run(arguments: Arguments) -> int:
    from optmech.release.tables.table import release_table  # noqa: PLC0415 - Arrow takes a moment to load

    check_out(arguments.out)
    told = _tell_before(arguments)
    notice_left_overs(arguments.out)
    if is_of_quantiles(arguments):
        return apply_quantiles(arguments)
    if is_of_table(arguments):
        return apply_table(arguments)
    designed = design_missing(arguments)
    with waiting("proving the certificates again" if arguments.group else "proving the certificate again"):
        mechanism = mechanisms_of(arguments)
    with _progress(f"releasing {arguments.column}") as progress, releasing(arguments) as asked:
        asked |= {"mechanism": mechanism, "table": file_of(arguments), "by": arguments.group}
        released = release_table(**given_to(release_table, arguments, **asked, progress=progress))
    _tell(released, arguments, designed, told)
    say_dialect(arguments)
    warn_of_seed(arguments)
    return 0


def _tell_before(arguments: Arguments) -> list[Note]:
    """Warn, before anything is drawn, of columns that give the drawn one away, and return the warnings."""
    from optmech.base.errors import OptmechError  # noqa: PLC0415
    from optmech.release.tables.totals_beside_parts import columns_that_tell  # noqa: PLC0415 - as above
    from optmech.release.tabulate.count_table import bound_beside  # noqa: PLC0415

    try:
        has_bound = bound_beside(arguments.table).is_file()
        notes = [] if has_bound else columns_that_tell(file_of(arguments), arguments.column)
    except (OptmechError, OSError, ValueError):  # the release says what is wrong with the table
        return []
    for note in notes:
        warn(note)
    return notes


def _tell(table: ReleasedTable, arguments: Arguments, new_designs: list[str], told: list[Note]) -> None:
    log = table.log
    cautions = [note for note in table.cautions if note.kind is NoteKind.CAUTION]
    column, path, folder = map(visible, (arguments.column, arguments.out, arguments.mechanism))
    draws = next_draws(log, "answers")
    if "cell_keys" in log:
        draws = "the same cells have the same noise again, which spends nothing more"
    lines = [
        *cautions,
        _budget_text(log, is_seeded=arguments.seed is not None),
        *([f"{count_text(new_designs, 'mechanism')} designed in {folder}"] if new_designs else []),
        f"{table.rows} answers of column {column} released to {path}",
        f"{draws}; {visible(table.log_path)} says so and can be published too",
        *(_conditions() if "cell_keys" in log else []),
        *([_part_text(log)] if log["part"] is not None else []),
        *_bullets(list(dict.fromkeys(map(_protection, log["mechanisms"])))),
        *([f"intervals: {log['interval']['meaning']}"] if "interval" in log else []),
    ]
    answer(
        arguments,
        lambda: {
            "out": arguments.out,
            "log": str(table.log_path),
            "rows": table.rows,
            "designed": new_designs,
            "confidential": {"clamped": table.clamped, "cautions": table.cautions},
            "release": log,
        },
        lambda: lines,
        follow=_next(table, arguments),
    )
    unprotected = (caution for one in log["mechanisms"] for caution in one.get("unprotected", ()))
    for caution in () if arguments.json else dict.fromkeys(unprotected):
        warn(caution)
    if table.clamped:
        warn(
            f"{table.clamped} answers were beyond the range and were clamped. That number is a fact about "
            "true answers: keep it to yourself"
        )
    for caution in cautions:
        warn_unsaid(caution, json=arguments.json)
    for note in table.cautions:
        if note.kind is not NoteKind.CAUTION and note not in told:
            warn(note)


def _next(table: ReleasedTable, arguments: Arguments) -> list[str]:
    """Return the commands that read a release, where all they read is at hand."""
    from optmech.release.tables.log import log_beside  # noqa: PLC0415 - as above

    files = [mechanism["file"] for mechanism in table.log["mechanisms"] if "epsilon" in mechanism]
    is_proved = len(files) == len(table.log["mechanisms"]) and None not in files
    if (
        not (is_proved and table.rows and table.log_path == log_beside(arguments.out))
        or arguments.seed is not None
    ):
        return []
    source = Path(arguments.mechanism)
    further = shlex.quote(str(source))
    if all((table.log_path.parent / file).is_file() for file in files):
        further = ""
    elif not source.is_dir() and [source.name] != files:
        return []
    out, log = shlex.quote(arguments.out), shlex.quote(str(table.log_path))
    return [
        f"optmech estimate {out}{further and f' --mechanism {further}'}",
        f"optmech report {log}{further and f' {further}'} --out report.html",
    ]


def _conditions() -> list[str]:
    """Return the conditions of a guarantee by cell keys."""
    from optmech.release.tables.keyed import CONDITIONS  # noqa: PLC0415 - as above

    return [f"that holds if {CONDITIONS}: {_OTHER_TABLE}"]


def _budget_text(log: dict[str, Any], *, is_seeded: bool) -> str:  # noqa: PLR0911 - one for each case
    """Return a sentence on the spending of one draw: for a person, by the table's bound, or for each row."""
    from optmech.release.tables.column_mechanisms import limited_unit_of  # noqa: PLC0415 - as above

    if is_seeded:
        return "NOT PRIVATE: anybody who has the seed has the true answers, at any epsilon"
    if any("epsilon" not in mechanism for mechanism in log["mechanisms"]):
        return "what is spent is unknown, for nothing is proved"
    each = " or ".join(dict.fromkeys(map(_privacies, log["mechanisms"])))
    if len(log["mechanisms"]) > 1:
        each += " by group"
    if not log["output"]["rows"] and "left_out" not in log:
        return "no answer was drawn: nothing is spent"
    person = log["person"]
    limited = dict.fromkeys(filter(None, map(limited_unit_of, log["mechanisms"])))
    if limited:
        return f"{each} is the loss of {join_words(limited)}, in each row: it is not that of one person"
    if person is None:
        if "cell_keys" in log:
            return f"{each} for each cell; what one person spends is unknown, without a bound on their rows"
        deltas = " and k delta" if "delta" in each else ""
        return f"{each} for each row; who can change k rows spends k epsilon{deltas}"
    steps = f"{person['steps']} times {each}" if person["steps"] > 1 else each
    return f"one person spends {_privacy(person)}: at most {steps}, {person['bound']}"


def _privacies(mechanism: dict[str, Any]) -> str:
    """Return a sentence on the spending of one draw by each privacy of its question."""
    every = [mechanism, *mechanism.get("further_privacy", ())]
    return ", also ".join(map(_privacy, every))


def _part_text(log: dict[str, Any]) -> str:
    """Return a sentence on the claim that parts are disjoint."""
    part, data = visible(log["part"]), visible(log["data"])
    return f"part {part} of {data}: that no person is in two parts is your claim, and the log says so"


def _privacy(mechanism: dict[str, Any]) -> str:
    """Return the epsilon and the delta over all sets of one draw, never rounded down."""
    from optmech.base.number_format import at_most  # noqa: PLC0415 - what is told of a mechanism takes a moment to load

    delta = Fraction(mechanism.get("delta_of_sets", mechanism["delta"]))
    over = " over all sets of answers" if "delta_of_sets" in mechanism else ""
    further = f", delta = {at_most(delta, _DIGITS)}{over}" if delta else ""
    return f"epsilon = {mechanism['epsilon']}{further}"


def _protection(mechanism: dict[str, Any]) -> str:
    """Say between which true answers of a row it holds, as the log does."""
    if "neighbours" not in mechanism:
        return "protected: unknown which true answers from which others"
    sentences = [mechanism["neighbours"], *filter(None, [mechanism.get("larger_counts")])]
    return f"protected: {mechanism['query']}: {' '.join(sentences)}"


def _bullets(lines: list[str]) -> list[str]:
    """Return the lines, of many groups the first ones."""
    if len(lines) <= _MOST_LINES:
        return lines
    return [*lines[:_MOST_LINES], f"and so on for {len(lines) - _MOST_LINES} more; the log has all of them"]


@contextmanager
def _progress(text: str) -> Iterator[Callable[[int, int], None]]:
    """Show how much is done, and how long the rest will take, where a person watches."""
    before = 0
    with counting(_PERCENT, f"percent, {text}") as step:

        def progress(number: int, total: int) -> None:
            nonlocal before
            now = _PERCENT * number // total if total else before
            step(f"percent, {text}", now - before)
            before = now

        yield progress


COMMAND = QuestionCommand(
    name="apply",
    about="""\
Replace the true answers in a column of a file, however large, by draws from a mechanism, part by part. All
other columns and the order of rows stay as they are. If an answer is out of range, or a null, nothing is
written. Beside the released file a log says what was drawn and what it spent; it holds nothing about the true
answers and can be published with the file. Each draw spends epsilon again.

With the certificate of `design table`, all cells and totals of a table are released together: they are whole
and add up, cells without a row are zero, and totals carry `all` in the axes that are summed over.

With the certificate of `design quantiles`, TABLE has a row for each record of a person, and the released file
a row for each quantile, of each group that --groups lists.

With --group the mechanism is a file that names one for each group: TOML with a table [groups] of certificates
and a `default` for all others, or CSV with the columns group,certificate; paths are from its folder and stay
in it. Or it is a folder, where the certificate of group 28 is 28.certificate.json; the log names all of them.
With a question in front the groups are sizes, and missing certificates are designed: a mean of that number of
records, or a count up to it.""",
    examples=(
        "optmech apply mechanism.certificate.json table.csv --column count --out released.csv",
        (
            "optmech apply mechanism.certificate.json table.parquet --column count --clamp "
            "--out released.parquet"
        ),
        "optmech apply table.certificate.json cells.csv --out released.csv --errors",
        "optmech apply mean.json people.csv --column age --group ward --groups wards.csv --out released.csv",
        "optmech apply median.json people.csv --column age --each-row-a-person --out released.csv",
        "optmech apply groups.toml table.parquet --group region --column count --out released.parquet",
        (
            "optmech apply mean --range 1:5 --epsilon 1 likert wards.csv --column mean --group size "
            "--out means.csv"
        ),
        (
            "optmech apply mechanism.certificate.json table.csv --column count --data visits --budget 3 "
            "--out third.csv"
        ),
        (
            "optmech apply p-table.certificate.json keyed.csv --column count --cell-key cell_key "
            "--data census --out released.csv"
        ),
    ),
    formulations=tuple(SIZES),
    usual=CERTIFICATE,
    question_of="of groups that are sizes, for missing certificates",
    filled=SIZES,
    further={
        "mean": " likert wards.csv --column mean --group size --out means.csv",
        "count": " agreed wards.csv --column agreed --group size --out agreed.csv",
    },
    options=(
        option(
            "mechanism",
            "CERTIFICATE.json|MECHANISM.csv|GROUPS.toml|FOLDER",
            "what `design --out` wrote, either of the two; with --group the certificates of groups",
        ),
        option("table", "TABLE", "a .parquet file, or .csv, .csv.gz or .xlsx with a row of column names"),
        option("--column", "NAME", "where the true answers are; of a whole table the one beside the axes"),
        out(
            "FILE",
            "write the table there, whole or not at all: .parquet, .csv, .csv.gz or .xlsx",
            required=True,
        ),
        option("--group", "NAME", "column of the groups that have different mechanisms, or of records"),
        option(
            "--interval",
            "LEVEL",
            "such as 0.95: add columns NAME_low and NAME_high, between which the true answer is so probably",
        ),
        switch("--errors", "of a whole table: add the standard error of each number"),
        switch("--wide", "of a whole table: write a crosstab, the last axis across"),
        switch("--no-negative", "of a whole table: write the nearest one without negative numbers, too"),
        switch("--clamp", "take numbers beyond the range for its nearest end"),
        switch("--drop-zero", "leave out rows released as 0: which groups there are is not public"),
        either(
            option("--log", "FILE.json", "default: beside the table, as .release.json"),
            option("--ledger", "FOLDER", "where logs are kept: this one goes there, too"),
        ),
        *SPENDING,
        switch("--again", "draw again where a log records a release: epsilon is spent again"),
        option(
            "--cell-key",
            "NAME",
            "pick noise by the cell keys in this column, which `tabulate --record-key` wrote: never released",
        ),
        DIALECT,
        switch("--constant-time", "draw in the same time for all answers"),
        option("--seed", "N", "for experiments only: NOT PRIVATE, draws can be repeated", type=int),
        RECORDS,
        IDS,
    ),
    run=_run,
)
