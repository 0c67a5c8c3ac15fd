"""``optmech estimate``: what a released table says about the true one; it spends nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.visible import visible
from optmech.base.whole_files import write_whole
from optmech.cli.estimate_joint import estimate_table, is_of_whole_table
from optmech.cli.estimate_quantiles import estimate_quantiles, is_of_quantiles
from optmech.cli.output import answer, check_out
from optmech.cli.parsers import Arguments, Command, option, out, switch
from optmech.cli.progress import waiting
from optmech.cli.typed_values import prior_of
from optmech.cli.usage import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping


def _run(arguments: Arguments) -> int:
    from optmech.cli.estimate_screen import estimate_lines  # noqa: PLC0415 - Arrow takes a moment to load
    from optmech.release.estimates.estimate import estimate  # noqa: PLC0415
    from optmech.release.estimates.rows import csv_of  # noqa: PLC0415

    first, *further = arguments.tables
    check_out(arguments.out, ".csv", reads=arguments.tables)
    if is_of_quantiles(arguments):
        return estimate_quantiles(arguments)
    if is_of_whole_table(arguments):
        return estimate_table(arguments)
    with waiting("proving the certificate again"):
        mechanisms = _mechanisms(arguments)
    with waiting(f"estimating from {first}"):
        found = estimate(
            first,
            mechanisms,
            column=arguments.column,
            group=tuple(arguments.group or ()),
            level=arguments.level,
            prior=arguments.prior,
            difference=tuple(arguments.difference or ()),
            shares=True if arguments.shares else None,
            sampled=arguments.sampled,
            further=further,
        )
    if arguments.out is not None:
        write_whole(arguments.out, csv_of(found.rows))
    answer(
        arguments,
        lambda: {**found.to_dict(), "out": arguments.out},
        lambda: estimate_lines(
            found, visible(first), explain=arguments.explain, is_written=arguments.out is not None
        ),
        arguments.out,
    )
    return 0


def _mechanisms(arguments: Arguments) -> Any:  # noqa: ANN401 - as `estimate` takes it
    """Return the mechanisms on the command line, one for each release, or None for those of the logs."""
    from optmech.cli.groups import mechanism_at_path, mechanisms_at_path, names_groups  # noqa: PLC0415

    if not arguments.mechanism:
        return None
    made: dict[str, Any] = {}
    for path in arguments.mechanism:
        if path in made:
            continue
        if names_groups(path):
            if len(arguments.tables) > 1:
                message = "`--mechanism` must be certificates for several releases; got a list of groups."
                raise ProblemError(message)
            by_group: Mapping[str | None, Any] = mechanisms_at_path(
                path, arguments.out, "of the log or --group"
            )
            made[path] = by_group
        else:
            made[path] = mechanism_at_path(path, arguments.out)
    return [made[path] for path in arguments.mechanism]


def _two_groups(text: str) -> tuple[str, str]:
    """Return the names of two groups."""
    first, minus, second = text.partition(" - ")
    if not minus or " - " in second:
        message = f"must be two groups with a minus between blanks, such as 'north - south'; got {text!r}."
        raise UsageError(message)
    return first.strip(), second.strip()


COMMAND = Command(
    name="estimate",
    about="""\
Say what released numbers say about the true ones. Counts, means and totals have an unbiased estimate where
one exists, a standard error, the likeliest value, a posterior mean and limits; sums, shares of the total and
differences of groups have estimates with exact variances. Categories have unbiased shares, with limits that
hold for all of them together. Limits hold with the level at least, whatever the truth is. Several releases of
one table are averaged. It spends nothing: all of it is made from what is public already.

The log beside a released table names the column and the certificates; without it give --column and
--mechanism.""",
    examples=(
        "optmech estimate noisy.csv --mechanism mechanism.certificate.json",
        "optmech estimate whole.csv --sum 'region=3, age>=10' --group sex",
        "optmech estimate noisy.csv --group place --level 90 --out estimates.csv",
        (
            "optmech estimate noisy.csv again.csv --mechanism mechanism.certificate.json --column count "
            "--prior 0.5,0.1,0.1,0.1,0.1,0.1"
        ),
    ),
    options=(
        option("tables", "RELEASED", "what `apply --out` wrote; several releases are averaged", nargs="+"),
        option(
            "--mechanism",
            "FILE|FOLDER",
            "certificate, matrix, GROUPS.toml or folder of certificates that the draws are from, "
            "for several releases one for all or repeated; default: in the log",
            action="append",
        ),
        option("--column", "NAME", "the released column; default: in the log"),
        option(
            "--sum",
            "CONDITIONS",
            "of a whole table: what to add up, such as 'region=3, age>=10'; may be repeated; default: all",
            action="append",
        ),
        option(
            "--group", "NAME", "a column whose groups have sums and shares; may be repeated", action="append"
        ),
        option("--per", "RELEASED", "of a whole table: means, its sums per sums of this table of people"),
        option("--quantile", "Q", "of a whole table: the category up to which this part is, such as .5"),
        option("--of", "AXIS", "the axis of --quantile"),
        option(
            "--difference",
            "A - B",
            "two groups to compare, such as 'north - south'; may be repeated",
            type=_two_groups,
            action="append",
        ),
        option("--people", "FILE", "of quantiles: released numbers of people, for the bound of ranks"),
        option("--level", "LEVEL", "with which limits hold, such as 95 or 0.95; default: 95", default="95"),
        option(
            "--prior",
            "PRIOR",
            "of the truths: uniform, or probabilities with commas, or a file with a line for each; "
            "default: uniform",
            type=prior_of,
            default="uniform",
        ),
        switch(
            "--shares",
            "each row is one person: estimate the share of each answer, or of each group of a whole table",
        ),
        switch("--sampled", "shares are of a larger population, from which the people were drawn at random"),
        out("FILE.csv", "write all estimates there, whole or not at all"),
    ),
    run=_run,
)
