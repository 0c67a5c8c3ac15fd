"""What a certificate of geometric noise claims, told from definitions alone.

`e^-epsilon` in decimals, the loss of each response at each truth, and the bound against the loss of the best
answer to each draw of private noise.
"""

from __future__ import annotations

import json
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import accumulate, groupby


def text_of(content):
    lines = [f"{json.dumps(name)}: {json.dumps(part)}" for name, part in content.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def spelled(numbers):
    runs = [(number, len([*same])) for number, same in groupby(numbers)]
    return " ".join(f"{number}*{times}" if times > 1 else f"{number}" for number, times in runs)


def numbers_of(runs):
    parts = [run.partition("*") for run in runs.split(" ")]
    return [int(number) for number, _, times in parts for _ in range(int(times or 1))]


def claiming(content, objective, bound):
    return content | {"objective": str(objective), "bound": str(bound), "gap": str(objective - bound)}


def value_of(decay):
    return Fraction(int(decay["numerator"]), 2 ** decay["bits"])


def decay_of(text):
    """Return a rational a little above e^-epsilon."""
    if text.startswith("ln "):
        return 1 / Fraction(text[3:])
    with localcontext(prec=70):
        given = Fraction(text)
        power = (-Decimal(given.numerator) / given.denominator).exp()
        return Fraction(power) * (1 + Fraction(1, 10**60))


def costs_of(question):
    """Return the weighted loss of each response at each truth."""
    size, loss, prior = question["query"]["truths"], question["loss"], question["weights"]

    def at(distance):
        if isinstance(loss, list):
            return Fraction(loss[min(distance, len(loss) - 1)])
        limit = {"zero-one": 0}.get(loss, Fraction(loss[7:]) if loss.startswith("beyond ") else None)
        return Fraction(distance ** (1 + (loss == "squared")) if limit is None else distance > limit)

    weights = {"sum": [1] * size, "uniform": [Fraction(1, size)] * size}.get(str(prior))
    weights = weights or [*map(Fraction, prior)]
    return [[weights[f] * at(abs(r - f)) for f in range(size)] for r in range(size)]


def noise_of(a, size):
    """Return the probability of each draw at each truth."""
    inner, end = (1 - a) / (1 + a), 1 / (1 + a)
    return [
        [(inner if 0 < j < size - 1 else end) * a ** abs(j - f) for f in range(size)] for j in range(size)
    ]


def best_of(a, costs):
    """Return the least loss of noise of this decay and some answer to each draw."""
    draws = noise_of(a, len(costs))
    return sum(min(sum(x * p for x, p in zip(row, draw, strict=True)) for row in costs) for draw in draws)


def is_false(content):
    """Whether privacy, loss or bound are claimed better than they are; `None` if nothing is claimed."""
    question = content["question"]
    try:
        costs, remap = costs_of(question), [*accumulate(numbers_of(content["distribution"]["remap"]))]
        a, least, size = value_of(content["distribution"]["decay"]), decay_of(question["epsilon"]), len(costs)
        draws = noise_of(a, size)
        actual = sum(sum(x * p for x, p in zip(costs[remap[j]], draws[j], strict=True)) for j in range(size))
    except (IndexError, ValueError):  # weights, answers or losses for another number of truths
        return None
    if min(remap) < 0 or len(remap) != size:
        return None
    return (
        a < least * (1 - Fraction(1, 10**50))
        or Fraction(content["objective"]) < actual
        or Fraction(content["bound"]) > best_of(least, costs)
    )
