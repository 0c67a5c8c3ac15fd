"""``optmech estimate`` of a whole table: sums, with their standard errors and limits."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.visible import visible
from optmech.base.whole_files import write_whole
from optmech.base.wrapping import wrapped
from optmech.cli.mean_view import mean_lines
from optmech.cli.output import answer
from optmech.cli.progress import waiting
from optmech.cli.screen import aligned

if TYPE_CHECKING:
    from optmech.cli.parsers import Arguments
    from optmech.release.joint.joint_estimate import SumEstimate
    from optmech.release.joint.joint_ratios import QuantileEstimate, RatioEstimate

_LONGEST = 32
_OF_CELLS = ("difference", "sampled", "column")
_OF_TABLES = ("sum", "per", "quantile", "of")
_OF_SUMS = "no bias; errors are at most these, and limits hold for each sum at level {}"
_OF_RATIOS = (
    "ratios of sums without bias, not without bias themselves; all of these are within their limits together "
    "at level {}"
)
_OF_QUANTILES = (
    "categories count up in their order; the one where this part of the total is reached is from low to high "
    "at level {}, for each"
)


def is_of_whole_table(arguments: Arguments) -> bool:
    """Whether a whole table was released; ProblemError if options are of the other kind."""
    from optmech.release.estimates.released import LoggedFacts  # noqa: PLC0415 - Arrow takes a moment to load
    from optmech.release.joint.joint_released import is_whole_table, refuse_second  # noqa: PLC0415 - as above

    for table in arguments.tables:
        refuse_second(table)
    is_whole = is_whole_table(LoggedFacts.beside(arguments.tables[0]))
    if not is_whole:
        for name in _OF_TABLES:
            if getattr(arguments, name):
                message = f"`--{name}` must be left out: it needs a whole table, from `optmech design table`."
                raise ProblemError(message)
        return False
    for name in _OF_CELLS:
        if getattr(arguments, name):
            message = (
                f"`--{name}` must be left out for a whole table: --sum and --group say what is estimated."
            )
            raise ProblemError(message)
    if len(arguments.tables) > 1 or len(arguments.mechanism or ()) > 1:
        message = f"`tables` must be one released table, by one certificate; got {len(arguments.tables)}."
        raise ProblemError(message)
    return True


def _short(name: str) -> str:
    """Return a name that leaves room for numbers; the file and --json have all of it."""
    text = visible(name)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def estimate_table(arguments: Arguments) -> int:
    """Print the sums, shares, means or quantiles that are asked for."""
    from optmech.release.joint.joint_estimate import estimate_sums  # noqa: PLC0415 - as above
    from optmech.release.joint.joint_ratios import estimate_quantiles, estimate_ratios  # noqa: PLC0415
    from optmech.release.joint.mean_estimate import is_of_means  # noqa: PLC0415 - as above

    (table,) = arguments.tables
    own = arguments.mechanism[0] if arguments.mechanism else None
    if is_of_means(table):
        return _estimate_means(table, own, arguments)
    asked: dict[str, Any] = {
        "sums": arguments.sum or ("",),
        "group": tuple(arguments.group or ()),
        "level": arguments.level,
        "mechanism": own,
    }
    level = arguments.level.rstrip("%")
    found: tuple[SumEstimate, ...] | tuple[RatioEstimate, ...] | tuple[QuantileEstimate, ...]
    with waiting("proving the certificate again"):
        if arguments.quantile is not None:
            found = estimate_quantiles(table, arguments.quantile, of=_axis_of(arguments), **asked)
            kind, said = "quantile", _OF_QUANTILES
        elif arguments.shares or arguments.per is not None:
            found = estimate_ratios(table, per=arguments.per, **asked)
            kind, said = "ratio", _OF_RATIOS
        else:
            found = estimate_sums(table, **asked)
            kind, said = "sum", _OF_SUMS
    rows = [one.to_dict() for one in found]
    _write(rows, arguments.out)
    one_sum = len(arguments.sum or ()) <= 1
    head = [f"{kind} of {visible(found[0].conditions) or 'all cells'}"] if one_sum else []
    columns = [name for name in rows[0] if name not in ("name", "variance")]
    names = [(one.group or "all") if one_sum else one.name for one in found]
    lines = [
        ("group" if one_sum else kind, *(name.replace("_", " ") for name in columns)),
        *(
            (_short(name), *(_cell(row[column]) for column in columns))
            for name, row in zip(names, rows, strict=True)
        ),
    ]
    answer(
        arguments,
        lambda: {"table": table, "level": arguments.level, f"{kind}s": rows, "out": arguments.out},
        lambda: [
            *wrapped(head),
            *aligned(lines),
            said.format(level),
            "spends nothing: made from what is public",
        ],
        arguments.out,
    )
    return 0


def _axis_of(arguments: Arguments) -> str:
    """Return the axis of a quantile."""
    if arguments.of is None:
        message = "`--of` must be given with `--quantile`: the axis whose categories count up."
        raise ProblemError(message)
    return str(arguments.of)


def _cell(value: object) -> str:
    """Return a value as it stands on the screen; an end that has no limit is told so."""
    if value is None:
        return "none"
    return f"{value:,}" if isinstance(value, int) else _short(str(value))


def _write(rows: list[dict[str, Any]], out: str | None) -> None:
    """Write rows as CSV, where that is asked for."""
    if out is None:
        return
    text = io.StringIO()
    writer = csv.DictWriter(
        text, list(dict.fromkeys(name for row in rows for name in row)), lineterminator="\n"
    )
    writer.writeheader()
    writer.writerows(rows)
    write_whole(out, text.getvalue())


def _estimate_means(table: str, mechanism: str | None, arguments: Arguments) -> int:
    """Print means, people and totals of records."""
    from optmech.release.joint.mean_estimate import estimate_means  # noqa: PLC0415 - as above

    if any(getattr(arguments, name) for name in ("group", "shares", *_OF_TABLES)):
        message = (
            "`--sum`, `--group` and their like must be left out: each group of records has its estimates."
        )
        raise ProblemError(message)
    with waiting("proving the certificate again"):
        found = estimate_means(table, level=arguments.level, mechanism=mechanism)
    rows = [one.to_dict() for one in found]
    _write([_flat(row) for row in rows], arguments.out)
    answer(
        arguments,
        lambda: {"table": table, "level": arguments.level, "means": rows, "out": arguments.out},
        lambda: mean_lines(found, arguments.level.rstrip("%")),
        arguments.out,
    )
    return 0


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return one row of CSV: ``mean``, ``mean_low`` and so on."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            flat |= {name if key == "estimate" else f"{name}_{key}": each for key, each in value.items()}
        elif value is not None:
            flat[name] = value
    return flat
