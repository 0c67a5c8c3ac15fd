"""No reader accepts a certificate of geometric noise that claims something false."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise

import pytest

import optmech as om
from optmech.mechanisms.certificates.certificate_text import certificate_text
from optmech.mechanisms.certificates.geometric_text import read_geometric
from optmech.proofs.geometric_sums import Decay
from tests.proofs.geometric_by_definition import claiming, is_false, numbers_of, spelled, text_of
from tests.readers import by_checker, by_package, checker

QUESTIONS = [
    om.question(om.count(1), "ln 2"),
    om.question(om.count(5), "0.5"),
    om.question(om.count(6), 1, loss="squared"),
    om.question(om.count(4), "ln 3", loss="zero-one", prior=None),
    om.question(om.count(7), "0.3", loss="beyond 2"),
    om.question(om.count(3), 1, prior=[0.1, 0.2, 0.3, 0.4]),
    om.question(om.count(3, 8), "0.1", loss="squared", prior=[0.3, 0.1, 0, 0.4, 0.2, 0]),
    om.question(om.count(5), "0.7", loss=[0, 1, 1.5, 4]),
    om.question(om.count(5), 12, loss=[0.5, 0.5, 3]),
    om.question(om.count(4), "0.01", loss="absolute", prior=[0.5, 0, 0, 0, 0.5]),
    om.question(om.Query(range(-2, 3), name="mine"), 2),
]


@cache
def certificates():
    return [certificate_text(om.design(asked, engine="geometric").certificate) for asked in QUESTIONS]


def believed(content):
    """Return the content with every claim that follows from its other parts, private or not: a forgery."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("proves_privacy", "proves_a_bound"):
            patch.setattr(Decay, name, lambda *_: True)
        return json.loads(certificate_text(read_geometric(content)))


def less_loss(dice, content):
    objective, bound = Fraction(content["objective"]), Fraction(content["bound"])
    less = objective * Fraction(dice.randint(1, 50), 100) + Fraction(1, 10**30)
    if dice.random() < 0.3:
        less = Fraction(1, 2 ** dice.randint(40, 70))
    return claiming(content, objective - less, min(bound, objective - less))


def more_bound(dice, content):
    objective, bound = Fraction(content["objective"]), Fraction(content["bound"])
    more = Fraction(dice.randint(1, 50), 10 ** dice.randint(2, 20))
    return claiming(content, objective + more * dice.choice([0, 1]), bound + more)


def weaker_claims(dice, content):
    more, less = (Fraction(dice.randint(0, 3), 1000) for _ in range(2))
    return claiming(
        content, Fraction(content["objective"]) + more, max(Fraction(content["bound"]) - less, Fraction(0))
    )


def other_decay(dice, content):
    part = dice.choice([content["distribution"]["decay"], content["proof"]["floor"]])
    numerator, step = int(part["numerator"]), dice.choice([1, 2**20, 2 ** (part["bits"] - 8)])
    part["numerator"] = str(numerator + dice.choice([-1, 1]) * step)
    return dice.choice([believed, believed, dict])(content)


def another_epsilon(dice, content):
    content["question"]["epsilon"] = dice.choice(["0.05", "0.4", "0.9", "ln 3/2", "3", "20"])
    return dice.choice([believed, dict])(content)


def other_remap(dice, content):
    remap = [*accumulate(numbers_of(content["distribution"]["remap"]))]
    place = dice.randrange(len(remap))
    remap[place] += dice.choice([-2, -1, 1, 2])
    if dice.random() < 0.8:
        remap = sorted(min(max(answer, 0), len(remap) - 1) for answer in remap)
    content["distribution"]["remap"] = spelled([remap[0], *(b - a for a, b in pairwise(remap))])
    return dice.choice([believed, dict, dict])(content)


def other_prices(dice, content):
    prices = content["proof"]["prices"]
    extras = numbers_of(prices["extras"])
    for _ in range(dice.randint(1, 3)):
        place = dice.randrange(len(extras))
        extras[place] += dice.choice([-1, 1, 1]) * (extras[place] // dice.choice([1, 10, 10**6]) + 1)
    more = sum(extras) - sum(numbers_of(prices["extras"]))
    prices["extras"] = spelled(extras)
    if dice.random() < 0.5:
        return believed(content)
    bound = Fraction(content["bound"]) + Fraction(
        more, 2 ** prices["bits"]
    )  # of a unit of 1, more than follows
    return claiming(content, max(Fraction(content["objective"]), bound), bound)


def other_smoothing(dice, content):
    content["proof"]["smoothing"] = dice.choice([None, 0, 5, 20, 90])
    return dice.choice([believed, dict])(content)


def other_weights(dice, content):
    shares = [dice.choice([0, 1, 2, 5]) for _ in range(content["question"]["query"]["truths"])]
    total = sum(shares) or 1
    listed = [checker.spelled(Fraction(str(share / total))) for share in shares]
    content["question"]["weights"] = dice.choice(["sum", "uniform", listed, listed])
    return dice.choice([believed, dict])(content)


def other_loss(dice, content):
    listed = ["0", "1", dice.choice(["1", "1.5", "2", "0.5"]), dice.choice(["2", "3", "8"])]
    loss = dice.choice(["absolute", "squared", "zero-one", "beyond 1", listed, listed[:2]])
    content["question"]["loss"] = loss
    return dice.choice([believed, dict])(content)


def other_truths(dice, content):
    query = content["question"]["query"]
    query["truths"] += dice.choice([-1, 1])
    if query["kind"] == "count" and dice.random() < 0.7:
        query["parameters"]["largest"] = query["parameters"]["smallest"] + query["truths"] - 1
    for part, name in ((content["distribution"], "remap"), (content["proof"]["prices"], "extras")):
        numbers = numbers_of(part[name])
        if dice.random() < 0.7:
            part[name] = spelled([*numbers, 0] if query["truths"] > len(numbers) else numbers[:-1])
    return dice.choice([believed, dict])(content)


MUTATIONS = [
    less_loss,
    more_bound,
    weaker_claims,
    other_decay,
    other_decay,
    another_epsilon,
    other_remap,
    other_remap,
    other_prices,
    other_prices,
    other_smoothing,
    other_weights,
    other_loss,
    other_truths,
]


def tampered(seed, how_many):
    """Yield the name of a mutation and the content that it made of some certificate."""
    dice = random.Random(seed)  # noqa: S311 - mutations, not noise
    while how_many:
        content = json.loads(dice.choice(certificates()))
        change = dice.choice(MUTATIONS)
        try:
            made = change(dice, content)
        except (om.OptmechError, ValueError, IndexError):
            made = content  # parts that fit nothing, beside claims of before
        if text_of(made) not in certificates():
            yield change.__name__, made
            how_many -= 1


def hold(seed, how_many):
    """Return how many of so many certificates were false; both readers refuse all of those.

    What the package accepts the other one accepts, and besides claims that are weaker than they could be.
    """
    false = 0
    for name, content in tampered(seed, how_many):
        text = text_of(content)
        package, second, verdict = by_package(text), by_checker(text), is_false(content)
        assert package is not None or second is None, (name, second, text)
        assert second is not None or verdict is False, (name, verdict, text)
        if verdict is not False:
            false += verdict is True
            assert package is not None, (name, text)
    return false


def test_what_is_not_tampered_with_is_accepted_and_true():
    for text in certificates():
        assert by_package(text) is by_checker(text) is None
        assert is_false(json.loads(text)) is False


def test_no_reader_accepts_what_is_false():
    assert hold(0, 100) > 50


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_no_reader_accepts_any_of_many_that_are_false(seed):
    assert hold(f"many {seed}", 1000) > 450
