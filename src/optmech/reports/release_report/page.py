"""The page of a release: one HTML file that needs no network and runs nothing.

Published numbers stand first, then what they cost a person, who is protected, errors, and the proof. Only
what is not proved has a mark.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from optmech.base.number_format import at_least, at_most, percent
from optmech.base.version import __version__
from optmech.base.wording import plural
from optmech.release.joint.joint_log import CROSSTAB
from optmech.release.tables.public_view import CELL_KEY
from optmech.reports.card.table_card import table_words
from optmech.reports.charts.svg import chart_style, chart_svg
from optmech.reports.markup import asset, render
from optmech.reports.release_report.accuracy import accuracy_sentences, error_row
from optmech.reports.release_report.published_file import PublishedFile
from optmech.reports.release_report.published_table import PublishedTable
from optmech.reports.report.page import digest
from optmech.reports.table_facts import MARGIN_HEAD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.release.tables.draws import Draw
    from optmech.reports.release_report.facts import ReleasedFile, ReleaseFacts

_DIGITS = 6


def release_page(facts: ReleaseFacts, *, words: Sequence[str] = ()) -> str:
    """Return the page of a release, the same bytes for the same facts.

    It shows `words`, those of the command that writes the page again.
    """
    style = chart_style() + asset("report.css")
    policy = ("default-src 'none'", f"style-src {digest(style)}", "base-uri 'none'", "form-action 'none'")
    account = facts.account
    of_numbers = [one for one in facts.mechanisms if one.table is None]
    noun = "number" if facts.has_numbers_alone else "answer"
    return render(
        "release.html",
        facts=facts,
        account=account,
        description=facts.description,
        epsilon=at_most(account.epsilon, _DIGITS),
        delta=at_most(account.delta, _DIGITS),
        simple=at_most(account.simple, _DIGITS),
        attained=at_least(account.attained, _DIGITS),
        size=_size(facts, noun),
        noun=noun,
        files=[_published(number, one) for number, one in enumerate(facts.files)],
        draws=list(map(_draw_row, account.draws)),
        accuracy=accuracy_sentences(facts),
        errors=list(map(error_row, of_numbers)) if len(facts.mechanisms) > 1 else [],
        tables=[table_words(one.table) for one in facts.mechanisms if one.table is not None],
        tables_alone=not of_numbers,
        margin_head=MARGIN_HEAD,
        protected=_protections(facts),
        released_again=list(map(_apply_line, facts.files)),
        checks=_checks(facts),
        typed=shlex.join(words) if words else "",
        percent=percent,
        plural=plural,
        policy="; ".join(policy),
        style=style,
        version=__version__,
    )


def _size(facts: ReleaseFacts, noun: str) -> str:
    """Return how many numbers or answers are published, and in how many files."""
    rows = sum(one.log["output"]["rows"] for one in facts.files)
    files = f" in {len(facts.files)} files" if len(facts.files) > 1 else ""
    return f"{rows:,} {noun}{'' if rows == 1 else 's'}{files}"


def _published(number: int, one: ReleasedFile) -> dict[str, Any]:
    """Return a file with its table and its chart."""
    shown = one.published
    drawn = shown.chart if isinstance(shown, PublishedFile) else None
    chart = None if drawn is None else chart_svg(drawn, f"chart-{number}")
    return {
        "log": one.log,
        "shown": shown,
        "chart": chart,
        "unproved": one.unproved,
        "is_table": isinstance(shown, PublishedTable),
    }


def _draw_row(draw: Draw) -> tuple[str, ...]:
    if draw.unknown:
        return draw.time[:10], draw.output, draw.column, "nobody knows", "", ""
    return (
        draw.time[:10],
        draw.output,
        draw.column,
        "not bounded: of one" if draw.rows is None else draw.adds or f"at most {draw.rows} counted",
        draw.epsilon_text,
        at_most(draw.uses * draw.guarantee.delta, _DIGITS),
    )


def _protections(facts: ReleaseFacts) -> list[tuple[str, str]]:
    """Return each query once, with its protected people."""
    sentences = {}
    for one in facts.mechanisms:
        if "neighbours" in one.log_entry:
            sentences[one.log_entry["query"]] = one.protected
    return list(sentences.items())


def _apply_line(one: ReleasedFile) -> str:
    log = one.log
    files = [str(entry.get("file") or "") for entry in log["mechanisms"]]
    words = ["optmech", "apply", files[0] if log["by"] is None else "GROUPS", str(log["table"])]
    words += ["--column", str(log["column"]), *(["--group", str(log["by"])] if log["by"] is not None else [])]
    words += ["--wide"] if log.get("layout") == CROSSTAB else []
    words += ["--clamp"] if log["beyond_the_range"] != "refused" else []
    words += ["--drop-zero"] if "left_out" in log else []
    words += ["--interval", log["interval"]["level"]] if log.get("interval") else []
    words += ["--cell-key", CELL_KEY] if "cell_keys" in log else []
    words += ["--data", str(log["data"])] if log["data"] != log["table"] or log.get("part") else []
    words += ["--part", str(log["part"])] if log.get("part") else []
    return shlex.join([*words, "--out", str(log["output"]["file"])])


def _checks(facts: ReleaseFacts) -> str:
    files = list(dict.fromkeys(one.file for one in facts.mechanisms if (one.card or one.table) and one.file))
    lines = [shlex.join(["optmech", "verify", name]) for name in files[:_DIGITS]]
    lines += [f"# and so on for {len(files) - _DIGITS} more"] if len(files) > _DIGITS else []
    lines.append(shlex.join(["optmech", "ledger", *(one.path.name for one in facts.files)]))
    lines.append(shlex.join(["sha256sum", *(str(one.log["output"]["file"]) for one in facts.files)]))
    return "\n".join(lines)
