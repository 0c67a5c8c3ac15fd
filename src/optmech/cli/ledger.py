"""``optmech ledger``: what has been spent on which data, by release logs; the budget of ``apply``."""

from __future__ import annotations

import warnings
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.notes import TextLine
from optmech.base.number_format import at_least, at_most
from optmech.base.numbers import as_text
from optmech.base.provenance import Provenance
from optmech.base.visible import visible
from optmech.base.wording import plural
from optmech.base.wrapping import WIDTH
from optmech.cli.output import answer, warn
from optmech.cli.parsers import Arguments, Command, either, option
from optmech.cli.progress import waiting
from optmech.cli.screen import aligned
from optmech.proofs.privacy import short_delta
from optmech.question.caution import caution_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.notes import Note
    from optmech.release.tables.account import Account
    from optmech.release.tables.budget import Budget
    from optmech.release.tables.draws import Draw

_DIGITS = 6
_NOT_PRIVATE = "these draws are NOT private"
# Columns that a screen lacks, in turn, until the others fit.
_DROPPED = ("rows", "column", "made")

SPENDING = (
    option("--data", "NAME", "what the data are called whose releases add up; default: the table's name"),
    option("--part", "NAME", "which part of these data the table is of: you say that no person is in two"),
    either(
        option("--budget", "EPS", "refuse to spend more on these data, by all logs beside the new one"),
        option("--budget-zcdp", "RHO", "the same in rho of zCDP, where each release has one or is pure"),
    ),
    option("--budget-delta", "DELTA", "at which the budget is meant; default: the sum of all deltas"),
)
"""Options of ``apply``: of which data, and of which part, a release is, and what may be spent on them."""


@contextmanager
def releasing(arguments: Arguments) -> Iterator[dict[str, Any]]:
    """Yield what is asked alike of a column and a table; `warn_of_seed` tells of a seed afterwards."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", _NOT_PRIVATE)
        yield {
            "column": arguments.column,
            "log": log_path_of(arguments),
            "again": arguments.again,
            "data": arguments.data,
            "part": arguments.part,
            "budget": release_budget(arguments),
            "seed": arguments.seed,
        }


def warn_of_seed(arguments: Arguments) -> None:
    """Say that draws which can be repeated are not private."""
    if arguments.seed is not None:
        warn(f"{_NOT_PRIVATE}: whoever knows or guesses the seed can subtract the noise")


def next_draws(log: dict[str, Any], what: str) -> str:
    """Return what another draw spends."""
    if log["draws"] > 1:
        return f"this is draw {log['draws']}, and what all of them spend adds up"
    return f"a second draw from the same {what} spends it again"


def release_budget(arguments: Arguments) -> Budget | None:
    """Return the budget of ``apply``."""
    if arguments.budget is None and arguments.budget_zcdp is None:
        if arguments.budget_delta is not None:
            message = "`--budget` must be given with --budget-delta: the epsilon that may be spent at it."
            raise ProblemError(message)
        return None
    from optmech.release.tables.budget import Budget  # noqa: PLC0415 - Arrow takes a moment to load

    path = Path(arguments.mechanism)
    folders = [path if path.is_dir() else path.parent]
    return Budget(
        epsilon=arguments.budget,
        zcdp=arguments.budget_zcdp,
        delta=arguments.budget_delta,
        certificates=folders,
    )


def log_path_of(arguments: Arguments) -> str | Path | None:
    """Return the path of the log of ``apply``, if it is not beside the table."""
    from optmech.release.tables.log import log_in_ledger  # noqa: PLC0415 - as above

    if arguments.ledger is None:
        return str(arguments.log) if arguments.log is not None else None
    folder = Path(arguments.ledger)
    if not folder.is_dir():
        message = f"`--ledger` must be a folder that is there; got {arguments.ledger}. Make it first."
        raise ProblemError(message)
    return log_in_ledger(folder, arguments.out)


def _run(arguments: Arguments) -> int:
    from optmech.release.tables.ledger import ledger  # noqa: PLC0415 - as above

    with waiting("proving certificates again, and composing"):
        accounts = ledger(arguments.logs, certificates=arguments.certificates or (), delta=arguments.delta)
        most = _budget(arguments)
        fits = [most is None or most.is_kept_by(account) for account in accounts]
    budgets = [arguments.budget or arguments.budget_zcdp] * len(accounts)
    answer(
        arguments,
        lambda: {"accounts": list(map(_json, accounts, fits, budgets))},
        lambda: [
            line
            for number, account_and_budget in enumerate(zip(accounts, fits, budgets, strict=True))
            for line in (*([""] if number else []), *_lines(*account_and_budget, explain=arguments.explain))
        ],
    )
    for account, fit in zip(accounts, fits, strict=True):
        for reason in account.unknown:
            warn(f"{account.data}: {reason}")
        if account.claim:
            warn(f"{account.data}: {account.claim}")
        if caution := _caution(account):
            warn(f"{account.data}: {caution.text}")
        if not fit:
            warn(f"{account.data}: {_excess(account, arguments.budget or arguments.budget_zcdp)}")
    unread = list(dict.fromkeys(sentence for account in accounts for sentence in account.unread))
    for sentence in unread:
        warn(f"the accounts leave out this log, and what it spent: {sentence}")
    return 1 if unread or any(account.broken for account in accounts) or not all(fits) else 0


def _budget(arguments: Arguments) -> Budget | None:
    """Return the budget of ``ledger``, at whose delta accounts are already."""
    from optmech.release.tables.budget import Budget  # noqa: PLC0415 - as above

    if arguments.budget is None and arguments.budget_zcdp is None:
        return None
    return Budget(epsilon=arguments.budget, zcdp=arguments.budget_zcdp)


def _lines(account: Account, fits: bool, budget: str | None, *, explain: bool) -> list[str]:  # noqa: FBT001 - of a pair
    """Return what an account spends, then its releases."""
    titles = ("made", "output", *(("part",) if account.parts else ()), "column", "draws from", "rows")
    rows = [
        (*titles, "epsilon", "delta"),
        *(_row(draw, has_part=bool(account.parts)) for draw in account.draws),
    ]
    lines = [visible(account.data), TextLine("  ", _spending(account))]
    if any(draw.rho is not None for draw in account.draws) and account.by_part:
        if account.rho is not None:
            lines.append(f"  rho = {at_most(account.rho, _DIGITS)} of zCDP")
        if account.way:
            lines.append(f"  {account.way}")
    if account.claim:
        lines.append(f"  the largest of {len(account.parts)} parts: {visible(account.claim)}")
    if account.conditions:
        lines.append(TextLine("  ", f"if {account.conditions}"))
    if budget is not None:
        lines.append(f"  budget {budget}: {'kept' if fits else _verdict(account)}")
    dropped = () if explain else tuple(titles.index(title) for title in _DROPPED)
    return [*lines, *(f"  {row}" for row in aligned(rows, dropped, WIDTH - 2))]


def _spending(account: Account) -> TextLine:
    """Return a line on the spending, rounded up, its unit and its standing."""
    if account.unknown:
        return TextLine(f"nobody knows what {account.unit or 'a person'} spends")
    if account.is_spent:
        text = f"no privacy is left: the deltas of {plural(len(account.draws), 'release')} come to 1"
        return TextLine(text)
    epsilon, delta = at_most(account.epsilon, _DIGITS), at_most(account.delta, _DIGITS)
    without = ", by the logs that can be read," if account.unread else ""
    most = "" if _is_sharp(account) else " at most"
    spending = f"{account.unit} spends{without}{most} epsilon = {epsilon} at delta = {delta}   "
    return TextLine(spending, account.provenance, _sharpness(account))


def _verdict(account: Account) -> str:
    return "nobody knows whether it is kept" if account.unknown or account.unread else "EXCEEDED"


def _excess(account: Account, budget: str) -> str:
    if account.unknown or account.unread:
        return f"nobody knows whether the budget of {budget} is kept"
    return f"the budget of {budget} is exceeded"


def _caution(account: Account) -> Note | None:
    """Return the warning on a large total spending of all releases, as far as it is known."""
    return None if account.unknown else caution_at(account.epsilon, account.delta)


def _row(draw: Draw, *, has_part: bool) -> tuple[str, ...]:
    part = (visible(draw.part or "all"),) if has_part else ()
    first = visible(draw.time), visible(draw.output), *part, visible(draw.column)
    if draw.unknown:
        return *first, "nobody knows", "", "", ""
    return (
        *first,
        _mechanisms(draw),
        f"at most {draw.rows} of a person" if draw.rows is not None else "each",
        draw.epsilon_text,
        at_most(draw.uses * draw.guarantee.delta, _DIGITS),
    )


def _mechanisms(draw: Draw) -> str:
    titles = Counter(
        "its log says"
        if one.provenance is Provenance.REPORTED
        else ("quantiles" if draw.is_of_quantiles else "a whole table")
        if isinstance(one, tuple)
        else one.problem.query.title
        for one in draw.mechanisms
    )
    first, *others = titles
    return first + (f" and {len(others)} more" if others else "")


def _sharpness(account: Account) -> str:
    if account.composition is None:
        return ""
    if _is_sharp(account):
        return ", exact: some data spend it"
    least = at_least(account.attained, _DIGITS)
    return f"; some data spend {least} at least" if account.attained else ", a bound"


def _is_sharp(account: Account) -> bool:
    """Whether some data spend what is said, to its digits."""
    said = at_most(account.epsilon, _DIGITS)
    return account.is_exact or (account.attained > 0 and at_least(account.attained, _DIGITS) == said)


def _json(account: Account, fits: bool, budget: str | None) -> dict[str, Any]:  # noqa: FBT001 - of a pair
    return {
        "data": account.data,
        "unit": account.unit,
        "epsilon": account.epsilon,
        "attained": account.attained,
        "delta": as_text(short_delta(account.delta)),
        "zcdp": None if account.rho is None else as_text(account.rho),
        "way": account.way,
        "simple_composition": account.simple,
        "provenance": account.provenance,
        "exact": account.is_exact,
        "caution": _caution(account),
        "unknown": list(account.unknown),
        "unread": list(account.unread),
        "parts": list(account.parts),
        "claim": account.claim,
        "conditions": account.conditions,
        "budget": budget,
        "within_budget": fits if budget is not None else None,
        "draws": [_draw_json(draw) for draw in account.draws],
    }


def _draw_json(draw: Draw) -> dict[str, Any]:
    return {
        "made": draw.time,
        "output": draw.output,
        "part": draw.part,
        "table": draw.table,
        "column": draw.column,
        "rows_of_a_person": draw.rows,
        "uses": draw.uses,
        "epsilon": None if draw.unknown else as_text(draw.guarantee.epsilon),
        "delta": None if draw.unknown else as_text(short_delta(draw.guarantee.delta)),
        "certified": not draw.unknown
        and not any(one.provenance is Provenance.REPORTED for one in draw.mechanisms),
    }


COMMAND = Command(
    name="ledger",
    about="""\
Read the logs that `apply` writes beside its output and say what their releases spend together, of the same
data, by exact composition of the certificates that are beside the logs, in folders there or named by
--certificates; of others the log's own epsilon and delta are taken. Logs of other data are kept apart; of
disjoint parts of the same data, as `apply --part` names them, the largest counts. Exit code 1 if a budget is
exceeded or a log cannot be read; `apply --budget` refuses to come so far.""",
    examples=("optmech ledger noisy.release.json", "optmech ledger . --budget 3"),
    options=(
        option("logs", "LOG.release.json|FOLDER", "what `apply` wrote, or folders of it", nargs="+"),
        option(
            "--certificates",
            "PATH",
            "a certificate, or a folder of them; may be repeated",
            action="append",
        ),
        either(
            option("--budget", "EPS", "the most that may be spent on each data"),
            option("--budget-zcdp", "RHO", "the same in rho of zCDP"),
        ),
        option("--delta", "DELTA", "at which epsilon is meant; default: the sum of all deltas"),
    ),
    run=_run,
)
