"""`certify` reads solution files of six solvers, and tables of numbers alone, and says how."""

from __future__ import annotations

import warnings

import highspy
import numpy as np
import pytest

import optmech as om
from optmech.cli import main
from optmech.models.formulations.assemble import assemble
from optmech.models.text import as_lp, as_mps
from optmech.verify.certification import certify
from tests.each import each

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # SWIG's own types lack a __module__
    import swiglpk as glpk

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


MODELS = [
    PROBLEM,
    om.question(om.count(3), 1, loss="squared", worst_case=True),
    om.kadam(om.residues(4, [1]), 1),
    om.kadam(om.residues(4, [1]), 1, "0.1"),
]


@each("style", [0, 1, 4])
@each("problem", MODELS)
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
        "Read as a solution file of CBC or Clp for the model of `optmech export-model`: Optimal."
        in " ".join(capsys.readouterr().out.split())
    )
    matrix = certify(path, PROBLEM).mechanism.matrix
    assert matrix[:, 0] == pytest.approx([0.73105858, 0.1700034, 0.09893802], abs=1e-7)


def of_glpk(tmp_path, ending, text):
    """Return the files that GLPK writes of a model, the report and the plain one of each kind of solution."""
    model, glp = written(tmp_path / f"model.{ending}", text), glpk.glp_create_prob()
    glpk.glp_term_out(glpk.GLP_OFF)
    if ending == "mps":
        glpk.glp_read_mps(glp, glpk.GLP_MPS_FILE, None, str(model))
    else:
        glpk.glp_read_lp(glp, None, str(model))
    kinds = [(glpk.glp_simplex, glpk.glp_print_sol, glpk.glp_write_sol)]
    if glpk.glp_get_num_int(glp):
        kinds.append((glpk.glp_intopt, glpk.glp_print_mip, glpk.glp_write_mip))
    else:
        kinds.append((glpk.glp_interior, glpk.glp_print_ipt, glpk.glp_write_ipt))
    for number, (solve, *writers) in enumerate(kinds):
        assert solve(glp, None) == 0
        for way, write in enumerate(writers):
            path = tmp_path / f"{number}-{way}.txt"
            write(glp, str(path))
            if not number and glpk.glp_get_num_int(glp):  # a basis of the relaxation is no answer
                continue
            yield path
    glpk.glp_delete_prob(glp)


@each("problem", MODELS)
def test_solutions_that_glpk_wrote_are_read_from_mps_and_lp(tmp_path, problem):
    best = om.design(problem)
    for ending, write in (("mps", as_mps), ("lp", as_lp)):
        for path in of_glpk(tmp_path, ending, write(assemble(problem).model)):
            certification = certify(path, problem)
            assert certification.reading.startswith("Read as a solution file of GLPK for")
            assert certification.moved < 1e-4
            assert float(certification.certificate.objective) == pytest.approx(best.objective, rel=1e-4)


LINES = [line.removeprefix("**").split()[1:3] for line in CBC.splitlines() if "M" in line]
BY_NAME = [(name, value) for name, value in LINES if float(value)]
OTHERS = {
    "CBC or Clp": [
        CBC.replace("value 0.4", "value       0.4"),
        CBC.replace("Optimal - objective value 0.42454724", "optimal\nObjective value      0.42454724"),
    ],
    "SCIP": [
        "solution status: optimal solution found\nobjective value:                    0.424547241694292\n"
        + "".join(f"{name:<33} {value:>20} \t(obj:0.333333333333333)\n" for name, value in BY_NAME)
    ],
    "Gurobi": [
        f"{head}# Objective value = 4.2454724169429197e-01\n"
        + "".join(f"{name} {value}\n" for name, value in BY_NAME)
        for head in ("# Solution for model question\n", "")
    ],
}


@each(("solver", "text"), [(solver, text) for solver, texts in OTHERS.items() for text in texts])
def test_a_solution_file_says_which_solver_wrote_it(tmp_path, solver, text):
    certification = certify(written(tmp_path / "other.sol", text), PROBLEM)
    assert certification.reading.startswith(f"Read as a solution file of {solver} for the model of")
    assert float(certification.certificate.objective) == pytest.approx(0.42454724, abs=1e-6)


PLAIN = """\
c Problem:    question
s bas 15 9 f f 0.424547241694292
i 1 s 1 0.14
j 1 b 0.731058578630005 0
j 2 b 0.268941421369995 0
j 3 b 0.0989380198014472 0
j 4 b 0.170003401568548 0
j 5 b 0.46211715726001 0
j 6 b 0.170003401568548 0
j 7 b 0.0989380198014473 0
j 8 b 0.268941421369995 0
j 9 b 0.731058578630005 0
e o f
"""
REPORT = "Problem:    question\nRows:       15\nStatus:     {}\n   No. Column name  St\n------ ----\n{}"


def test_a_plain_file_of_glpk_is_read_by_the_order_of_its_columns(tmp_path):
    assert certify(written(tmp_path / "glpk.sol", PLAIN[PLAIN.index("s bas") :]), PROBLEM).moved < 1e-12


@each(
    ("text", "reason"),
    [
        (PLAIN.replace("f f", "n u"), "the status 'EMPTY'"),
        (PLAIN.replace("f f", "u u"), "the status 'UNDEFINED'"),
        (PLAIN.replace("j 9 b 0.731058578630005 0\n", ""), "each of 9 columns; got 8"),
        (PLAIN.replace("j 9", "j 7"), "each of 9 columns, in order"),
        (PLAIN.replace("0.424547", "0.434547"), "in its order, with the objective 0.42454724"),
        (PLAIN.replace("s bas", "s other"), "a line `s bas`, `s ipt` or `s mip`"),
        (PLAIN.replace("15 9 f f 0.424547241694292", "15"), "a line `s bas`"),
        (PLAIN.replace("j 9 b 0.731058578630005 0", "j 9"), "fewer words"),
        ("c Problem:\n", "below its comments; got none"),
        (REPORT.format("INTEGER EMPTY", ""), "the status 'INTEGER EMPTY'"),
        (REPORT.format("OPTIMAL", "     1 M[0,0]\n"), "fewer words"),
        (REPORT.format("OPTIMAL", "     1 M[0,0]  NL\n"), "fewer words"),
        (REPORT.format("OPTIMAL", "     1 M[0,0]  NL   x\n"), "a number for M"),
        ("solution status: infeasible\nno solution available\n", "no solution available"),
        ("solution status: time limit reached\nno solution available\n", "no solution available"),
        ("# Objective value = 1\n", "none of them"),
        ('<?xml version = "1.0"?>\n<CPLEXSolution version="1.2">\n', "SCIP, Gurobi; got one of CPLEX"),
        ("\nValue of objective function: 0.4\n", "got one of lp_solve"),
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


def test_a_report_of_glpk_that_is_cut_off_is_no_matrix(tmp_path):
    path = written(tmp_path / "cut.txt", REPORT.format("OPTIMAL", "     1 M[0,0]  NL   0.5\n"))
    with pytest.raises(om.ProblemError, match="must sum to one"):
        certify(path, PROBLEM)


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
