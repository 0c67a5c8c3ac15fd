"""The distribution of the response at one true answer, or at some: a bar for each response."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import an_instance, takes
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import Number, as_text, brief, exact
from optmech.mechanisms.mechanism import Mechanism
from optmech.reports.charts.chart import Axis, Chart, Look, Mark, Series, cut, decimal_names
from optmech.reports.charts.matrix_view import (
    MatrixView,
    exact_numbers,
    provenance,
    response_names,
    truth_names,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


_MOST_NAMES = 8
# More bars than this are too thin to be distinguished.
_MOST_BARS = 120
_MOST_TRUTHS, _LONGEST = 8, 18


@takes(mechanism=an_instance(Mechanism))
def released_chart(mechanism: Mechanism, truths: Any) -> Chart:  # noqa: ANN401 - a truth, or several of them
    """Return the probability of each answer, for one true answer or up to eight beside each other.

    The chart has bars where they can be distinguished, else lines through the same heights. A triangle stands
    over the truth itself, where it can be released. ProblemError if a truth is none of the mechanism's, or
    there are none or too many of them.

    >>> import optmech as om
    >>> half = om.MatrixMechanism(matrix=[[0.5, 0.5], [0.5, 0.5]], responses=(0, 1), truths=(0, 1))
    >>> released_chart(half, [0, 1]).series[1].values
    (0.5, 0.5)
    """
    indices = _positions(mechanism, truths)
    is_numeric = not mechanism.labels
    names = decimal_names(truth_names(mechanism)) if is_numeric else truth_names(mechanism)
    told = [cut(names[index], _LONGEST) for index in indices]
    responses = response_names(mechanism)
    look = Look.BARS if len(indices) * len(responses) <= _MOST_BARS else Look.LINE
    homes = [
        mechanism.responses.index(truth) if truth in mechanism.responses else None
        for truth in (mechanism.truths[index] for index in indices)
    ]
    numbers, unit = exact_numbers(mechanism)
    series = [
        Series(
            name=f"true answer {name}",
            across=tuple(range(len(responses))),
            values=tuple(mechanism.matrix[:, index].tolist()),
            exactly=tuple(map(str, numbers[:, index].tolist())),
            unit=unit,
            look=look,
            truth=home,
        )
        for name, index, home in zip(told, indices, homes, strict=True)
    ]
    which = f"if {told[0]} is true" if len(indices) == 1 else "for these truths"
    return Chart(
        description=f"The probability of each released answer when the true answer is {', '.join(told)}.",
        x=Axis(title="released answer", names=responses, numeric=is_numeric),
        y=Axis(title="probability", high=max(max(each.values) for each in series)),
        series=tuple(series),
        title=f"Released answers {which}\n{provenance(mechanism)}",
    )


def _positions(mechanism: Mechanism, truths: Any) -> list[int]:  # noqa: ANN401 - as `released_chart`
    """Return the positions of the truths asked for, each once."""
    if isinstance(truths, np.ndarray):
        truths = truths.ravel().tolist()
    members = truths if isinstance(truths, Iterable) and not isinstance(truths, str) else [truths]
    indices = list(dict.fromkeys(position_of(mechanism, truth, "truths") for truth in members))
    if not 1 <= len(indices) <= _MOST_TRUTHS:
        message = (
            f"`truths` must be one to {_MOST_TRUTHS} of the truths; got {len(indices)}. "
            "More cannot be told apart: `plot_matrix` draws all."
        )
        raise ProblemError(message)
    return indices


def responses_side_by_side(mechanisms: Mapping[str, Mechanism], truth: Number) -> Chart:
    """Return the released answers of mechanisms, by name, at the true answer `truth`, a number or a label.

    The responses of all of them stand on one axis, numbers in their order. ProblemError if one of them has no
    such truth.
    """
    positions = [position_of(mechanism, truth) for mechanism in mechanisms.values()]
    names = _all_responses(mechanisms)
    indices = {name: index for index, name in enumerate(names)}
    series = []
    for (name, mechanism), position in zip(mechanisms.items(), positions, strict=True):
        numbers, unit = exact_numbers(mechanism)
        column, exactly = (each[:, position].tolist() for each in (mechanism.matrix, numbers))
        across = [indices[response] for response in response_names(mechanism)]
        series.append(_bars(name, across, column, list(map(str, exactly)), unit))
    first = next(iter(mechanisms.values()))
    name_of_truth = truth_names(first)[positions[0]]
    mark = Mark(at=indices[name_of_truth] if name_of_truth in response_names(first) else None, text="truth")
    numeric = not any(each.labels for each in mechanisms.values())
    short_names = dict(zip(names, decimal_names(names), strict=True)) if numeric else {}
    title = f"released when the true answer is {cut(short_names.get(name_of_truth, name_of_truth))}"
    return _chart(series, name_of_truth, title, names, mark, numeric=numeric)


def response_column(view: MatrixView, index: int, axis_title: str, mark: int | None) -> Chart:
    """Return the bars of one column of a view; high enough for those of every other column.

    `mark` is the response that is the truth, if any.
    """
    column = view.probabilities[:, index].tolist()
    bars = _bars("released", range(len(column)), column, [line[index] for line in view.exactly], view.unit)
    return _chart(
        [bars],
        view.truths[index],
        axis_title,
        view.responses,
        Mark(at=mark, text="truth"),
        numeric=bool(view.values),
        top=view.top,
    )


def position_of(mechanism: Mechanism, truth: Number, argument: str = "truth") -> int:
    """Return the position of `truth`, a number or a label, among the truths, or raise ProblemError."""
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
        name=name,
        across=tuple(across),
        values=tuple(column),
        exactly=tuple(exactly),
        unit=unit,
        look=Look.BARS,
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
