"""No reader accepts a certificate of noise and thresholds that claims something false; both agree on all.

Definitions alone decide which claims are false: the hockey-stick divergence of one shift at a decimal
e^epsilon, the loss of each response at each truth, and the bound against a loss that some mechanism has.
"""

from __future__ import annotations

import copy
import json
import random
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache, lru_cache
from itertools import accumulate, pairwise

import numpy as np
import pytest
from scipy import stats

import optmech as om
from optmech.designs.chain.orbits import noise_of_pairs
from optmech.designs.chain.thresholds import best_thresholds, weights_of_lines
from optmech.designs.engines.chain import design as by_chain
from optmech.mechanisms.certificates.certificate_text import certificate_text, read_certificate_text
from optmech.proofs.chain import steps
from optmech.proofs.chain.certificate import NoiseCertificate
from optmech.proofs.chain.curve import LINE_BITS, lines_of_pairs
from optmech.proofs.chain.steps import steps_of, work_of
from optmech.question.privacy import ApproximatePrivacy, NoisePrivacy, PurePrivacy
from optmech.question.privacy.noise_laws import noise_law
from tests.readers import by_checker, by_package, checker, laws_checker, noise_checker

COARSE = om.Query(range(4), [(point, point) for point in (0, 2, 4)], neighbours=1)
SEVERAL = [ApproximatePrivacy("0.5", "0.1"), ApproximatePrivacy(1, "0.01")]
MIXED = [PurePrivacy("2"), ApproximatePrivacy("0.5", "0.1")]
LISTED = [0.1, 0.2, 0.3, 0.4]
QUESTIONS = [
    om.question(om.count(1), "ln 3", delta="0.1"),
    om.question(om.count(3), 1, delta="0.01", loss="squared", prior=LISTED),
    om.question(om.count(4), "0.5", delta="0.1", loss=[0, 1, 1.5, 4], prior=None),
    om.question(COARSE, 1, delta="0.05", prior=LISTED),
    om.question(om.count(3), privacy=SEVERAL),
    om.question(om.count(3), privacy=MIXED),
    om.question(om.count(3), "ln 2"),
    om.question(om.mean(4, 1), 1, delta="0.05"),
    om.question(om.count(2), 1, delta="0.05", loss=[[0, 0, 2], [0, 0, 0], [2, 0, 0]]),  # is a list
    om.question(om.count(1, records_per_person=2), 1, delta="0.05"),
    om.question(om.count(3), 1, delta="0.05", properties=["zero-stays-zero"]),
    om.question(om.count(3), privacy=om.as_private_as("discrete-gaussian", sigma="1.5"), prior=LISTED),
    om.question(om.count(2), privacy=om.as_private_as("skellam", rate="1/2"), loss="squared"),
    om.question(om.count(3), privacy=om.as_private_as("binomial", trials=5)),
    om.question(COARSE, privacy=om.as_private_as("weights", weights=[1, 3, 4, 2])),
]
GAUSSIAN = [om.question(om.count(1), privacy=om.as_private_as("gaussian", sigma="1"))]  # slow to be read


@cache
def certificates(*, of_gaussian=False):
    questions = GAUSSIAN if of_gaussian else QUESTIONS
    return [certificate_text(by_chain(problem).certificate) for problem in questions]


def text_of(content):
    lines = [f"{json.dumps(name)}: {json.dumps(part)}" for name, part in content.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def spelled(numbers):
    """Return numbers as runs of their differences."""
    steps, runs = [numbers[0], *(b - a for a, b in pairwise(numbers))], []
    for step in steps:
        if runs and runs[-1][0] == step:
            runs[-1][1] += 1
        else:
            runs.append([step, 1])
    return " ".join(f"{step}*{times}" if times > 1 else f"{step}" for step, times in runs)


def numbers_of(runs):
    return [*_read(runs)]


@lru_cache(4)  # each place is looked up in the same numbers
def _read(runs):
    parts = [run.partition("*") for run in runs.split(" ")]
    return tuple(accumulate(int(step) for step, _, times in parts for _ in range(int(times or 1))))


def recomputed(content, factors=None):
    """Return the content with every claim that follows from its other parts, privacy or not: a forgery."""
    q = noise_checker.Row(content["question"])
    if factors is not None:
        place, lower, upper = factors
        q.guarantees[place].lower, q.guarantees[place].upper = lower, upper
        content["question"]["privacy"][place] |= {"lower": str(lower), "upper": str(upper)}
    law = noise_checker.Noise(content["mechanism"]["noise"], len(q.guarantees))
    for part in q.told_curve:
        q.curve = laws_checker.curve_of(part, law)
    made = noise_checker.Thresholds(content["mechanism"]["thresholds"], law, q)
    content["delta"] = str(law.spends(q.main.lower))
    return claiming(content, made.loss(), made.bound())


def claiming(content, objective, bound):
    return content | {"objective": str(objective), "bound": str(bound), "gap": str(objective - bound)}


# ------------------------------------------------------------------------------------------------ definitions


def exponential(text):
    """Return a rational a little above e^epsilon."""
    if text.startswith("ln "):
        return Fraction(text[3:])
    with localcontext(prec=80):
        return Fraction(
            (Decimal(1) * Decimal(Fraction(text).numerator) / Fraction(text).denominator).exp()
        ) * (1 + Fraction(1, 10**60))


def below(noise, place):
    """Return F, by its definition."""
    listed, one = _read(noise["cumulative"]), 1 << noise["bits"]
    at, tail, factor = place - noise["first"], Fraction(int(noise["tail"]), one), Fraction(1)
    if 0 <= at < len(listed):
        return Fraction(listed[at], one)
    left = at < 0
    while not 0 <= at < len(listed):
        at, factor = at + (noise["period"] if left else -noise["period"]), factor * tail
    return listed[at] * factor / one if left else 1 - (one - listed[at]) * factor / one


def is_private(content):
    """Whether one shift spends no more than each delta at e^epsilon, as far as some places more show."""
    noise = content["mechanism"]["noise"]
    size, period = len(numbers_of(noise["cumulative"])), noise["period"]
    places = range(noise["first"] - 2 * period - 2, noise["first"] + size + 2 * period + 2)
    f = [below(noise, place) for place in places]
    p = [b - a for a, b in pairwise(f)]
    for privacy in content["question"]["privacy"]:
        factor, delta = exponential(privacy["epsilon"]), Fraction(privacy["delta"])
        for here, beside in ((p[period:], p), (p, p[period:])):
            if sum(max(0, x - factor * y) for x, y in zip(here, beside, strict=False)) > delta:
                return False
        if "noise" in privacy and not is_as_private(p[period:], p, privacy["noise"]):
            return False
    if content["question"]["properties"]:
        return below(noise, numbers_of(content["mechanism"]["thresholds"])[0]) == 1
    return True


def law_of(law):
    """Return places far apart enough, and their probabilities, in doubles; of the Gaussian steps of 1/64."""
    z = np.arange(-60, 61)
    match law["law"]:
        case "discrete-gaussian":
            masses = np.exp(-((z / float(Fraction(law["sigma"]))) ** 2) / 2)
        case "skellam":
            masses = stats.skellam.pmf(z, float(Fraction(law["rate"])), float(Fraction(law["rate"])))
        case "binomial":
            masses = stats.binom.pmf(np.arange(int(law["trials"]) + 1), int(law["trials"]), 0.5)
        case "weights":
            masses = np.array(law["weights"].split(","), dtype=float)
    return masses / masses.sum()


def is_as_private(here, beside, law):
    """Whether P(S) - E P'(S) is nowhere larger than the law allows, for many E, as far as doubles show."""
    here, beside = np.array(here, dtype=float), np.array(beside, dtype=float)[: len(here)]
    masses = None if law["law"] == "gaussian" else np.array([0.0, *law_of(law), 0.0])
    for factor in np.exp(np.linspace(0, 6, 61)):
        if law["law"] == "gaussian":
            sigma = float(Fraction(law["sigma"]))
            low, high = (side / (2 * sigma) - np.log(factor) * sigma for side in (-1, 1))
            allowed = stats.norm.cdf(high) - factor * stats.norm.cdf(low)
        else:
            pairs = ((masses[1:], masses[:-1]), (masses[:-1], masses[1:]))
            allowed = max(np.maximum(p - factor * q, 0).sum() for p, q in pairs)
        for p, q in ((here, beside), (beside, here)):
            if np.maximum(p - factor * q, 0).sum() > allowed + 1e-9:
                return False
    return True


def loss_of(content):
    """Return the expected loss by its definition, tails and all."""
    question, noise = content["question"], content["mechanism"]["noise"]
    truths, responses = question["query"]["truths"], question["query"]["responses"]
    loss = question["objective"]["loss"]
    if isinstance(truths, dict):
        first, step = Fraction(truths["first"]), Fraction(truths["step"])
        truths = points = [first + f * step for f in range(truths["number"])]
    else:
        truths = [*map(Fraction, truths)]
        responses = [[truth, truth] for truth in truths] if responses is None else responses
        points = [(Fraction(low) + Fraction(high)) / 2 for low, high in responses]
    wide, prior, total = len(truths), question["objective"]["weights"], Fraction(0)
    thresholds = numbers_of(content["mechanism"]["thresholds"])
    never = noise["first"] - 1
    always = never + len(numbers_of(noise["cumulative"])) + noise["period"] * (wide - 1) + 1
    for f, truth in enumerate(truths):
        weight = {"sum": Fraction(1), "uniform": Fraction(1, wide)}.get(str(prior)) or Fraction(prior[f])
        shares = [
            Fraction(place >= always)
            if not never < place < always
            else below(noise, place - noise["period"] * f)
            for place in thresholds
        ]
        for r, share in enumerate(b - a for a, b in pairwise([0, *shares, 1])):
            if isinstance(loss, list):
                cost = Fraction(loss[min(abs(r - f), len(loss) - 1)])
            elif isinstance(loss, dict):
                cost = Fraction(loss["matrix"][r][f])
            else:
                cost = abs(points[r] - truth) ** (1 if loss == "absolute" else 2)
            total += weight * share * cost
    return total


def is_false(content):
    """Whether privacy, loss or bound are claimed better than they are."""
    try:
        actual = loss_of(content)
    except IndexError:  # weights, losses or thresholds for another number of truths claim nothing at all
        return False
    return (
        not is_private(content)
        or Fraction(content["objective"]) < actual
        or Fraction(content["bound"]) > actual
    )


# -------------------------------------------------------------------------------------------------- mutations


def less_loss(dice, content):
    objective, bound = Fraction(content["objective"]), Fraction(content["bound"])
    less = objective * Fraction(dice.randint(1, 50), 100) + Fraction(1, 10**30)
    if dice.random() < 0.5:
        return claiming(content, objective - less, bound - less)
    return claiming(content, objective - less, min(bound, objective - less))


def more_bound(dice, content):
    objective, bound = Fraction(content["objective"]), Fraction(content["bound"])
    more = Fraction(dice.randint(1, 50), 10 ** dice.randint(2, 20))
    return claiming(content, objective + more * dice.choice([0, 1]), bound + more)


def smaller_delta(dice, content):
    own = dice.choice(content["question"]["privacy"])
    if own["delta"] == "0":
        return None
    own["delta"] = checker.spelled(Fraction(own["delta"]) * Fraction(dice.randint(50, 99), 100))
    return dice.choice([recomputed, dict])(content)


def smaller_epsilon(dice, content):
    own = dice.choice(content["question"]["privacy"])
    epsilon = Fraction(dice.randint(1, 40), 100)
    low, high = checker.exponential(epsilon, bits=200)
    low, high = Fraction(int(low * 2**200), 2**200), Fraction(int(high * 2**200) + 1, 2**200)
    own |= {"epsilon": checker.spelled(epsilon), "lower": str(low), "upper": str(high)}
    return dice.choice([recomputed, dict])(content)


def other_factors(dice, content):
    place = dice.randrange(len(content["question"]["privacy"]))
    own = content["question"]["privacy"][place]
    lower, upper = Fraction(own["lower"]), Fraction(own["upper"])
    change = 1 + Fraction(1, 10 ** dice.randint(1, 50))
    wide = dice.random() < 0.5
    moved = (
        (lower / change, upper * change)
        if wide
        else dice.choice([(lower * change, upper * change), (lower / change, upper / change)])
    )
    return recomputed(content, (place, max(moved[0], Fraction(1)), moved[1]))


def another_privacy(dice, content):
    listed = content["question"]["privacy"]
    if dice.random() < 0.5 and len(listed) > 1:
        listed.pop(dice.randrange(len(listed)))
    else:
        ratio = dice.choice(["3/2", "2", "5"])
        delta = dice.choice(["0", "0.001", "0.3"])
        own = {"epsilon": f"ln {ratio}", "delta": delta, "lower": ratio, "upper": ratio}
        listed.append({"kind": "pure" if delta == "0" else "approximate", **own})
    return dice.choice([recomputed, recomputed, dict])(content)


def other_noise(dice, content):
    noise = content["mechanism"]["noise"]
    listed = numbers_of(noise["cumulative"])
    for _ in range(dice.randint(1, 3)):
        place = dice.randrange(1, len(listed) - 1)
        low, high = listed[place - 1], listed[place + 1]
        step = (high - low) >> dice.choice([1, 2, 5, 20, 60])
        listed[place] = min(max(listed[place] + dice.choice([-1, 1]) * step, low), high)
    noise["cumulative"] = spelled(listed)
    if dice.random() < 0.1:
        noise["period"] = max(1, noise["period"] + dice.choice([-1, 1]))
    if dice.random() < 0.1:
        noise["first"] += dice.choice([-1, 1])
    if noise["tail"] != "0" and dice.random() < 0.5:
        noise["tail"] = str(int(noise["tail"]) * dice.randint(90, 101) // 100)
    return dice.choice([recomputed, recomputed, dict])(content)


def other_thresholds(dice, content):
    listed = numbers_of(content["mechanism"]["thresholds"])
    place = dice.randrange(len(listed))
    listed[place] += dice.choice([-3, -2, -1, 1, 2, 3])
    content["mechanism"]["thresholds"] = spelled(sorted(listed))
    return dice.choice([recomputed, dict, dict])(content)


def other_weights(dice, content):
    question, wide = content["question"], len(numbers_of(content["mechanism"]["thresholds"])) + 1
    truths = question["query"]["truths"]
    wide = truths["number"] if isinstance(truths, dict) else len(truths)
    shares = [dice.choice([0, 1, 2, 5]) for _ in range(wide)]
    total = sum(shares) or 1
    listed = [checker.spelled(Fraction(str(share / total))) for share in shares]
    question["objective"]["weights"] = dice.choice(["sum", "uniform", listed, listed])
    return dice.choice([recomputed, dict])(content)


def other_loss(dice, content):
    question = content["question"]
    listed = ["0", "1", dice.choice(["1", "1.5", "2", "0.5"]), dice.choice(["2", "3", "8"])]
    question["objective"]["loss"] = dice.choice(["absolute", "squared", listed, listed[:2]])
    return dice.choice([recomputed, dict])(content)


def other_truths(dice, content):
    query = content["question"]["query"]
    if isinstance(query["truths"], dict):
        part = dice.choice(["first", "step", "number"])
        query["truths"][part] = {"first": "1", "step": "2", "number": query["truths"]["number"] + 1}[part]
        if dice.random() < 0.5:
            query |= {"kind": "custom", "parameters": {}}
    else:
        query["truths"][-1] = str(int(query["truths"][-1]) + 1)
    return dice.choice([recomputed, dict])(content)


def empty_groups(dice, content):
    question = content["question"]
    question["properties"] = [] if question["properties"] else ["zero-stays-zero"]
    if question["properties"]:
        made = copy.deepcopy(content)
        made["question"]["properties"] = []
        return recomputed(made) | {"question": question}
    return dice.choice([recomputed, dict])(content)


def other_law(dice, content):
    own = content["question"]["privacy"][0]
    if "noise" not in own:
        return None
    law = own["noise"]
    name = next(name for name in law if name != "law")
    if name == "weights":
        law[name] = dice.choice(["1,3,4,3", "1,3,4,2,1", "2,6,8,4", "1,4,4,2"])
    else:
        law[name] = checker.spelled(Fraction(law[name]) * dice.choice([2, 3, 1]) + dice.choice([0, 1]))
    if name != "weights" and dice.random() < 0.2:
        law = own["noise"] = {"law": dice.choice(["gaussian", "discrete-gaussian"]), "sigma": law[name]}
        name = "sigma"
    if dice.random() < 0.8:
        told = NoisePrivacy(noise_law(law["law"], **{name: law[name]}), Fraction(own["epsilon"]))
        own["delta"] = checker.spelled(told.delta)
    return dice.choice([recomputed, recomputed, dict])(content)


MUTATIONS = [
    other_law,
    other_law,
    less_loss,
    more_bound,
    smaller_delta,
    smaller_epsilon,
    other_factors,
    another_privacy,
    other_noise,
    other_noise,
    other_thresholds,
    other_weights,
    other_loss,
    other_truths,
    empty_groups,
]


def tampered(seed, how_many, **kinds):
    """Yield the name of a mutation and the content that it made of some certificate."""
    dice = random.Random(seed)  # noqa: S311 - mutations, not noise
    while how_many:
        content = json.loads(dice.choice(certificates(**kinds)))
        change = dice.choice(MUTATIONS)
        try:
            made = change(dice, content)
        except (checker.RefusedError, om.OptmechError):
            made = content  # parts that fit nothing, beside claims of before
        if made is not None and text_of(made) not in certificates(**kinds):
            yield change.__name__, made
            how_many -= 1


def hold(seed, how_many, **kinds):
    """Return how many of so many certificates were false; all of those are refused by both readers."""
    false = 0
    for name, content in tampered(seed, how_many, **kinds):
        text = text_of(content)
        package, second = by_package(text), by_checker(text)
        assert (package is None) is (second is None), (name, package, second, text)
        if is_false(content):
            false += 1
            assert package is not None, (name, text)
    return false


def test_what_is_not_tampered_with_is_accepted_and_true():
    for text in certificates() + certificates(of_gaussian=True):
        assert by_package(text) is by_checker(text) is None
        assert not is_false(json.loads(text))


def test_both_readers_count_the_same_work(monkeypatch):
    for text in certificates():
        certificate = read_certificate_text(text)
        parts = certificate.question, certificate.noise
        held = {}
        work = sum(
            work_of(*parts, step, held, LINE_BITS) for step in steps_of(*parts, certificate.thresholds)
        )
        for most, is_kept in ((work, True), (work - 1, False)):
            with monkeypatch.context() as limits:
                limits.setattr(steps, "_MOST_WORK", most)
                limits.setattr(noise_checker, "MOST_WORK", most)
                for name in ("MORE_WORK", "WORK_OF_A_WRITTEN_BIT"):
                    limits.setattr(noise_checker, name, 0)
                for name in ("_MORE_WORK", "_WORK_OF_A_BIT"):
                    limits.setattr(steps, name, 0)
                assert (by_package(text) is None) is (by_checker(text) is None) is is_kept


def test_a_distribution_has_one_text():
    content = json.loads(certificates()[0])
    backwards = dict(reversed(content["mechanism"]["noise"].items()))
    mechanism = content["mechanism"] | {"noise": backwards}
    for other in (json.dumps(content), text_of(content | {"mechanism": mechanism})):
        with pytest.raises(om.FileFormatError, match="must be written as described and as short as can be"):
            read_certificate_text(other)


def test_the_loss_of_a_mean_is_in_units_of_the_mean():
    for loss in ("absolute", "squared", "zero-one", "beyond 0.3"):
        problem = om.question(om.mean(4, 1), 1, delta="0.05", loss=loss)
        chain, program = by_chain(problem).certificate, om.design(problem, engine="program")
        assert chain.bound <= program.certificate.objective
        if loss in ("absolute", "squared"):
            assert float(chain.objective) == pytest.approx(program.objective, rel=1e-8)


def test_the_checker_proves_pure_privacy_of_a_large_count_listed_or_not():
    problem = om.question(om.count(3000), 1, loss="squared")
    short = om.design(problem).certificate
    factor, question = short.factor, short.question
    noise = noise_of_pairs([(factor.lower, Fraction(0))], 3000, has_tails=True)
    assert len(noise.cumulative) > 100
    places = best_thresholds(
        question, noise, weights_of_lines(noise, lines_of_pairs([(factor.upper, Fraction(0))]))
    )
    listed = NoiseCertificate(problem=problem, factor=factor, noise=noise, thresholds=tuple(places))
    assert by_checker(certificate_text(listed)) is by_checker(certificate_text(short)) is None
    assert max(listed.bound, short.bound) <= min(listed.objective, short.objective)
    assert short.relative_gap < 1e-20 < listed.relative_gap < 1e-3  # what is listed ends somewhere


@pytest.mark.slow
def test_no_reader_accepts_what_is_false():
    assert hold(0, 60) > 20


def test_no_reader_accepts_what_is_false_of_gaussian_noise():
    assert hold(1, 5, of_gaussian=True) > 1


@pytest.mark.parametrize(
    ("seed", "many"),
    [pytest.param(0, 250, marks=pytest.mark.slow)]
    + [pytest.param(seed, 500, marks=pytest.mark.long) for seed in range(3)],
)
def test_no_reader_accepts_any_of_many_that_are_false(seed, many):
    false, part = 0, 0
    while false < many:
        false += hold(f"{seed} {part}", 200)
        part += 1
