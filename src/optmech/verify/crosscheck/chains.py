"""Questions on the theorem of chains: privacy curves with several corners, priors, losses and responses."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from optmech.question.problems.question import question
from optmech.question.queries import count
from optmech.question.query import Query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from optmech.question.problem import Problem

    Pairs = tuple[tuple[str, str], ...]

CURVES: tuple[Pairs, ...] = (
    (("0.5", "0.02"),),
    (("0.3", "0.01"), ("1", "0.001")),
    (("1", "0.000001"),),
    (("0", "0.1"),),
    (("1", "0"),),
    (("ln 2", "0.3"),),
    (("0.2", "0.05"), ("0.7", "0.01"), ("2", "0.001")),
    (("3", "0.05"),),
    (("0", "0.3"), ("1", "0.1")),
)
"""Privacies that must all hold, as pairs (epsilon, delta)."""


def chain_questions(
    counts: tuple[int, ...], curves: tuple[Pairs, ...], *, every: bool
) -> Iterator[tuple[str, Callable[[], Problem]]]:
    """Yield the name and the settings of each question; without `every`, shapes take turns."""
    for index, (largest, curve) in enumerate(product(counts, curves)):
        all_shapes = list(shapes(largest))
        if _is_pure_somewhere(curve):  # where zero stays zero nothing else is ever released
            all_shapes = [shape for shape in all_shapes if "properties" not in shape[2]]
        for name, query, settings in all_shapes if every else [all_shapes[index % len(all_shapes)]]:
            ask = partial(question, query, **{**settings, "privacy": list(curve)})
            yield f"count 0..{largest}, privacy {_text(curve)}, {name}", ask


def step_questions(
    counts: tuple[int, ...], curves: tuple[Pairs, ...], *, every: bool
) -> Iterator[tuple[str, Callable[[], Problem]]]:
    """Yield the same where steps from truth to truth, or their two ways, differ."""
    for index, (largest, curve) in enumerate(product(counts, curves)):
        steps = range(largest)
        up, down = [(f, f + 1) for f in steps], [(f + 1, f) for f in steps]
        rows = {
            "weights 2, 1, 3": [(*pair, (2, 1, 3)[min(pair) % 3]) for pair in up + down],
            "weights by way": [(f, g, 1 + f % 2 if f < g else 3 - g % 2) for f, g in up + down],
            "upwards": [(*pair, 1) for pair in up],
            "downwards, one step both ways": [(f, g, 1 + g % 2) for f, g in down] + [(0, 1, 1)],
            "one way, then the other": [(*(up if f % 2 else down)[f], 1) for f in steps],
        }
        for name in rows if every else [list(rows)[index % len(rows)]]:
            query = Query(range(largest + 1), neighbours=rows[name], symmetric=False)
            settings = list(shapes(largest))[index % 4][2]
            if _is_pure_somewhere(curve):
                settings = {name: it for name, it in settings.items() if name != "properties"}
            ask = partial(question, query, **{**settings, "privacy": list(curve)})
            yield f"truths 0..{largest}, privacy {_text(curve)}, {name}", ask


def _is_pure_somewhere(curve: Pairs) -> bool:
    return any(delta == "0" for _, delta in curve)


def _text(curve: Pairs) -> str:
    return "; ".join(f"{epsilon}, {delta}" for epsilon, delta in curve)


def shapes(largest: int) -> Iterator[tuple[str, Query, dict[str, Any]]]:
    """Yield priors, losses, responses and properties of a count 0..n, each with what it is called."""
    query, number = count(largest), largest + 1
    yield "absolute", query, {}
    yield "squared, prior with zeros", query, {"loss": "squared", "prior": _prior(number, (0, 3, 1, 0, 5))}
    yield "zero stays zero", query, {"properties": ["zero-stays-zero"]}
    unsymmetric = {"loss": _losses(range(number), number, 3, 1), "prior": _prior(number, (1, 2))}
    yield "unsymmetric", query, unsymmetric
    coarse = Query(range(number), [(point, point) for point in range(0, number + 1, 2)], neighbours=1)
    yield "every other response", coarse, {"loss": "squared"}
    halves = [Fraction(index, 2) for index in range(-1, 2 * number)]
    fine = Query(range(number), [(point, point) for point in halves], neighbours=1)
    yield "responses of halves, unsymmetric", fine, {"loss": _losses(halves, number, 1, 2)}
    far = [Fraction(-3), Fraction(1, 3), largest + Fraction(5, 2)]
    few = Query(range(number), [(point, point) for point in far], neighbours=1)
    yield "three responses, prior that falls", few, {"prior": _prior(number, range(number, 0, -1))}
    turned = {"loss": _losses(range(number), number, 1, 4), "prior": _prior(number, (0, 1, 2))}
    yield "zero stays zero, unsymmetric", query, {**turned, "properties": ["zero-stays-zero"]}
    yield "plain sum, cubed", query, {"loss": _losses(range(number), number, 1, 1, power=3), "prior": None}


def _prior(number: int, pattern: Any) -> list[float]:  # noqa: ANN401 - whole numbers, again and again
    weights = [pattern[index % len(pattern)] for index in range(number)]
    weights[-1] += not any(weights)
    return [weight / sum(weights) for weight in weights]


def _losses(points: Any, number: int, over: int, under: int, power: int = 1) -> list[list[float]]:  # noqa: ANN401 - numbers
    """Return a loss that differs above and below the truth, as a table."""
    return [
        [
            float((over if point > truth else under) * abs(Fraction(point) - truth) ** power)
            for truth in range(number)
        ]
        for point in points
    ]
