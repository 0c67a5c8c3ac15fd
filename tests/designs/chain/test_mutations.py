"""A mistake in the engine of chains, or in what proves its certificates, changes what is designed or proved.

Each function that a design and its proof run through is changed in one place: an index shifted, a sign
turned, a term dropped. Noticed is a design that is worse, a proof that fails or says another number, or a
noise that is called private when it is not.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

import optmech as om
import optmech.designs.chain
import optmech.proofs.chain
from optmech.base.errors import OptmechError
from optmech.designs.engines.chain import design as by_chain
from optmech.mechanisms.certificates.certificate_text import certificate_text, read_certificate_text
from optmech.proofs.chain.curve import LINE_BITS
from optmech.proofs.chain.steps import most_work, steps_of, work_of
from optmech.verify.crosscheck.chains import CURVES, chain_questions, step_questions
from tests.theorems.mutation import EndlessError, first_that, functions_run, mutants_of, patience

DESIGNS, PROOFS = (Path(room.__file__).parent for room in (optmech.designs.chain, optmech.proofs.chain))
# Every so many-th question meets each curve, and each shape of question.
QUESTIONS = [ask for _, ask in chain_questions((1, 4, 9), CURVES, every=True)][::10]
# A range whose middle is walked through once, and an epsilon whose losses are as small as 1e-26.
QUESTIONS += [
    partial(om.question, om.count(largest), epsilon, delta=delta)
    for largest, epsilon, delta in ((30, "3", "0.05"), (4, "60", "1e-6"), (9, "60", "0"))
]
# The orbit of 0 reaches 1 in a whole number of steps.
QUESTIONS += [
    partial(om.question, om.count(6), exp_epsilon=factor, delta=delta, properties="zero-stays-zero")
    for factor, delta in (("2", "1/10"), ("3", "1/5"))
]
STEP_QUESTIONS = [ask for _, ask in step_questions((1, 4, 9), CURVES, every=True)][::5]
PATIENCE = 2.0
# Code that is there for speed, or rounds on both sides, has mistakes that change nothing here.
LEAST_SHARE = {DESIGNS: 0.6, PROOFS: 0.75}
_SLACK = Fraction(1, 10**18)


def read_again(text):
    """Return all that a certificate proves, from its text."""
    proved = read_certificate_text(text)
    noise, spent = proved.noise, proved.delta
    factor, wide = proved.factor.lower, 2 * noise.period + 2
    parts = proved.question, noise, proved.thresholds
    steps, held = list(steps_of(*parts)), {}
    return (
        steps,
        most_work(*parts),
        [work_of(proved.question, noise, step, held, LINE_BITS) for step in steps],
        proved.objective,
        proved.bound,
        spent,
        noise.delta_spent(factor) <= spent,
        noise.delta_spent(factor) <= spent * (1 - Fraction(1, 2**20)),
        noise.delta_spent(1 + (factor - 1) / 2) <= spent,
        noise.delta_spent(factor * 2),
        [(noise.share(place), noise.below(place)) for place in range(noise.first - wide, noise.last + wide)],
        None if proved.exact is None else proved.exact.numerators.tolist(),
        certificate_text(proved) == text,
    )


def says(call, *arguments):
    """Return what a call returns, or which of our errors it ends in."""
    try:
        with patience(PATIENCE):
            return call(*arguments)
    except (OptmechError, EndlessError, ArithmeticError, LookupError, TypeError, ValueError) as trouble:
        return type(trouble)


def missed(folder, notices, runs=None):
    """Return the mutants of a folder, and those of them that are not noticed."""
    functions = functions_run(
        runs
        or [lambda ask=ask: read_again(certificate_text(by_chain(ask()).certificate)) for ask in QUESTIONS],
        folder,
    )
    listed = [mutant for function in functions for mutant in mutants_of(function)][::6]  # for time
    unseen = []
    for mutant in listed:
        with mutant.in_place():
            if not notices():
                unseen.append(str(mutant))
    return listed, unseen


def worse(questions):
    """Return what notices a design that fails, or is no longer the best that its bound allows."""
    sound = [(ask, by_chain(ask()).certificate.objective) for ask in questions]

    def is_worse(case):
        ask, objective = case
        result = says(by_chain, ask())
        return isinstance(result, type) or result.certificate.gap > _SLACK * (objective or 1)

    return lambda: first_that(is_worse, sound) is not None


@pytest.mark.long
def test_mistakes_in_designs_are_noticed(monkeypatch):
    # A second choice of thresholds would stand in for a first one that is wrong.
    monkeypatch.setattr("optmech.designs.chain.tail_orbit._TIGHT", math.inf)
    listed, unseen = missed(DESIGNS, worse(QUESTIONS))
    assert len(unseen) <= (1 - LEAST_SHARE[DESIGNS]) * len(listed), "\n".join(unseen)


@pytest.mark.long
def test_mistakes_in_designs_of_steps_that_differ_are_noticed():
    runs = [lambda ask=ask: by_chain(ask()) for ask in STEP_QUESTIONS]
    listed, unseen = missed(DESIGNS, worse(STEP_QUESTIONS), runs)
    assert len(unseen) <= (1 - LEAST_SHARE[DESIGNS]) * len(listed), "\n".join(unseen)


@pytest.mark.long
def test_mistakes_in_proofs_are_noticed():
    texts = [certificate_text(by_chain(ask()).certificate) for ask in QUESTIONS]
    sound = [(text, read_again(text)) for text in texts]

    def says_else(case):
        text, line = case
        return says(read_again, text) != line

    listed, unseen = missed(PROOFS, lambda: first_that(says_else, sound) is not None)
    assert len(unseen) <= (1 - LEAST_SHARE[PROOFS]) * len(listed), unseen
