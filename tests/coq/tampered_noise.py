"""Certificates of noise with thresholds, tampered with, and written as they must be."""

from __future__ import annotations

import json
from fractions import Fraction

from tests.readers import checker, noise_checker

CLAIMS = ("delta", "objective", "bound", "gap")


def written(content):
    """Return a certificate as noise with thresholds is written: a line for each field."""
    lines = [f"{json.dumps(name)}: {json.dumps(part)}" for name, part in content.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def tell_claims(content):
    """Let a certificate claim what its noise and thresholds attain and prove; refuse what is none."""
    noise, thresholds = content["mechanism"].values()
    prices = content["proof"]["prices"]
    q = noise_checker.Row(content["question"])
    law = noise_checker.Noise(noise, len(q.guarantees))
    mechanism = noise_checker.Thresholds(thresholds, law, q)
    if mechanism.is_all_tails():
        walk = noise_checker.Walk(mechanism, *([] if prices is None else [prices]))
        value, least = walk.loss(), walk.bound() if prices is None else walk.bound_of_prices()
        least = max(least, Fraction(0))
    else:
        value, least = mechanism.loss(), mechanism.bound()
    told = law.spends(q.main.lower), value, least, value - least
    content.update(zip(CLAIMS, map(str, told), strict=True))


def moved_claim(content, draw):
    """Move the objective or the bound, and the gap with it, by little or much."""
    name, other = draw.choice([("objective", 1), ("bound", -1)])
    value = Fraction(content[name])
    much = draw.choice([Fraction(1, value.denominator), Fraction(1, 2**200), value / 1000, Fraction(1)])
    much *= draw.choice([-1, 1])
    content[name], content["gap"] = str(value + much), str(Fraction(content["gap"]) + other * much)


def moved_number(text, draw):
    """Return runs with a number moved, or some of it moved from one run to another."""
    runs = [run.split("*") for run in text.split(" ")]
    first, second = draw.choice(runs), draw.choice(runs)
    much = draw.choice([1, 1, 2, 3, max(abs(int(first[0])) // 10, 1)])
    first[0] = str(int(first[0]) - much)
    if draw.random() < 0.7:
        second[0] = str(int(second[0]) + much)
    return " ".join("*".join(run) for run in runs)


def moved_number_of(content, draw):
    """Move a number of the mechanism, of the prices, or of the question."""
    noise, question = content["mechanism"]["noise"], content["question"]
    own, aim = question["privacy"][0], question["objective"]
    prices, weights = content["proof"]["prices"], aim["weights"]
    at = draw.randrange(9)
    if at < 3:
        content["mechanism"]["thresholds"] = moved_number(content["mechanism"]["thresholds"], draw)
    elif at < 5:
        noise["cumulative"] = moved_number(noise["cumulative"], draw)
    elif at == 5 and prices:
        prices["extras"] = moved_number(prices["extras"], draw)
    elif at == 5 and isinstance(weights, list):
        draw.shuffle(weights)
    elif at == 5:
        aim["loss"] = draw.choice(
            ["absolute", "squared", "zero-one", "beyond 1", "beyond 2.5", ["0", "0.5", "3"]]
        )
    elif at == 6:
        name = draw.choice(["tail", "period", "first", "bits"])
        noise[name] = (
            moved_number(noise[name], draw) if name == "tail" else noise[name] + draw.choice([-1, 1])
        )
    elif at == 7:
        own["delta"] = draw.choice(["0", "0.5", "0.01", "0.9999"]) if own["kind"] == "approximate" else "0"
    else:
        own["upper"] = str(Fraction(own["upper"]) * draw.choice([1, 2, Fraction(1001, 1000)]))


def tampered(content, draw, changed_in_one_place):
    """Return the text of a certificate of noise with thresholds that was tampered with."""
    if draw.random() < 0.4:
        return written(changed_in_one_place(content, draw))
    if draw.random() < 0.8:
        moved_number_of(content, draw)
        try:
            if draw.random() < 0.9:
                tell_claims(content)
        except (checker.RefusedError, ValueError, IndexError, TypeError, ZeroDivisionError):
            return written(content)
    if draw.random() < 0.5:
        moved_claim(content, draw)
    return written(content)
