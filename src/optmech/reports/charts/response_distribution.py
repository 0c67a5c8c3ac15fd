"""The distribution of the response at one true answer: a bar for each response."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.errors import broken_rule
from optmech.base.numbers import Number, as_text, brief, exact
from optmech.reports.charts.chart import Axis, Chart, Mark, Series, cut, decimal_names
from optmech.reports.charts.matrix_view import MatrixView, exact_numbers, response_names, truth_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from optmech.mechanisms.mechanism import Mechanism

_MOST_NAMES = 8


def responses_side_by_side(mechanisms: Mapping[str, Mechanism], truth: Number) -> Chart:
    """Return what mechanisms release, by name, where `truth`, a number or a label, is the true answer.

    The responses of all of them stand on one axis, numbers in their order. ProblemError if one of them has no
    such truth.
    """
    positions = [position_of(mechanism, truth) for mechanism in mechanisms.values()]
    names = _all_responses(mechanisms)
    places = {name: place for place, name in enumerate(names)}
    series = []
    for (name, mechanism), position in zip(mechanisms.items(), positions, strict=True):
        numbers, unit = exact_numbers(mechanism)
        column, exactly = (each[:, position].tolist() for each in (mechanism.matrix, numbers))
        across = [places[response] for response in response_names(mechanism)]
        series.append(_bars(name, across, column, list(map(str, exactly)), unit))
    first = next(iter(mechanisms.values()))
    name_of_truth = truth_names(first)[positions[0]]
    mark = Mark(at=places[name_of_truth] if name_of_truth in response_names(first) else None, text="truth")
    numeric = not any(each.labels for each in mechanisms.values())
    short_names = dict(zip(names, decimal_names(names), strict=True)) if numeric else {}
    title = f"released when the true answer is {cut(short_names.get(name_of_truth, name_of_truth))}"
    return _chart(series, name_of_truth, title, names, mark, numeric=numeric)


def response_column(view: MatrixView, place: int, axis_title: str, mark: int | None) -> Chart:
    """Return the bars of one column of a view; high enough for those of every other column.

    `mark` is which response is the truth, if any.
    """
    column = view.probabilities[:, place].tolist()
    bars = _bars("released", range(len(column)), column, [line[place] for line in view.exactly], view.unit)
    return _chart(
        [bars],
        view.truths[place],
        axis_title,
        view.responses,
        Mark(at=mark, text="truth"),
        numeric=bool(view.values),
        top=view.top,
    )


def position_of(mechanism: Mechanism, truth: Number, argument: str = "truth") -> int:
    """Return where `truth`, a number or a label, stands among the truths; raises ProblemError."""
    if isinstance(truth, str) and truth in mechanism.labels:
        return mechanism.labels.index(truth)
    value = None if mechanism.labels and isinstance(truth, str) else exact(truth, argument)
    if value in mechanism.truths:
        return mechanism.truths.index(value)
    names = truth_names(mechanism)
    text = ", ".join(names if len(names) <= _MOST_NAMES else (*names[:2], "...", names[-1]))
    raise broken_rule(argument, f"be among the truths of this mechanism, {text}", brief(truth))


def _bars(name: str, across: Sequence[int], column: list[float], exactly: Sequence[str], unit: str) -> Series:
    return Series(
        name=name, across=tuple(across), values=tuple(column), exactly=tuple(exactly), unit=unit, bars=True
    )


def _chart(
    series: list[Series],
    text: str,
    title: str,
    names: Sequence[str],
    mark: Mark,
    *,
    numeric: bool,
    top: float = 0.0,
) -> Chart:
    return Chart(
        description=f"Bars: the probability of each released answer when the true answer is {text}.",
        x=Axis(title=title, names=tuple(names), numeric=numeric),
        y=Axis(title="probability", high=max(top, *(max(each.values) for each in series))),
        series=tuple(series),
        mark=mark,
    )


def _all_responses(mechanisms: Mapping[str, Mechanism]) -> list[str]:
    if any(mechanism.labels for mechanism in mechanisms.values()):
        return list(dict.fromkeys(name for each in mechanisms.values() for name in response_names(each)))
    return [as_text(value) for value in sorted({r for each in mechanisms.values() for r in each.responses})]
