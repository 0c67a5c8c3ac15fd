"""The reach of the engines: questions from small to large by the engine that is chosen, and by another one.

Each row is printed as it ends. Tables of growth and of the choice follow from all of them.
"""

from __future__ import annotations

import csv
import io
from itertools import groupby
from typing import TYPE_CHECKING, Any

from benchmarks.cost import scale_work
from benchmarks.cost.measure import fitted, ratio
from benchmarks.cost.scale_questions import QUESTIONS, SMALLEST
from benchmarks.cost.worker import run
from benchmarks.table import Table, figure, line, rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.cost.scale_questions import ScaleQuestion

    # A question, the answer of the engine that is chosen, and that of another one: empty where none fits.
    Measured = tuple[ScaleQuestion, dict[str, Any], dict[str, Any]]

__all__ = ["COLUMNS", "HEADER", "choice", "csv_text", "growth", "measured", "rows", "title"]

HEADER = (
    "question", "engine", "seconds", "gap", "certificate, kB", "package reads, s", "checker reads, s",
    "beside", "its seconds", "its gap", "beside / engine", "wanted",
)  # fmt: skip
COLUMNS = (
    "family", "question", "size", "engine", "chosen", "counted",
    "seconds", "gap", "bytes", "package", "checker",
)  # fmt: skip
_DIGITS = 3
_KB = 1000
# Proofs of the largest matrices, and both readers, come after a time limit.
_PATIENCE = 3
# A gap that is so much wider than the other one is worse, whatever the seconds.
_WORSE, _ROUNDING = 10.0, 1e-9
# A wider gap is that of a search that was stopped: its seconds say nothing of growth.
_STOPPED = 1e-6


def title(limits: tuple[float, float]) -> str:
    """Return the heading of the rows."""
    return (
        "### The reach of engines\n\nSeconds of the processor for `design`, proofs included, with a time "
        f"limit of {limits[0]:g} s; beside it another engine with a limit of {limits[1]:g} s.\n"
    )


def measured(limits: tuple[float, float], *, smoke: bool) -> Iterator[Measured]:
    """Yield each question with its answers, as soon as they are there.

    Parameters
    ----------
    limits : pair of float
        The time limits in seconds of a design by the engine that is chosen, and by the other one, where the
        question has none of its own.
    smoke : bool
        Whether one small question is enough, in this process.
    """
    for question in (SMALLEST,) if smoke else QUESTIONS:
        own, beside = (question.limit or limit for limit in limits)
        chosen = _answer(question, "auto", own, smoke=smoke)
        other = _other(chosen)
        yield question, chosen, _answer(question, other, beside, smoke=smoke) if other else {}


def _other(chosen: dict[str, Any]) -> str | None:
    """Return the engine to compare with: the program, or where that is chosen the one asked after it."""
    if chosen.get("engine") != "program":
        return "program"
    return next((name for name in chosen["order"] if name != "program"), None)


def _answer(question: ScaleQuestion, engine: str, limit: float, *, smoke: bool) -> dict[str, Any]:
    job: dict[str, Any] = {"name": question.name, "engine": engine, "limit": limit}
    answer = scale_work.answer(**job) if smoke else run({"work": "scale", **job}, _PATIENCE * limit)
    return {"asked": engine, **answer}


def rows(results: Iterator[Measured], kept: list[Measured]) -> Iterator[str]:
    """Yield the lines of the table, each as its row is measured, and keep what was measured."""
    widths = [max(len(name), 8) for name in HEADER]
    widths[0] = max(len(question.name) for question in QUESTIONS)
    yield line(HEADER, widths)
    yield rule(widths)
    for result in results:
        kept.append(result)
        yield line(_cells(*result), widths)


def _cells(question: ScaleQuestion, chosen: dict[str, Any], other: dict[str, Any]) -> tuple[str, ...]:
    size = figure(chosen["bytes"] / _KB, _DIGITS) if "bytes" in chosen else ""
    readers = [figure(chosen[name], _DIGITS) if name in chosen else "" for name in ("package", "checker")]
    beside = [*_ends(other, other["asked"]), _times(chosen, other)] if other else ["none", *[""] * 3]
    own = [question.name, chosen.get("engine", "none"), _time(chosen), _gap(chosen), size]
    return (*own, *readers, *beside, question.wanted)


def _time(answer: dict[str, Any]) -> str:
    if "seconds" in answer:
        return figure(answer["seconds"], _DIGITS)
    return f"> {answer['stopped']:.0f}" if "stopped" in answer else "error"


def _gap(answer: dict[str, Any]) -> str:
    """Return the proved gap, or why there is none."""
    if "engine" in answer:
        return "no bound" if answer["gap"] is None else f"{answer['gap']:.1e}"
    if "stopped" in answer:
        return "stopped"
    if "error" in answer:
        return str(answer["error"]).replace("|", "/")
    return str(answer["why"])


def _times(chosen: dict[str, Any], other: dict[str, Any]) -> str:
    """Return how many times as long the other engine takes, at least where it would be as good only later."""
    if "engine" not in chosen or not chosen["seconds"] or "engine" not in other:
        return ""
    return ratio(other["seconds"], chosen["seconds"], at_least=_is_worse(other, chosen))


def _is_worse(answer: dict[str, Any], than: dict[str, Any]) -> bool:
    """Whether an answer has no mechanism, or a much wider gap."""
    if "engine" not in answer or "engine" not in than:
        return "engine" not in answer
    gaps = [1.0 if one["gap"] is None else one["gap"] for one in (answer, than)]
    return gaps[0] > _WORSE * max(gaps[1], _ROUNDING)


def growth(results: Sequence[Measured]) -> Table:
    """Return the power of the size with which seconds grow, of each family and engine."""
    lines = []
    for family, group in groupby(results, key=lambda result: result[0].family):
        for engine, points in _points(list(group)).items() if family else ():
            fit = str(fitted(*zip(*points, strict=True))) if len(points) > 1 else "too few sizes"
            lines.append((family, engine, fit))
    return Table(
        title="Growth of seconds with the number of true answers",
        header=("family", "engine", "power"),
        rows=tuple(lines),
        notes=(
            "Least squares of log seconds on log size, with the standard error of the slope.",
            "A size counts where the gap is at most 1e-6, and no other engine has a much better one.",
        ),
    )


def _points(members: Sequence[Measured]) -> dict[str, list[tuple[int, float]]]:
    """Return sizes and seconds by the engine that took them."""
    points: dict[str, list[tuple[int, float]]] = {}
    for question, chosen, other in members:
        for answer, beside in ((chosen, other), (other, chosen)):
            if _is_counted(answer, beside):
                points.setdefault(answer["engine"], []).append((question.size, answer["seconds"]))
    return points


def _is_counted(answer: dict[str, Any], beside: dict[str, Any]) -> bool:
    """Whether an answer counts for growth."""
    gap = answer.get("gap")
    return gap is not None and gap <= _STOPPED and not _is_worse(answer, beside)


def choice(results: Sequence[Measured]) -> Table:
    """Return the questions for which the other engine is the better choice."""
    compared = [(question, chosen, other) for question, chosen, other in results if other]
    lines = [
        (question.name, *_ends(chosen, chosen.get("engine", "none")), *_ends(other, other["asked"]))
        for question, chosen, other in compared
        if _is_better(other, chosen)
    ]
    note = (
        f"Of {len(compared)} questions that two engines were asked, {len(lines)}: there the other engine has "
        "a mechanism whose gap is much better, or one that is as good in less time."
    )
    return Table(
        title="Questions for which the other engine is the better choice",
        header=("question", "engine", "seconds", "gap", "beside", "its seconds", "its gap"),
        rows=tuple(lines),
        notes=(note,),
    )


def _ends(answer: dict[str, Any], engine: str) -> tuple[str, str, str]:
    return engine, _time(answer), _gap(answer)


def _is_better(other: dict[str, Any], chosen: dict[str, Any]) -> bool:
    if "engine" not in other or _is_worse(other, chosen):
        return False
    return _is_worse(chosen, other) or other["seconds"] < chosen["seconds"]


def csv_text(results: Sequence[Measured]) -> str:
    """Return what was measured as CSV: a row for each engine that was asked, empty where there is nothing."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for question, chosen, other in results:
        for answer, beside in ((chosen, other), (other, chosen)):
            if answer:
                writer.writerow(_values(question, answer, beside, is_chosen=answer is chosen))
    return text.getvalue()


def _values(
    question: ScaleQuestion, answer: dict[str, Any], beside: dict[str, Any], *, is_chosen: bool
) -> list[object]:
    told = ("seconds", "gap", "bytes", "package", "checker")
    return [
        question.family,
        question.name,
        question.size or "",
        answer.get("engine", "none" if is_chosen else answer["asked"]),
        "yes" if is_chosen else "no",
        "yes" if _is_counted(answer, beside) else "no",
        *(_brief(answer.get(name)) for name in told),
    ]


def _brief(value: object) -> object:
    if value is None:
        return ""
    return figure(value, 4) if isinstance(value, float) else value
