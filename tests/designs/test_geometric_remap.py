"""The remap is the best answer to each draw, ties included."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate

from hypothesis import assume
from hypothesis import strategies as st

from benchmarks.papers import counting_proof
from optmech.designs.by_geometric import decays_of
from optmech.designs.geometric_remap import best_remap
from optmech.question.path_question import PathQuestion
from tests.each import each
from tests.path import on_path
from tests.search import search


def losses_of_answers(question, decay, draw):
    """Return what each answer to a draw loses, in fractions."""
    counts = range(question.largest + 1)
    return [sum(decay ** abs(draw - k) * question.cost(answer, k) for k in counts) for answer in counts]


@search(100, st.data())
def test_no_answer_is_better(data):
    n = data.draw(st.integers(1, 12))
    weights = data.draw(st.lists(st.integers(0, 3), min_size=n + 1, max_size=n + 1))
    assume(any(weights))
    steps = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=n + 1))
    loss = data.draw(st.sampled_from(["absolute", "squared", "zero-one", list(accumulate(steps))]))
    epsilon = data.draw(st.sampled_from(["0.1", "ln 2", "ln 4", "2"]))  # at ln 2 and ln 4 there are ties
    problem = on_path(n, epsilon, loss, [Fraction(w, sum(weights)) for w in weights])
    question, decay = PathQuestion.of(problem), decays_of(problem)[1]
    remap = best_remap(question, decay)
    assert remap == sorted(remap)
    for draw, answer in enumerate(remap):
        losses = losses_of_answers(question, decay.value, draw)
        assert losses[answer] - min(losses) <= Fraction(question.unit, 2**80)


@each("epsilon", [0.003, 0.02, 0.5, 2.0])
@each("n", [1, 2, 9, 400, 2001])
def test_the_closed_form_of_the_absolute_loss(n, epsilon):
    problem = on_path(n, epsilon)
    assert (
        best_remap(PathQuestion.of(problem), decays_of(problem)[1])
        == counting_proof.absolute_remap(n, epsilon).tolist()
    )


def test_equal_weights_give_a_mirrored_remap():
    for loss in ("absolute", "squared", "zero-one", [1, 1, 2]):
        problem = on_path(21, "ln 2", loss)
        remap = best_remap(PathQuestion.of(problem), decays_of(problem)[1])
        assert remap == [21 - answer for answer in reversed(remap)]
