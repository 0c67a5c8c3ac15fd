"""Chains whose steps differ: any trade-off from each true answer to the next, and back, or none at all."""

from __future__ import annotations

import itertools
import json
import random
from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from optmech.designs.choice import choose
from optmech.designs.engines.chain import design as by_chain
from optmech.mechanisms.certificates.certificate_text import certificate_text, read_certificate_text
from optmech.proofs.enclosure import enclose_exponential
from tests.each import each
from tests.oracle.chain import least_loss
from tests.readers import by_checker, by_package

EPSILONS = ["0", "0.05", "0.1", "0.3", "0.5", "ln 2", "1", "1.5", "2", "3"]
DELTAS = ["0.001", "0.01", "0.05", "0.1", "0.3", "0.6", "1e-6"]
# Protected ways of a step: 1 of a truth against the next, 2 of the next against it, 3 both.
SHAPES = {"both": [3], "one way": [1], "any": [0, 1, 1, 2, 3, 3]}
PROVED, RECOMPUTED = 1e-9, 1e-6
"""Tolerances of the bounds of programs: those proved, and those of answers beyond repair."""
_ROUNDING = Fraction(1, 10**18)


def row(dice, number):
    """Return neighbours in a row, of any weights and ways."""
    ways = dice.choice([*SHAPES.values(), SHAPES["any"]])
    listed = []
    for f in range(number - 1):
        kind = dice.choice(ways)
        listed += [(f, f + 1, dice.choice([1, 1, 2, 3]))] * (kind & 1)
        listed += [(f + 1, f, dice.choice([1, 1, 2, 3]))] * (kind >> 1)
    # Where nothing differs from step to step the engine has another way.
    return [(0, 1, 2), *listed[1:]]


def privacies(dice):
    """Return one pair or two that must all hold, the smallest epsilon first."""
    chosen = sorted(dice.sample(EPSILONS, dice.choice([1, 1, 2])), key=EPSILONS.index)
    return [(epsilon, dice.choice(DELTAS if epsilon == "0" else [*DELTAS, "0", "0"])) for epsilon in chosen]


def losses(dice, number, points):
    """Return a loss that is convex for each truth, as a matrix, or its name."""
    kind = dice.choice(["absolute", "squared", "cubed", "skew", "piecewise"])
    if kind in ("absolute", "squared"):
        return kind
    over, under = dice.choice([1, 2, 0.5]), dice.choice([1, 4, 0])
    loss = {
        "cubed": lambda d: abs(d) ** 3,
        "skew": lambda d: over * d if d > 0 else -under * d,
        "piecewise": lambda d: max(0, abs(d) - 1, 3 * abs(d) - 6),
    }[kind]
    return [[float(loss(point - truth)) for truth in range(number)] for point in points]


def questions(seed, how_many, largest):
    """Yield random questions on average over a prior, of which some truths weigh nothing."""
    dice = random.Random(f"steps {seed}")  # noqa: S311 - questions, not noise
    for _ in range(how_many):
        number = dice.randint(2, largest + 1)
        parts = [Fraction(dice.choice(["0", "1", "1", "2", "5", "0.3"])) for _ in range(number)]
        parts[dice.randrange(number)] += 1
        points = dice.choice(
            [
                range(number),
                range(number),
                range(0, number + 1, 2),
                [Fraction(place, 2) for place in range(2 * number - 1)],
                [-1, Fraction(1, 3), number],
            ]
        )
        query = om.Query(
            range(number), [(point, point) for point in points], row(dice, number), symmetric=False
        )
        pairs = privacies(dice)
        zero = points[0] == 0 and all(delta != "0" for _, delta in pairs) and dice.random() < 0.25
        yield om.question(
            query,
            privacy=pairs,
            loss=losses(dice, number, [float(point) for point in points]),
            prior=[float(part / sum(parts)) for part in parts],
            properties=["zero-stays-zero"] if zero else [],
        )


def worst_excess(problem, matrix):
    """Return by how much P(S) exceeds e^(w epsilon) Q(S) + delta at most, over all sets of responses."""
    responses = matrix.numerators.shape[0]
    worst = Fraction(-1)
    columns = matrix.numerators.T.tolist()
    for privacy in problem.privacies:
        factor = enclose_exponential(privacy.epsilon, 200).lower
        for (here, beside), weight in zip(problem.query.pairs, problem.query.weights.tolist(), strict=True):
            power = factor**weight
            spent = [
                power.denominator * p - power.numerator * q
                for p, q in zip(columns[here], columns[beside], strict=True)
            ]
            for size in range(responses + 1):
                most = max(map(sum, itertools.combinations(spent, size)))
                worst = max(worst, Fraction(most, power.denominator * matrix.denominator) - privacy.delta)
    return worst


def held_against_the_program(problem):
    chain = by_chain(problem).certificate
    room = _ROUNDING * max(1, chain.objective)
    assert chain.gap <= room
    if chain.matrix.numerators.shape[0] <= 9:
        assert worst_excess(problem, chain.matrix) <= 0
    assert least_loss(problem) == pytest.approx(float(chain.objective), rel=1e-12, abs=1e-12)
    try:
        program = om.design(problem, engine="program").certificate
    except om.VerificationError:
        # Where 0 stays 0 a solver's answer cannot always be repaired; its duals say as much.
        assert problem.properties
        raw = om.design(problem, raw=True)
        assert raw.lower_bound == pytest.approx(float(chain.objective), rel=RECOMPUTED, abs=RECOMPUTED)
        return
    assert program.bound <= chain.objective <= program.objective + room
    if chain.objective - program.bound > PROVED:  # now and then one solver's duals are poor
        program = om.design(problem, engine="program", solver="cbc").certificate
    assert program.bound <= chain.objective <= program.bound + Fraction(PROVED)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_the_chain_of_any_steps_is_the_programs_optimum(seed):
    for problem in questions(seed, 25, 6):
        held_against_the_program(problem)


@pytest.mark.parametrize(
    ("seed", "number"),
    [
        pytest.param(100, 12, marks=pytest.mark.slow),
        *(pytest.param(seed, 50, marks=pytest.mark.long) for seed in range(100, 104)),
    ],
)
def test_the_chain_of_any_steps_is_the_programs_optimum_on_many(seed, number):
    for problem in questions(seed, number, 12):
        held_against_the_program(problem)


STEPS = [(0, 1, 2), (1, 0, 1), (1, 2, 1), (2, 3, 1), (3, 2, 3), (4, 3, 1)]
QUERY = om.Query(range(5), neighbours=STEPS, symmetric=False)


@each(
    "settings",
    [
        {"privacy": ("0.5", "0.01")},
        {"epsilon": 1},
        {"privacy": [("0.3", "0.1"), ("1", "1e-3")], "loss": "squared"},
        {"epsilon": "0.5", "delta": "0.05", "properties": "zero-stays-zero"},
        {"epsilon": "0.5", "worst_case": True},
        {"epsilon": "0.5", "delta": "0.01", "worst_case": True, "loss": "squared"},
    ],
    every=2,
)
def test_both_readers_accept_what_is_designed_and_refuse_what_is_changed(settings):
    design = om.design(om.question(QUERY, **settings))
    assert design.engine == "chain"
    assert design.certificate.relative_gap < (1e-9 if "worst_case" in settings else 1e-20)
    text = certificate_text(design.certificate)
    assert certificate_text(read_certificate_text(text)) == text
    assert by_checker(text) is None
    refused = {}
    for name, change in CHANGES.items():
        content = json.loads(text)
        change(content)
        refused[name] = by_package(json.dumps(content)) is not None
        assert refused[name] is (by_checker(json.dumps(content)) is not None)
    # A step that neither mechanism nor bound lean on may have another weight, and one less prove as much.
    assert sum(refused.values()) >= len(CHANGES) - 2
    assert all(refused[name] for name in CHANGES if "step" not in name)


def more_bound(content):
    gap = Fraction(content["gap"])
    content |= {"bound": str(Fraction(content["bound"]) + gap), "gap": "0"}


def other_matrix(content):
    """Tell truth 0 a little more often."""
    matrix = content["mechanism"]
    rows = [list(map(int, line.split())) for line in matrix["rows"]]
    share = max(int(matrix["denominator"]) >> 10, 1)
    at = next(at for at in range(1, 5) if rows[at][1] >= share)
    rows[at][1] -= share
    rows[0][1] += share
    matrix["rows"] = [" ".join(map(str, line)) for line in rows]


def other_multipliers(content):
    for texts in content["proof"]["tree"]["privacy"]:
        texts[:] = [" ".join(str(2 * int(x)) for x in text.split(" ")) if text else "" for text in texts]


def other_steps(content, changed):
    query = content["question"]["query"]
    query |= {"pairs": [list(step[:2]) for step in changed], "weights": [step[2] for step in changed]}


CHANGES = {
    "a larger bound": more_bound,
    "a smaller objective": lambda content: content.update(objective=content["bound"], gap="0"),
    "another matrix": other_matrix,
    "other multipliers": other_multipliers,
    "a step of half the weight": lambda content: other_steps(content, [(0, 1, 1), *STEPS[1:]]),
    "a step of twice the weight": lambda content: other_steps(content, [*STEPS[:-1], (4, 3, 2)]),
    "a step both ways": lambda content: other_steps(content, [*STEPS[:3], (2, 1, 1), *STEPS[3:]]),
    "a step less": lambda content: other_steps(content, STEPS[:-1]),
}


def test_a_noise_is_no_proof_where_steps_differ():
    """Its shift is private at every step; its bound would be one for steps that are all alike."""
    design = om.design(om.question(om.Query(range(5), name="a"), "0.5", delta="0.01"))
    content = json.loads(certificate_text(design.certificate))
    assert "noise" in content["mechanism"]
    query = content["question"]["query"]
    for changed in ([(0, 1, 2), (1, 0, 2)], [(0, 1, 1)]):
        pairs = sorted([*changed, *((f, g, 1) for f in range(5) for g in range(1, 5) if abs(f - g) == 1)])
        query |= {"kind": "custom", "parameters": {}, "name": "a", "reach": 0}
        other_steps(content, pairs)
        assert by_package(json.dumps(content))
        assert by_checker(json.dumps(content))


@each(
    ("query", "settings", "words"),
    [
        (om.Query(range(4), neighbours=[(0, 1, 2), (0, 2, 1), (2, 3, 1)]), {"epsilon": 1}, "stand in a row"),
        (om.Query([0]), {"epsilon": 1}, "stand in a row"),
        (om.Query(range(3), neighbours=[]), {"epsilon": 1}, "stand in a row"),
        (QUERY, {"privacy": om.as_private_as("discrete-gaussian", sigma="2")}, "steps differ"),
        (QUERY, {"epsilon": 1, "properties": "fair"}, "more than privacy"),
        (QUERY, {"epsilon": 1, "loss": [[4, 4 - r, 2, r, 4] for r in range(5)]}, "condition on signs"),
        (QUERY, {"epsilon": 1, "delta": None, "least": "delta", "bounds": ["mean absolute <= 1"]}, "bound"),
        (QUERY, {"epsilon": 1, "worst_case": True, "loss": "zero-one"}, "not convex"),
        (
            om.Query(range(302), neighbours=[(f, f + 1, 1 + f % 2) for f in range(301)]),
            {"epsilon": 1},
            "at most 300 true answers",
        ),
        (
            om.Query(range(300), neighbours=[(f, f + 1, 1 + f % 2) for f in range(299)]),
            {"privacy": [(f"0.{place}", f"0.0{9 - place}") for place in range(1, 9)]},
            "fewer pairs",
        ),
    ],
)
def test_what_the_theorem_does_not_speak_of_is_refused_in_words(query, settings, words):
    problem = om.question(query, **settings)
    with pytest.raises((om.ProblemError, om.NotAcceptedError), match=words):
        om.design(problem, engine="chain")
    if problem.privacy.curve is None:
        assert "chain" not in choose(problem).order


def test_steps_that_nothing_protects_part_the_chain():
    """The part may be released: each part is answered as if it were alone."""
    parted = om.Query(range(4), neighbours=[(0, 1), (2, 3)])
    alone = om.design(om.question(om.count(1), "ln 3"), engine="chain")
    both = om.design(om.question(parted, "ln 3"), engine="chain")
    assert both.engine == "chain"
    assert both.objective == pytest.approx(alone.objective, rel=1e-12)


def test_one_way_alone_tells_the_other_truth_for_certain():
    """P_0 is at most 2 P_1: of equal truths 1 is always told where it is, and 0 half the time."""
    design = om.design(
        om.question(om.Query([0, 1], neighbours=[(0, 1)], symmetric=False), "ln 2"), engine="chain"
    )
    assert design.mechanism.matrix == pytest.approx(np.array([[1, 0.5], [0, 0.5]]), abs=1e-20)
    assert any("one-sided" in note for note in design.notes)


def test_a_row_of_verify_speaks_of_steps_that_differ():
    problem = om.question(QUERY, "0.5", delta="0.01")
    report = om.verify(om.design(problem).mechanism, problem)
    (row,) = [row for row in report.theorems if row.name == "chain"]
    assert row.holds


@pytest.mark.slow
def test_a_worst_truth_whose_program_the_simplex_method_refuses_is_designed():
    steps = om.Query(range(50), neighbours=[(f, f + 1, 1 + f % 2) for f in range(49)])
    problem = om.question(steps, "0.5", delta="1e-6", worst_case=True)
    assert om.design(problem, engine="chain").certificate.relative_gap < 1e-8
