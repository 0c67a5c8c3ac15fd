"""`certify` reads solution files of HiGHS and CBC, and tables of numbers alone, and says how."""

from __future__ import annotations

import highspy
import numpy as np
import pytest

import optmech as om
from optmech.cli import main
from optmech.models.formulations.assemble import assemble
from optmech.models.text import as_lp, as_mps
from optmech.verify.certification import certify
from tests.each import each

PROBLEM = om.question(om.count(2), 1)
CBC = """\
Optimal - objective value 0.42454724
      0 total[0]                     1              0.14181969
**    3 privacy[0,0,1]               0             -0.14181969
      0 M[0,0]              0.73105858                       0
      1 M[0,1]              0.26894142           5.5511151e-17
      2 M[0,2]              0.09893802                       0
      3 M(1,0)               0.1700034                       0
      4 M[1,1]              0.46211716           2.7755576e-17
      5 M[1,2]               0.1700034           5.5511151e-17
**    6 M[2,0]              0.09893802                       0
      7 M[2,1]              0.26894142           5.5511151e-17
      8 M[2,2]              0.73105858           5.5511151e-17
"""


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


@each("style", [0, 1, 4])
@each(
    "problem",
    [PROBLEM, om.question(om.count(3), 1, loss="squared", worst_case=True), om.kadam(om.residues(4, [1]), 1)],
)
def test_solutions_that_highs_wrote_are_read_from_mps_and_lp(tmp_path, problem, style):
    best = om.design(problem)
    for ending, write in (("mps", as_mps), ("lp", as_lp)):
        solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)  # noqa: FBT003 - as HiGHS has it
        solver.readModel(str(written(tmp_path / f"model.{ending}", write(assemble(problem).model))))
        solver.run()
        solver.writeSolution(str(tmp_path / "model.sol"), style)
        certification = certify(tmp_path / "model.sol", problem)
        assert certification.reading.startswith("Read as a solution file of HiGHS")
        assert certification.moved < 1e-4
        assert float(certification.certificate.objective) == pytest.approx(best.objective, rel=1e-4)


def test_a_solution_of_cbc_is_read_and_the_command_says_so(tmp_path, capsys):
    path = written(tmp_path / "cbc.sol", CBC)
    assert main(["certify", "count", "--range", "0:2", "--epsilon", "1", str(path)]) == 0
    assert (
        "Read as a solution file of CBC for the model of `optmech export-model`: Optimal."
        in capsys.readouterr().out
    )
    matrix = certify(path, PROBLEM).mechanism.matrix
    assert matrix[:, 0] == pytest.approx([0.73105858, 0.1700034, 0.09893802], abs=1e-7)


@each(
    ("text", "reason"),
    [
        (CBC.replace("Optimal", "Infeasible"), "the status 'Infeasible'"),
        (CBC.replace("M[2,2]", "M[3,2]"), "'M[3,2]'"),
        (CBC.replace("0.73105858", "x"), "a number for M"),
        ("Optimal - objective value 0\n", "none of them"),
        ("Optimal - objective value 0\n 0 M[0,0]\n", "fewer words"),
        ("Model status\nInfeasible\n\n# Primal solution values\nNone\n", "the status 'Infeasible'"),
        ("Model status\nOptimal\n# Columns 2\nM[0,0] 1\n", "fewer"),
        ("Columns\n Index Status\n", "headings with Primal and Name"),
        ("Columns\n Index Primal Name\n 0 1\n", "another number"),
        ("0.5,0.5\n0.5,0.5\n", "3 responses by 3 truths"),
        ("1,1,1\n1,1,1\n1,1,1\n", "sum to one"),
    ],
)
def test_what_is_no_solution_of_the_model_is_refused(tmp_path, text, reason):
    with pytest.raises(om.FileFormatError, match=reason.replace("[", r"\[")):
        certify(written(tmp_path / "other.sol", text), PROBLEM)


@each("between", [",", "; ", " ", "\t"])
def test_numbers_alone_are_turned_so_that_columns_sum_to_one(tmp_path, between):
    matrix = om.design(PROBLEM).mechanism.matrix
    path = tmp_path / "matrix.csv"
    for table, words in ((matrix, "rows are the responses 0 to 2"), (matrix.T, "rows are the truths 0 to 2")):
        np.savetxt(path, table, delimiter=between, fmt="%.17g", header="of another program")
        certification = certify(path, PROBLEM)
        assert words in certification.reading
        assert "so do the others" not in certification.reading
        assert certification.mechanism.matrix == pytest.approx(matrix, abs=1e-12)
        assert certification.sentences()[0] == certification.reading


def test_the_shape_or_a_warning_says_which_way_a_table_stands(tmp_path):
    wide = om.question(om.Query([0, 1], [0, 1, 2], neighbours=1), 1)
    turned = certify(written(tmp_path / "turned.csv", "1/3,1/3,1/3\n1/3,1/3,1/3\n"), wide)
    assert "rows are the truths 0 to 1, columns the responses 0 to 2" in turned.reading
    either = written(tmp_path / "either.csv", "0.4,0.3,0.3\n0.3,0.3,0.4\n0.3,0.4,0.3\n")
    assert "so do the others" not in certify(either, PROBLEM).reading
    either = written(tmp_path / "either.csv", "0.4,0.25,0.35\n0.35,0.4,0.25\n0.25,0.35,0.4\n")
    assert "so do the others: turn the file if it is not so" in certify(either, PROBLEM).reading
    named = written(tmp_path / "named.csv", "response,0,1,2\n0,0.4,0.3,0.3\n1,0.3,0.4,0.3\n2,0.3,0.3,0.4\n")
    assert certify(named, PROBLEM).reading == ""
