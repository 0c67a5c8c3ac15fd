"""Noise that is all tails: no bound is above the optimum, no objective below the loss, for any thresholds."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from functools import cache
from itertools import accumulate, groupby, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st

import optmech as om
from benchmarks.papers import counting_proof
from optmech.base.errors import VerificationError
from optmech.designs.chain.tail_orbit import best_answers, certificate_of_tails, noise_of_tails
from optmech.mechanisms.certificates.certificate_text import certificate_text, read_certificate_text
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.proofs.chain.certificate import NoiseCertificate
from optmech.proofs.chain.decaying_sums import DecayingSums, rest_of
from optmech.proofs.chain.price_bound import smoothed
from optmech.proofs.chain.tail_walk import TailWalk, most_work
from optmech.proofs.enclosure import Enclosure, enclose_exponential
from optmech.question.chain_question import ChainQuestion
from tests.each import each
from tests.noise_file import question_in_a_row
from tests.path import on_path
from tests.proofs.chain.test_tampered import claiming, less_loss, more_bound
from tests.readers import by_checker, by_package, checker, noise_checker
from tests.search import search

VECTORS = Path(__file__).parents[2] / "vectors" / "accept"
EPSILONS = ("0.01", "0.3", "ln 2", "ln 3/2", "1", "3", "12")


def made(problem):
    """Return the certificate of noise that is all tails, however few truths there are."""
    return certificate_of_tails(problem, ChainQuestion.of(problem))


@cache
def costs_of(question):
    """Return the loss of each response at each truth, weighted."""
    counts = range(question.num_truths)
    return [
        [Fraction(question.weights[f] * question.heights[abs(r - f)], question.unit) for f in counts]
        for r in counts
    ]


def best_of(decay, costs):
    """Return the least loss under noise of a decay with some answer to each draw (Ghosh and others 2012)."""
    return _best_of(decay, tuple(map(tuple, costs)))


@cache  # most of many tampered questions are one of a few
def _best_of(decay, costs):
    size, total = len(costs), Fraction(0)
    for draw in range(size):
        inner = 1 if draw in (0, size - 1) else 1 - decay
        shares = [inner / (1 + decay) * decay ** abs(draw - f) for f in range(size)]
        total += min(sum(x * p for x, p in zip(row, shares, strict=True)) for row in costs)
    return total


@st.composite
def problems(draw, largest=9):
    n = draw(st.integers(1, largest))
    numbers = st.integers(0, 4)
    weights = draw(st.one_of(st.just([1] * (n + 1)), st.lists(numbers, min_size=n + 1, max_size=n + 1)))
    assume(any(weights))
    steps = draw(st.lists(numbers, min_size=1, max_size=n + 1))
    loss = draw(st.sampled_from(["absolute", "squared", "zero-one", "beyond 1", list(accumulate(steps))]))
    prior = [Fraction(weight, sum(weights)) for weight in weights]
    return on_path(n, draw(st.sampled_from(EPSILONS)), loss, prior)


def is_convex(question):
    return all(b >= a for a, b in pairwise([b - a for a, b in pairwise(question.heights)]))


@search(150, problems(), st.data())
def test_any_thresholds_prove_no_more_than_the_optimum_and_lose_what_is_stated(problem, data):
    best = made(problem)
    question, number = best.question, best.question.num_truths
    never, always = best.noise.ends(number)
    places = st.lists(st.integers(never, always), min_size=number - 1, max_size=number - 1)
    thresholds = tuple(sorted(data.draw(places)))
    proved = NoiseCertificate(problem=problem, factor=best.factor, noise=best.noise, thresholds=thresholds)
    costs = costs_of(question)
    assert proved.bound <= best_of(1 / best.factor.upper, costs)
    law = NoiseMechanism(certificate=proved)
    spent = sum(
        cost * law.probability(r, f) for r, row in enumerate(costs) for f, cost in enumerate(row) if cost
    )
    assert spent <= proved.objective <= spent + Fraction(1, 2**70)
    assert by_checker(certificate_text(proved)) is None


@search(150, problems(largest=14))
def test_objective_and_bound_meet_where_losses_are_convex(problem):
    proved = made(problem)
    assert proved.gap >= 0
    if is_convex(proved.question):
        assert proved.gap <= proved.objective * Fraction(1, 10**25) + Fraction(1, 10**40)


@each("loss", ["absolute", "squared", "zero-one"], every=3)
@each("epsilon", ["0.05", "ln 2", "1", "4"])
def test_the_bound_is_the_theorems_optimum_in_fractions(loss, epsilon):
    proved = made(on_path(21, epsilon, loss))
    losses = [Fraction(proved.question.heights[distance]) for distance in range(22)]
    lower, upper = counting_proof.certified_interval(proved.problem.privacy.epsilon, losses, bits=100)
    assert proved.bound <= upper
    assert lower <= proved.objective
    assert upper - proved.bound <= upper * Fraction(1, 10**25)
    assert proved.objective - lower <= upper * Fraction(1, 10**25)


@search(100, problems(), st.data())
def test_sums_enclose_what_they_stand_for(problem, data):
    question, bits = ChainQuestion.of(problem), 64
    decay = data.draw(st.integers(2**60, 2**64 - 2**58))
    sums = DecayingSums(question, question.weights, decay, bits)
    second = noise_checker.Decayed(row_of(problem), [*question.weights], decay, bits)
    second.sum_up()
    step = data.draw(st.integers(0, question.num_truths - 2))
    truth = data.draw(st.integers(-1, question.num_truths - 1))
    costs, a = costs_of(question), Fraction(decay, 1 << bits)
    exact = question.unit * sum(
        a ** (truth - f) * (costs[step + 1][f] - costs[step][f]) for f in range(truth + 1)
    )
    assert sums.of(step, truth) <= exact * 2**bits <= sums.of(step, truth) + sums.width
    assert abs(second.of(step, truth) - exact * 2**second.bits) <= second.error


def row_of(problem):
    return noise_checker.Row(json.loads(certificate_text(made(problem)))["question"])


@each("loss", ["absolute", "squared", "beyond 2"])
def test_sums_that_have_settled_are_those_of_all_truths(loss):
    """With equal weights only sums that differ are listed; with one weight more the list goes on."""
    question = ChainQuestion.of(on_path(400, "1", loss))
    decay = (1 << 100) * 3 // 8
    short = DecayingSums(question, question.weights, decay, 100)
    whole = DecayingSums(
        ChainQuestion.of(on_path(400, "1", loss, [Fraction(2, 402), *[Fraction(1, 402)] * 400])),
        [1] * 401,
        decay,
        100,
    )
    assert short.settled < 300
    steps = ((0, 0), (3, 399), (200, 190), (150, 399), (399, 400), (399, 3))
    for step, truth in steps:
        assert short.of(step, truth) + short.width // 2 == whole.of(step, truth) + whole.width // 2


@each("numerator", ["1", "0.001", "0.5", "0.9", "0.99", "0.9995", "all but one"], every=3)
@each("bits", [1, 8, 64, 300])
def test_sums_are_at_rest_where_both_readers_count_on_it(bits, numerator):
    """Rounded down, a sum may grow by one unit for long after its growth has fallen to one."""
    one = 1 << bits
    chosen = {"all but one": one - 1, "1": 1}.get(numerator) or int(Fraction(numerator) * one)
    for loss in ("absolute", "squared", "beyond 2"):
        problem = on_path(6000, "1", loss)
        question, row = (
            ChainQuestion.of(problem),
            noise_checker.Row(ROW_OF_6001 | {"objective": ROW_OF_6001["objective"] | {"loss": loss}}),
        )
        rest = rest_of(question, chosen, bits)
        second = noise_checker.Decayed(row, row.weights, chosen, bits)
        second.sum_up()
        own = DecayingSums(question, question.weights, chosen, bits)
        assert second.rest == rest <= 6001
        assert max(second.resting, len(own._moments)) <= rest
        finer = smoothed(question, 40)
        assert rest_of(finer, chosen, bits) == rest_of(question, chosen, bits, 40)
        assert len(DecayingSums(finer, finer.weights, chosen, bits)._moments) <= rest_of(finer, chosen, bits)


ROW_OF_6001 = question_in_a_row(
    {
        "kind": "count",
        "parameters": {"smallest": 0, "largest": 6000, "records_per_person": 1},
        "scope": "every table",
        "name": "",
        "truths": {"first": "0", "step": "1", "number": 6001},
        "responses": None,
    },
    [{"epsilon": "ln 2", "delta": "0", "lower": "2", "upper": "2"}],
)


@pytest.mark.slow
def test_both_readers_count_the_same_work(monkeypatch):
    counted = {"package": [], "checker": []}

    def noted(name, spend):
        def spending(walk, work):
            counted[name].append(work)
            spend(walk, work)

        return spending

    monkeypatch.setattr(TailWalk, "_spend", noted("package", TailWalk._spend))
    monkeypatch.setattr(noise_checker.Walk, "spend", noted("checker", noise_checker.Walk.spend))
    allowed = []
    for text in [*certificates(), *(path.read_text() for path in sorted(VECTORS.glob("*all-tails*.json")))]:
        for parts in counted.values():
            parts.clear()
        proved = read_certificate_text(text)
        assert by_checker(text) is None
        assert sum(counted["package"]) == sum(counted["checker"]) > 0
        extras = proved.prices.extras if proved.prices else ()
        content = json.loads(text)
        row = noise_checker.Row(content["question"])
        mechanism = noise_checker.Thresholds(
            content["mechanism"]["thresholds"], noise_checker.Noise(content["mechanism"]["noise"], 1), row
        )
        prices = [part for part in content["proof"].values() if part is not None]
        allowed.append(noise_checker.Walk(mechanism, *prices).most_work)
        assert most_work(proved.question, proved.noise, proved.thresholds, extras) == allowed[-1]
    assert len(set(allowed)) > 10


def losses_of_answers(question, decay, draw):
    costs = costs_of(question)
    return [sum(decay ** abs(draw - f) * cost for f, cost in enumerate(row)) for row in costs]


@search(100, problems(largest=12))
def test_no_answer_to_a_draw_is_better(problem):
    question, bits = ChainQuestion.of(problem), 256
    decay = int((1 << bits) / enclose_exponential(problem.privacy.epsilon, 300).upper)
    answers = best_answers(question, decay, bits)
    assert answers == sorted(answers)
    for draw, answer in enumerate(answers):
        losses = losses_of_answers(question, Fraction(decay, 1 << bits), draw)
        assert losses[answer] - min(losses) <= Fraction(1, 2**80)


@each("epsilon", [0.003, 0.02, 0.5, 2.0])
@each("n", [1, 2, 9, 400, 2001])
def test_the_closed_form_of_the_absolute_loss(n, epsilon):
    problem = on_path(n, epsilon)
    decay = int((1 << 200) / enclose_exponential(problem.privacy.epsilon, 220).upper)
    answers = best_answers(ChainQuestion.of(problem), decay, 200)
    assert answers == counting_proof.absolute_remap(n, epsilon).tolist()


def test_equal_weights_give_mirrored_answers():
    for loss in ("absolute", "squared", "zero-one", [1, 1, 2]):
        answers = best_answers(ChainQuestion.of(on_path(21, "ln 2", loss)), 1 << 199, 200)
        assert answers == [21 - answer for answer in reversed(answers)]
    # Where two answers are as good, a draw has the first one and its mirror the last one.
    uneven = [Fraction(weight, 9) for weight in (1, 1, 2, 1, 2, 1, 1)]
    answers = best_answers(ChainQuestion.of(on_path(6, "ln 2", "zero-one", uneven)), 1 << 63, 64)
    assert answers == [0, 1, 2, 2, 4, 5, 6]


@each("epsilon", ["1e-100", "1e-20", "0.01", "1", "30", "700"])
def test_the_noise_is_as_private_as_it_can_be(epsilon):
    factor = enclose_exponential(om.question(om.count(2), epsilon).privacy.epsilon, 1500)
    for bits in (1200, 1203):
        noise = noise_of_tails(factor, bits)
        assert noise.delta_spent(factor.lower) == 0
        assert noise.is_all_tails
        assert noise.tail - 1 < (1 << bits) / factor.lower
    stricter = Enclosure(factor.lower * Fraction(999, 1000), factor.lower)
    assert noise.delta_spent(stricter.lower) > 0 or factor.lower * 999 < 1000


@each("name", ["one truth", "both ends", "two clusters", "hardly any weight between"])
def test_priors_that_leave_truths_out_are_proved_as_well(name):
    prior = {
        "one truth": [*[0] * 70, 1, *[0] * 30],
        "both ends": [0.5, *[0] * 99, 0.5],
        "two clusters": [*[0.1] * 5, *[0] * 91, *[0.1] * 5],
        "hardly any weight between": [0.5, *[1e-200] * 99, 0.5],
    }[name]
    for epsilon in ("ln 2", "0.01", "5"):
        proved = made(on_path(100, epsilon, "absolute", prior))
        assert proved.gap <= proved.objective * Fraction(1, 10**20) + Fraction(1, 10**30)
        assert by_checker(certificate_text(proved)) is None


# ------------------------------------------------------------------------------------------------ tampering

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
    om.question(om.count(4), 1, loss="zero-one", prior=[0.4, 0.05, 0.1, 0.05, 0.4]),
    om.question(om.count(6), "0.5", loss=[0, 0, 1, 1, 4], prior=[0.3, 0, 0.1, 0.1, 0.1, 0, 0.4]),
]


@cache
def certificates():
    return [certificate_text(made(asked)) for asked in QUESTIONS]


def text_of(content):
    lines = [f"{json.dumps(name)}: {json.dumps(part)}" for name, part in content.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def believed(content):
    """Return the content with every claim that follows from its other parts, private or not: a forgery."""
    from optmech.mechanisms.certificates.noise_text import read_noise_certificate  # noqa: PLC0415
    from optmech.proofs.chain.noise import Noise  # noqa: PLC0415

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Noise, "delta_spent", lambda *_: Fraction(0))
        patch.setattr(Enclosure, "holds", lambda *_: True)
        return json.loads(certificate_text(read_noise_certificate(content)))


def numbers_of(runs):
    parts = [run.partition("*") for run in runs.split(" ")]
    return [*accumulate(int(step) for step, _, times in parts for _ in range(int(times or 1)))]


def spelled(numbers):
    steps, runs = [numbers[0], *(b - a for a, b in pairwise(numbers))], []
    for step in steps:
        if runs and runs[-1][0] == step:
            runs[-1][1] += 1
        else:
            runs.append([step, 1])
    return " ".join(f"{step}*{times}" if times > 1 else f"{step}" for step, times in runs)


def weaker_claims(dice, content):
    more, less = (Fraction(dice.randint(0, 3), 1000) for _ in range(2))
    bound = max(Fraction(content["bound"]) - less, Fraction(0))
    return claiming(content, Fraction(content["objective"]) + more, bound)


def other_tail(dice, content):
    noise = content["mechanism"]["noise"]
    tail, step = int(noise["tail"]), dice.choice([1, 2**20, 2 ** (noise["bits"] - 8)])
    noise["tail"] = str(tail + dice.choice([-1, 1]) * step)
    return dice.choice([believed, believed, dict])(content)


def other_places(dice, content):
    noise = content["mechanism"]["noise"]
    listed, bits = numbers_of(noise["cumulative"]), noise["bits"]
    listed[dice.randrange(2)] += dice.choice([-1, 1]) * dice.choice(
        [1, 2**20, 2 ** (bits - 8), 2 ** (bits - 3)]
    )
    content["mechanism"]["noise"]["cumulative"] = spelled(listed)
    if dice.random() < 0.1:
        content["mechanism"]["noise"]["first"] += dice.choice([-1, 1])
    return dice.choice([believed, believed, dict])(content)


def other_factor(dice, content):
    own = content["question"]["privacy"][0]
    change = 1 + dice.choice([-1, 1]) * Fraction(1, 2 ** dice.choice([3, 30, 90]))
    name = dice.choice(["lower", "upper"])
    own[name] = str(max(Fraction(1), Fraction(own[name]) * change))
    return dice.choice([believed, believed, dict])(content)


def another_epsilon(dice, content):
    content["question"]["privacy"][0]["epsilon"] = dice.choice(["0.05", "0.4", "0.9", "ln 3/2", "3", "20"])
    return dice.choice([believed, dict])(content)


def a_delta(dice, content):
    content["question"]["privacy"][0] |= {"kind": "approximate", "delta": dice.choice(["0.1", "0.001"])}
    return dice.choice([believed, dict])(content)


def other_thresholds(dice, content):
    listed = numbers_of(content["mechanism"]["thresholds"])
    listed[dice.randrange(len(listed))] += dice.choice([-3, -2, -1, 1, 2, 3])
    content["mechanism"]["thresholds"] = spelled(sorted(listed))
    return dice.choice([believed, dict, dict])(content)


def other_weights(dice, content):
    shares = [dice.choice([0, 1, 2, 5]) for _ in range(content["question"]["query"]["truths"]["number"])]
    total = sum(shares) or 1
    listed = [checker.spelled(Fraction(str(share / total))) for share in shares]
    content["question"]["objective"]["weights"] = dice.choice(["sum", "uniform", listed, listed])
    return dice.choice([believed, dict])(content)


def other_loss(dice, content):
    listed = ["0", "1", dice.choice(["1", "1.5", "2", "0.5"]), dice.choice(["2", "3", "8"])]
    named = ["absolute", "squared", "zero-one", "beyond 1"]
    content["question"]["objective"]["loss"] = dice.choice([*named, listed])
    return dice.choice([believed, dict])(content)


def other_prices(dice, content):
    if content["proof"]["prices"] is None:
        return other_thresholds(dice, content)
    prices = content["proof"]["prices"]
    extras = [
        int(number)
        for run in prices["extras"].split(" ")
        for number in [run.partition("*")[0]] * times_of(run)
    ]
    for _ in range(dice.randint(1, 3)):
        place = dice.randrange(len(extras))
        extras[place] += dice.choice([-1, 1, 1]) * (extras[place] // dice.choice([1, 10, 10**6]) + 1)
    runs = [(number, len([*same])) for number, same in groupby(extras)]
    prices["extras"] = " ".join(f"{number}*{times}" if times > 1 else f"{number}" for number, times in runs)
    if dice.random() < 0.2:
        prices["smoothing"] = dice.choice([None, 0, 5, 90])
    if dice.random() < 0.2:
        prices["bits"] += dice.choice([-1, 1])
    return dice.choice([believed, believed, dict])(content)


def times_of(run):
    return int(run.partition("*")[2] or 1)


MUTATIONS = [
    other_prices,
    other_prices,
    other_prices,
    less_loss,
    more_bound,
    weaker_claims,
    other_tail,
    other_tail,
    other_places,
    other_places,
    other_factor,
    another_epsilon,
    a_delta,
    other_thresholds,
    other_thresholds,
    other_weights,
    other_loss,
]


def is_false(content):
    """Whether privacy, loss or bound are claimed better than they are; `None` if nothing is claimed."""
    statement, noise = content["question"], content["mechanism"]["noise"]
    q = noise_checker.Row(statement)
    privacy, one = statement["privacy"][0], 1 << noise["bits"]
    if privacy["delta"] != "0":
        return None
    factor = enclose_exponential(om.question(om.count(1), privacy["epsilon"]).privacy.epsilon, 300)
    listed, tail = numbers_of(noise["cumulative"]), Fraction(int(noise["tail"]), one)
    if not 0 <= listed[0] <= listed[1] <= one or not 0 < tail < 1:
        return None
    low, high = (Fraction(value, one) for value in listed)

    def below(place):
        at = place - noise["first"]
        return low * tail**-at if at < 0 else 1 - (1 - high) * tail ** (at - 1) if at else low

    places = range(noise["first"] - 3, noise["first"] + 5)
    masses = [below(place) - below(place - 1) for place in places]
    private = all(a <= factor.upper * b and b <= factor.upper * a for a, b in pairwise(masses))
    wide, thresholds = q.wide, numbers_of(content["mechanism"]["thresholds"])
    never, always = noise["first"] - 1, noise["first"] + 1 + wide
    if len(thresholds) != wide - 1 or not never <= thresholds[0] <= thresholds[-1] <= always:
        return None
    costs = [[Fraction(w * q.at[abs(r - f)], q.unit) for f, w in enumerate(q.weights)] for r in range(wide)]
    actual = Fraction(0)
    for f in range(wide):
        shares = [
            Fraction(place >= always) if not never < place < always else below(place - f)
            for place in thresholds
        ]
        actual += sum((b - a) * costs[r][f] for r, (a, b) in enumerate(pairwise([0, *shares, 1])))
    best = best_of(1 / factor.lower, costs)
    return not private or Fraction(content["objective"]) < actual or Fraction(content["bound"]) > best


def tampered(seed, how_many):
    dice = random.Random(seed)  # noqa: S311 - mutations, not noise
    while how_many:
        content = json.loads(dice.choice(certificates()))
        change = dice.choice(MUTATIONS)
        try:
            changed = change(dice, content)
        except (checker.RefusedError, om.OptmechError, ValueError):
            changed = content  # parts that fit nothing, beside claims of before
        if text_of(changed) not in certificates():
            yield change.__name__, changed
            how_many -= 1


def hold(seed, how_many):
    """Return how many of so many certificates were false; both readers refuse all of those.

    The second checker accepts all that the package accepts, and besides claims that are weaker than they
    could be.
    """
    false = 0
    for name, content in tampered(seed, how_many):
        text = text_of(content)
        package, second = by_package(text), by_checker(text)
        assert package is not None or second is None, (name, second, text)
        try:
            verdict = is_false(content)
        except (checker.RefusedError, IndexError):
            verdict = None
        assert second is not None or verdict is not True, (name, text)
        assert package is not None or verdict is not True, (name, text)
        false += verdict is True
    return false


def test_what_is_not_tampered_with_is_accepted_and_true():
    for text in certificates():
        assert by_package(text) is by_checker(text) is None
        assert is_false(json.loads(text)) is False


@pytest.mark.slow
def test_no_reader_accepts_what_is_false():
    assert hold(0, 100) > 40


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_no_reader_accepts_any_of_many_that_are_false(seed):
    assert hold(f"many {seed}", 1000) > 400


@pytest.mark.slow
def test_both_readers_bound_what_sums_may_take():
    content = json.loads(certificate_text(made(om.question(om.count(300), "0.5"))))
    bits = 8192
    factor = enclose_exponential(om.question(om.count(1), "0.5").privacy.epsilon, 1900)
    noise = noise_of_tails(factor, bits)
    largest = 100_000
    query = content["question"]["query"]
    query["parameters"]["largest"], query["truths"]["number"] = largest, largest + 1
    content["question"]["privacy"][0] |= {"lower": str(factor.lower), "upper": str(factor.upper)}
    content["mechanism"]["noise"] = {
        "period": 1,
        "first": -1,
        "bits": bits,
        "tail": str(noise.tail),
        "cumulative": spelled(noise.cumulative),
    }
    content["mechanism"]["thresholds"] = f"0 1*{largest - 1}"
    text = text_of(content)
    with pytest.raises(VerificationError, match=r"no more work than .* Take fewer answers"):
        read_certificate_text(text)
    assert "too much to sum up" in by_checker(text)


@pytest.mark.long
def test_thresholds_that_all_differ_are_too_much_work_unless_they_are_written_out():
    """Every other place twice: no two steps look the same, though two runs of a file say it."""
    content = json.loads(certificate_text(made(om.question(om.count(400_000), "0.5"))))
    content["mechanism"]["thresholds"] = "0*200000 1*200000"
    text = text_of(claiming(content, Fraction(10**9), Fraction(0)))
    assert "work than" in by_package(text)
    assert "too much to sum up" in by_checker(text)


@pytest.mark.parametrize("bits", [1, 2, 5, 64])
def test_noise_of_few_bits_is_proved_as_any(bits):
    """So that all roundings show."""
    factor = Enclosure(Fraction(2), Fraction(2))
    noise = noise_of_tails(factor, bits) if bits > 2 else None
    if noise is None:
        return
    problem = om.question(om.count(6), "ln 2", prior=np.arange(1, 8) / 28)
    costs = costs_of(ChainQuestion.of(problem))
    proved = NoiseCertificate(problem=problem, factor=factor, noise=noise, thresholds=tuple(range(6)))
    law = NoiseMechanism(certificate=proved)
    spent = sum(cost * law.probability(r, f) for r, row in enumerate(costs) for f, cost in enumerate(row))
    assert proved.bound <= best_of(Fraction(1, 2), costs)
    assert spent <= proved.objective
    assert by_checker(certificate_text(proved)) is None
