"""The demands that clash, against every subset of them tried one by one."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import optmech as om
from optmech.designs.attempts import solve
from optmech.designs.clash import clash
from optmech.models.solvers.options import SolveOptions

WIDE = om.Query(range(4), range(-2, 6))
DEMANDS = [
    "fair",
    "symmetric",
    "unbiased",
    "row-monotone",
    "column-monotone",
    "accuracy >= 0.6",
    "accuracy = 0.2",
    "within 2",
    "without 0",
]


def is_possible(query, epsilon, delta, demands, bounds=()):
    problem = om.question(query, epsilon, delta=delta, properties=demands, bounds=bounds)
    return (
        solve(om.models.assemble(problem).model, "highs", SolveOptions()).status is om.models.Status.OPTIMAL
    )


@pytest.mark.slow
@settings(deadline=None, max_examples=10)
@given(
    st.sampled_from([om.count(3), om.count(4), WIDE]),
    st.sampled_from(["0.2", "1", "3"]),
    st.sampled_from(["0", "0.05"]),
    st.sets(st.sampled_from(DEMANDS), min_size=1, max_size=5),
)
def test_all_sets_and_all_remedies_are_named(query, epsilon, delta, demands):
    possible = {
        part: is_possible(query, epsilon, delta, part)
        for size in range(len(demands) + 1)
        for part in combinations(sorted(demands), size)
    }
    conflict = clash(om.question(query, epsilon, delta=delta, properties=demands))
    everything = tuple(sorted(demands))
    if possible[everything]:
        assert conflict is None
        return
    parts = [part for part, fine in possible.items() if not fine]
    irreducible = {part for part in parts if not any(set(less) < set(part) for less in parts)}
    assert set(conflict.sets) == irreducible
    left = [set(everything) - set(part) for part, fine in possible.items() if fine]
    remedies = {tuple(sorted(gone)) for gone in left if not any(less < gone for less in left)}
    assert set(conflict.remedies) == remedies
    assert [len(remedy) for remedy in conflict.remedies] == sorted(map(len, conflict.remedies))


@pytest.mark.slow
def test_removing_any_one_of_the_named_demands_makes_it_possible():
    query, demands = om.count(9), ["fair", "row-monotone", "symmetric"]
    free, fair = (
        om.design(om.question(query, 1, properties=expected)).objective for expected in ([], ["fair"])
    )
    bound = f"mean absolute <= {(free + fair) / 2}"
    conflict = clash(om.question(query, 1, properties=demands, bounds=[bound]))
    (named,) = conflict.sets
    assert len(named) == 2
    for gone in named:
        remaining = [demand for demand in demands if demand != gone]
        assert is_possible(query, 1, 0, remaining, [bound] if gone in demands else [])


def test_the_epsilon_that_frees_is_where_the_question_becomes_possible():
    # Fair on 0..2: the truth has at most probability E / (E + 2), so that 0.6 needs E = 3.
    problem = om.question(om.count(2), "0.5", properties=["fair", "accuracy >= 0.6"])
    conflict = clash(problem)
    assert conflict.with_privacy == (True,)
    freed = replace(problem, privacy=replace(problem.privacy, epsilon=conflict.feasible_from))
    assert clash(freed) is None
    below = replace(
        problem,
        privacy=replace(problem.privacy, epsilon=conflict.feasible_from - conflict.feasible_from / 500),
    )
    assert clash(below) is not None
    assert f"from epsilon = {float(conflict.feasible_from):g} on" in str(conflict)


def test_what_clashes_whatever_the_privacy_says_so():
    conflict = clash(om.question(om.count(4), 1, properties=["fair", "without 0", "accuracy >= 0.1"]))
    privacy_of_sets = dict(zip(conflict.sets, conflict.with_privacy, strict=True))
    assert privacy_of_sets == {("accuracy >= 0.1", "without 0"): False, ("fair", "without 0"): True}
    assert conflict.feasible_from is None
    assert "under any privacy" in str(conflict)


def test_a_design_without_mechanism_names_the_clash():
    with pytest.raises(om.NoSolutionError, match=r"unbiased is infeasible with epsilon = 1"):
        om.design(om.question(om.count(5), 1, properties=["unbiased"]))


def test_a_structure_that_is_impossible_by_itself_is_named():
    query = om.residues(3, [1])
    problem = om.question(query, "0.1", structure=om.ModularNoise(), properties=["accuracy >= 0.9"])
    assert clash(problem).sets == (("accuracy >= 0.9",),)
    noise = om.SymmetricNoise(1, "0.9")
    room = om.sadeghi_symmetric(1, "0.9", 1).query
    with pytest.raises(om.NoSolutionError, match=r"symmetric noise within 1.* is infeasible with"):
        clash(om.question(room, 1, delta="1e-6", structure=noise))


def test_a_structure_that_no_demand_makes_impossible_is_told():
    problem = om.question(om.Query(range(3, 6), range(9), 1), 1, structure=om.SymmetricNoise(3, "0.4"))
    with pytest.raises(
        om.NoSolutionError, match=r"Symmetric noise within 3, .* is infeasible with epsilon = 1, "
    ):
        om.design(problem)  # the farthest outcome is impossible for a neighbour, at any epsilon
    with pytest.raises(
        om.NoSolutionError, match="infeasible for every epsilon up to 20; a larger delta may help"
    ):
        clash(problem)


@pytest.mark.slow
def test_bounds_of_vectors_and_of_matrices_are_told_apart():
    query = om.vector((3, 3), [1], "apart")
    problem = om.question(query, "0.1", bounds=["mean absolute <= 0.1", "mean squared <= 0.1"])
    assert set(clash(problem).sets) == {("mean absolute <= 0.1",), ("mean squared <= 0.1",)}
    matrix = om.loss_matrix("zero-one", query)
    bounds = [om.bound(query, matrix, "0.1"), om.bound(query, 2 * matrix, "0.1")]
    conflict = clash(om.question(query, "0.1", bounds=bounds))
    assert set(conflict.sets) == {("mean loss <= 0.1",), ("mean loss <= 0.1 (bound 2)",)}
