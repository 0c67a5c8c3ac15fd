"""``optmech apply``: the true answers in a column of a file replaced by draws."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.errors import FileFormatError, ProblemError
from optmech.base.visible import visible
from optmech.base.whole_files import read_text
from optmech.cli.answers import answer, check_apart, check_out
from optmech.cli.certified import certificate_at, proved_at
from optmech.cli.output import warn, warn_unsaid
from optmech.cli.parsers import Command, option, out, switch
from optmech.cli.progress import counting, waiting
from optmech.mechanisms.mechanism import Mechanism
from optmech.question.caution import CAUTION

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from optmech.release.tables.laws import Law
    from optmech.release.tables.table import ReleasedTable

__all__ = ["COMMAND"]

_PERCENT = 100
_DIGITS = 6
_LEFT_OVER = ".optmech-*.part"


def _run(arguments: argparse.Namespace) -> int:
    from optmech.release.tables.groups import lists_groups, read_groups  # noqa: PLC0415 - Arrow takes a moment to load
    from optmech.release.tables.table import release_table  # noqa: PLC0415

    check_out(arguments.out)
    _notice_left_overs(Path(arguments.out).resolve().parent)
    if arguments.by is None and lists_groups(arguments.mechanism):
        message = "`--by` must be given with a file of groups: the column that says which group a row is of."
        raise ProblemError(message)
    mechanism: Any
    with waiting("proving the certificate again"):
        if arguments.by is None:
            mechanism = _law(arguments.mechanism, arguments)
        else:
            check_apart(arguments.out, arguments.mechanism)
            paths = read_groups(arguments.mechanism)
            folder = Path(arguments.mechanism).parent
            read = {path: _law_in(folder, path, arguments) for path in dict.fromkeys(paths.values())}
            mechanism = {group: read[path] for group, path in paths.items()}
    with _progress(f"releasing {arguments.column}") as progress, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "these draws are NOT private")  # told below, as a sentence
        released = release_table(
            mechanism,
            arguments.table,
            arguments.out,
            column=arguments.column,
            by=arguments.by,
            clamp=arguments.clamp,
            log=arguments.log,
            again=arguments.again,
            constant_time=arguments.constant_time,
            seed=arguments.seed,
            progress=progress,
        )
    _tell(released, arguments)
    if arguments.seed is not None:
        warn("these draws are NOT private: whoever knows or guesses the seed can subtract the noise")
    return 0


def _law_in(folder: Path, path: Path, arguments: argparse.Namespace) -> Law:
    """Return the law of a file that a list of groups names; what else it holds is not quoted."""
    from optmech.release.tables.groups import check_inside  # noqa: PLC0415

    proof = certificate_at(str(path), {})
    for read in {str(path), proof or str(path)}:
        check_inside(folder, Path(read))
        read_text(read)  # of a file that is not there, that is what to say
    try:
        return _law(str(path), arguments)
    except FileFormatError:
        message = (
            f"`{path}` must be a certificate, or the matrix of one, as `optmech design --out` writes them; "
            "it is neither. `optmech verify` says where."
        )
        raise FileFormatError(message) from None


def _law(path: str, arguments: argparse.Namespace) -> Law:
    """Return the law of a certificate, of a matrix held to the one beside it, or of a matrix alone."""
    from optmech.release.tables.laws import law_of  # noqa: PLC0415

    check_apart(arguments.out, path, certificate_at(path, {}))
    proved = proved_at(path)
    if proved is None:
        law = law_of(Mechanism.from_csv(path), file=Path(path).name)
        warn(f"{path} has no certificate: nothing is proved of what it does")
        return law
    mechanism, proof = proved
    return law_of(mechanism, file=Path(proof).name)


def _tell(released: ReleasedTable, arguments: argparse.Namespace) -> None:
    log = released.log
    cautions = [sentence for sentence in released.cautions if sentence.startswith(CAUTION)]
    column, path = visible(arguments.column), visible(arguments.out)
    lines = [
        *cautions,
        f"{released.rows} answers of column {column} released to {path}",
        f"{_spent(log)}; {visible(released.log_path)} says so and can be published too",
        *dict.fromkeys(map(_protected, log["mechanisms"])),
    ]
    answer(
        arguments,
        lambda: {
            "out": arguments.out,
            "log": str(released.log_path),
            "rows": released.rows,
            "confidential": {"clamped": released.clamped, "cautions": released.cautions},
            "release": log,
        },
        lambda: "\n".join(lines),
    )
    if not arguments.json:
        for caution in dict.fromkeys(
            caution for told in log["mechanisms"] for caution in told.get("unprotected", ())
        ):
            warn(caution)
    if released.clamped:
        warn(
            f"{released.clamped} answers were beyond the range and were clamped. That number is a fact about "
            "true answers: keep it to yourself"
        )
    for caution in cautions:
        warn_unsaid(caution, json=arguments.json)
    for sentence in released.cautions:
        if sentence not in cautions:
            warn(sentence)


def _spent(log: dict[str, Any]) -> str:
    """Say what the draws of a log spend together."""
    if "NOT PRIVATE" in log["randomness"]:
        return "NOT PRIVATE: who has the seed has the true answers, whatever epsilon is"
    if any("epsilon" not in told for told in log["mechanisms"]):
        return "nobody knows what is spent, for nothing is proved"
    each = " or ".join(dict.fromkeys(map(_privacy, log["mechanisms"])))
    if len(log["mechanisms"]) > 1:
        each += " by group"
    if not log["output"]["rows"]:
        return "no answer was drawn: nothing is spent"
    if log["draws"] == 1:
        return f"{each} is spent; a second draw from the same answers spends it again"
    return f"{each} is spent again: this is draw {log['draws']}, and what all of them spend adds up"


def _privacy(told: dict[str, Any]) -> str:
    """Say what one draw spends: of a delta over all sets of answers that one, never rounded down."""
    from optmech.base.spelled import at_most  # noqa: PLC0415 - what is told of a mechanism takes a moment to load

    delta = Fraction(told.get("delta_of_sets", told["delta"]))
    over = " over all sets of answers" if "delta_of_sets" in told else ""
    return f"epsilon = {told['epsilon']}" + (f", delta = {at_most(delta, _DIGITS)}{over}" if delta else "")


def _protected(told: dict[str, Any]) -> str:
    """Say between which true answers of a row it holds, as the log does."""
    if "neighbours" not in told:
        return "protected: nobody knows which true answers from which others"
    return f"protected: {told['query']}: {told['neighbours']}"


@contextmanager
def _progress(told: str) -> Iterator[Callable[[int, int], None]]:
    """Show how much is done, and how long the rest will take, where a person watches."""
    before = 0
    with counting(_PERCENT, f"percent, {told}") as step:

        def progress(done: int, total: int) -> None:
            nonlocal before
            now = _PERCENT * done // total if total else before
            step(f"percent, {told}", now - before)
            before = now

        yield progress


def _notice_left_overs(folder: Path) -> None:
    for path in sorted(folder.glob(_LEFT_OVER)):
        warn(
            f"{path} is of a command that was killed, or that still runs; if none does, delete it",
            privacy=False,
        )


COMMAND = Command(
    name="apply",
    summary="release the answers in a table",
    about="""\
Replace the true answers in a column of a file, however large, by draws from a mechanism, part by part. All
other columns and the order of rows stay as they are. If an answer is out of range, or a null, nothing is
written. Beside the released file a log says what was drawn and what it spent; it holds nothing about the true
answers and can be published with the file. Each draw spends epsilon again.

With --by the mechanism is a file that names one for each group: TOML with a table [groups] of certificates
and a `default` for all others, or CSV with the columns group,certificate; paths are from its folder and stay
in it.""",
    examples=(
        "optmech apply mechanism.certificate.json table.csv --column count --out released.csv",
        (
            "optmech apply mechanism.certificate.json table.parquet --column count --clamp "
            "--out released.parquet"
        ),
        "optmech apply groups.toml table.parquet --by region --column count --out released.parquet",
    ),
    options=(
        option(
            "mechanism",
            "CERTIFICATE.json|MECHANISM.csv|GROUPS.toml",
            "what `design --out` wrote, either of the two; with --by the certificates of groups",
        ),
        option("table", "TABLE", "a .parquet file, or .csv or .csv.gz with a row of column names"),
        option("--column", "NAME", "where the true answers are", required=True),
        out("FILE", "write the table there, whole or not at all: .parquet, .csv or .csv.gz", required=True),
        option("--by", "NAME", "where the groups are that have mechanisms of their own"),
        switch("--clamp", "take numbers beyond the range for its nearest end"),
        option("--log", "FILE.json", "default: beside the table, as .release.json"),
        switch("--again", "draw again where a log tells of a release: epsilon is spent again"),
        switch("--constant-time", "draw in the same time whatever the answers"),
        option("--seed", "N", "for experiments only: NOT PRIVATE, draws can be repeated", type=int),
    ),
    run=_run,
)
