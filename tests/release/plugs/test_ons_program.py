"""ONS's own program, given a table that we wrote, finds the noise of each cell where we have it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import optmech as om
from optmech.analysis import p_table_of, with_keys

CELLS = list(itertools.product("NS", "fm"))


@pytest.mark.filterwarnings("ignore:these draws are NOT private")
def test_the_program_of_ons_publishes_our_counts(tmp_path, capsys):
    program = pytest.importorskip("cell_key_perturbation.create_perturbed_table")
    pandas = pytest.importorskip("pandas")
    design = with_keys(
        om.design(om.p_table(3, 1, variance=2, without=[1], zero_stays_zero=True, unbiased=True)), 256
    )
    om.release.write_p_table(design, tmp_path / "ons.csv", "ons")
    random = np.random.default_rng(7)
    sizes = [1200, 3, 1, 0]  # above 750 the program uses the rows 501 to 750 again
    rows = [cell for cell, size in zip(CELLS, sizes, strict=True) for _ in range(size)]
    records = pandas.DataFrame(rows, columns=["place", "sex"])
    records["key"] = random.integers(0, 256, len(records))
    records["who"] = [f"p{number}" for number in records.index]
    theirs = program.create_perturbed_table(
        records, pandas.read_csv(tmp_path / "ons.csv"), ["place"], ["sex"], "key", threshold=0
    )
    capsys.readouterr()  # it prints
    om.tabulate(
        records, person="who", group=["place", "sex"], groups=CELLS, at_most=1, record_key="key",
        out=tmp_path / "counts.csv",
    )  # fmt: skip
    om.release_table(
        design, tmp_path / "counts.csv", tmp_path / "ours.csv", column="count", cell_key="cell_key", data="x"
    )
    ours = pandas.read_csv(tmp_path / "ours.csv").set_index(["place", "sex"])["count"]
    theirs = theirs.set_index(["place", "sex"])
    assert theirs["pre_sdc_count"].reindex(CELLS).fillna(0).tolist() == sizes
    assert theirs["count"].astype(int).to_dict() == ours.to_dict()
    table = p_table_of(design)
    for cell in theirs.itertuples():
        assert dict(table.noise_of(cell.pre_sdc_count))[cell.pvalue] > 0
