"""No mechanism in use beats the optimum, and each is told for what it is."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from optmech.analysis.baselines.registry import BASELINES
from optmech.analysis.baselines.thresholded import THRESHOLDED
from optmech.analysis.comparison import LIBRARIES, compare, sentences
from optmech.analysis.comparison.sentences import best_default
from optmech.base.errors import ProblemError

# The optimum is moved by its repair, and a baseline is a sum of some hundred doubles.
ROUNDING = 1e-9
RARE = [0.4, 0.3, 0.15, 0.1, 0.04, 0.01]
PROBLEMS = {
    "count": om.croft(om.count(12), 1),
    "private count": om.croft(om.count(12), "0.2", prior="uniform"),
    "careless count": om.croft(om.count(12), 5, prior="uniform"),
    "skewed": om.croft(om.count(5), "0.5", prior=RARE),
    "squared": om.croft(om.count(7), "0.5", loss="squared", prior="uniform"),
    "zero-one": om.croft(om.count(7), "ln 2", loss="zero-one", prior="uniform"),
    "fair": om.croft(om.count(8), "0.7", variant=2),
    "mean": om.croft(om.mean(4, 3), 1, prior="uniform"),
    "max": om.croft(om.extremum(1, 5), 1),
    "categories": om.croft(om.Query(range(8), [(0, 2), (2, 4), (4, 8)], 1), 1),
    "more responses": om.croft(om.Query(range(2, 5), range(7), 1), 1),
    "fewer responses": om.croft(om.Query(range(5), [1, 2], 1), 1),
}


@pytest.fixture(scope="module", params=PROBLEMS)
def compared(request):
    return compare(PROBLEMS[request.param], beyond=1)


@pytest.fixture(scope="module")
def skewed():
    return compare(PROBLEMS["skewed"], beyond=2)


def row_of(comparison, key):
    return next(row for row in comparison.rows if row.key == key)


def given(comparison_of, matrix, **settings):
    query = comparison_of.query
    mechanism = om.MatrixMechanism(matrix=matrix, responses=query.truths, truths=query.truths)
    return compare(comparison_of, others={"mine": mechanism}, **settings)


def test_the_optimum_is_never_above_a_mechanism_that_answers(compared):
    answering = [row for row in compared.rows if row.answers]
    assert answering
    for row in answering:
        assert compared.optimum.objective <= row.objective * (1 + ROUNDING), row.key
        assert row.loses_at_least >= -ROUNDING
    assert compared.optimum.provenance == "proved"
    assert compared.optimum.answers


def test_losses_are_those_of_the_matrix_summed_by_hand(compared):
    problem, query = compared.problem, compared.problem.query
    for row in compared.rows:
        if row.key not in BASELINES:
            continue
        matrix = BASELINES[row.key](query, problem.privacy.epsilon).matrix
        expected = [
            sum(matrix[r, f] * problem.loss.loss[r, f] for r in range(query.num_responses))
            for f in range(query.num_truths)
        ]
        total = sum(w * loss for w, loss in zip(problem.loss.weights, expected, strict=True))
        assert row.objective == pytest.approx(total, rel=1e-12)
        assert row.average == pytest.approx(total / sum(problem.loss.weights), rel=1e-12)
        assert row.worst_loss == pytest.approx(max(expected), rel=1e-12)
        far = [
            sum(
                matrix[r, f]
                for r, category in enumerate(query.responses)
                if abs(category.midpoint - query.truths[f]) > 1
            )
            for f in range(query.num_truths)
        ]
        shares = problem.loss.weights / problem.loss.weights.sum()
        assert row.beyond == pytest.approx(sum(p * x for p, x in zip(shares, far, strict=True)), abs=1e-12)
        assert row.provenance == "recomputed"


def test_what_is_lost_is_told_from_both_sides(compared):
    low, high = compared.design.lower_bound, compared.design.objective
    for row in compared.rows:
        assert row.loses_at_least <= row.loses_at_most
        assert (1 + row.loses_at_least) * high == pytest.approx(row.objective, rel=1e-12)
        assert (1 + row.loses_at_most) * low == pytest.approx(row.objective, rel=1e-12)


def test_rows_come_in_the_order_of_their_losses_and_every_baseline_is_somewhere(compared):
    values = [row.objective for row in compared.rows]
    assert values == sorted(values)
    keys = {row.key for row in compared.rows} | set(compared.refused)
    merged = sum(len(row.also) for row in compared.rows)
    assert len(keys) + merged == len(BASELINES) + 1
    assert keys <= {*BASELINES, "clamped-gaussian"}


def test_clamping_geometric_noise_is_optimal_for_even_counts_from_ln_2_on():
    # The response 0 has the weights a^q under the truths q: 0 is the best guess while 1 >= a + a^2 + ...,
    # that is a <= 1/2. Below, taking 0 for 1 is better, and clamping loses something.
    above, below, at_half = (
        compare(om.croft(om.count(12), e, prior="uniform")) for e in ("0.7", "0.69", "0.5")
    )
    assert abs(row_of(above, "truncated-geometric").loses_at_most) < ROUNDING
    assert "it loses nothing, it is optimal here." in sentences(above)[1]
    assert row_of(below, "truncated-geometric").loses_at_least > 1e-5
    assert "it loses nothing" not in "".join(sentences(below))
    known = ["truncated-geometric", "snapped-staircase", "snapped-laplace", "folded-geometric"]
    assert [row.key for row in at_half.rows[:4]] == known


def test_the_prior_changes_what_a_default_loses():
    even = compare(om.croft(om.count(5), "0.5", prior="uniform"))
    rare = compare(om.croft(om.count(5), "0.5", prior=RARE))
    truncated = [row_of(each, "truncated-geometric") for each in (even, rare)]
    assert truncated[0].loses_at_least == pytest.approx(0.0811840, abs=1e-7)
    assert truncated[1].loses_at_least > 0.2
    # It knows no prior: the truth that fares worst is the same one.
    assert truncated[0].worst_loss == truncated[1].worst_loss


def test_a_zero_beside_a_positive_entry_is_called_out():
    matrix = np.array([[0.6, 0.3, 0], [0.4, 0.4, 0.4], [0, 0.3, 0.6]])
    comparison = given(om.croft(om.count(2), 1, prior="uniform"), matrix)
    row = row_of(comparison, "given: mine")
    assert row.spent_epsilon == math.inf
    assert not row.private
    assert not row.answers
    assert row.spent_delta == pytest.approx(0.3)  # the response 0 under 1, impossible under 2
    (line,) = [line for line in sentences(comparison) if line.startswith("Mine ")]
    assert "its effective epsilon is infinite: a zero is beside a positive entry; its delta" in line
    assert "its delta at epsilon 1 is 0.3" in line


def test_who_breaks_the_promise_may_lie_below_the_optimum_and_is_told_so():
    comparison = given(om.croft(om.count(2), "0.1", prior="uniform"), 0.9 * np.eye(3) + 0.1 / 3)
    row = row_of(comparison, "given: mine")
    assert row.loses_at_most < 0
    assert comparison.rows[0] is row
    (line,) = [line for line in sentences(comparison) if line.startswith("Mine ")]
    assert "less than the optimum, but it violates the required privacy: its effective epsilon is" in line


def test_a_mechanism_without_a_property_that_is_asked_is_no_answer():
    fair = compare(PROBLEMS["fair"])
    laplace, explicit = row_of(fair, "snapped-laplace"), row_of(fair, "explicit-fair")
    assert set(laplace.lacks) == {"column-monotone", "fair"}
    assert laplace.private
    assert not laplace.answers
    assert explicit.answers
    assert {"fair", "symmetric"} <= set(explicit.properties)
    (line,) = [line for line in sentences(fair) if line.startswith("Snapped Laplace ")]
    assert line.endswith(" it lacks required properties: column-monotone, fair.")


def test_gaussian_noise_says_the_delta_it_was_made_for():
    comparison = compare(PROBLEMS["count"], delta="1e-3")
    row = row_of(comparison, "clamped-gaussian")
    assert row.made_for_delta == Fraction(1, 1000)
    assert 0 < row.spent_delta <= 1e-3
    assert not row.private
    assert "designed for delta = 0.001, costs" in "".join(sentences(comparison))
    assert all(other.made_for_delta is None for other in comparison.rows if other is not row)


def test_the_delta_of_the_problem_comes_before_the_usual_one():
    problem = om.kadam(om.residues(5, [1]), 1, "0.1")
    assert compare(problem).delta == Fraction(1, 10)
    assert compare(problem, delta="0.2").delta == Fraction(1, 5)
    assert compare(PROBLEMS["max"]).delta == Fraction(1, 10**6)


def test_mechanisms_with_one_matrix_are_one_row(skewed):
    assert row_of(skewed, "exponential").also == ("Gumbel-max",)
    assert not [row for row in skewed.rows if row.key == "gumbel-max"]
    matrix = BASELINES["truncated-geometric"](om.count(5), "0.5").matrix
    mine = row_of(given(PROBLEMS["skewed"], matrix), "given: mine")
    assert mine.also == ("truncated geometric",)
    assert mine.libraries == LIBRARIES["truncated-geometric"]


def test_a_wide_gap_is_told_and_nothing_is_called_optimal():
    problem = PROBLEMS["skewed"]
    loose = compare(problem, designer=lambda question: replace(om.design(question), lower_bound=0.5))
    lines = sentences(loose)
    assert lines[0].startswith("The best mechanism that is known costs an error of ")
    assert "none that answers the question costs less than 0.5, proved" in lines[0]
    assert " to " in lines[1].split("loses")[1]
    nothing = compare(problem, designer=lambda question: replace(om.design(question), lower_bound=-math.inf))
    assert sentences(nothing)[0].endswith("no lower bound is.")
    assert row_of(nothing, "uniform").loses_at_most == math.inf


def test_where_nothing_need_be_lost_every_loss_is_infinitely_more():
    # One response, which is the loss-free one for both truths: the optimum costs nothing.
    loss = [[0, 0], [1, 1]]
    comparison = compare(om.croft(om.count(1), 1, loss=loss))
    assert comparison.optimum.objective == 0
    row = row_of(comparison, "uniform")
    assert row.loses_at_least == row.loses_at_most == math.inf
    assert "it loses ∞ %." in "".join(sentences(comparison))


@pytest.mark.parametrize(
    ("loss", "words"),
    [
        ("absolute", "an error of"),
        ("squared", "a squared error of"),
        ("zero-one", "a wrong answer with probability"),
        (1.0 - np.eye(6), "a loss of"),
    ],
)
def test_the_loss_is_named_as_it_was_asked(loss, words):
    lines = sentences(compare(om.croft(om.count(5), 1, loss=loss)))
    assert all(f" costs {words} " in line and " on average" in line for line in lines[:-1])
    assert lines[-1].startswith("The best default of a library, ")


def test_every_library_is_that_of_a_baseline_and_says_where_it_was_read():
    assert set(LIBRARIES) <= {*BASELINES, *THRESHOLDED, "clamped-gaussian"}
    for call in (call for calls in LIBRARIES.values() for call in calls):
        assert all([call.library, call.version, call.call])


def test_what_is_said_of_opendp_is_there():
    measurements = pytest.importorskip("opendp.measurements")
    calls = [call.call for calls in LIBRARIES.values() for call in calls if call.library == "OpenDP"]
    assert len(calls) == 5
    assert all(hasattr(measurements, call) for call in calls)


def test_wrong_questions_are_refused_with_a_remedy():
    problem = PROBLEMS["max"]
    with pytest.raises(ProblemError, match=r"this one asks for the least delta\. Ask `croft` at the epsilon"):
        compare(om.sadeghi_symmetric(1, "0.5", 2))
    with pytest.raises(ProblemError, match=r"`beyond` must be zero or more; got -1\. It is a distance"):
        compare(problem, beyond=-1)
    with pytest.raises(ProblemError, match=r"`delta` must be zero or more and below 1; got 1\. It is a prob"):
        compare(problem, delta=1)
    with pytest.raises(ProblemError, match=r"mine must have the responses and truths of max, min or median"):
        compare(problem, others={"mine": om.design(om.croft(om.count(4), 1)).mechanism})
    with pytest.raises(ProblemError, match="`designer` must design the problem that is compared, croft: max"):
        compare(problem, designer=lambda _: om.design(PROBLEMS["fair"]))
    with pytest.raises(ProblemError, match="`beyond` must be"):
        compare(problem, beyond="two")


def test_errors_of_vectors_are_those_of_their_coordinates():
    query = om.vector((3, 3), [1], "apart")
    compared = compare(om.question(query, 1, loss="beyond 1"), beyond=1)
    for row in (compared.optimum, *compared.rows):
        assert row.beyond == pytest.approx(row.average, abs=1e-12), row.key


@pytest.mark.parametrize("query", [om.categories(["a", "b", "c"]), om.graph([("a", "b", 1), ("b", "c", 2)])])
def test_categories_are_compared_with_what_needs_no_numbers(query):
    compared = compare(om.question(query, 1, loss="zero-one"))
    assert [row.key for row in compared.rows] == ["randomized-response", "uniform"]
    assert "answers that are numbers" in compared.refused["truncated-geometric"]
    with pytest.raises(ProblemError, match="are no numbers, such as a; got 'beyond 1'"):
        compare(om.question(query, 1, loss="zero-one"), beyond=1)


def test_the_best_default_is_told_on_average_and_at_the_worst_truth():
    counted = compare(om.croft(om.count(50), 1, prior="uniform"))
    assert sentences(counted)[-1].startswith("The best default of a library, truncated geometric, is optimal")
    rare = compare(om.question(om.count(10), "0.5", prior=["1/2", *["1/20"] * 10]))
    best = best_default(rare)
    assert best.answers
    assert best.loses_at_least == min(
        row.loses_at_least
        for row in rare.defaults
        if row.answers and any(c.default_of for c in row.libraries)
    )
    share = best.worst_loss / rare.optimum.worst_loss - 1
    assert share < 0
    assert f"it costs {abs(100 * share):.3g} % less than the optimum" in sentences(rare)[-1]


def test_at_the_worst_truth_the_loss_is_the_one_that_is_asked():
    comparison = compare(om.question(om.count(5), "0.5", worst_case=True))
    assert sentences(comparison)[-1].endswith("% at the worst truth.")


def test_where_no_default_answers_that_is_said():
    fair = compare(om.croft(om.count(5), "0.5", properties=["fair"]))
    assert sentences(fair)[-1] == "No default of a library answers this question."


def test_probabilities_too_small_for_doubles_are_no_zeros():
    question = om.croft(om.count(100), 10)  # e^-1000 is zero as a double
    result = compare(question)
    private = {row.key for row in result.rows if row.private}
    assert private == {row.key for row in result.rows} - {"clamped-gaussian"}
    assert result.optimum.private
    for row in (result.optimum, *result.rows):
        assert row.spent_epsilon <= 10 + 1e-9 or row.key == "clamped-gaussian"
    assert "truncated geometric, is optimal here" in sentences(result)[-1]


def test_a_zero_that_is_given_stays_one():
    tiny = np.full((2, 2), 0.5)
    tiny[:, 0] = 1, 1e-310
    tiny[:, 1] = 1, 0
    given = om.MatrixMechanism(matrix=tiny, responses=(0, 1), truths=(0, 1))
    (row,) = (
        one for one in compare(om.croft(om.count(1), 1), others={"g": given}).rows if one.key == "given: g"
    )
    assert (row.private, row.spent_epsilon) == (False, math.inf)


@pytest.mark.slow
def test_what_is_proved_of_a_given_certificate_is_not_lost_in_doubles():
    question = om.croft(om.count(420), 2)
    others = {"proved": om.design(question).certificate}
    (row,) = (one for one in compare(question, others=others).rows if one.key == "given: proved")
    assert (row.private, row.spent_epsilon) == (True, pytest.approx(2))
