"""Written models are read back, number by number, by solvers that did not write them."""

from __future__ import annotations

import math
import subprocess
import warnings
from dataclasses import replace
from pathlib import Path

import highspy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optmech.base.errors import ModelError
from optmech.models import solvers
from optmech.models.linear_model import Block, LinearModel
from optmech.models.solvers import cbc_binary
from optmech.models.solvers.options import SolveOptions
from optmech.models.text import OFFSET, as_lp, as_mps, lp_name
from tests.each import each

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # SWIG's own types lack a __module__
    import swiglpk as glpk

INF = float("inf")
CBC = cbc_binary.executable()
# CBC prints eight decimals.
PRINTED = 1e-7

# Every kind of row and column there is, numbers that no short decimal gives, names that readers trip over.
COLUMNS = (
    # block, lower, upper, integer
    ("alpha[-1,2,1]", 0, INF, False),
    ("E1[0]", 0, 1, False),
    ("e", -1.5, 2.5, False),
    ("free[1]", -INF, INF, False),
    ("info", -INF, -0.1, False),
    ("bin", 0, 1, True),
    ("n[0]", 0, INF, True),
    ("n[1]", -3, 7, True),
    ("n[2]", 2, 2, True),
    ("n[3]", -INF, INF, True),
    ("fixed", 1 / 3, 1 / 3, False),
    ("negative", -2, -1, False),
    ("idle", 0, 4, False),
    ("_x", 1e-7, 1e7, False),
)
ROWS = (
    ("st[1,-2]", 1, 1),
    ("end", -INF, math.exp(0.5)),
    ("privacy[0,1]", -0.1, INF),
    ("range[0]", 0.1, 0.3),
    ("range[1]", -1 / 3, 5),
    ("empty", -1, INF),
    ("loose", -INF, INF),
)


def everything():
    numbers = np.random.default_rng(0)
    matrix = numbers.normal(size=(len(ROWS), len(COLUMNS))) * (
        numbers.random((len(ROWS), len(COLUMNS))) < 0.6
    )
    matrix[:, [name for name, *_ in COLUMNS].index("idle")] = 0
    matrix[[name for name, *_ in ROWS].index("empty")] = 0
    cost = np.round(numbers.normal(size=len(COLUMNS)), 1) * 0.1
    cost[-2:] = 0
    return LinearModel(
        name="everything",
        columns=_blocks(name for name, *_ in COLUMNS),
        rows=_blocks(name for name, *_ in ROWS),
        cost=cost,
        offset=-7.25,
        matrix=matrix,
        row_lower=[lower for _, lower, _ in ROWS],
        row_upper=[upper for *_, upper in ROWS],
        column_lower=[column[1] for column in COLUMNS],
        column_upper=[column[2] for column in COLUMNS],
        integer=[column[3] for column in COLUMNS],
    )


def _blocks(names):
    members = {}
    for name in names:
        block, _, subscripts = name.rstrip("]").partition("[")
        members.setdefault(block, []).append([int(part) for part in subscripts.split(",") if part])
    return tuple(Block(name=block, indices=indices) for block, indices in members.items())


def described(rows, columns, entries):
    """Return a model as plain data, to be compared with ``==``."""
    return {"rows": rows, "columns": columns, "entries": entries}


def as_written(model, *, lp):
    """Return what a reader has to find: the offset as a column; in LP, names mapped and ranges split."""
    name = lp_name if lp else str
    columns = [
        (name(column), *numbers)
        for column, *numbers in zip(
            model.column_names(),
            model.cost.tolist(),
            model.column_lower.tolist(),
            model.column_upper.tolist(),
            model.integer.tolist(),
            strict=True,
        )
    ]
    if model.offset:
        columns.append((OFFSET, model.offset, 1.0, 1.0, False))
    rows, entries = [], {}
    names, dense = model.row_names(), model.matrix.toarray()
    for row, (lower, upper) in enumerate(
        zip(model.row_lower.tolist(), model.row_upper.tolist(), strict=True)
    ):
        if lower == -INF and upper == INF:
            continue
        split = lp and -INF < lower < upper < INF
        parts = [("", lower, INF), ("~", -INF, upper)] if split else [("", lower, upper)]
        for tail, low, high in parts:
            rows.append((name(names[row]) + tail, low, high))
            for column in np.flatnonzero(dense[row]):
                entries[rows[-1][0], columns[column][0]] = float(dense[row, column])
    if lp and not rows:
        rows = [("~none", -INF, 0)]
    return described(rows, columns, entries)


def read_by_highs(path):
    highs = highspy.Highs()
    highs.silent()
    highs.setOptionValue("small_matrix_value", 1e-12)
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    lp = highs.getLp()
    integer = [kind == highspy.HighsVarType.kInteger for kind in lp.integrality_]
    integer = integer or [False] * lp.num_col_
    columns = list(
        zip(
            lp.col_names_, np.array(lp.col_cost_).tolist(), lp.col_lower_, lp.col_upper_, integer, strict=True
        )
    )
    rows = list(zip(lp.row_names_, lp.row_lower_, lp.row_upper_, strict=True))
    start, index, value = lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_
    column_wise = lp.a_matrix_.format_ == highspy.MatrixFormat.kColwise
    entries = {}
    for major in range(len(start) - 1):
        for place in range(start[major], start[major + 1]):
            row, column = (index[place], major) if column_wise else (major, index[place])
            if value[place]:
                entries[rows[row][0], columns[column][0]] = float(value[place])
    assert lp.offset_ == 0
    return described(rows, columns, entries)


def read_by_glpk(path):
    glpk.glp_term_out(glpk.GLP_OFF)
    problem = glpk.glp_create_prob()
    try:
        if path.suffix == ".lp":
            assert glpk.glp_read_lp(problem, None, str(path)) == 0
        else:
            assert glpk.glp_read_mps(problem, glpk.GLP_MPS_FILE, None, str(path)) == 0
        return _of_glpk(problem)
    finally:
        glpk.glp_delete_prob(problem)


def _of_glpk(problem):
    assert glpk.glp_get_obj_coef(problem, 0) == 0
    largest = 1.7976931348623157e308

    def bounds(lower, upper):
        return (-INF if lower == -largest else lower), (INF if upper == largest else upper)

    rows = [
        (
            glpk.glp_get_row_name(problem, row),
            *bounds(glpk.glp_get_row_lb(problem, row), glpk.glp_get_row_ub(problem, row)),
        )
        for row in range(1, glpk.glp_get_num_rows(problem) + 1)
    ]
    columns = [
        (
            glpk.glp_get_col_name(problem, column),
            glpk.glp_get_obj_coef(problem, column),
            *bounds(glpk.glp_get_col_lb(problem, column), glpk.glp_get_col_ub(problem, column)),
            glpk.glp_get_col_kind(problem, column) != glpk.GLP_CV,
        )
        for column in range(1, glpk.glp_get_num_cols(problem) + 1)
    ]
    entries = {}
    for row, (name, *_) in enumerate(rows, start=1):
        size = glpk.glp_get_mat_row(problem, row, None, None)
        index, value = glpk.intArray(size + 1), glpk.doubleArray(size + 1)
        glpk.glp_get_mat_row(problem, row, index, value)
        entries |= {(name, columns[index[at] - 1][0]): value[at] for at in range(1, size + 1) if value[at]}
    return described(rows, columns, entries)


READERS = {"highs": read_by_highs, "glpk": read_by_glpk}
WRITERS = {"mps": as_mps, "lp": as_lp}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("form", WRITERS)
def test_a_model_is_read_back_coefficient_by_coefficient(form, reader, tmp_path):
    model = everything()
    path = tmp_path / f"model.{form}"
    path.write_text(WRITERS[form](model), encoding="ascii")
    result, expected = READERS[reader](path), as_written(model, lp=form == "lp")
    for part in expected:
        assert result[part] == expected[part], part


numbers = st.floats(-1e6, 1e6, allow_subnormal=False).filter(lambda value: value == 0 or abs(value) > 1e-9)
intervals = st.one_of(
    st.tuples(numbers, numbers).map(lambda pair: (min(pair), max(pair))),
    st.tuples(numbers, st.just(INF)),
    st.tuples(st.just(-INF), numbers),
    st.just((-INF, INF)),
)


@st.composite
def models(draw):
    num_rows, num_columns = draw(st.integers(0, 4)), draw(st.integers(1, 4))
    matrix = draw(
        st.lists(
            st.lists(numbers, min_size=num_columns, max_size=num_columns),
            min_size=num_rows,
            max_size=num_rows,
        )
    )
    rows = draw(st.lists(intervals, min_size=num_rows, max_size=num_rows))
    columns = draw(st.lists(intervals, min_size=num_columns, max_size=num_columns))
    return LinearModel(
        name="drawn",
        columns=(Block(name="x", indices=np.arange(num_columns)[:, None]),),
        rows=(Block(name="r", indices=np.arange(num_rows)[:, None]),) if num_rows else (),
        cost=draw(st.lists(numbers, min_size=num_columns, max_size=num_columns)),
        offset=draw(numbers),
        matrix=np.array(matrix).reshape(num_rows, num_columns),
        row_lower=[lower for lower, _ in rows],
        row_upper=[upper for _, upper in rows],
        column_lower=[lower for lower, _ in columns],
        column_upper=[upper for _, upper in columns],
        integer=draw(st.lists(st.booleans(), min_size=num_columns, max_size=num_columns)),
    )


@settings(max_examples=8, deadline=None)
@given(models())
def test_any_model_is_read_back_by_both_readers_from_both_formats(tmp_path_factory, model):
    for form, write in WRITERS.items():
        path = tmp_path_factory.mktemp("text") / f"model.{form}"
        path.write_text(write(model), encoding="ascii")
        expected = as_written(model, lp=form == "lp")
        for reader in READERS.values():
            result = reader(path)
            assert result["columns"] == expected["columns"]
            assert result["entries"] == expected["entries"]
            for mine, its in zip(expected["rows"], result["rows"], strict=True):
                assert mine[0] == its[0]
                assert same_sides(mine[1:], its[1:]), (mine, its)


def same_sides(expected, result):
    """Return whether the sides of a row are the same doubles, or the next ones outwards of a range."""
    if expected == result:
        return True
    outwards = (math.nextafter(expected[0], -INF), math.nextafter(expected[1], INF))
    ranged = all(map(math.isfinite, expected))
    return ranged and all(
        side in pair for side, pair in zip(result, zip(expected, outwards, strict=True), strict=True)
    )


@pytest.mark.skipif(
    CBC is None or len(solvers.installed_solvers()) < 2, reason="needs CBC and another solver"
)
@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("offset", [0.0, -7.25])
def test_cbc_finds_the_same_optimum_in_both_formats(form, offset, tmp_path):
    model = replace(everything(), offset=offset, column_lower=np.maximum(everything().column_lower, -9))
    expected = solvers.solver("highs").solve(model, SolveOptions()).objective
    path = tmp_path / f"model.{form}"
    path.write_text(WRITERS[form](model), encoding="ascii")
    done = subprocess.run(
        [CBC, path.name, "-solve", "-solution", "answer.txt", "-quit"],
        cwd=tmp_path,
        capture_output=True,
        check=True,
        text=True,
        encoding="utf-8",
    )
    answer = (tmp_path / "answer.txt").read_text()
    assert answer.startswith("Optimal"), done.stdout
    assert float(answer.splitlines()[0].split()[-1]) == pytest.approx(expected, abs=PRINTED)


def test_a_small_model_as_text():
    model = LinearModel(
        name="pair",
        columns=(Block(name="x", indices=[[0], [-1]]), Block(name="n", indices=[[]])),
        rows=(Block(name="total", indices=[[]]), Block(name="near", indices=[[0, -1]])),
        cost=[1, 0.1, 0],
        offset=5.0,
        matrix=[[1, 1, 0], [1, -1, 2]],
        row_lower=[1, -0.5],
        row_upper=[1, 2.5],
        column_lower=[0, -INF, 0],
        column_upper=[INF, 4, 1],
        integer=[False, False, True],
    )
    assert as_mps(model).splitlines() == [
        "NAME pair FREE",
        "ROWS",
        " N objective",
        " E total",
        " G near[0,-1]",
        "COLUMNS",
        " x[0] objective 1.0",
        " x[0] total 1.0",
        " x[0] near[0,-1] 1.0",
        " x[-1] objective 0.1",
        " x[-1] total 1.0",
        " x[-1] near[0,-1] -1.0",
        " MARKER 'MARKER' 'INTORG'",
        " n near[0,-1] 2.0",
        " MARKER 'MARKER' 'INTEND'",
        " ~offset objective 5.0",
        "RHS",
        " RHS total 1.0",
        " RHS near[0,-1] -0.5",
        "RANGES",
        " RANGE near[0,-1] 3.0",
        "BOUNDS",
        " MI BOUND x[-1]",
        " UP BOUND x[-1] 4.0",
        " UP BOUND n 1.0",
        " FX BOUND ~offset 1.0",
        "ENDATA",
    ]
    assert as_lp(model).splitlines() == [
        "\\ pair",
        "Minimize",
        " objective: + 1.0 x(0) + 0.1 x(~1) + 0.0 n + 5.0 ~offset",
        "Subject To",
        " total: + 1.0 x(0) + 1.0 x(~1)",
        "  = 1.0",
        " near(0,~1): + 1.0 x(0) - 1.0 x(~1) + 2.0 n",
        "  >= -0.5",
        " near(0,~1)~: + 1.0 x(0) - 1.0 x(~1) + 2.0 n",
        "  <= 2.5",
        "Bounds",
        " -inf <= x(~1) <= 4.0",
        " 0.0 <= n <= 1.0",
        " ~offset = 1.0",
        "Binaries",
        " n",
        "End",
    ]


def test_no_two_names_become_the_same():
    blocks = ("x", "_x", "__x", "e", "_e", "E1", "_E1", "st", "_st", "inf", "1", ".5", "free", "nan", "end")
    names = [block + tail for block in blocks for tail in ("", "[0]", "[-1]", "[0,-1]", "[1]")]
    assert len({lp_name(name) for name in names}) == len(names)


@each(
    ("name", "written"),
    [
        ("M[0,-1]", "M(0,~1)"),
        ("eta", "eta"),
        ("row_falling[1]", "row_falling(1)"),
        ("st", "_st"),
        ("start", "start"),
        ("infinite", "_infinite"),
        ("e[1]", "_e(1)"),
        ("2", "_2"),
    ],
)
def test_names_change_no_more_than_the_format_demands(name, written):
    assert lp_name(name) == written


@each("bad", ["two words", "x~", "a(b)", "", "x'", "\u03b1"])
def test_a_name_that_a_format_could_not_keep_apart_is_refused(bad):
    model = replace(everything(), rows=(Block(name=bad, indices=np.arange(len(ROWS))[:, None]),))
    for write in WRITERS.values():
        with pytest.raises(ModelError, match=r"must hold letters, digits, _ and \. only"):
            write(model)


def test_a_name_used_twice_is_refused():
    model = replace(everything(), rows=(Block(name="r", indices=[[1]] * len(ROWS)),))
    with pytest.raises(ModelError, match=r"names must differ to be written as text; got r\[1\] twice"):
        as_mps(model)


def test_a_row_called_objective_keeps_its_name(tmp_path):
    model = replace(everything(), rows=(Block(name="objective", indices=np.arange(len(ROWS))[:, None]),))
    single = LinearModel(
        name="one",
        columns=(Block(name="x", indices=[[]]),),
        rows=(Block(name="objective", indices=[[]]),),
        cost=[1],
        offset=0.0,
        matrix=[[1]],
        row_lower=[1],
        row_upper=[INF],
        column_lower=[0],
        column_upper=[INF],
        integer=[False],
    )
    for count, stated in enumerate((model, single)):
        path = Path(tmp_path) / f"{count}.mps"
        path.write_text(as_mps(stated))
        assert read_by_glpk(path)["rows"][0][0] == stated.row_names()[0]


def test_a_range_that_no_width_gives_exactly_opens_by_one_unit_at_most(tmp_path):
    # 2 - 2**-52 - (-1) needs 54 bits; whichever side it is taken from, the other moves.
    lower, upper = -1.0, 2 - 2**-52
    assert lower + (upper - lower) != upper
    assert upper - (upper - lower) != lower
    model = replace(everything(), row_lower=[lower] * len(ROWS), row_upper=[upper] * len(ROWS))
    path = tmp_path / "model.mps"
    path.write_text(as_mps(model))
    for reader in READERS.values():
        for _, low, high in reader(path)["rows"]:
            assert low <= lower
            assert high >= upper
            assert same_sides((lower, upper), (low, high))


def test_mps_holds_a_model_without_rows_or_columns_and_lp_needs_a_column(tmp_path):
    nothing = LinearModel(
        name="nothing",
        columns=(),
        rows=(),
        cost=[],
        offset=0.0,
        matrix=np.zeros((0, 0)),
        row_lower=[],
        row_upper=[],
        column_lower=[],
        column_upper=[],
        integer=[],
    )
    path = tmp_path / "nothing.mps"
    path.write_text(as_mps(nothing))
    assert read_by_highs(path) == described([], [], {})
    with pytest.raises(ModelError, match=r"the LP format needs at least one column; got none\. Use MPS"):
        as_lp(nothing)
