"""Ask for a whole table with its totals."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optmech.base.errors import broken_rule
from optmech.base.numbers import brief, exact
from optmech.question.tables.budget import budget_of
from optmech.question.tables.margins import margin_of, need_axes, subsets
from optmech.question.tables.person import TablePerson
from optmech.question.tables.table_problem import Goal, TableAxis, TableProblem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from optmech.base.numbers import Number
    from optmech.question.tables.margins import Axes


def table(
    by: Mapping[str, int | Iterable[str]] | str,
    *,
    zcdp: Number | None = None,
    epsilon: Number | None = None,
    delta: Number | None = None,
    totals: Iterable[str] | str | None = None,
    weights: Mapping[str, Number] | str = Goal.SAME,
    at_most: int = 1,
    at_most_per_cell: int | None = None,
    is_sum: bool = False,
) -> TableProblem:
    """Ask for the best noise of a whole table: its numbers are whole, add up, and have no bias.

    Parameters
    ----------
    by : mapping or str
        The axes: by name the number of categories, or their texts; or text, ``"region:17; sex:f,m"``.
    zcdp : str, int, float or Fraction, optional
        rho, the budget of one person; then `delta` says where its epsilon is told, 1e-6 if left out.
    epsilon, delta : str, int, float or Fraction, optional
        In place of `zcdp`: the pair that one person spends; pure privacy without a delta.
    totals : list of str or str, optional
        The published margins, axes joined by ``*``, or ``total``; as text with semicolons. Default: all.
    weights : str or mapping, default "same error"
        ``"same error"``, ``"every number"``, ``"every margin"``, or the weight of one number of named
        margins, such as ``"total=20"``; margins without a name weigh 1.
    at_most, at_most_per_cell : int, optional
        Rows of one person in all, and in one cell; with `is_sum` units of sums.
    is_sum : bool, default False
        Whether cells are sums.

    Returns
    -------
    TableProblem
        A question for `design`.

    Raises
    ------
    ProblemError
        If an argument breaks a rule.

    Examples
    --------
    >>> asked = table({"region": 17, "age": 20, "sex": 2}, zcdp="0.1")
    >>> print(asked.title, len(asked.totals))
    table region 17 x age 20 x sex 2 8
    """
    axes = _axes_of_text(by) if isinstance(by, str) else tuple(_axis(*pair) for pair in _items(by))
    need_axes(len(axes))
    names = [axis.name for axis in axes]
    every = tuple(subsets(frozenset(range(len(axes)))))
    if isinstance(totals, str):
        totals = [part for part in totals.split(";") if part.strip()]
    asked = set(every) if totals is None else {margin_of(text, names) for text in totals}
    ordered = tuple(margin for margin in every if margin in asked)
    return TableProblem(
        axes=axes,
        totals=ordered,
        goal=_goal(weights, ordered, names),
        person=TablePerson(at_most=at_most, at_most_per_cell=at_most_per_cell, is_sum=is_sum),
        budget=budget_of(zcdp, epsilon, delta),
    )


def _items(by: Any) -> Any:  # noqa: ANN401 - any argument
    if not hasattr(by, "items"):
        raise broken_rule("by", "map the names of axes to their categories", brief(by))
    return by.items()


def _axis(name: Any, told: Any) -> TableAxis:  # noqa: ANN401 - any argument
    if not isinstance(name, str) or not name.strip() or name != name.strip() or set(name) & set("*;:,=\n"):
        raise broken_rule("by", "name each axis by text without * ; : , and =", brief(name))
    if isinstance(told, (str, bytes, bool)):
        raise broken_rule("by", "map names to numbers of categories, or to lists of texts", brief(told))
    if hasattr(told, "__index__"):
        return TableAxis(name=name, size=int(told))
    categories = tuple(map(str, told)) if hasattr(told, "__iter__") else ()
    return TableAxis(name=name, size=len(categories), categories=categories)


def _axes_of_text(by: str) -> tuple[TableAxis, ...]:
    """Return the axes of ``"region:17; sex:f,m"``."""
    axes: list[TableAxis] = []
    for part in filter(str.strip, by.split(";")):
        name, colon, told = part.partition(":")
        if not colon:
            raise broken_rule("by", "be axes such as `region:17; sex:f,m`", brief(by))
        texts = [text.strip() for text in told.split(",")]
        is_size = len(texts) == 1 and texts[0].isascii() and texts[0].isdigit() and len(texts[0]) < 10  # noqa: PLR2004
        axes.append(_axis(name.strip(), int(texts[0]) if is_size else texts))
    return tuple(axes)


def _goal(
    weights: Mapping[str, Number] | str, totals: tuple[Axes, ...], names: list[str]
) -> Goal | Mapping[Axes, Fraction]:
    if isinstance(weights, str):
        if weights in tuple(Goal):
            return Goal(weights)
        pairs = [part.partition("=") for part in filter(str.strip, weights.replace(";", ",").split(","))]
        if not pairs or not all(equals for _, equals, _ in pairs):
            raise broken_rule("weights", f"be {', '.join(Goal)}, or such as total=20", brief(weights))
        weights = {name.strip(): number.strip() for name, _, number in pairs}
    own = {margin_of(name, names, "weights"): exact(number, "weights") for name, number in _items(weights)}
    if not own or not own.keys() <= set(totals):
        raise broken_rule("weights", "name published margins", brief(weights))
    return {margin: own.get(margin, Fraction(1)) for margin in totals}
