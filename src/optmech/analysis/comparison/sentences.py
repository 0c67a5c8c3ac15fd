"""A comparison in sentences that a statistician understands, and comparisons as a page of Markdown."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from optmech.analysis.baselines.registry import BASELINES
from optmech.analysis.comparison.libraries import LIBRARIES
from optmech.analysis.comparison.row import excess_of
from optmech.base.number_format import at_least, at_most
from optmech.base.numbers import as_text
from optmech.base.templates import plain_text
from optmech.question.loss import beyond

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from optmech.analysis.comparison.compare_baselines import Comparison
    from optmech.analysis.comparison.row import ComparisonRow
    from optmech.question.problem import Problem

# A loss that the repair of the optimum and the rounding of a sum can explain.
_NOTHING = 1e-7
# Losses at the worst truth that differ by less are told as one.
_ALIKE = 1e-4
# From here on per cent are told in whole numbers.
_TENFOLD = 10
_KINDS = {
    "absolute": "an error of {}",
    "squared": "a squared error of {}",
    "zero-one": "a wrong answer with probability {}",
}


def sentences(comparison: Comparison) -> tuple[str, ...]:
    """Return the optimum in a sentence, then each mechanism that a library has or the user gave."""
    own = [row for row in comparison.rows if row.libraries or row.key not in BASELINES]
    return (_head(comparison), *(_sentence(comparison, row) for row in own), *verdict(comparison))


def best_default(comparison: Comparison) -> ComparisonRow | None:
    """Return the cheapest mechanism that some library takes by default and that is all that is asked."""
    defaults = (row for row in comparison.defaults if any(call.default_of for call in row.libraries))
    return next((row for row in defaults if row.answers), None)


def verdict(comparison: Comparison) -> tuple[str, ...]:
    """Return in a sentence whether a library's default is good enough, on average and at the worst truth."""
    best = best_default(comparison)
    if best is None:
        return ("No default of a library answers this question.",)
    stands = "is optimal here" if best.loses_at_most <= _NOTHING else f"loses {excess_loss(best)}"
    line = f"The best default of a library, {best.name}, {stands}"
    if comparison.problem.objective.is_worst:
        return (f"{line} at the worst truth.",)
    return (f"{line}; at its worst truth it costs {at_worst(comparison, best)} the optimum.",)


def at_worst(comparison: Comparison, row: ComparisonRow) -> str:
    """Return the comparison of the loss at the worst truth with that of the optimum, in words.

    The optimum is for the average that is asked; at the worst truth another mechanism may cost less.
    """
    share = excess_of(row.worst_loss, comparison.optimum.worst_loss)
    if abs(share) <= _ALIKE:
        return "as much as"
    return f"{_percent(abs(share))} % {'more' if share > 0 else 'less'} than"


def cost(problem: Problem, row: ComparisonRow) -> str:
    """Return the expected loss of a mechanism, in words."""
    loss = problem.objective.as_loss
    name = loss.loss_name if loss is not None else None
    distance = beyond(name)
    kind = _KINDS.get(name or "", "a loss of {}")
    if distance is not None:
        kind = f"an error beyond {as_text(distance)} with probability {{}}"
    where = "on average" if loss is None else loss.where
    return f"{kind.format(f'{row.average:.4g}')} {where}"


def excess_loss(row: ComparisonRow) -> str:
    """Return the extra cost over the optimum in per cent, as a range if it is uncertain: ``30 to 42 %``."""
    ends = [_percent(row.loses_at_least), _percent(row.loses_at_most)]
    if ends[0] == ends[1]:
        return f"{ends[0]} %"
    return f"{_percent(row.loses_at_least, at_least)} to {_percent(row.loses_at_most, at_most)} %"


def promise(row: ComparisonRow) -> str:
    """Return the violated demands of a mechanism in words; empty where there are none."""
    parts = []
    if not row.private:
        budget_text = (
            "infinite: a zero is beside a positive entry"
            if math.isinf(row.spent_epsilon)
            else f"{row.spent_epsilon:.4g}"
        )
        parts.append(
            f"is {row.privacy}: its effective epsilon is {budget_text}"
            if row.keeps_delta
            else f"violates the required privacy: its effective epsilon is {budget_text}; "
            f"its delta at epsilon {row.spent_delta_at} is {row.spent_delta:.2g}"
        )
    if row.lacks:
        parts.append(f"lacks required properties: {', '.join(row.lacks)}")
    return ", and it ".join(parts)


def _head(comparison: Comparison) -> str:
    optimum, provenance = comparison.optimum, comparison.design.lower_bound_standing
    has = f"costs {cost(comparison.problem, optimum)}, {optimum.provenance}"
    if optimum.loses_at_most <= _NOTHING:
        return f"The optimum {has}; no mechanism that answers the question costs less, {provenance}."
    if not optimum.loses_at_most < math.inf:
        return f"The best mechanism that is known {has}; no lower bound is."
    least = f"{optimum.average / (1 + optimum.loses_at_most):.4g}"
    return (
        f"The best mechanism that is known {has}; none that answers the question costs less than {least}, "
        f"{provenance}."
    )


def _sentence(comparison: Comparison, row: ComparisonRow) -> str:
    name = row.name[0].upper() + row.name[1:]
    libraries = f" ({'; '.join(map(str, row.libraries))})" if row.libraries else ""
    suffix = "" if row.made_for_delta is None else f", designed for delta = {float(row.made_for_delta):g},"
    same = f", the same as {', '.join(row.also)}," if row.also else ""
    line = f"{name}{libraries}{suffix}{same} costs {cost(comparison.problem, row)}"
    lacking = promise(row)
    if lacking and row.loses_at_most < 0:
        return f"{line}, {excess_loss(row).replace('-', '')} less than the optimum, but it {lacking}."
    if lacking:
        return f"{line}, {excess_loss(row)} more than the optimum, and it {lacking}."
    if row.loses_at_most <= _NOTHING:
        return f"{line}: it loses nothing, it is optimal here."
    return f"{line}: it loses {excess_loss(row)}."


def _percent(share: float, way: Callable[[float, int], str] | None = None) -> str:
    """Return a share in per cent, rounded to nearest or as `way` rounds."""
    if math.isinf(share):
        return "∞"
    if abs(share) < _NOTHING:
        return "0"
    if way is not None:
        whole = math.floor(100 * share) if way is at_least else math.ceil(100 * share)
        return f"{whole:,}" if abs(share) >= _TENFOLD else way(100 * share, 3)
    return f"{100 * share:,.0f}" if abs(share) >= _TENFOLD else f"{100 * share:.3g}"


def page_text(comparisons: Mapping[str, Comparison], command: str) -> str:
    """Return the page of comparisons by the title of their questions; `command` is what writes it."""
    libraries = (
        [call.library, call.version, f"`{call.call}`", call.default_of, key, call.remark]
        for key, calls in LIBRARIES.items()
        for call in calls
    )
    content = {
        "command": command,
        "comparisons": comparisons,
        "header": _header,
        "rows": lambda comparison: map(_cells, (comparison.optimum, *comparison.defaults)),
        "sentences": sentences,
        "summary": [_summary(title, comparison) for title, comparison in comparisons.items()],
        "libraries": sorted(libraries),
    }
    return plain_text("optmech.analysis.comparison", "page.md.j2", content)


def _summary(title: str, comparison: Comparison) -> list[str]:
    """Return the best default of a question, and its extra loss on average and at the worst truth."""
    best = best_default(comparison)
    if best is None:
        return [title, "none that answers it", "", ""]
    worst = comparison.problem.objective.is_worst
    average = "" if worst else excess_loss(best)
    return [
        title,
        best.name,
        average,
        excess_loss(best) if worst else f"{at_worst(comparison, best)} the optimum",
    ]


def _header(comparison: Comparison) -> list[str]:
    far = [] if comparison.beyond is None else [f"P(error > {as_text(comparison.beyond)})"]
    ends = ["loses", "effective ε", "keeps its promise"]
    return ["mechanism", "library", "on average", "worst truth", *far, *ends]


def _cells(row: ComparisonRow) -> list[str]:
    optimum = row.key == "optimum"
    far = [] if row.beyond is None else [f"{row.beyond:.3g}"]
    suffix = "" if row.made_for_delta is None else f", δ = {float(row.made_for_delta):g}"
    cells = ["yes" if row.private else row.privacy]
    return [
        f"**{row.name}**, {row.provenance}" if optimum else f"{row.name}{suffix}",
        ", ".join(f"**{call}**" if call.default_of else str(call) for call in row.libraries),
        f"{row.average:.4g}",
        f"{row.worst_loss:.4g}",
        *far,
        "" if optimum else excess_loss(row),
        f"{row.spent_epsilon:.4g}",
        "; ".join([*cells, *(f"not {name}" for name in row.lacks)]),
    ]
