"""What is released for one true answer: a bar for each response."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text, brief, exact
from optmech.reports.charts.drawn import denominator_text, response_names, truth_names
from optmech.reports.charts.frame import axis, cut, exact_dimension, framed, names_axis, short, tooltip

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.base.numbers import Number
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.reports.charts.drawn import Drawn

__all__ = ["position_of", "released_column", "released_given", "released_side_by_side"]


def released_given(mechanism: Mechanism, truth: Number) -> dict[str, Any]:
    """Return the distribution of what is released when `truth` is the true answer, a bar for each response.

    Parameters
    ----------
    mechanism : Mechanism
        Any.
    truth : str, int, float or Fraction
        One of its truths, or the label of one.

    Raises
    ------
    ProblemError
        If it is none of them.

    Examples
    --------
    >>> from optmech.mechanisms.mechanism import Mechanism
    >>> answer = Mechanism(matrix=[[0.75, 0.25], [0.25, 0.75]], responses=(0, 1), truths=(0, 1))
    >>> [bar[1] for bar in released_given(answer, 0)["series"][0]["data"]]
    [0.75, 0.25]
    """
    return released_side_by_side({"released": mechanism}, truth)


def released_side_by_side(mechanisms: Mapping[str, Mechanism], truth: Number) -> dict[str, Any]:
    """Return the same for several mechanisms, by name, which all know `truth`; raises ProblemError.

    The responses of all of them stand on one axis, numbers in their order.
    """
    series: list[dict[str, Any]] = []
    positions = [position_of(mechanism, truth) for mechanism in mechanisms.values()]
    told = ""
    for (name, mechanism), position in zip(mechanisms.items(), positions, strict=True):
        column, own = mechanism.matrix[:, position].tolist(), response_names(mechanism)
        told = truth_names(mechanism)[position]
        if mechanism.exact is None:
            unit, exactly = "as a double", list(map(str, column))
        else:
            unit = f"numerator over {denominator_text(mechanism.exact.denominator)}"
            exactly = list(map(str, mechanism.exact.numerators[:, position].tolist()))
        mark = told if told in own and not series else None
        series.append(_bars(name, list(zip(own, column, exactly, strict=True)), unit, mark))
    return _chart(
        series,
        told,
        f"released when the true answer is {cut(told)}",
        _all_responses(mechanisms),
        several=len(series) > 1,
    )


def released_column(shown: Drawn, place: int, axis_name: str, mark: str) -> dict[str, Any]:
    """Return the bars of one column of what is drawn.

    Parameters
    ----------
    shown : Drawn
        From `drawn`, or made by hand.
    place : int
        Which column.
    axis_name : str
        What the axis of the responses is called.
    mark : str
        The response at which a dashed line marks the truth; empty for none.
    """
    column = shown.probabilities[:, place].tolist()
    exactly = [line[place] for line in shown.exactly]
    bars = _bars("released", list(zip(shown.responses, column, exactly, strict=True)), shown.unit, mark)
    return _chart([bars], shown.truths[place], axis_name, list(shown.responses), several=False)


def _bars(name: str, rows: list[tuple[str, float, str]], unit: str, mark: str | None) -> dict[str, Any]:
    bars: dict[str, Any] = {
        "type": "bar",
        "name": name,
        "dimensions": ["released answer", "probability", exact_dimension(unit)],
        "encode": {"x": 0, "y": 1, "tooltip": [1, 2], "itemName": 0},
        "data": [[response, short(mass), text] for response, mass, text in rows],
        "barMaxWidth": 48,
    }
    if mark is not None:
        bars["markLine"] = {
            "silent": True,
            "symbol": "none",
            "label": {"formatter": "truth", "position": "end"},
            "lineStyle": {"type": "dashed"},
            "data": [{"xAxis": mark}] if mark else [],
        }
    return bars


def _chart(
    series: list[dict[str, Any]],
    told: str,
    axis_name: str,
    responses: list[str],
    *,
    several: bool,
) -> dict[str, Any]:
    return framed(
        f"Bars: the probability of each released answer when the true answer is {told}.",
        patterns=several,
        tooltip=tooltip(),
        **({"legend": {"top": 0}} if several else {}),
        grid={"left": 12, "right": 16, "top": 44 if several else 28, "bottom": 12},
        xAxis=names_axis(axis_name, responses),
        yAxis=axis("probability"),
        series=series,
    )


def position_of(mechanism: Mechanism, truth: Number) -> int:
    """Return where `truth`, a number or a label, stands among the truths; raises ProblemError.

    Examples
    --------
    >>> from optmech.mechanisms.mechanism import Mechanism
    >>> position_of(Mechanism(matrix=[[1, 1]], responses=(0,), truths=(0, "0.5")), 0.5)
    1
    """
    if mechanism.labels:
        if truth in mechanism.labels:
            return mechanism.labels.index(str(truth))
        known = ", ".join(mechanism.labels)
    else:
        sought = exact(truth, "truth")
        if sought in mechanism.truths:
            return mechanism.truths.index(sought)
        known = f"{as_text(mechanism.truths[0])} … {as_text(mechanism.truths[-1])}"
    message = f"`truth` must be one of {known[:60]}; got {brief(truth)}."
    raise ProblemError(message)


def _all_responses(mechanisms: Mapping[str, Mechanism]) -> list[str]:
    if any(mechanism.labels for mechanism in mechanisms.values()):
        return list(dict.fromkeys(name for each in mechanisms.values() for name in response_names(each)))
    return [as_text(value) for value in sorted({r for each in mechanisms.values() for r in each.responses})]
