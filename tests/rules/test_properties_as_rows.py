"""Rows mean what the definitions mean: a matrix meets the rows just when it has the property.

Among the properties are all of Croft et al. 2020, (10)-(15), each in every shape of responses.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import strategies as st

import optmech as om
from optmech.models.formulations.demand_rows import demand_rows
from optmech.models.formulations.layout import Layout
from optmech.question.privacy import PerOutcomePrivacy, ProbabilisticPrivacy
from optmech.question.problem import Problem
from optmech.question.properties import FAIR, PROPERTIES, SYMMETRIC, VARIANT_2, ZERO_STAYS_ZERO
from optmech.question.structures import FreeMatrix, ModularNoise
from optmech.rules import compile_rules
from tests.search import search

QUERIES = [
    om.count(3),
    om.extremum(1, 4),
    om.mean(2, 2),
    om.Query(range(4), [(0, 2), (2, 4)], 1),
    om.Query(range(6), [("-0.5", "1.5"), ("1.5", "3.5"), ("3.5", "5.5")], 2),
    om.Query([0, 1, 2], [0, "0.5", 1, "1.5", 2], 1),
]


@search(
    60, st.sampled_from(QUERIES), st.sampled_from(list(PROPERTIES)), st.integers(0, 2**32 - 1), st.booleans()
)
def test_rows_of_a_property_are_violated_by_what_the_matrix_misses_it_by(query, wanted, seed, tidy):
    if tidy and wanted in VARIANT_2:  # an optimum that has the property
        matrix = om.design(om.croft(query, 1, properties=[wanted])).mechanism.matrix
    else:
        matrix = np.random.default_rng(seed).dirichlet(np.ones(query.num_responses), size=query.num_truths).T
    if wanted == ZERO_STAYS_ZERO and (query.truths[0] != 0 or query.responses[0].upper != 0):
        with pytest.raises(om.NotAcceptedError, match="begin with 0"):
            compile_rules(om.croft(query, 1, properties=[wanted]))
        return
    rules = compile_rules(om.croft(query, 1, properties=[wanted]))
    layout = Layout.of(rules.columns())
    worst = 0.0
    for rows in demand_rows(rules, layout):
        activity = rows.matrix @ matrix.ravel()
        worst = max(
            worst, np.max(activity - rows.upper, initial=0.0), np.max(rows.lower - activity, initial=0.0)
        )
    gap = wanted.gap(matrix, query)
    if wanted is FAIR:  # rows compare neighbours on the diagonal, the gap compares its ends
        assert worst <= gap + 1e-12
        assert gap <= worst * query.num_truths + 1e-12
    else:
        assert worst == pytest.approx(gap, abs=1e-12)


def test_a_property_of_truths_without_a_home_is_refused():
    query = om.Query([0, 1, 2], [0, 2], 1)
    with pytest.raises(om.NotAcceptedError, match="needs every truth inside a response; 1 is in none"):
        om.models.assemble(om.croft(query, 1, properties=["fair"]))
    assert om.models.assemble(om.croft(query, 1, properties=["row-monotone", "symmetric"])).model.num_rows > 0


@pytest.mark.slow
def test_a_matrix_too_large_for_a_direct_program_is_refused_before_memory_runs_out():
    with pytest.raises(om.NotAcceptedError, match="at most 4,000,000 entries; got 100,020,001"):
        om.models.assemble(om.croft(om.count(10_000), 1))


@pytest.mark.parametrize("query", [om.count(4), om.mean(2, 2), om.Query([0, 1], [0, 1, 2], 1)])
def test_modular_noise_needs_a_query_that_looks_the_same_everywhere(query):
    with pytest.raises(om.NotAcceptedError, match="looks the same from every answer"):
        om.kadam(query, 1)


def test_modular_noise_on_a_complete_graph_is_randomised_response():
    query = om.extremum(1, 5)
    design = om.design(om.kadam(query, "0.7"))
    keep = math.exp(0.7) / (math.exp(0.7) + 4)
    assert design.objective == pytest.approx(1 - keep, abs=1e-12)


def free(query, privacy, objective):
    return Problem(
        name="free",
        query=query,
        structure=FreeMatrix(),
        privacy=privacy,
        properties=frozenset(),
        objective=objective,
    )


def test_any_structure_takes_any_privacy():
    """A free matrix may leak per outcome or in probability: looser than pure, so never worse."""
    query = om.count(3)
    pure = om.design(om.croft(query, "0.5"))
    loss = pure.problem.objective
    single = om.design(free(query, PerOutcomePrivacy("0.5", "0.1"), loss))
    leak = om.models.assemble(free(query, ProbabilisticPrivacy("0.5", "0.1"), loss)).model
    assert single.objective < pure.objective
    assert single.mechanism.per_outcome_delta(query, "0.5") <= 0.1 + 1e-8
    assert leak.is_mixed_integer
    assert [block.name for block in leak.columns] == ["M", "y", "u"]


def test_modular_noise_is_a_special_free_matrix_so_it_costs_no_less():
    query = om.residues(6, [1, 2])
    loss = om.kadam(query, "0.8", cost="wrapped").objective
    modular = om.design(om.kadam(query, "0.8", cost="wrapped"))
    free_loss = om.design(om.croft(query, "0.8", loss=loss.loss, prior="uniform"))
    assert free_loss.objective <= modular.objective + 1e-9
    # By averaging over turns of the circle the free optimum can be made circulant: they are equal.
    assert free_loss.objective == pytest.approx(modular.objective, abs=1e-9)


def test_the_printed_reading_needs_modular_noise():
    query = om.residues(4, [1])
    loss = om.kadam(query, 1).objective
    with pytest.raises(om.NotAcceptedError, match="the printed program"):
        om.models.assemble(free(query, ProbabilisticPrivacy(1, "0.1", "printed"), loss))


def test_structures_do_not_mind_properties():
    query = om.residues(5, [1, 2])
    plain = om.kadam(query, 1, cost="circular")
    problem = Problem(
        name="kadam",
        query=query,
        structure=ModularNoise(),
        privacy=plain.privacy,
        properties=frozenset([SYMMETRIC, FAIR]),
        objective=plain.objective,
    )
    design = om.design(problem, raw=True)
    assert om.verify(design.mechanism, problem)
    assert om.design(problem).certificate.relative_gap < 1e-9
