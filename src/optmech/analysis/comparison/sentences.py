"""A comparison in sentences that a statistician understands."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from optmech.analysis.baselines.registry import BASELINES
from optmech.base.numbers import as_text

if TYPE_CHECKING:
    from optmech.analysis.comparison.held import Comparison
    from optmech.analysis.comparison.row import Row
    from optmech.question.problem import Problem

__all__ = ["cost", "lost", "promise", "sentences"]

# A loss that the repair of the optimum and the rounding of a sum can explain.
_NOTHING = 1e-7
# From here on per cent are told in whole numbers.
_TENFOLD = 10
_KINDS = {
    "absolute": "an error of {}",
    "squared": "a squared error of {}",
    "zero-one": "a wrong answer with probability {}",
}


def sentences(comparison: Comparison) -> tuple[str, ...]:
    """Return the optimum in a sentence, then each mechanism that a library has or the user gave.

    Examples
    --------
    >>> from optmech.analysis.comparison.held import compare
    >>> from optmech.question.problems.croft import croft
    >>> from optmech.question.queries import count
    >>> told = sentences(compare(croft(count(5), "0.5", prior="uniform")))
    >>> print(told[0])
    The optimum costs an error of 1.061 on average, proved; no mechanism that answers the question costs less,
    proved.
    >>> print(next(line for line in told if "LaplaceTruncated" in line))
    Snapped Laplace (diffprivlib LaplaceTruncated; Google DP for Java LaplaceNoise; SmartNoise SQL Laplace)
    costs an error of 1.183 on average: it loses 11.5 %.
    """
    own = [row for row in comparison.rows if row.libraries or row.key not in BASELINES]
    return (_head(comparison), *(_sentence(comparison, row) for row in own))


def cost(problem: Problem, row: Row) -> str:
    """Return what is to be expected of a mechanism, in words."""
    loss = problem.objective.as_loss
    name = (loss and loss.loss_name) or ""
    word, _, distance = name.partition(" ")
    kind = _KINDS.get(name, "a loss of {}")
    if word == "beyond":
        kind = f"an error beyond {distance} with probability {{}}"
    where = "on average" if not problem.objective.is_worst else "at the worst truth"
    return f"{kind.format(f'{row.average:.4g}')} {where}"


def lost(row: Row) -> str:
    """Return how much more it costs than the optimum, in per cent, as far as it is known.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> lost(SimpleNamespace(loses_at_least=0.371, loses_at_most=0.371))
    '37.1 %'
    >>> lost(SimpleNamespace(loses_at_least=0.3, loses_at_most=0.42)), lost(
    ...     SimpleNamespace(loses_at_least=1e-12, loses_at_most=1e-12)
    ... )
    ('30 to 42 %', '0 %')
    """
    ends = [_percent(row.loses_at_least), _percent(row.loses_at_most)]
    return f"{ends[0]} %" if ends[0] == ends[1] else f"{ends[0]} to {ends[1]} %"


def promise(comparison: Comparison, row: Row) -> str:
    """Return what a mechanism lacks of what the problem asks, empty where it lacks nothing."""
    parts = []
    if not row.private:
        epsilon = as_text(comparison.problem.privacy.epsilon)
        spent = (
            "infinite: a zero lies beside a positive entry"
            if math.isinf(row.spent_epsilon)
            else f"{row.spent_epsilon:.4g}"
        )
        parts.append(
            f"is {row.privacy}: its effective epsilon is {spent}"
            if row.keeps_delta
            else f"does not keep the privacy asked: its effective epsilon is {spent}; "
            f"its delta at epsilon {epsilon} is {row.spent_delta:.2g}"
        )
    if row.lacks:
        parts.append(f"lacks what is asked: {', '.join(row.lacks)}")
    return ", and it ".join(parts)


def _head(comparison: Comparison) -> str:
    optimum, standing = comparison.optimum, comparison.design.lower_bound_standing
    has = f"costs {cost(comparison.problem, optimum)}, {optimum.standing}"
    if optimum.loses_at_most <= _NOTHING:
        return f"The optimum {has}; no mechanism that answers the question costs less, {standing}."
    if not optimum.loses_at_most < math.inf:
        return f"The best mechanism found {has}; nothing is known below it."
    least = f"{optimum.average / (1 + optimum.loses_at_most):.4g}"
    return (
        f"The best mechanism found {has}; none that answers the question costs less than {least}, {standing}."
    )


def _sentence(comparison: Comparison, row: Row) -> str:
    name = row.name[0].upper() + row.name[1:]
    libraries = f" ({'; '.join(map(str, row.libraries))})" if row.libraries else ""
    made = "" if row.made_for_delta is None else f", made for delta = {float(row.made_for_delta):g},"
    same = f", the same as {', '.join(row.also)}," if row.also else ""
    line = f"{name}{libraries}{made}{same} costs {cost(comparison.problem, row)}"
    lacking = promise(comparison, row)
    if lacking and row.loses_at_most < 0:
        return f"{line}, {lost(row).replace('-', '')} less than the optimum, but it {lacking}."
    if lacking:
        return f"{line}, {lost(row)} more than the optimum, and it {lacking}."
    if row.loses_at_most <= _NOTHING:
        return f"{line}: it loses nothing, it is optimal here."
    return f"{line}: it loses {lost(row)}."


def _percent(share: float) -> str:
    if math.isinf(share):
        return "∞"
    if abs(share) < _NOTHING:
        return "0"
    return f"{100 * share:,.0f}" if abs(share) >= _TENFOLD else f"{100 * share:.3g}"
