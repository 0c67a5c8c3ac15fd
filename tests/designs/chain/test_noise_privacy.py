"""As private as a noise: the optimum against programs from the definition, and what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np
import pytest
from flint import ctx
from scipy.optimize import linprog
from scipy.stats import norm, skellam

import optmech as om
from optmech.base.time_left import limited_time
from optmech.cli import main
from optmech.designs.chain import gaussian_orbit
from optmech.designs.chain.gaussian_orbit import gaussian_thresholds
from optmech.designs.chain.noise_orbit import noise_of_law
from optmech.proofs.chain.curve import LINE_BITS
from optmech.proofs.chain.gaussian_curve import GaussianCurve
from optmech.proofs.chain.noise import Noise
from optmech.proofs.chain.noise_curve import SPARE_BITS, curve_beside, curve_of
from optmech.question.privacy.noise_laws import noise_law, noise_law_of
from optmech.question.problems.named import named_problem
from tests.each import each
from tests.screen import joined

CHECKER = Path(__file__).parents[3] / "check_certificate.py"
TOLERANCE = 1e-6  # what HiGHS keeps rows to, through the slopes of a curve
LAWS = [
    "discrete-gaussian:0.05",
    "discrete-gaussian:2",
    "discrete-gaussian:2/3",
    "discrete-gaussian:40",
    "skellam:1e-3",
    "skellam:2",
    "skellam:200",
    "binomial:1",
    "binomial:7",
    "binomial:16",
    "weights:1,4,6,4,1",
    "weights:1,1,1",
    "weights:1,1",
    "weights:3,5,5,3,1",
    "weights:1,2,4,8,4,2,1",
]


def _masses(text):
    """Probabilities by the formula, apart from the package."""
    name, value = text.split(":")
    z = np.arange(-60, 61)
    if name == "discrete-gaussian":
        masses = np.exp(-(z**2) / (2 * float(Fraction(value)) ** 2))
    elif name == "skellam":
        masses = skellam.pmf(z, float(value), float(value))
    elif name == "binomial":
        masses = np.array([1.0])
        for _ in range(int(value)):
            masses = np.convolve(masses, [0.5, 0.5])
    else:
        masses = np.array([float(w) for w in value.split(",")])
    return masses / masses.sum()


def _least_loss(masses, losses, prior):
    """The program: every line of the curve, for every set by way of excesses."""
    below = np.cumsum(masses)
    lines = []
    for i in range(1, len(masses)):
        if masses[i] > 1e-13 and masses[i - 1] > 1e-13:
            slope = masses[i] / masses[i - 1]
            lines.append((slope, below[i] - slope * below[i - 1]))
    m, n = losses.shape
    size = m * n
    cost = np.concatenate([(losses * prior).ravel(), np.zeros(len(lines) * (n - 1) * m)])
    rows, right, at = [], [], size
    for f in range(n - 1):
        for slope, offset in lines:
            for r in range(m):
                row = np.zeros(len(cost))
                row[r * n + f], row[r * n + f + 1], row[at + r] = 1.0, -slope, -1.0
                scale = max(1.0, slope)
                rows.append(row / scale)
                right.append(0.0)
            row = np.zeros(len(cost))
            row[at : at + m] = 1.0
            rows.append(row)
            right.append(offset)
            at += m
    total = np.zeros((n, len(cost)))
    for f in range(n):
        total[f, f:size:n] = 1.0
    solution = linprog(cost, A_ub=np.array(rows), b_ub=right, A_eq=total, b_eq=np.ones(n), method="highs")
    assert solution.status == 0
    return solution.fun


@pytest.mark.parametrize("text", ["discrete-gaussian:0.8", "skellam:1/2", "binomial:4", "weights:3,5,5,3,1"])
def test_optimum_is_that_of_the_program(text):
    rng = np.random.default_rng(len(text))
    masses = _masses(text) if "/" not in text else _masses("skellam:0.5")
    for _ in range(6):
        largest = int(rng.integers(1, 5))
        prior = rng.dirichlet(np.ones(largest + 1)) * (rng.random(largest + 1) < 0.8)
        prior = np.full(largest + 1, 1 / (largest + 1)) if prior.sum() == 0 else prior / prior.sum()
        points = np.arange(largest + 1)
        shape = rng.choice(4)
        gaps = points[:, None] - points[None, :]
        losses = [abs(gaps), gaps**2, np.where(gaps > 0, 3 * gaps, -gaps), np.maximum(gaps, -2 * gaps) ** 1.5]
        problem = om.question(
            om.count(largest),
            privacy=om.as_private_as(*_named(text)[:1], **_named(text)[1]),
            loss=losses[shape].astype(float),
            prior=prior,
        )
        design = om.design(problem)
        assert design.engine == "chain"
        assert design.certificate.gap < 1e-25
        assert design.objective == pytest.approx(_least_loss(masses, losses[shape], prior), abs=TOLERANCE)
        assert om.verify(design.mechanism, problem, certificate=design.certificate)


def _named(text):
    name, value = text.split(":")
    parameter = {"discrete-gaussian": "sigma", "skellam": "rate", "binomial": "trials", "weights": "weights"}
    return name, {parameter[name]: value.split(",") if name == "weights" else value}


@each("text", LAWS)
def test_noise_in_whole_numbers_keeps_the_curve_and_is_next_to_it(text):
    law = noise_law_of(text)
    for number in (4, 500):
        noise = noise_of_law(law, number)
        assert curve_beside(law, noise).keeps(noise)
        places = np.arange(law.first if law.weights else -8, 9)
        exact = dict(zip(range(law.first, 99), accumulate(_masses(text)), strict=False))
        if law.weights:
            for place, value in exact.items():
                assert float(noise.share(place)) == pytest.approx(value, abs=1e-12)
        elif law.spread < 15:
            masses = _masses(text)
            for place in places.tolist():
                assert float(noise.share(place)) == pytest.approx(masses[: place + 61].sum(), abs=1e-12)


def test_powers_of_two_are_the_law_itself():
    design = om.design(om.question(om.count(6), privacy=om.as_private_as("weights", weights=[1, 4, 6, 4, 1])))
    assert design.certificate.noise.cumulative == (0, 1, 5, 11, 15, 16)
    assert design.certificate.objective == Fraction(5, 8)
    assert design.certificate.relative_gap < 1e-50


@pytest.mark.parametrize("text", ["discrete-gaussian:2", "skellam:2", "binomial:16", "weights:1,1,1"])
def test_what_is_a_hair_less_private_is_refused(text):
    law = noise_law_of(text)
    noise = noise_of_law(law, 500)
    curve, listed = curve_beside(law, noise), list(noise.cumulative)
    refused = 0
    for place in range(1, len(listed) - 1):
        for change in (1, -1):
            moved = listed.copy()
            moved[place] += change * max(1, noise.one >> 60)
            if any(after < before for before, after in pairwise(moved)) or not 0 < moved[place] < noise.one:
                continue
            changed = Noise(1, noise.first, tuple(moved), noise.bits, noise.tail)
            # In the middle every change leaves the curve: up or down one corner leaves it, or the one after.
            if min(moved[place], noise.one - moved[place]) > noise.one >> 8:
                assert not curve.keeps(changed)
                refused += 1
    assert refused


def test_noise_of_another_law_is_refused():
    law = noise_law("discrete-gaussian", sigma=2)
    # Between whole numbers, a hair more noise is not more private at every set: 5e-8 are missing at 2.001.
    for other, kept in (("2.001", False), ("2.1", True), ("1.999", False), ("1", False), ("30", True)):
        noise = noise_of_law(noise_law("discrete-gaussian", sigma=other), 10)
        assert curve_beside(law, noise).keeps(noise) is kept


@each("text", LAWS)
def test_lines_lie_on_or_above_all_corners(text):
    curve = curve_of(noise_law_of(text), LINE_BITS + SPARE_BITS)
    lines = curve.lines(noise_of_law(noise_law_of(text), 4))
    assert lines
    xs, ys = (0, *curve.high[:-1]), curve.low
    for line in lines[:: max(1, len(lines) // 20)]:
        for x, y in zip(xs, ys, strict=True):
            # A unit for what lies between low and high.
            assert (line.slope * x + line.offset * curve.unit) >= (y - 64) << LINE_BITS


def test_file_of_a_noise_is_read_and_proved_again(tmp_path):
    path = tmp_path / "noise.json"
    for size in (10, 400):
        problem = om.question(om.count(size), privacy=om.as_private_as("discrete-gaussian", sigma="2"))
        design = om.design(problem)
        om.write_certificate(design.certificate, path)
        again = om.read_certificate(path)
        assert again.objective == design.certificate.objective
        assert str(again.problem.privacy) == "as private as discrete Gaussian noise of sigma 2"
        content = json.loads(path.read_text())
        text = json.dumps(content).replace('"sigma": "2"', '"sigma": "2.01"')
        assert '"2.01"' in text
        path.write_text(text)
        with pytest.raises(om.OptmechError):
            om.read_certificate(path)


def test_gap_of_a_matrix_is_what_it_leaves_the_curve_by():
    problem = om.question(om.count(4), privacy=om.as_private_as("binomial", trials=6))
    design = om.design(problem)
    assert om.verify(design.mechanism, problem)
    stricter = om.question(om.count(4), privacy=om.as_private_as("binomial", trials=8))
    report = om.verify(design.mechanism, stricter)
    assert not report
    assert "as private as the noise" in str(report.failures[0])


def test_curve_gives_its_pairs():
    privacy = om.as_private_as("binomial", trials=4)
    assert privacy.delta_at("ln 4") == Fraction("0.0625001")  # only the last coin's value is out of reach
    assert privacy.delta_at(0) == Fraction("0.375001")
    assert 0 < privacy.delta < Fraction("0.0626")
    gaussian = om.as_private_as("discrete-gaussian", sigma="2")
    assert gaussian.delta <= Fraction(1, 10**6)
    assert om.as_private_as("discrete-gaussian", sigma="2", epsilon=1).epsilon == 1


@each(
    ("name", "parameters", "rule"),
    [
        ("discrete-gaussian", {"sigma": "0"}, "must be positive; got 0"),
        ("discrete-gaussian", {"sigma": "-1"}, "must be positive"),
        ("discrete-gaussian", {"sigma": "1e-9"}, "must be from 0.05 to 5,000"),
        ("discrete-gaussian", {"rate": "1"}, "must have `sigma`, and nothing else; got rate"),
        ("discrete-gaussian", {}, "must have `sigma`"),
        ("skellam", {"rate": 0}, "must be positive"),
        ("binomial", {"trials": "2.5"}, "must be a whole number"),
        ("binomial", {"trials": 10**9}, "must be from 1 to 10,000"),
        ("weights", {"weights": [1, 5, 1, 5]}, "as the theorem of chains asks; got 5, 1, 5 in a row"),
        ("weights", {"weights": [1, 0, 1]}, "positive whole numbers"),
        ("weights", {"weights": [1]}, "2 to 10,000 positive whole numbers"),
        ("weights", {"weights": [1, "x"]}, "`weights`"),
        (
            "laplace",
            {"scale": 1},
            "must be discrete-gaussian, skellam, binomial, weights or gaussian; got 'laplace'",
        ),
    ],
)
def test_no_noise(name, parameters, rule):
    with pytest.raises(om.ProblemError, match=rule):
        om.as_private_as(name, **parameters)


def test_other_engines_say_who_answers():
    privacy = om.as_private_as("discrete-gaussian", sigma="2")
    with pytest.raises(om.NotAcceptedError, match=r"only the theorem of chains.*epsilon 2\.28, delta"):
        om.design(om.question(om.count(5), privacy=privacy, worst_case=True))
    with pytest.raises(om.NotAcceptedError, match="do not stand in a row"):
        om.design(om.question(om.count(5, records_per_person=2), privacy=privacy))
    with pytest.raises(om.NotAcceptedError, match="more than privacy is asked"):
        om.design(om.question(om.count(5), privacy=privacy, properties=["fair"]))
    with pytest.raises(om.NotAcceptedError, match="engine program is asked for"):
        om.design(om.question(om.count(5), privacy=privacy), engine="program")
    with pytest.raises(om.NotAcceptedError, match="a raw answer is asked for"):
        om.design(om.question(om.count(5), privacy=privacy), raw=True)
    with pytest.raises(om.ProblemError, match="must stand alone where it is that of a noise"):
        om.question(om.count(5), privacy=[privacy, om.as_private_as("binomial", trials=3)])
    with pytest.raises(om.OptmechError, match="an epsilon of its own"):
        om.analysis.least_epsilon(om.question(om.count(5), privacy=privacy), target=1)


def test_large_counts_are_distributions():
    design = om.design(om.question(om.count(5000), privacy=om.as_private_as("skellam", rate="2")))
    assert design.certificate.relative_gap < 1e-15
    assert design.mechanism.sample(2500) in range(2400, 2600)


@pytest.mark.parametrize("size", [1, 3])
def test_continuous_gaussian_is_the_best_over_all_real_thresholds(size):
    """Each step by itself, on a fine grid: no threshold does better, and theirs does as well."""
    rng = np.random.default_rng(size)
    for sigma in (0.5, 2.0):
        prior = rng.dirichlet(np.ones(size + 1))
        problem = om.question(
            om.count(size),
            privacy=om.as_private_as("gaussian", sigma=str(sigma)),
            loss="squared",
            prior=prior,
        )
        design = om.design(problem)
        grid = np.linspace(-10 * sigma, size + 10 * sigma, 20_001)
        truths = np.arange(size + 1)
        below = norm.cdf((grid[:, None] - truths) / sigma)
        losses = (truths[:, None] - truths) ** 2.0
        least = (prior * losses[0]).sum() + sum(
            ((1 - below) @ (prior * (losses[j + 1] - losses[j]))).min() for j in range(size)
        )
        assert design.certificate.relative_gap < 1e-18
        assert design.objective == pytest.approx(least, abs=1e-6)
        assert design.objective <= least + 1e-12
        assert om.verify(design.mechanism, problem, certificate=design.certificate)


def test_continuous_gaussian_is_read_and_proved_again(tmp_path):
    path = tmp_path / "gaussian.json"
    design = om.design(om.question(om.count(6), privacy=om.as_private_as("gaussian", sigma="1.5")))
    om.write_certificate(design.certificate, path)
    assert om.read_certificate(path).bound == design.certificate.bound
    text = path.read_text().replace('"sigma": "1.5"', '"sigma": "1.5000000001"')
    path.write_text(text)
    with pytest.raises(om.OptmechError, match="must keep the privacy"):
        om.read_certificate(path)
    with pytest.raises(om.NotAcceptedError, match="Take discrete-gaussian"):
        om.design(om.question(om.count(2500), privacy=om.as_private_as("gaussian", sigma="1.5")))


@pytest.mark.parametrize(
    ("size", "loss", "clamped", "unchanged"),
    [
        (10, "absolute", 4.0, 24),
        (10, "squared", 12.3, 46),
        (5, "absolute", 8.5, 54),
        (5, "squared", 32.9, 132),
    ],
)
def test_noise_is_improved_by_what_is_published(size, loss, clamped, unchanged):
    improvement = om.analysis.improve("discrete-gaussian:2", om.count(size), loss=loss)
    assert 100 * (improvement.clamped / improvement.optimum - 1) == pytest.approx(clamped, abs=0.06)
    assert 100 * (improvement.unchanged / improvement.optimum - 1) == pytest.approx(unchanged, abs=0.5)
    # The table alone, after the noise: the loss of the certificate.
    z = np.arange(-60, 61)
    masses = np.exp(-(z**2) / 8)
    masses /= masses.sum()
    power = 1 if loss == "absolute" else 2
    mean = [masses @ abs(improvement.remap(f + z) - f) ** power for f in range(size + 1)]
    assert np.mean(mean) == pytest.approx(improvement.optimum, abs=1e-12)


def test_table_is_written_whole(tmp_path, capsys):
    question = ["count", "--range", "3:8", "--as-private-as", "gaussian:2"]
    words = ["improve", *question, "--prior", "0.5,0.1,0.1,0.1,0.1,0.1"]
    for name in ("table.csv", "table.json"):
        path = tmp_path / name
        assert main([*words, "--out", str(path)]) == 0
    rows = (tmp_path / "table.csv").read_text().splitlines()
    content = json.loads((tmp_path / "table.json").read_text())
    assert [f"{row['response']},{row['up_to']}" for row in content["table"]] == rows[1:]
    assert len(rows) == 7
    assert rows[-1] == "8,inf"
    assert str(om.Problem.from_dict(content["question"])) == content["problem"]
    assert content["optimum"] < content["clamped"] < content["unchanged"]
    assert "no mechanism as private loses less" in capsys.readouterr().out
    improvement = om.analysis.improve(
        "gaussian:2", om.count(8, smallest=3), prior=[0.5, 0.1, 0.1, 0.1, 0.1, 0.1]
    )
    limits = [float(row.split(",")[1]) for row in rows[1:]]
    assert improvement.remap(limits[0]) == 3
    assert improvement.remap([limits[0] + 1e-9, limits[1] + 1e-9]).tolist() == [4, 5]


@each(
    ("words", "rule"),
    [
        (["--noise", "gauss:1", "--range", "0:3"], "`noise` must be discrete-gaussian:SIGMA"),
        (["--noise", "binomial:4"], "`range`"),
        (["count", "--range", "0:3"], "`--as-private-as` must be given"),
        (["count", "--range", "0:3", "--epsilon", "1"], "`--epsilon` must be an option of"),
        (["mean", "--range", "0:3", "--as-private-as", "skellam:2"], "must be one of count, file"),
        (["--noise", "weights:1,5,1,5", "--range", "0:3"], "theorem of chains asks"),
        (
            ["--noise", "skellam:2", "--range", "0:3", "--loss", "zero-one", "--prior", "0.4,0.02,0.02,0.56"],
            "must be convex",
        ),
        (["--noise", "binomial:4", "--range", "0:3", "--out", "table.txt"], "table.txt"),
    ],
)
def test_bad_improvements_are_a_sentence(words, rule, capsys):
    assert main(["improve", *words]) == 2
    captured = capsys.readouterr()
    assert rule in captured.err
    assert not captured.out


def test_design_takes_a_noise_in_place_of_epsilon(tmp_path, capsys):
    words = ["design", "count", "--range", "0:5", "--as-private-as"]
    out = tmp_path / "made.csv"
    assert main([*words, "binomial:6", "--out", str(out)]) == 0
    assert "as private as binomial noise of 6 fair coins" in capsys.readouterr().out
    assert main(["card", str(tmp_path / "made.certificate.json")]) == 0
    assert "No set of answers tells neighbouring true answers apart better" in joined(capsys.readouterr().out)
    assert main([*words, "binomial:6", "--epsilon", "1"]) == 2
    assert "must stand alone" in capsys.readouterr().err


@pytest.mark.parametrize("change", [{"delta": "0.01"}, {"epsilon": "0.5"}, {"noise": {"law": "binomial"}}])
def test_pair_that_a_file_tells_of_a_noise_is_its_own(tmp_path, change):
    path = tmp_path / "binomial.json"
    design = om.design(om.question(om.count(4), privacy=om.as_private_as("binomial", trials=6)))
    om.write_certificate(design.certificate, path)
    content = json.loads(path.read_text())
    content["question"]["privacy"][0].update(change)
    path.write_text(json.dumps(content))
    with pytest.raises(om.FileFormatError):
        om.read_certificate(path)


def test_checker_proves_the_curve_by_itself(tmp_path):
    path = tmp_path / "binomial.json"
    design = om.design(om.question(om.count(4), privacy=om.as_private_as("binomial", trials=6)))
    om.write_certificate(design.certificate, path)
    checked = subprocess.run(
        [sys.executable, "-I", CHECKER, path], capture_output=True, text=True, check=False, timeout=60
    )
    assert checked.returncode == 0
    assert checked.stdout.startswith("proved: as private as binomial noise of 6 fair coins, for every set")
    assert "check_certificate.py" in om.reports.card_markdown(om.card_of(design.certificate))


@each("text", [text for text in LAWS if noise_law_of(text).weights is None])
def test_whole_numbers_of_a_curve_are_those_of_the_definition(text):
    """Between F of the law, summed in 200 digits, and the next whole number."""
    law = noise_law_of(text)
    curve = curve_of(law, 64)
    with ctx.workprec(700):
        masses = law.balls(4 * len(curve.low) + 200)
        total = masses[0] + 2 * sum(masses[1:])
        for place in (-3, -1, 0, 2):
            exact = sum(masses[abs(z)] for z in range(-len(masses) + 1, place + 1)) / total * curve.unit
            at = place - curve.first
            if 0 <= at < len(curve.low):
                assert curve.low[at] < exact < curve.high[at]


def test_neither_pairs_nor_comparisons_go_with_a_noise():
    privacy = om.as_private_as("binomial", trials=6)
    with pytest.raises(om.NotAcceptedError, match="optmech improve"):
        om.compare(om.question(om.count(4), privacy=privacy))
    with pytest.raises(om.ProblemError, match="must not both be given"):
        named_problem("count", {"range": "0:4", "privacy": "1,0.1", "as_private_as": "binomial:6"})


@pytest.mark.parametrize(("largest", "sigma"), [(29, "0.2"), (29, "0.1"), (4, "3")])
def test_narrow_gaussian_noise_is_designed_with_as_many_digits_as_its_ends_need(largest, sigma):
    design = om.design(om.question(om.count(largest), privacy=om.as_private_as("gaussian", sigma=sigma)))
    assert 0 <= design.certificate.relative_gap < 1e-9
    assert om.verify(design.certificate)


def test_the_theorem_speaks_of_noise_whose_orbits_doubles_do_not_tell_apart():
    design = om.design(om.question(om.count(5), privacy=om.as_private_as("discrete-gaussian", sigma="0.05")))
    (row,) = om.verify(design.mechanism, design.problem).theorems
    assert row.holds


@pytest.mark.long
def test_a_wide_gaussian_of_many_answers_is_refused_by_how_much_its_proof_would_list():
    problem = named_problem("count", {"range": "0:1000", "as_private_as": "gaussian:300"})
    rule = r"at most 1,048,576 values .* 1,001 true answers need 13,918,128 .* 7,204 whole numbers"
    with pytest.raises(om.NotAcceptedError, match=rule):
        om.design(problem)


def test_too_many_values_of_gaussian_noise_are_refused_before_a_threshold_is_refined(monkeypatch):
    monkeypatch.setattr(gaussian_orbit, "_refine", None)
    asked = om.question(om.count(200), privacy=om.as_private_as("gaussian", sigma=200))
    with pytest.raises(om.NotAcceptedError, match=r"at most 1,048,576 values of the noise.*for each of 1"):
        om.design(asked)


@pytest.mark.slow
def test_gaussian_noise_ends_with_the_time_limit():
    asked = om.question(om.count(20), privacy=om.as_private_as("gaussian", sigma=3))
    certificate = om.design(asked).certificate
    with limited_time(0):
        with pytest.raises(om.VerificationError, match="time for the thresholds of Gaussian noise"):
            gaussian_thresholds(certificate.question, Fraction(3))
        curve = GaussianCurve(Fraction(3), 400)
        for law in (curve.keeps, curve.lines):
            with pytest.raises(om.VerificationError, match="`time_limit` must leave time"):
                law(certificate.noise)
