"""What may be asked, to the words of each refusal, and that it is kept exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from optmech.base.errors import ProblemError, VerificationError
from optmech.designs.implicit import design
from optmech.designs.implicit.question import ImplicitCount


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"largest": 0}, r"`largest`, the largest count, must be a whole number in 1..10000000; got 0."),
        ({"largest": 2.5}, r"`largest`, the largest count, must be a whole number in 1..10000000; got 2.5."),
        (
            {"largest": True},
            r"`largest`, the largest count, must be a whole number in 1..10000000; got True.",
        ),
        (
            {"largest": 10**9},
            r"`largest`, the largest count, must be a whole number in 1..10000000; got 1000000000.",
        ),
        ({"epsilon": "0"}, r"`epsilon` must be positive, from 1e-100 to 700; got 0."),
        ({"epsilon": -0.5}, r"`epsilon` must be positive, from 1e-100 to 700; got -0.5."),
        ({"epsilon": "701"}, r"`epsilon` must be positive, from 1e-100 to 700; got 701."),
        ({"epsilon": "nan"}, r"`epsilon` must be a finite number; got 'nan'."),
        (
            {"loss": "cubic"},
            r"`loss` must be one of absolute, squared, zero-one, or a loss for each distance",
        ),
        ({"loss": [0, 2, 1]}, r"`loss` must not decrease with the distance; got 1 at distance 2 after 2."),
        (
            {"loss": [-1, 2]},
            r"`loss` must hold a loss for each distance from 0 on, zero or more; got -1 at dis",
        ),
        ({"loss": []}, r"`loss` must hold a loss for each distance from 0 on, zero or more; got none."),
        ({"loss": 3}, r"`loss` must hold numbers in one row; got '3'."),
        ({"loss": [[0], [1]]}, r"`loss` must be a finite number; got \[0\]."),
        (
            {"largest": 10**6, "loss": range(100)},
            r"`loss` must not have more than 20 entries for counts up to 1000000",
        ),
        ({"prior": "flat"}, r"`prior` must be 'uniform' or one probability for each truth; got 'flat'."),
        ({"prior": [0.5, 0.5]}, r"`prior` must have 4 entries, one for each truth; got 2."),
        ({"prior": [1.5, -0.5, 0, 0]}, r"`prior` must be zero or more; got -0.5 at truth 1."),
        ({"prior": [0.1, 0.1, 0.1, 0.1]}, r"`prior` must sum to one; got 0.4. Divide each entry by the sum."),
    ],
)
def test_bad_questions_are_refused_in_these_words(choices, words):
    given = {"largest": 3, "epsilon": "1"} | choices
    with pytest.raises(ProblemError) as refused:
        om.implicit_count(**given)
    assert str(refused.value).startswith(words.replace("\\", ""))


def test_weights_that_share_no_denominator_are_refused():
    denominators = [10**300 + 1, 10**300 + 3, 10**300 + 7, 10**300 + 9]
    prior = [Fraction(1, d) for d in denominators]
    prior.append(1 - sum(prior))
    with pytest.raises(ProblemError, match="at most 1000 digits over a common denominator"):
        om.implicit_count(4, "1", prior=prior)


def test_numbers_are_kept_as_typed():
    question = ImplicitCount.asked(3, "0.1", [0, "1/3", 2], [0.1, 0.2, 0.3, 0.4])
    assert question.epsilon == Fraction(1, 10)
    assert [Fraction(question.loss_at(d), 3) for d in range(4)] == [0, Fraction(1, 3), 2, 2]
    assert (question.weights, question.unit) == ((1, 2, 3, 4), 30)
    assert question.cost(0, 2) == 18
    assert question.mirrored().weights == (4, 3, 2, 1)


def test_a_listed_loss_ends_where_it_stops_to_grow_and_counts_no_farther_than_the_range():
    assert ImplicitCount.asked(3, "1", [0, 1, 1, 1]).loss == (0, 1)
    assert ImplicitCount.asked(3, "1", range(9)).loss == (0, 1, 2, 3)
    assert (
        str(ImplicitCount.asked(3, "1", [2])) == "count 0..3, epsilon = 1, listed loss, plain sum over truths"
    )


@pytest.mark.parametrize(
    ("named", "listed"), [("absolute", range(9)), ("squared", np.arange(9) ** 2), ("zero-one", [0, 1])]
)
def test_a_named_loss_is_the_list_of_its_values(named, listed):
    prior = np.random.default_rng(1).dirichlet(np.ones(9))
    one, other = (om.implicit_count(8, "0.4", loss, prior) for loss in (named, listed))
    assert one.remap.tolist() == other.remap.tolist()
    assert float(one.objective) == pytest.approx(float(other.objective), rel=1e-14)


@pytest.mark.parametrize("epsilon", ["1e-100", "1e-30", "1e-9", "40", "700"])
@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one"])
def test_the_ends_of_what_epsilon_may_be(epsilon, loss):
    mechanism = om.implicit_count(9, epsilon, loss)
    assert mechanism.relative_gap < 1e-9
    assert mechanism.column(4).sum() == pytest.approx(1)
    assert 0 <= mechanism.sample(4) <= 9


@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one"])
def test_truths_far_apart_that_alone_weigh_anything(loss):
    """Between them one answer is better than another by less than fixed point shows."""
    prior = np.zeros(3001)
    prior[[0, 1400, 1405, 3000]] = 0.25
    mechanism = om.implicit_count(3000, "2", loss, prior)
    assert mechanism.relative_gap < 1e-9
    exact = sum(
        Fraction(mechanism.question.cost(response, truth), mechanism.question.unit)
        * mechanism.entry(response, truth)
        for truth in (1400, 1405)
        for response in range(1380, 1425)
    )
    assert mechanism.bound <= mechanism.objective
    assert float(exact) == pytest.approx(float(mechanism.objective), rel=1e-9)


def test_weights_that_prove_nothing_are_refused_with_a_remedy(monkeypatch):
    def refuses(*_):
        raise VerificationError("")

    monkeypatch.setattr(design, "_designed", refuses)
    with pytest.raises(VerificationError, match="its weights differ too much"):
        om.implicit_count(3, "1")
