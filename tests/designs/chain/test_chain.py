"""The theorem of chains: the program's optimum, private by definition, proved exactly."""

from __future__ import annotations

import itertools
import json
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from optmech.designs.chain import worst
from optmech.designs.engines.chain import design as by_chain
from optmech.designs.engines.engine import Request
from optmech.mechanisms.certificates.certificate_text import certificate_text, read_certificate_text
from optmech.models.solution import Solution, Status
from optmech.models.solvers.options import SolveOptions
from optmech.proofs.violation import violation
from optmech.question.privacy import ApproximatePrivacy, PurePrivacy
from tests.each import each
from tests.oracle.chain import least_loss
from tests.readers import by_checker, by_package

EPSILONS = ["0", "0.05", "0.1", "0.3", "0.5", "ln 2", "1", "1.5", "2", "3"]
DELTAS = ["0.001", "0.01", "0.05", "0.1", "0.3", "0.6", "1e-6"]


def privacies(dice):
    """Return one to three definitions that must all hold, the smallest epsilon first."""
    chosen = sorted(dice.sample(EPSILONS, dice.choice([1, 1, 1, 2, 3])), key=EPSILONS.index)
    pairs = [(epsilon, dice.choice(DELTAS[:-1] if epsilon == "0" else [*DELTAS, "0"])) for epsilon in chosen]
    return [PurePrivacy(e) if d == "0" else ApproximatePrivacy(e, d) for e, d in pairs]


def convex(dice, number, points):
    """Return a convex loss of the difference, not symmetric, as a matrix; or a name."""
    kind = dice.choice(["absolute", "squared", "cubed", "skew", "piecewise"])
    if kind in ("absolute", "squared"):
        return kind
    over, under = dice.choice([1, 2, 0.5]), dice.choice([1, 4, 0])
    losses = {
        "cubed": lambda d: abs(d) ** 3,
        "skew": lambda d: over * d if d > 0 else -under * d,
        "piecewise": lambda d: max(0, abs(d) - 1, 3 * abs(d) - 6),
    }
    return [[float(losses[kind](point - truth)) for truth in range(number)] for point in points]


def questions(seed, how_many, largest):
    """Yield random questions that the theorem applies to."""
    dice = random.Random(seed)  # noqa: S311 - questions, not noise
    while how_many:
        number = dice.randint(2, largest + 1)
        prior = [dice.choice([0, 1, 1, 2, 5, 0.3]) for _ in range(number)]
        if not any(prior):
            continue
        prior = [float(Fraction(str(part)) / sum(Fraction(str(each)) for each in prior)) for part in prior]
        grid = dice.choice(["same", "same", "coarse", "fine"])
        points = {
            "same": range(number),
            "coarse": range(0, number + 1, 2),
            "fine": [Fraction(place, 2) for place in range(2 * number - 1)],
        }[grid]
        query = om.count(number - 1)
        if grid != "same":
            query = om.Query(range(number), [(point, point) for point in points], neighbours=1)
        loss = convex(dice, number, [float(point) for point in points])
        yield om.question(query, privacy=privacies(dice), loss=loss, prior=prior)
        how_many -= 1


def worst_excess(matrix, pairs):
    """Return by how much P(S) exceeds E Q(S) + delta at most, over all sets of responses, one by one."""
    responses, truths = matrix.numerators.shape
    worst = Fraction(-1)
    for size in range(responses + 1):
        for chosen in itertools.combinations(range(responses), size):
            masses = [sum(int(matrix.numerators[row, truth]) for row in chosen) for truth in range(truths)]
            for here, beside in [*itertools.pairwise(masses), *itertools.pairwise(masses[::-1])]:
                for factor, delta in pairs:
                    excess = Fraction(here, matrix.denominator) - factor * Fraction(
                        beside, matrix.denominator
                    )
                    worst = max(worst, excess - delta)
    return worst


def held_against_the_program(problem):
    chain = by_chain(problem).certificate
    program = om.design(problem, engine="program").certificate
    # A program's own optimum may lie a little above the least loss, its bound below it: both are proved.
    assert program.bound <= chain.objective <= program.objective
    assert float(chain.objective) == pytest.approx(float(program.objective), rel=1e-7, abs=2e-8)
    assert chain.bound <= program.objective
    assert chain.gap < 1e-18
    if problem.query.num_responses <= 7:
        pairs = [
            (factor.lower, privacy.delta)
            for factor, privacy in zip(chain.factor.each, problem.privacies, strict=True)
        ]
        assert worst_excess(chain.matrix, pairs) <= 0


@pytest.mark.parametrize("seed", range(4))
def test_the_chain_is_the_programs_optimum(seed):
    for problem in questions(seed, 10, 6):
        held_against_the_program(problem)


@pytest.mark.parametrize(
    ("seed", "number"),
    [
        pytest.param(100, 12, marks=pytest.mark.slow),
        *(pytest.param(seed, 50, marks=pytest.mark.long) for seed in range(100, 104)),
    ],
)
def test_the_chain_is_the_programs_optimum_on_many(seed, number):
    for problem in questions(seed, number, 12):
        held_against_the_program(problem)


@pytest.mark.parametrize(("largest", "optimum"), [(50, 1.78076532738), (100, 1.83146753067)])
def test_known_optima(largest, optimum):
    design = om.design(om.question(om.count(largest), "0.5", delta="1e-3"))
    assert design.engine == "chain"
    assert design.objective == pytest.approx(optimum, abs=2e-11)
    assert 0 <= design.certificate.gap < 1e-18


def test_two_orbits_do_not_suffice():
    """n = 4, E = 3/2, delta = 1/50: the third threshold is on the mirror image of the orbit of nothing."""
    design = om.design(om.question(om.count(4), "ln 1.5", delta="0.02"))
    assert design.certificate.objective - Fraction(1201, 1250) < Fraction(1, 10**20)
    assert design.certificate.objective >= Fraction(1201, 1250)


def test_pure_privacy_is_a_case_of_it():
    problem = om.croft(om.count(40), 1)
    chain, closed = om.design(problem), om.design(problem, engine="closed-form")
    assert chain.engine == "chain"
    assert abs(chain.certificate.objective - closed.certificate.objective) < 1e-12
    assert chain.certificate.gap < 1e-18


def test_a_small_chain_has_a_matrix_that_keeps_the_rules_of_its_question():
    certificate = om.design(om.question(om.count(4), 1, delta="0.1"), engine="chain").certificate
    assert violation(certificate.rules, certificate.matrix, certificate.factor) is None
    assert certificate.rules.problem is certificate.problem


def test_a_large_count_is_a_distribution_with_a_short_proof():
    design = om.design(om.question(om.count(20_000), 1, delta="1e-6"))
    text = certificate_text(design.certificate)
    assert len(text) < 10_000
    assert certificate_text(read_certificate_text(text)) == text
    mechanism = design.mechanism
    assert mechanism.column(10_000).sum() == pytest.approx(1, abs=1e-12)
    assert float(mechanism.probability(10_000, 10_001)) == pytest.approx(
        mechanism.column(10_001)[10_000], rel=1e-9
    )
    assert mechanism.row(7)[:20] == pytest.approx(
        [mechanism.column(truth)[7] for truth in range(20)], rel=1e-9
    )
    assert mechanism.expected_loss("absolute") == pytest.approx(design.objective, rel=1e-12)
    assert mechanism.effective_epsilon(design.problem.query) == np.inf
    with pytest.raises(om.NotAcceptedError, match="`certificate` must hold a matrix"):
        _ = design.certificate.matrix


def test_draws_follow_the_distribution():
    privacy = [ApproximatePrivacy("0.5", "1e-3"), PurePrivacy(1)]
    for problem in (
        om.question(om.count(2500), privacy=privacy),
        om.question(om.count(3000), "0.5", delta="0.01"),
    ):
        mechanism = om.design(problem).mechanism
        size = len(mechanism.truths)
        for truth in (0, 1, size // 2, size - 1):
            drawn = mechanism.sample(np.full(20_000, truth))
            shares = np.bincount(drawn, minlength=size) / 20_000
            assert abs(shares - mechanism.column(truth)).max() < 0.02


@pytest.mark.parametrize(
    ("loss", "words"),
    [
        ([[1, 0, 3, 3], [0, 1, 2, 2], [1, 2, 1, 1], [2, 3, 2, 0]], "condition on signs"),
        ([[3, 2, 1, 0]] * 4, None),
    ],
)
def test_a_loss_that_breaks_the_condition_on_signs_is_for_another_engine(loss, words):
    problem = om.question(om.count(3), 1, delta="0.01", loss=loss)
    if words is None:
        assert om.design(problem).engine == "chain"
        return
    with pytest.raises(om.ProblemError, match=words):
        om.design(problem, engine="chain")
    assert om.design(problem).engine != "chain"


def test_where_thresholds_cross_the_bound_is_not_called_an_optimum():
    problem = om.question(
        om.count(8), 1, delta="1e-6", loss="zero-one", prior=[0.3, 0, 0.1, 0.05, 0.05, 0.2, 0, 0, 0.3]
    )
    design = om.design(problem)
    assert design.engine != "chain" or design.certificate.relative_gap < 1e-9


def test_claims_that_are_false_are_refused():
    text = certificate_text(om.design(om.question(om.count(9), "0.5", delta="0.01")).certificate)
    content = json.loads(text)

    def refused(*path_and_value):
        *path, last, value = path_and_value
        changed = json.loads(text)
        part = changed
        for name in path:
            part = part[name]
        part[last] = value
        with pytest.raises(om.OptmechError):
            read_certificate_text(json.dumps(changed))

    refused("objective", "1/2")
    refused("bound", content["objective"])
    refused("gap", "0")
    refused("delta", "0")
    refused("question", "privacy", 0, "delta", "0.001")
    refused("question", "privacy", 0, "epsilon", "0.4")
    refused("question", "query", "truths", {"first": "0", "step": "1", "number": 9})
    refused("question", "objective", "loss", "squared")
    refused("mechanism", "noise", "period", 2)
    refused("mechanism", "noise", "bits", 64)
    refused("mechanism", "noise", "tail", "5")
    refused("mechanism", "thresholds", content["mechanism"]["thresholds"].replace("3*", "2*"))


@pytest.mark.parametrize(
    ("largest", "epsilon", "delta", "optimum", "seen"),
    [(40, "1", "1e-5", 2.2293, 0.99992), (60, "0.5", "1e-5", 4.8793, 0.33952)],
)
def test_an_empty_group_is_never_seen(largest, epsilon, delta, optimum, seen):
    """Published beside thresholded noise, averaged over the groups that are not empty."""
    prior = [0.0, *[1 / largest] * largest]
    problem = om.question(om.count(largest), epsilon, delta=delta, prior=prior, properties="zero-stays-zero")
    design = om.design(problem)
    assert design.engine == "chain"
    assert design.objective == pytest.approx(optimum, abs=5e-5)
    assert design.certificate.relative_gap < 1e-20
    assert design.mechanism.matrix[0, 0] == 1
    assert 1 - design.mechanism.matrix[0, 20] == pytest.approx(seen, abs=2e-5)
    assert design.certificate.matrix.numerators[0, 0] == design.certificate.matrix.denominator


@pytest.mark.parametrize(("epsilon", "delta"), [("1", "0.01"), ("0.5", "0.2"), ("0", "0.1"), ("2", "0.6")])
def test_with_empty_groups_the_chain_is_the_programs_optimum(epsilon, delta):
    for prior in ("uniform", [0.5, 0, 0.2, 0, 0.3, 0]):
        problem = om.question(
            om.count(5), epsilon, delta=delta, prior=prior, loss="squared", properties="zero-stays-zero"
        )
        held_against_the_program(problem)


def test_the_row_of_a_theorem_knows_that_others_may_be_seen_where_the_last_is_at_zero():
    """At x = 0 the orbits from 0 count, and the orbit from 1 alone does not."""
    loss = [[(1 if r > f else 4) * abs(r - f) for f in range(6)] for r in range(6)]
    weights = [Fraction(part, 6) for part in (0, 1, 2, 0, 1, 2)]
    problem = om.question(
        om.count(5), "ln 2", delta="0.3", loss=loss, prior=weights, properties="zero-stays-zero"
    )
    assert least_loss(problem) == pytest.approx(om.design(problem).objective, rel=1e-12) == pytest.approx(1.3)


def test_a_single_response_is_no_chain():
    problem = om.question(om.Query([0, 1], [(-1, 25)]), 1, delta="0.01")
    assert om.design(problem).objective == 11.5
    with pytest.raises(om.OptmechError, match="a single response, and nothing to choose"):
        om.design(problem, engine="chain")


def test_an_empty_group_must_be_an_answer():
    with pytest.raises(om.OptmechError, match="0"):
        om.design(om.question(om.count(5, smallest=1), 1, delta="0.01", properties="zero-stays-zero"))


@pytest.mark.slow
@each(
    ("largest", "epsilon", "delta", "loss"),
    [
        (4, "1", "0.01", "absolute"),
        (6, "0.5", "0.001", "squared"),
        (5, "1", 0, "absolute"),
        (4, "0", "0.1", "absolute"),
        # Among equally good mixtures a solver's first has thresholds that cross.
        (20, "0.2", 0, "absolute"),
        (20, "0.2", "1e-4", "absolute"),
    ],
)
def test_the_worst_truth_fares_as_well_as_the_least_favourable_prior_allows(largest, epsilon, delta, loss):
    problem = om.question(om.count(largest), epsilon, delta=delta, loss=loss, worst_case=True)
    chain, program = om.design(problem, engine="chain"), om.design(problem, engine="program")
    assert chain.objective == pytest.approx(program.objective, rel=1e-7)
    assert chain.certificate.relative_gap < 1e-8
    assert om.design(problem).engine == "chain"
    assert certificate_text(read_certificate_text(certificate_text(chain.certificate)))


@pytest.mark.slow
def test_a_worst_truth_far_from_both_ends_is_designed_for_its_own_prior():
    problem = om.question(om.count(80), "0.5", delta="1e-6", worst_case=True)
    assert om.design(problem, engine="chain").certificate.relative_gap < 1e-8


@each(
    ("largest", "epsilon", "delta", "properties"),
    [
        (7, 20, "1e-100", "zero-stays-zero"),
        (7, 400, "1e-300", "zero-stays-zero"),
        (5, 150, 0, ()),
        (5, 600, "1e-300", ()),
        (100, 1, "1e-100", "zero-stays-zero"),
    ],
    every=2,
)
def test_the_bound_is_tight_at_any_epsilon_and_delta(largest, epsilon, delta, properties):
    problem = om.question(om.count(largest), epsilon, delta=delta, properties=properties)
    certificate = om.design(problem, engine="chain").certificate
    assert certificate.relative_gap < 1e-20
    text = certificate_text(certificate)
    assert by_package(text) is by_checker(text) is None


def test_the_bound_at_the_largest_epsilon_is_that_of_randomized_response():
    certificate = om.design(om.question(om.count(1), 700, prior=None), engine="chain").certificate
    most = 2 / (1 + certificate.factor.upper)
    assert most * (1 - Fraction(1, 10**30)) < certificate.bound <= most


def test_a_worst_truth_without_time_for_a_mixture_gets_the_thresholds_of_a_prior(monkeypatch):
    problem = om.question(om.count(30), "0.5", delta="1e-3", worst_case=True)
    stopped = Solution(status=Status.LIMIT, solver="highs", method="simplex", seconds=0.0, message="late")
    best = om.design(problem, engine="chain")
    monkeypatch.setattr(worst, "_solved", lambda *_: stopped)
    certificate = by_chain(problem, Request(options=SolveOptions(time_limit=1e-9))).certificate
    assert certificate.bound < best.certificate.bound < certificate.objective < 2 * certificate.bound
    failed = replace(stopped, status=Status.NUMERICAL)
    monkeypatch.setattr(worst, "_solved", lambda *_: failed)
    with pytest.raises(om.VerificationError, match="no solver gave one"):
        by_chain(problem)
