"""Input that is too large, too small or of the wrong kind gets a sentence; small costs stay exact."""

from __future__ import annotations

import math

import numpy as np
import pytest

import optmech as om
from optmech.models.solvers import installed_solvers
from optmech.question.problems.instances import read_instances
from tests.each import each

SOLVERS = [solver.name for solver in installed_solvers()]
# So many neighbours, and of no known kind, that neither rays nor a program can hold them.
FAR_APART = [(f, g) for f in range(400) for g in range(f + 2, 400, 2)]


@each(
    ("ask", "sentence"),
    [
        (lambda: om.count(10**8), "at most 10,000,001 answers; got 100,000,001"),
        (lambda: om.mean(10**10, 4), "at most 200,000 answers"),
        (lambda: om.extremum(0, 10**5), "at most 5,000,000 pairs of neighbours"),
        (lambda: om.residues(10**11, [1]), "at most 200,000 answers"),
        (lambda: om.residues(5, 1), "`distances` must be a list of whole numbers; got 1"),
        (lambda: om.residues(5, [1], symmetric="no"), "`symmetric` must be true or false; got 'no'"),
        (lambda: om.Query(5), "`truths` must be a list of numbers; got 5"),
        (lambda: om.sadeghi(1, "0.5", 2, (1, 10**11)), "at most 200,000 released numbers"),
        (lambda: om.sadeghi_symmetric(1, "0.5", 10**7), "at most 200,000 released numbers"),
        (
            lambda: om.models.assemble(om.sadeghi(1, "0.5", 10**4, (1, 3))),
            "at most 4,000,000 can be designed",
        ),
        (
            lambda: om.design(om.question(om.Query(range(400), neighbours=FAR_APART), 1)),
            "compares at most 10,000,000 pairs of entries; got 31,840,000, of",
        ),
        (
            lambda: om.models.assemble(om.sadeghi_symmetric(1, "0.5", 10**4)),
            "a matrix of at most 4,000,000 entries",
        ),
        (lambda: om.croft(om.count(2), 1, properties=3), "`properties` must be a list of names; got 3"),
        (lambda: om.croft(om.count(2), 1, variant=True), "`variant` must be a whole number; got True"),
        (lambda: om.kadam(om.residues(3, [1]), 1, None), "`delta` must be given"),
        (lambda: om.kadam_least_delta(om.residues(3, [1]), 1), "`at_most` must be given"),
        (lambda: om.SolveOptions(time_limit=math.inf), "`time_limit` must be positive; got inf"),
        (lambda: om.SolveOptions(threads=10**5), "`threads` must be a whole number from 1 to 256"),
        (
            lambda: om.MatrixMechanism(matrix=[["a"]], responses=(0,), truths=(0,)),
            "`matrix` must hold numbers",
        ),
        (
            lambda: om.MatrixMechanism(matrix=[[0.5], [0.5]], responses=(1, 0), truths=(0,)),
            "`responses` must be increasing; got 1, 0",
        ),
    ],
    every=6,
    slow_every=3,
)
def test_it_is_refused_with_a_sentence(ask, sentence):
    with pytest.raises(om.OptmechError) as refusal:
        ask()
    assert sentence in str(refusal.value)


@each("solver", SOLVERS)
@each("scale", [1e-12, 1e-9, 1.0, 1e20])
def test_the_optimum_does_not_depend_on_the_unit_of_the_loss(solver, scale):
    query = om.count(3)
    design = om.design(om.croft(query, 1, loss=scale * om.loss_matrix("absolute", query)), solver=solver)
    assert design.objective / scale == pytest.approx(2.082195134296091, rel=1e-9)
    assert design.lower_bound / scale == pytest.approx(2.082195134296091, rel=1e-6)


def test_a_zero_in_pure_modular_noise_is_never_called_private_however_small_its_neighbours():
    size = 50
    noise = np.array([math.exp(-min(k, size - k)) for k in range(size)])
    noise[25] = 0.0
    noise /= noise.sum()
    matrix = np.array([[noise[(r - t) % size] for t in range(size)] for r in range(size)])
    mechanism = om.MatrixMechanism(
        matrix=matrix / matrix.sum(axis=0), responses=range(size), truths=range(size)
    )
    report = om.verify(mechanism, om.kadam(om.residues(size, [1]), "1.0001", 0))
    assert "probabilistic privacy" not in {check.name for check in report.checks}
    assert [check.name for check in report.failures] == ["pure privacy"]


def test_the_printed_rows_of_sadeghi_come_with_the_delta_the_matrix_has():
    design = om.design(om.sadeghi_symmetric(1, "0.01", 4, rows="paper"), raw=True)
    assert design.objective_standing == "claimed"
    assert "but the matrix has delta 0.301208662138" in design.notes[0]


def test_zero_one_loss_of_categories_needs_the_query():
    query = om.Query(range(6), [(0, 2), (2, 4), (4, 6)], 1)
    mechanism = om.design(om.croft(query, 1, loss="zero-one")).mechanism
    with pytest.raises(om.ProblemError, match="the query knows the category of each truth"):
        mechanism.expected_loss("zero-one")
    assert 0 < mechanism.expected_loss(om.loss_matrix("zero-one", query)) < 1


def test_a_single_count_and_a_query_without_neighbours_need_no_delta():
    alone = om.Query([0, 1, 2], neighbours=[])
    for problem in (om.sadeghi(1, "0.5", 2, (1, 1)), om.kadam_least_delta(alone, 1, at_most="0.5")):
        assert om.design(problem, raw=True).objective == pytest.approx(0.0, abs=1e-12)
        with pytest.raises(om.VerificationError, match="no two truths are neighbours"):
            om.design(problem)


def test_unbounded_is_not_believed_where_all_columns_are_bounded():
    design = om.design(om.croft(om.count(5), 35))
    assert design.objective == pytest.approx(0.0, abs=1e-12)


def test_a_poor_optimum_is_solved_again():
    """Here HiGHS' simplex method calls 1.513e-5 optimal, with duals that leave room down to 0.63e-5."""
    design = om.design(om.sadeghi(10, "0.5", 2, (2, 7)), solver="highs")
    assert design.objective == pytest.approx(1.1348951957377725e-05, rel=1e-6)


def test_both_directions_make_a_query_symmetric_whoever_lists_them():
    assert om.residues(9, [1, 8], symmetric=False).symmetric
    assert not om.residues(9, [1, 2], symmetric=False).symmetric


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[instance]]\nname = 'a'\n[instance.question]\n" * 2, "names; got a, a"),
        ("a = " + "[" * 5000, "must be TOML text in UTF-8"),
        ("formulation = 3\n", "must state its question as a table [question]"),
        ("range = '0:5'\n", "must have a [question] with `query` and `privacy`"),
        ("[[instance]]\nname = 'a'\n", "number 1 has none"),
        ("instance = 3\n", "must have a [question], or at least one [[instance]]"),
    ],
)
def test_a_file_of_instances_that_is_none_says_why(tmp_path, text, sentence):
    path = tmp_path / "problem.toml"
    path.write_text(text)
    with pytest.raises(om.FileFormatError) as refusal:
        read_instances(path)
    assert sentence in str(refusal.value)


def test_a_link_is_written_through(tmp_path):
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.write_text("old")
    link.symlink_to(target)
    om.design(om.croft(om.count(1), 1)).mechanism.to_csv(link)
    assert link.is_symlink()
    assert target.read_text().startswith("response,0,1")


def test_a_name_too_long_for_the_system_is_refused(tmp_path):
    mechanism = om.design(om.croft(om.count(1), 1)).mechanism
    with pytest.raises(om.FileFormatError, match="file name too long"):
        mechanism.to_csv(tmp_path / ("x" * 300))
