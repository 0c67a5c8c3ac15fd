"""The second reader proves what is designed, grants no prices more than the optimum, and decides in time."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest

import optmech as om
from optmech.mechanisms.certificates.certificate_text import certificate_text
from tests.proofs.geometric_by_definition import best_of, claiming, costs_of, noise_of, text_of
from tests.readers import CHECKER, by_checker, checker

VECTOR = CHECKER.parent / "tests" / "vectors" / "accept" / "distribution-absolute.json"
BEYOND = "there must not be too much to sum up"  # for which weights must be extreme
PRIORS = ["uniform", "dense", "few", "one", "falling", "both ends"]
EPSILONS = ["ln 2", "ln 101/100", "1e-9", "0.001", "0.1", "1/3", "1", "2", "10", "100", "700"]


def prior_of(kind, size, draw):
    weights = draw.dirichlet(np.ones(size))
    if kind == "few":
        weights *= draw.integers(0, 2, size)
    elif kind == "one":
        weights = np.eye(size)[draw.integers(size)]
    elif kind == "falling":
        weights = 0.5 ** np.arange(size)
    elif kind == "both ends":
        weights = np.eye(size)[0] + np.eye(size)[-1]
    return "uniform" if kind == "uniform" or not weights.sum() else weights / weights.sum()


def losses_for(size, draw):
    rising = np.cumsum(draw.integers(0, 3, size)).astype(float).tolist()
    capped = np.minimum(np.arange(size), 3.0).tolist()
    return ["absolute", "squared", "zero-one", f"beyond {draw.integers(size)}", rising, capped, [0]]


def hold_designs(seed, how_many, largest):
    """The second reader accepts the designs of so many questions, and no bound above what it proves."""
    draw, accepted = np.random.default_rng(seed), 0
    for _ in range(how_many):
        size = int(draw.integers(2, largest + 2))
        loss, prior = losses_for(size, draw), prior_of(str(draw.choice(PRIORS)), size, draw)
        loss = loss[draw.integers(len(loss))]
        asked = om.question(om.count(size - 1), str(draw.choice(EPSILONS)), loss=loss, prior=prior)
        try:
            text = certificate_text(om.design(asked, engine="geometric").certificate)
        except om.VerificationError:  # no bound can be proved: the weights differ too much
            continue
        content, said = json.loads(text), by_checker(text)
        accepted += said is None
        if said == BEYOND:
            assert content["distribution"]["decay"]["bits"] > 2**12, (asked, loss, prior)
            continue
        assert said is None, (asked, loss, prior)
        objective, bound = Fraction(content["objective"]), Fraction(content["bound"])
        less = claiming(content, objective, bound + (objective - bound) / 2)
        if objective > bound:
            assert by_checker(text_of(less)) == "the bound must be no more than the prices prove"
    assert accepted > how_many * 9 // 10


def rough_question(dice):
    """Return a question of a few truths whose e^-epsilon is a sixteenth or several."""
    size, sixteenths = dice.randint(2, 7), dice.choice([1, 2, 3, 5, 7, 8, 9, 12, 15])
    rises = [dice.choice([0, 0, 1, 2, 5]) for _ in range(dice.randint(0, size - 1))]
    losses = [*accumulate(rises, initial=0)]
    while len(losses) > 1 and losses[-1] == losses[-2]:
        losses.pop()
    shares = [dice.choice([0, 1, 1, 2, 4]) for _ in range(size - 1)]
    weights = [*(Fraction(share, 32) for share in shares), 1 - Fraction(sum(shares), 32)]
    query = {"kind": "custom", "parameters": {}, "scope": "every table", "name": ""}
    return {
        "query": query | {"first": "0", "truths": size},
        "epsilon": f"ln {Fraction(16, sixteenths)}",
        "loss": dice.choice(["absolute", "squared", [*map(str, losses)], [*map(str, losses)]]),
        "weights": [*map(checker.spelled, weights)],
    }, checker.Decay({"numerator": str(sixteenths << 60), "bits": 64})


def best_prices(a, costs, remap):
    """Return what the truths are worth if each draw has its loss: sum over f of a^|j-f| u_f."""
    size = len(costs)
    rows = [
        [a ** abs(j - f) for f in range(size)]
        + [sum(a ** abs(j - f) * costs[remap[j]][f] for f in range(size))]
        for j in range(size)
    ]
    for i in range(size):
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(size):
            if r != i:
                rows[r] = [x - rows[r][i] * y for x, y in zip(rows[r], rows[i], strict=True)]
    return [row[-1] for row in rows]


def hold_prices(seed, how_many):
    """Return how many rough prices were accepted; none prove more than the optimum, and no loss is less."""
    dice, accepted = random.Random(seed), 0  # noqa: S311 - examples, not noise
    for _ in range(how_many):
        question, decay = rough_question(dice)
        costs, draws = costs_of(question), noise_of(decay.value, question["query"]["truths"])
        last = len(costs) - 1
        losses = [[sum(x * p for x, p in zip(row, draw, strict=True)) for row in costs] for draw in draws]
        remap = [min(range(last + 1), key=each.__getitem__) for each in losses]
        extras = [dice.choice([0, 0, dice.randrange(2**22)]) for _ in remap]
        q, place = checker.Line(question, decay, decay), dice.randint(0, last)
        if dice.random() < 0.3:  # one long step, so that many responses are never released
            remap = [dice.choice([0, 0, 1]) for _ in remap[:place]] + [dice.choice([last, last - 1])] * (
                last + 1 - place
            )
        else:
            remap[place] = min(max(remap[place] + dice.choice([-1, 0, 0, 1]), 0), last)
            prices = best_prices(decay.value, costs, sorted(remap))
            beyond = [
                price - costs[i][f] for f, (price, i) in enumerate(zip(prices, sorted(remap), strict=True))
            ]
            moved = [dice.choice([-1, -1, -1, 0, 3, 2**12, 2**16, -(2**14)]) for _ in prices]
            extras = [max(0, int(x * q.unit * 2**20) + y) for x, y in zip(beyond, moved, strict=True)]
        remap.sort()
        actual, sides = sum(losses[j][remap[j]] for j in range(last + 1)), []
        for listed in ([0] * (last + 1), extras):
            side = checker.Side(q, decay, remap, listed)
            sides.append((side, side.turned()))
        for side in {*sides[1]}:
            side.extras = [extra << side.bits - 20 for extra in side.extras]
        assert 0 <= checker.loss_of_remap(*sides[0]) - actual < Fraction(1, 2**60)
        with suppress(checker.RefusedError):
            assert checker.bound_of_prices(*sides[1]) <= best_of(decay.value, costs)
            accepted += 1
    return accepted


def test_no_prices_prove_more_than_the_optimum():
    assert hold_prices(0, 400) > 50


def test_the_second_reader_accepts_whatever_is_designed():
    hold_designs(0, 40, 40)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 3))
def test_no_prices_prove_more_than_the_optimum_in_many_questions(seed):
    assert hold_prices(seed, 5000) > 600


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 3))
def test_the_second_reader_accepts_whatever_is_designed_of_any_size(seed):
    hold_designs(seed, 20, 300)


@pytest.mark.long
@pytest.mark.parametrize("epsilon", ["0.1"])
@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one", "beyond 3", [0, 1, 1.5, 4]], ids=str)
def test_the_second_reader_accepts_large_counts(epsilon, loss):
    for prior in ("uniform", np.random.default_rng(0).dirichlet(np.ones(20_001))):
        largest = 20_000 if isinstance(prior, np.ndarray) else 100_000
        asked = om.question(om.count(largest), epsilon, loss=loss, prior=prior)
        assert by_checker(certificate_text(om.design(asked, engine="geometric").certificate)) is None
