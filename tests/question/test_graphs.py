"""Answers on a graph and categories: who is how far from whom, and what may not be asked of them."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import strategies as st

import optmech as om
from optmech.cli.certificate_view import certificate_lines
from optmech.designs.attempts import solve
from optmech.models.solvers.options import SolveOptions
from optmech.question.graphs import categories, graph
from tests.each import each
from tests.search import search

WEIGHTS = st.dictionaries(
    st.sampled_from(list(itertools.combinations(range(6), 2))), st.integers(1, 9), min_size=1
)


def weights(query):
    pairs = zip(query.pairs.tolist(), query.weights.tolist(), strict=True)
    return {tuple(pair): weight for pair, weight in pairs}


def optimum(problem):
    solution = solve(om.models.assemble(problem).model, "highs", SolveOptions())
    assert solution.status is om.models.Status.OPTIMAL
    return solution.objective


@search(100, WEIGHTS)
def test_shortest_paths_are_those_of_floyd_and_warshall(edges):
    query = graph([(*ends, w) for ends, w in edges.items()], nodes=range(6), shortest_paths=True)
    length = {(a, b): 0 if a == b else np.inf for a in range(6) for b in range(6)}
    length |= {pair: w for ends, w in edges.items() for pair in (ends, ends[::-1])}
    for via, a, b in itertools.product(range(6), repeat=3):
        length[a, b] = min(length[a, b], length[a, via] + length[via, b])
    assert weights(query) == {pair: w for pair, w in length.items() if 0 < w < np.inf}


@search(25, WEIGHTS)
def test_pure_privacy_along_edges_is_pure_privacy_along_paths(edges):
    listed = [(*ends, w) for ends, w in edges.items()]
    near, far = (graph(listed, nodes=range(6), shortest_paths=paths) for paths in (False, True))
    assert optimum(om.question(near, "0.3")) == pytest.approx(optimum(om.question(far, "0.3")), abs=1e-7)


def test_epsilon_is_for_one_unit():
    halves = graph([("a", "b", "1.5"), ("b", "c", "1/2")], unit="1/2")
    assert weights(halves) == {(0, 1): 3, (1, 0): 3, (1, 2): 1, (2, 1): 1}
    assert "epsilon for each 0.5" in halves.name
    wholes = graph([("a", "b", 3), ("b", "c", 1)])
    assert optimum(om.question(halves, "0.4", loss="zero-one")) == pytest.approx(
        optimum(om.question(wholes, "0.4", loss="zero-one"))
    )


def test_nodes_that_are_numbers_are_truths_in_order():
    query = graph([(2, "0.5"), (Fraction(1, 2), 7)])
    assert query.truths == (Fraction(1, 2), 2, 7)
    assert not query.labels
    assert weights(query) == {(0, 1): 1, (1, 0): 1, (0, 2): 1, (2, 0): 1}


def test_nodes_that_are_texts_keep_the_order_they_are_given_in():
    assert graph([("b", "a")]).labels == ("b", "a")
    alone = graph([("b", "a")], nodes=["a", "b", "c"])
    assert alone.labels == ("a", "b", "c")
    assert weights(alone) == {(0, 1): 1, (1, 0): 1}


def test_categories_are_all_neighbours_or_as_far_apart_as_their_distance():
    assert weights(categories("abc")) == dict.fromkeys(itertools.permutations(range(3), 2), 1)
    apart = [[0, 1, "1.5"], [1, 0, 2], ["1.5", 2, 0]]
    expected = {(0, 1): 2, (0, 2): 3, (1, 2): 4}
    result = weights(categories("abc", apart, unit="1/2"))
    assert result == expected | {(g, f): w for (f, g), w in expected.items()}


def test_randomised_response_is_the_best_for_categories():
    problem = om.question(categories(["red", "green", "blue", "grey"]), "ln 3", loss="zero-one")
    # With k categories the truth has probability e / (e + k - 1), here 3 / 6.
    assert optimum(problem) == pytest.approx(1 / 2, abs=1e-9)
    design = om.design(problem)
    assert design.lower_bound <= design.objective == pytest.approx(1 / 2, abs=1e-9)
    assert design.mechanism.labels == ("red", "green", "blue", "grey")


def test_more_categories_than_a_certificate_holds_are_refused():
    with pytest.raises(om.ProblemError, match=r"at most 20,000 texts; got 20,001. Put rare ones together."):
        categories(map(str, range(20_001)))
    bounded = {"least": "delta", "bounds": ["mean zero-one <= 0.5"]}
    for demands in ({"delta": "0.1"}, {"properties": ["fair"]}, bounded):
        with pytest.raises(om.NotAcceptedError, match="Put rare ones together"):
            om.design(om.question(categories(map(str, range(2925))), 1, **demands))


def test_the_distance_of_categories_can_be_their_loss():
    distance = [[0, 1, 4], [1, 0, 4], [4, 4, 0]]
    query = categories(["cold", "flu", "cancer"], distance)
    design = om.design(om.question(query, "0.2", loss=distance))
    matrix = design.mechanism.matrix
    assert design.objective == pytest.approx((matrix * np.array(distance)).sum() / 3)
    for (f, g), weight in weights(query).items():
        assert (matrix[:, f] <= np.exp(0.2 * weight) * matrix[:, g] * (1 + 1e-12)).all()


@each(
    "properties",
    [["column-monotone"], ["row-monotone"], ["symmetric"], ["unbiased"], ["within 1"], ["fair", "symmetric"]],
)
def test_what_speaks_of_order_is_refused_where_there_is_none(properties):
    with pytest.raises(
        om.ProblemError, match="must not depend on order or distance: the answers of 3 categories"
    ):
        om.question(categories("abc"), 1, loss="zero-one", properties=properties)


@pytest.mark.parametrize("properties", [["fair"], ["column-honest", "row-honest"], ["accuracy >= 1/2"]])
def test_what_needs_no_order_is_not(properties):
    optimum(om.question(categories("abc"), 1, loss="zero-one", properties=properties))


def test_noise_of_bounded_width_needs_numbers():
    with pytest.raises(om.ProblemError, match="got symmetric noise within 1"):
        om.question(categories("abc"), 1, structure=om.SymmetricNoise(1, "1/2"), least="delta")


def test_answers_that_are_no_numbers_take_the_loss_that_fits():
    for query in (categories("abc"), graph([("a", "b", 2)])):
        assert om.question(query, 1).objective.loss_name == "zero-one"
        assert om.croft(query, 1).objective.loss_name == "zero-one"
    assert om.question(om.count(3), 1).objective.loss_name == "absolute"
    certificate = om.design(om.question(categories("abc"), 1)).certificate
    assert certificate_lines(certificate)[0].endswith("proved: probability of a wrong answer")


@each(
    ("ask", "sentence"),
    [
        (lambda: graph([]), "`edges` must join at least two nodes; got none"),
        (lambda: graph(5), "`edges` must be a list; got 5"),
        (lambda: graph(["ab"]), "`edges` must be (node, node) or (node, node, weight); got 'ab'"),
        (lambda: graph([("a", "a")]), "must join two different truths"),
        (lambda: graph([("a", "b", "0.5")]), "got 0.5 with unit 1 between 'a' and 'b'. Give unit='0.5'"),
        (lambda: graph([("a", "b", 0)]), "Merge nodes at distance zero into one"),
        (lambda: graph([("a", "b", -1)]), "`weight` must be a positive whole multiple of `unit`; got -1"),
        (lambda: graph([("a", "b", 2**40)]), "Give a larger unit"),
        (lambda: graph([("a", "b")], unit=0), "`unit` must be positive; got 0"),
        (lambda: graph([("a", "b")], nodes=["a"]), "`nodes` must hold every end of an edge; 'b' is missing"),
        (
            lambda: graph([("a", "b")], shortest_paths="no"),
            "`shortest_paths` must be true or false; got 'no'",
        ),
        (lambda: graph([([], "b")]), "`nodes` must be numbers or texts; got []"),
        (lambda: categories(["a"]), "`names` must be two or more different texts; got ['a']"),
        (lambda: categories(["a", "a"]), "`names` must be two or more different texts"),
        (lambda: categories("ab", "one"), "`distance` must be 'zero-one' or a matrix; got 'one'"),
        (lambda: categories("ab", [[0, 1]]), "`distance` must be a symmetric matrix of 2 rows"),
        (lambda: categories("ab", [[0, 1], [2, 0]]), "`distance` must be a symmetric matrix"),
        (lambda: categories("ab", [[1, 1], [1, 0]]), "zero on the diagonal"),
        (lambda: categories("ab", [[0, 0], [0, 0]]), "positive elsewhere"),
        (lambda: categories("ab", 3), "`distance` must be a list; got 3"),
        (
            lambda: om.question(categories("ab"), 1, loss="absolute"),
            "are no numbers, such as a; got 'absolute'",
        ),
        (lambda: om.croft(categories("ab"), 1, loss="squared"), "`loss` must be zero-one or a matrix"),
        (
            lambda: om.question(categories("ab"), 1, structure=om.ModularNoise(), loss="circular"),
            "`loss` must be zero-one or a matrix",
        ),
        (
            lambda: om.design(om.question(graph([("a", "b", 100)]), 20, delta="0.1", loss="zero-one")),
            "`epsilon` times the largest weight of neighbours must be at most 700; got 20 times 100.",
        ),
        (lambda: om.Query([0, 1], labels=["a\nb", "c"]), "`labels` must be different lines of text"),
    ],
)
def test_a_graph_that_cannot_be_asked_says_why(ask, sentence):
    with pytest.raises(om.ProblemError) as refusal:
        ask()
    assert sentence in str(refusal.value)
