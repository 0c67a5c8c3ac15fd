"""Ask for quantiles of people's records."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import items, one_of, takes, whole_number
from optmech.base.errors import broken_rule
from optmech.base.numbers import brief, exact
from optmech.question.quantiles.quantile_problem import Neighbours, QuantileProblem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optmech.base.numbers import Number

PARTS = {"median": 2, "quartiles": 4, "deciles": 10, "percentiles": 100}
"""Names of quantiles, and the number of parts that they divide people into."""


@takes(at_most=whole_number)
def quantiles(
    range: str | Iterable[Number],  # noqa: A002 - the name that questions have
    *,
    of: str | Iterable[Number] = "median",
    step: Number = 1,
    epsilon: Number | None = None,
    zcdp: Number | None = None,
    at_most: int = 1,
    adjacency: str = Neighbours.ADD_REMOVE,
) -> QuantileProblem:
    """Ask for quantiles of people's records, such as their median age.

    Parameters
    ----------
    range : str or pair of numbers
        The smallest and the largest value, public: ``"0:100"``. Values beyond it count as its ends.
    of : str or sequence of numbers, default "median"
        ``"median"``, ``"quartiles"``, ``"deciles"``, or up to 15 quantiles, ``".5,.9"``.
    step : number, default 1
        From one value to the next; values in between count as the nearest.
    epsilon, zcdp : number, optional
        What one person spends, one of the two.
    at_most : int, default 1
        Number of rows of one person that count.
    adjacency : {"add-remove", "change"}
        Protected is one person more or fewer; or, of one quantile, one person's value changed, where numbers
        of people are public.

    Returns
    -------
    QuantileProblem
        A question for `design`.

    Raises
    ------
    ProblemError
        If an argument breaks a rule.

    Examples
    --------
    >>> asked = quantiles("0:100", of="quartiles", epsilon=1)
    >>> print(asked.title)
    lower quartile, median, upper quartile of 0..100
    """
    ends = range.split(":") if isinstance(range, str) else items(range, "range", "LOW:HIGH")
    if len(ends) != 2:  # noqa: PLR2004 - low and high
        raise broken_rule("range", "be LOW:HIGH, such as 0:100", brief(range))
    low, high = (exact(end, "range") for end in ends)
    return QuantileProblem(
        low=low,
        high=high,
        step=exact(step, "step"),
        quantiles=_asked(of),
        epsilon=None if epsilon is None else exact(epsilon, "epsilon"),
        zcdp=None if zcdp is None else exact(zcdp, "zcdp"),
        at_most=at_most,
        neighbours=Neighbours(one_of(adjacency, tuple(Neighbours), "adjacency")),
    )


def _asked(of: Any) -> tuple[Fraction, ...]:  # noqa: ANN401 - any argument
    if isinstance(of, str) and of.strip() in PARTS:
        parts = PARTS[of.strip()]
        return tuple(Fraction(part, parts) for part in range(1, parts))
    told = of.split(",") if isinstance(of, str) else items(of, "of", "quantiles")
    return tuple(exact(one, "of", f"Such as {', '.join(PARTS)} or .5,.9.") for one in told)
