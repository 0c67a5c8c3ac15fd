"""The page of a release: one HTML file that needs no network and runs nothing."""

from __future__ import annotations

import shlex
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.number_format import at_least, at_most, percent
from optmech.base.version import __version__
from optmech.release.tables.public_view import CELL_KEY
from optmech.reports.markup import asset, render
from optmech.reports.report.page import digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.release.tables.draws import Draw
    from optmech.reports.release_report.facts import ReleasedFile, ReleaseFacts, UsedMechanism

_DIGITS = 6


def release_page(facts: ReleaseFacts, *, words: Sequence[str] = ()) -> str:
    """Return the page of a release, the same bytes for the same facts.

    It shows `words`, those of the command that writes the page again.
    """
    style = asset("report.css")
    policy = ("default-src 'none'", f"style-src {digest(style)}", "base-uri 'none'", "form-action 'none'")
    account = facts.account
    return render(
        "release.html",
        facts=facts,
        account=account,
        description=facts.description,
        epsilon=at_most(account.epsilon, _DIGITS),
        delta=at_most(account.delta, _DIGITS),
        simple=at_most(account.simple, _DIGITS),
        attained=at_least(account.attained, _DIGITS),
        draws=list(map(_draw_row, account.draws)),
        errors=list(map(_error_row, facts.mechanisms)),
        protected=_protections(facts),
        released_again=list(map(_apply_line, facts.files)),
        checks=_checks(facts),
        typed=shlex.join(words) if words else "",
        percent=percent,
        policy="; ".join(policy),
        style=style,
        version=__version__,
    )


def _draw_row(draw: Draw) -> tuple[str, ...]:
    if draw.unknown:
        return draw.time[:10], draw.output, draw.column, "nobody knows", "", ""
    return (
        draw.time[:10],
        draw.output,
        draw.column,
        "not bounded: of one" if draw.rows is None else f"at most {draw.rows} counted",
        draw.epsilon_text,
        at_most(draw.uses * draw.guarantee.delta, _DIGITS),
    )


def _error_row(one: UsedMechanism) -> tuple[str, ...]:
    name = one.log_entry.get("query") or one.file or "a matrix without certificate"
    if one.card is None:
        return name, *_told_privacy(one), "", "", ""
    errors = one.card.errors
    mean = "" if errors.mean is None else f"{errors.mean.value:.4g}"
    within = next((quantile.error for quantile in errors.quantiles if quantile.percent == 95), None)  # noqa: PLR2004
    truth = "" if errors.truth_probability is None else errors.truth_probability.percent
    return name, *_told_privacy(one), mean, "" if within is None else at_most(within.value, 4), truth


def _told_privacy(one: UsedMechanism) -> tuple[str, str]:
    delta = one.log_entry.get("delta_of_sets", one.log_entry.get("delta"))
    spent = "unknown" if delta is None else at_most(Fraction(delta), _DIGITS)
    return str(one.log_entry.get("epsilon", "unknown")), spent


def _protections(facts: ReleaseFacts) -> list[tuple[str, str]]:
    """Return each query once, with its protected people."""
    sentences = {}
    for one in facts.mechanisms:
        if "neighbours" in one.log_entry:
            sentence = one.log_entry["neighbours"]
            sentences[one.log_entry["query"]] = sentence if one.card is None else one.card.words.protected
    return list(sentences.items())


def _apply_line(one: ReleasedFile) -> str:
    log = one.log
    files = [str(entry.get("file") or "") for entry in log["mechanisms"]]
    words = ["optmech", "apply", files[0] if log["by"] is None else "GROUPS", str(log["table"])]
    words += ["--column", str(log["column"]), *(["--group", str(log["by"])] if log["by"] is not None else [])]
    words += ["--clamp"] if log["beyond_the_range"] != "refused" else []
    words += ["--drop-zero"] if "left_out" in log else []
    words += ["--interval", log["interval"]["level"]] if log.get("interval") else []
    words += ["--cell-key", CELL_KEY] if "cell_keys" in log else []
    words += ["--data", str(log["data"])] if log["data"] != log["table"] or log.get("part") else []
    words += ["--part", str(log["part"])] if log.get("part") else []
    return shlex.join([*words, "--out", str(log["output"]["file"])])


def _checks(facts: ReleaseFacts) -> str:
    files = list(dict.fromkeys(one.file for one in facts.mechanisms if one.card is not None and one.file))
    lines = [shlex.join(["optmech", "verify", name]) for name in files[:_DIGITS]]
    lines += [f"# and so on for {len(files) - _DIGITS} more"] if len(files) > _DIGITS else []
    lines.append(shlex.join(["optmech", "ledger", *(one.path.name for one in facts.files)]))
    lines.append(shlex.join(["sha256sum", *(str(one.log["output"]["file"]) for one in facts.files)]))
    return "\n".join(lines)
