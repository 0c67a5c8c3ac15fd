"""Questions that are allowed, kept exactly, and the words of each refusal."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.question.chain_question import ChainQuestion, listed_losses
from tests.each import each
from tests.path import distribution, on_path


@each(
    ("choices", "words"),
    [
        ({"largest": 0}, r"the range must hold at least two answers"),
        ({"largest": 2.5}, r"`largest` must be a whole number; got 2.5."),
        ({"largest": True}, r"`largest` must be a whole number; got True."),
        ({"largest": 10**9}, r"a query must have at most 10,000,001 answers; got 1,000,000,001."),
        ({"epsilon": "0"}, r"`epsilon` must be positive; got 0."),
        ({"epsilon": -0.5}, r"`epsilon` must be positive; got -0.5."),
        ({"epsilon": "701"}, r"`epsilon` must be at most 700; got 701."),
        ({"epsilon": "nan"}, r"`epsilon` must be a finite number; got 'nan'."),
        ({"loss": "cubic"}, r"`loss` must be one of absolute, squared, zero-one, beyond K, or a matrix"),
        ({"loss": [-1, 2]}, r"`loss` must be zero or more; got -1.0 at [0, 0]."),
        ({"loss": []}, r"`loss` must have shape (4, 4) to match the query; got (0,)."),
        ({"loss": 3}, r"`loss` must have shape (4, 4) to match the query; got ()."),
        ({"loss": [[0], [1]]}, r"`loss` must have shape (4, 4) to match the query; got (2, 1)."),
        ({"prior": "flat"}, r"`prior` must be 'uniform' or one probability for each truth; got 'flat'."),
        ({"prior": [0.5, 0.5]}, r"`prior` must have 4 entries, one for each truth; got shape (2,)."),
        ({"prior": [1.5, -0.5, 0, 0]}, r"`prior` must be zero or more; got -0.5 at truth 1."),
        ({"prior": [0.1, 0.1, 0.1, 0.1]}, r"`prior` must sum to one; got 0.4. Divide each entry by the sum."),
    ],
)
def test_bad_questions_are_refused_in_these_words(choices, words):
    options = {"largest": 3, "epsilon": "1"} | choices
    with pytest.raises(ProblemError) as refused:
        distribution(**options)
    assert str(refused.value).startswith(words)


RULE = om.LinearRule("mine", {(0, 0): 1}, "<=", "0.9")


@each(
    ("problem", "words"),
    [
        (on_path(3, "1", [0, 2, 1]), "the loss falls with the distance"),
        (on_path(3, "1", [0, 1e300]), "its losses are not below 1e300"),
        (om.croft(om.count(3), 1, variant=2), "more than privacy is asked of the mechanism"),
        (om.question(om.count(3), 1, bounds=["mean absolute <= 3"]), "more than privacy is asked"),
        (om.question(om.count(3), 1, rules=RULE), "more than privacy is asked"),
        (om.croft(om.count(3, records_per_person=2), 1), "do not stand in a row"),
        (om.question(om.count(3), 1, delta="0.1", definition="per-outcome"), "no bound on the probabilities"),
    ],
)
def test_what_is_no_chain_is_refused_in_these_words(problem, words):
    with pytest.raises(ProblemError, match="`engine` must fit the problem; got chain, but ") as refused:
        om.design(problem, engine="chain")
    assert words in str(refused.value)
    with pytest.raises(NotAcceptedError, match=words[:40]):
        ChainQuestion.of(problem)


@pytest.mark.slow
def test_a_count_of_more_answers_than_a_file_may_have_is_refused():
    with pytest.raises(NotAcceptedError, match=r"noise and thresholds are of at most 1,000,001 true answers"):
        om.design(om.question(om.count(1_000_001), 1))


def test_a_count_without_a_distribution_is_refused_where_its_matrix_is_too_large():
    for choices in ({"variant": 2}, {"loss": [0, 2, 1]}):
        with pytest.raises(
            NotAcceptedError, match=r"at most 20,000 true answers for a matrix; got 100,001\. From"
        ):
            om.design(om.croft(om.count(100_000), 1, **choices))
    with pytest.raises(NotAcceptedError, match="but a solver was asked for"):
        om.design(on_path(100_000, 1), solver="highs")


def test_nothing_of_a_long_path_is_written_out():
    """A matrix of a million truths would take eight terabytes; all of this takes milliseconds."""
    query = om.count(10**6, smallest=5)
    assert (query.num_truths, query.num_responses, query.title) == (999_996, 999_996, "count 5..1000000")
    assert query.path() == query.truths
    assert query.truths[2:4] == (7, 8)
    assert query.responses[-1].midpoint == 10**6
    problem = on_path(10**6, 1, "beyond 3")
    assert problem.objective.loss.shape == (10**6 + 1, 10**6 + 1)
    assert problem.objective.loss[100, 95:105].tolist() == [1, 1, 0, 0, 0, 0, 0, 0, 0, 1]
    assert not problem.objective.loss.flags.writeable


def test_a_long_path_is_the_query_that_a_short_one_would_be():
    long = om.count(2000)
    short = om.Query(range(2001), kind=long.meaning)
    assert type(long) is not type(short)
    for name in ("truths", "responses", "title", "symmetric", "is_weighted", "scope", "labels", "num_truths"):
        assert getattr(long, name) == getattr(short, name), name
    for name in ("pairs", "weights", "home", "truth_values", "response_values"):
        assert (getattr(long, name) == getattr(short, name)).all(), name
    assert pickle.loads(pickle.dumps(long)).truths == long.truths  # noqa: S301 - its own
    for loss in ("absolute", "squared", "zero-one", "beyond 2.5", [1, 2, 2, 4]):
        listed = [1, 2, 2] + [4] * 1998 if isinstance(loss, list) else loss
        of_short = om.loss_matrix("absolute", om.count(1998))[:3, :3] if loss == "absolute" else None
        view = om.loss_matrix(listed, long)
        assert view.shape == (2001, 2001)
        if of_short is not None:
            assert (view[:3, :3] == of_short).all()
        small = om.loss_matrix(loss, om.count(60))
        assert (view[:61, :61] == small).all()


def test_numbers_are_kept_as_typed():
    question = ChainQuestion.of(on_path(3, "0.1", [0, 0.3, 2], [0.1, 0.2, 0.3, 0.4]))
    assert (question.heights, question.weights, question.unit) == ((0, 3, 20, 20, 20), (1, 2, 3, 4), 100)
    assert question.rises == (0, 0, -17, -3, 3, 17, 0, 0)


def test_a_listed_loss_ends_where_it_stops_to_grow_and_counts_no_farther_than_the_range():
    for loss, listed in (([0, 1, 1, 1], [0, 1]), (range(9), [0, 1, 2, 3]), ("beyond 9", [0])):
        assert listed_losses(on_path(3, "1", loss).objective) == listed


@pytest.mark.parametrize(
    ("named", "listed"), [("absolute", range(9)), ("squared", np.arange(9) ** 2), ("zero-one", [0, 1])]
)
def test_a_named_loss_is_the_list_of_its_values(named, listed):
    prior = np.random.default_rng(1).dirichlet(np.ones(9))
    one, other = (distribution(8, "0.4", loss, prior).certificate for loss in (named, listed))
    assert one.thresholds == other.thresholds
    assert float(one.objective) == pytest.approx(float(other.objective), rel=1e-14)


@each("epsilon", ["1e-100", "1e-30", "1e-9", "40", "700"])
@each("loss", ["absolute", "squared", "zero-one"])
def test_the_ends_of_what_epsilon_may_be(epsilon, loss):
    mechanism = distribution(9, epsilon, loss)
    assert mechanism.certificate.relative_gap < 1e-9
    assert mechanism.column(4).sum() == pytest.approx(1)
    assert 0 <= mechanism.sample(4) <= 9


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one"])
def test_truths_far_apart_that_alone_weigh_anything(loss):
    """Between them one answer is better than another by less than fixed point shows."""
    prior = np.zeros(3001)
    prior[[0, 1400, 1405, 3000]] = 0.25
    mechanism = distribution(3000, "2", loss, prior)
    proved, question = mechanism.certificate, mechanism.certificate.question
    assert proved.relative_gap < 1e-9
    exact = sum(
        Fraction(question.weights[truth] * question.heights[abs(response - truth)], question.unit)
        * mechanism.probability(response, truth)
        for truth in (1400, 1405)
        for response in range(1380, 1425)
    )
    assert proved.bound <= proved.objective
    assert float(exact) == pytest.approx(float(proved.objective), rel=1e-9)
