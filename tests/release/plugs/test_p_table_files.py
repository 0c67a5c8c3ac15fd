"""Perturbation tables are written as their tools read them, and read back as they were."""

from __future__ import annotations

from fractions import Fraction

import pytest

import optmech as om
from optmech.analysis import PTable, assess_p_table, p_table_of
from optmech.release.plugs.p_table_files import LAYOUTS, p_table_text
from tests.each import each
from tests.p_tables import HALF, SMALL, ons_text, ptable_text, rounding_to_five

THIRD = Fraction(1, 3)


def read_back(folder, table, layout):
    path = folder / "table.csv"
    om.release.write_p_table(table, path, layout)
    return om.read_p_table(path)


@each("layout", LAYOUTS)
def test_a_table_of_short_decimals_is_read_back_as_it_was(tmp_path, layout):
    table = read_back(tmp_path, PTable(SMALL), layout)
    assert [dict(table.noise_of(count)) for count in (*range(9), 749, 2000)] == [*SMALL, *[SMALL[-1]] * 8]
    assert not table.is_rounded


def test_files_are_those_of_the_other_tools():
    small = PTable(SMALL)
    assert p_table_text(small, "ons").startswith(ons_text(SMALL[:2], keys=256))
    for layout, sas in (("ptable", False), ("tau-argus", False), ("sas", True)):
        assert p_table_text(small, layout) == ptable_text(SMALL, sas=sas).replace("1.0", "1").replace(
            "0.0;", "0;"
        )


@pytest.mark.slow
def test_the_sample_of_ons_is_written_as_it_was_read(tmp_path):
    table = PTable(rounding_to_five(), turn=250)
    assert read_back(tmp_path, table, "ons").noise == table.noise


def test_digits_are_cut_so_that_columns_still_sum_to_one(tmp_path):
    column = {-1: THIRD, 0: THIRD, 1: THIRD}
    table = read_back(tmp_path, PTable([{0: 1}, column]), "sas")
    assert table.is_rounded
    assert sum(share for _, share in table.noise[1]) == 1
    assert max(abs(share - THIRD) for _, share in table.noise[1]) < Fraction(1, 10**12)


def test_a_design_is_exported_with_hardly_more_than_its_delta(tmp_path):
    design = om.design(om.p_table(3, 1, variance=2, without=[1], unbiased=True))
    table = p_table_of(design)
    assert assess_p_table(table, [1], least=False).deltas[0].upper <= design.certificate.objective
    written = assess_p_table(read_back(tmp_path, design, "tau-argus"), [1], least=False)
    assert abs(written.deltas[0].upper - design.certificate.objective) < Fraction(1, 10**10)


@each(
    ("table", "layout", "sentence"),
    [
        (PTable(SMALL), "argus", "`layout` must be one of ons, ptable, tau-argus, sas; got 'argus'"),
        (PTable([{1: 1}]), "ons", "`table` must leave 0 as it is for `ons`"),
        (PTable([{0: 1}, {-1: THIRD, 0: 2 * THIRD}]), "ons", "multiples of 1/4096 for `ons`"),
        (PTable([{0: 1}] * 502 + [{0: HALF, 1: HALF}]), "ons", "all counts from 501 on the same noise"),
        (PTable([{0: 1}, {0: HALF, 1: HALF}], turn=2), "ons", "all counts from 501 on the same noise"),
        (PTable([{0: 1}, {0: HALF, 1: HALF}], turn=2), "sas", "they use 2 in turn"),
    ],
)
def test_what_a_layout_cannot_hold_is_refused(tmp_path, table, layout, sentence):
    with pytest.raises(om.ProblemError) as error:
        om.release.write_p_table(table, tmp_path / "table.csv", layout)
    assert sentence in str(error.value)
    assert not list(tmp_path.iterdir())


@each(
    ("ask", "sentence"),
    [
        (
            lambda: om.croft(om.count(4), 1, variant=2),
            "must give its last true count the noise of the one before it",
        ),
        (lambda: om.croft(om.extremum(1, 4), 1), "must be a matrix on the counts 0, 1, 2, …"),
        (
            lambda: om.question(om.categories(["a", "b"]), 1, loss="zero-one"),
            "must be a matrix on the counts",
        ),
        (lambda: om.question(om.count(3000), 1), "must be a matrix on the counts 0, 1, 2, …"),
    ],
)
def test_what_is_no_perturbation_table_is_refused(ask, sentence):
    with pytest.raises(om.ProblemError) as error:
        p_table_of(om.design(ask()))
    assert sentence in str(error.value)
