"""The bound of a tree on levels is never above the optimum, whatever it says, and a good tree reaches it."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest

import optmech as om
from optmech.proofs.levels.bound import LevelBound, prove_levels
from optmech.proofs.levels.tree import CountingCut, LevelLeaf, LevelProof, LevelSplit, MirrorSplit
from optmech.proofs.matrix_certificate import MatrixCertificate
from optmech.rules import compile_rules
from optmech.rules.noise_question import NoiseQuestion, noise_question
from tests.each import each
from tests.proofs.levels.level_program import (
    LevelLP,
    good_tree,
    least_inverse,
    random_tops,
    random_tree,
    steps_of,
    true_cuts,
)

LAST = 4


def drawn(seed):
    """Return a question, a factor, its optimal T, and a proof without a tree."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    size = draw.randint(3, 7)
    distances = {draw.randint(1, size - 1) for _ in range(draw.randint(1, 2))}
    distances |= {-mu % size for mu in distances} if draw.random() < 0.5 else set()
    upper, delta = Fraction(draw.randint(11, 33), 10), Fraction(draw.randint(1, 29), 100)
    optimum = least_inverse(size, distances, 1 / float(upper), float(delta), LAST)
    question = NoiseQuestion(
        moduli=(size,),
        distances=tuple(sorted(distances)),
        delta=delta,
        truth_cost=Fraction(0),
        other_cost=Fraction(1),
        at_most=None,
    )
    tops = random_tops(draw, size, distances, LAST)
    cap = Fraction(str(round(optimum * draw.choice((1, 1.2, 2)), 9))) + Fraction(1, 10**8)
    leaks, mass = (true_cuts(draw, question, tops, cap, upper, first) for first in (1, 2))
    proof = LevelProof(tops=tops, cap=cap, tree=None, leak_cuts=leaks, mass_cuts=mass)
    return draw, question, upper, optimum, proof


@each("seed", range(500), every=50, slow_every=20)
def test_no_tree_proves_more_than_the_optimum(seed):
    draw, question, upper, optimum, proof = drawn(seed)
    bound = LevelBound(question, proof, upper)
    program = LevelLP(question, proof, bound, 1 / float(upper))

    def leaf(spans):
        """Return multipliers of any sort, or good ones that are bent a little."""
        ys = program.leaf(spans)[0].numbers
        if draw.random() < 0.2:
            return program.leaf_of([draw.randint(0, 40) * (draw.random() < 0.3) for _ in ys])
        bent = draw.choice((0, 0.01, 0.5))
        return program.leaf_of(
            [max(0, int(y * draw.gauss(1, bent) + bent * draw.getrandbits(30))) for y in ys]
        )

    for _ in range(4):
        tree = random_tree(draw, bound, leaf, bound.grid.spans, mirrored=bound.grid.is_mirrored)
        proved = bound.of_tree(tree, bound.grid.spans, is_mirrored=bound.grid.is_mirrored)
        assert proved <= min(optimum * (1 + 1e-12), proof.cap)


@each("seed", range(500, 700), every=20, slow_every=10)
def test_a_tree_of_good_multipliers_reaches_all_that_its_levels_can_tell(seed):
    _, question, upper, optimum, proof = drawn(seed)
    proof = good_tree(question, proof, upper)
    bound = LevelBound(question, proof, upper)
    proved = bound.of_tree(proof.tree, bound.grid.spans, is_mirrored=bound.grid.is_mirrored)
    looked_at = least_inverse(
        question.size, question.distances, 1 / float(upper), float(question.delta), LAST, proof.tops
    )
    reachable = min(looked_at, float(proof.cap))
    assert float(proved) == pytest.approx(reachable, rel=1e-8)
    assert proved <= optimum * (1 + 1e-12)


def proved_like(design, last=LAST):
    """Return the certificate of a design with a proof on levels in place of its own."""
    certificate = design.certificate
    rules = compile_rules(design.problem)
    question, upper = noise_question(rules), certificate.factor.upper
    steps = steps_of(question.size, question.distances)
    tops = [max(last, each) if 1 < each <= question.size else int(each == 1) for each in steps]
    matrix = certificate.matrix
    best = certificate.delta
    if question.delta is not None:
        best = Fraction(matrix.denominator, int(matrix.numerators[0, 0]))
    cap = Fraction(int(best * 10**30) + 1, 10**30)
    proof = good_tree(question, LevelProof(tops=tuple(tops), cap=cap, tree=None), upper)
    return MatrixCertificate(problem=design.problem, factor=certificate.factor, matrix=matrix, proof=proof)


QUESTIONS = [
    (om.residues(9, [1, 2, 3], symmetric=False), "1.5", "0.1522"),
    (om.residues(9, [1, 2, 3]), "1.5", "0.1522"),
    (om.residues(8, [1]), "ln 2", "0.1"),
    (om.residues(7, [1, 3], symmetric=False), "0.7", "0.05"),
    (om.vector([2, 3], [[0, 1], [1, 0]]), "1", "0.1"),
    (om.residues(6, [2, 3]), "1/3", "0.07"),
]


@each("query, epsilon, delta", QUESTIONS, every=6)
def test_the_bound_is_that_of_the_mixed_integer_program(query, epsilon, delta):
    design = om.design(om.kadam(query, epsilon, delta), engine="program")
    assert float(proved_like(design).bound) == pytest.approx(float(design.certificate.bound), abs=1e-9)
    at_most = Fraction(int(design.certificate.objective * 1000) + 1, 1000)
    design = om.design(om.kadam_least_delta(query, epsilon, at_most=at_most), engine="program")
    assert float(proved_like(design).bound) == pytest.approx(float(design.certificate.bound), abs=1e-9)


# Values 1 and 3 are at level 1. With value 2 at its level 2 the mass is 1 + 1/2 + 1/2 + 1/4 = 9/4 of f(0).
# Without, value 1 leaks at distance 1: a half of f(0), which is delta T = T/5 at most.
BY_HAND = LevelProof(
    tops=(0, 1, 2, 1),
    cap=Fraction(9, 4),
    tree=LevelSplit(
        value=2,
        level=2,
        yes=LevelLeaf(mass=1, budgets=(0, 0), leaks=(0, 0)),
        no=LevelLeaf(mass=0, budgets=(2, 0), leaks=(1, 0)),
    ),
)
RULES = compile_rules(om.kadam(om.residues(4, [1]), "ln 2", "0.2"))
FACTOR = om.design(om.kadam(om.residues(4, [1]), "ln 2", "0.2")).certificate.factor


def test_by_hand():
    assert prove_levels(RULES, BY_HAND, FACTOR) == Fraction(5, 9)
    bound = LevelBound(noise_question(RULES), BY_HAND, FACTOR.upper)
    spans = bound.grid.spans
    assert bound.of_leaf(BY_HAND.tree.yes, spans | {2: (2, 2)}) == Fraction(9, 4)
    higher = LevelBound(noise_question(RULES), replace(BY_HAND, cap=Fraction(3)), FACTOR.upper)
    assert higher.of_leaf(BY_HAND.tree.no, spans | {2: (3, 3)}) == Fraction(5, 2)
    assert bound.of_leaf(LevelLeaf(mass=1, budgets=(0, 0), leaks=(0, 0)), spans) == 2
    assert bound.of_leaf(LevelLeaf(mass=0, budgets=(0, 0), leaks=(0, 0)), spans) == 0


def leaf(mass=1, budgets=(0, 0), leaks=(0, 0), **cuts):
    return LevelLeaf(mass=mass, budgets=budgets, leaks=leaks, **cuts)


def split(value, level, tree=None):
    return LevelSplit(value=value, level=level, yes=tree or leaf(), no=leaf())


def cut(first, *coefficients, most):
    return CountingCut(first=first, coefficients=coefficients, most=most)


@each(
    ("change", "reason"),
    [
        ({"tops": (0, 1, 2)}, "each noise value must have its last level"),
        ({"tops": (1, 1, 2, 1)}, "of value 0 none"),
        ({"tops": (0, 1, 2, 2)}, "the last level of each distance must be 1"),
        ({"tops": (0, 1, 1, 1)}, "no less than the number of steps"),
        ({"tops": (0, 1, 1001, 1)}, "at most 1000"),
        ({"cap": Fraction(0)}, "the cap must be positive"),
        ({"tree": split(1, 1)}, "leave two cases"),
        ({"tree": split(2, 3)}, "leave two cases"),
        ({"tree": split(2, 1)}, "leave two cases"),
        ({"tree": split(2, 2, split(2, 2))}, "leave two cases"),
        ({"tree": split(0, 0)}, "leave two cases"),
        ({"tree": MirrorSplit(value=2, level=2, both=leaf(), neither=leaf(), one=leaf())}, "mirror image"),
        ({"tree": leaf(-1)}, "0 or more"),
        ({"tree": leaf(budgets=(0, -1))}, "0 or more"),
        ({"tree": leaf(leaks=(0, -1))}, "0 or more"),
        ({"tree": leaf(budgets=(0,))}, "its multiplier"),
        ({"tree": leaf(leaks=(0, 0, 0))}, "its multiplier"),
        ({"tree": leaf(mass_cuts=(0,))}, "its multiplier"),
        # Leaks: counts of level 1 at 1/2 each, within 1/5 of 9/4: none at all.
        ({"leak_cuts": (cut(1, 1, most=-1),)}, "neither end 0"),
        ({"leak_cuts": (cut(2, 1, most=0),)}, "a whole point breaks a cut"),
        ({"leak_cuts": (cut(0, 1, most=0),)}, "levels from 1 on"),
        ({"leak_cuts": (cut(1, 1, 1, 1, most=9),)}, "all of which the proof looks at"),
        ({"leak_cuts": (cut(1, 0, 1, most=9),)}, "neither end 0"),
        ({"leak_cuts": (cut(1, 1, -1, most=9),)}, "neither end 0"),
        # Mass: 9/4 less 1 and two halves leave 1/4: one value at level 2.
        ({"mass_cuts": (cut(2, 1, most=0),)}, "a whole point breaks a cut"),
        ({"mass_cuts": (cut(1, 1, most=9),)}, "levels from 2 on"),
        ({"mass_cuts": (cut(2, 1, most=1),), "cap": Fraction(19, 10)}, "below that of any noise"),
        ({"mass_cuts": (cut(2, 1, most=1),) * 65}, "at most 64 cuts"),
    ],
)
def test_what_is_no_proof_is_refused(change, reason):
    with pytest.raises(ValueError, match=reason):
        prove_levels(RULES, replace(BY_HAND, **change), FACTOR)


def test_cuts_that_whole_counts_just_keep_are_kept():
    cuts = {"leak_cuts": (cut(1, 1, most=0),), "mass_cuts": (cut(2, 1, most=1),)}
    tree = leaf(leak_cuts=(0, 0), mass_cuts=(0,))
    assert prove_levels(RULES, replace(BY_HAND, tree=tree, **cuts), FACTOR) == Fraction(1, 2)
    # No value leaks at all: as value 1 stands at level 1, value 2 must be at level 2.
    told = leaf(4, (0, 0), (1, 0), leak_cuts=(1, 0), mass_cuts=(0,))
    assert prove_levels(RULES, replace(BY_HAND, tree=told, **cuts), FACTOR) == Fraction(5, 9)


@each(
    "problem",
    [
        om.question(om.count(3), 1),
        om.kadam(om.residues(5, [1]), 1),
        om.question(om.residues(5, [1]), 1, delta="0.1", structure=om.ModularNoise(), loss="zero-one"),
        om.kadam(om.residues(5, [1]), 1, "0.1", cost=[1, 0, 1, 1, 1]),
        om.kadam_least_delta(om.residues(5, [1]), 1, at_most=1),
    ],
)
def test_questions_without_levels_are_refused(problem):
    with pytest.raises(ValueError, match="levels need"):
        noise_question(compile_rules(problem))


def test_any_cost_has_the_bound_of_its_cheapest_error():
    design = om.design(om.kadam(om.residues(4, [1]), "ln 2", "0.2", cost="squared"), engine="program")
    certificate = MatrixCertificate(
        problem=design.problem, factor=FACTOR, matrix=design.certificate.matrix, proof=BY_HAND
    )
    assert certificate.bound == Fraction(5, 9) <= certificate.objective
    assert "each of 2 cases" in certificate.how
