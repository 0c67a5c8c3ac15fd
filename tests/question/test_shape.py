"""The shape of a question agrees with its parts, each of which is read once."""

from __future__ import annotations

import numpy as np
import pytest

import optmech as om
from optmech.question.chain_question import ChainQuestion
from optmech.question.losses import ExpectedLoss, WorstLoss
from optmech.question.shape import Shape
from optmech.question.structures import FreeMatrix, ModularNoise
from tests.each import each

# Query, then: reach, equal steps, all pairs, connected.
QUERIES = {
    "count": (om.count(5), (1, True, False, True)),
    "long count": (om.count(10_000), (1, True, False, True)),
    "mean": (om.mean(3, 2), (2, False, False, True)),
    "extremum": (om.extremum(0, 4), (4, False, True, True)),
    "two answers": (om.count(1), (1, True, True, True)),
    "one way": (om.Query(range(3), symmetric=False), (None, False, False, False)),
    "a gap": (om.Query(range(3), neighbours=[(0, 1)]), (None, False, False, False)),
    "heavy steps": (om.Query(range(3), neighbours=[(0, 1, 2), (1, 2, 1)]), (1, False, False, True)),
}


@each("name", QUERIES)
def test_neighbours_are_told_by_their_pairs(name):
    query, expected = QUERIES[name]
    shape = Shape.of(om.question(query, 1))
    assert (shape.reach, shape.equal_steps, shape.all_pairs, shape.connected) == expected
    assert shape.path is query.path()
    assert shape.own_responses


def test_a_response_of_several_truths_is_no_truths_own():
    for responses in ([(0, 2), 2, 3], [(0, 2), (2, 3)]):
        query = om.Query(range(4) if len(responses) == 2 else range(3), responses)
        assert not Shape.of(om.question(query, 1)).own_responses


def test_the_shape_of_equal_questions_is_one_object():
    problem = om.question(om.count(5), 1)
    assert Shape.of(problem) is Shape.of(problem)
    assert Shape.of(problem) is Shape.of(om.question(om.count(5), 1))
    assert Shape.of(problem) is not Shape.of(om.question(om.count(6), 1))


# Question, then: one pure privacy, and one noise of a single decay.
PRIVACIES = {
    "pure": (om.question(om.count(5), 1), (True, True)),
    "a delta of 0": (om.question(om.count(5), 1, delta=0), (True, True)),
    "a delta": (om.question(om.count(5), 1, delta="0.01"), (False, False)),
    "two pairs": (om.question(om.count(5), privacy=[("1", 0), ("0.5", "0.1")]), (False, False)),
    "a table of losses": (
        om.question(om.Query(range(3), [(-1, 0), (0, 1), (1, 3)]), 1, loss="squared"),
        (True, False),
    ),
}


@each("name", PRIVACIES)
def test_tails_never_end_under_one_pure_privacy(name):
    problem, expected = PRIVACIES[name]
    told = Shape.of(problem).one_pure_privacy, ChainQuestion.of(problem).has_one_decay
    assert told == expected


def test_losses_are_by_distance_where_nothing_else_counts():
    squared = om.question(om.count(3), 1, loss="squared")
    assert Shape.of(squared).losses_by_distance.tolist() == [0, 1, 4, 9]
    uneven = om.question(om.Query([0, 1, 3]), 1)
    assert Shape.of(uneven).losses_by_distance is None
    assert Shape.of(om.question(om.count(3), 1, worst_case=True)).losses_by_distance is None


def test_the_worst_loss_is_none_of_an_average():
    assert Shape.of(om.question(om.count(5), 1)).worst_loss is None
    problem = om.question(om.count(5), 1, worst_case=True)
    assert Shape.of(problem).worst_loss is problem.objective


def test_a_loss_is_averaged_where_one_noise_tells_all_truths_alike():
    wrong = 1.0 - np.eye(3)
    loss = ExpectedLoss(wrong, np.array([0.5, 0.25, 0.25]))
    assert loss.freed_of(FreeMatrix()) is loss
    assert loss.freed_of(ModularNoise()).weights == pytest.approx([1 / 3] * 3)
    assert isinstance(WorstLoss.under(FreeMatrix(), wrong, "zero-one"), WorstLoss)
    assert WorstLoss.under(ModularNoise(), wrong, "zero-one").weights.tolist() == [1, 0, 0]
