"""The papers' models, as algebra, have the optima that the papers or exact arithmetic give them."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.each import each
from tests.formulations.algebra import AlgebraError, data_text, read_algebra, solve
from tests.formulations.instances import data_of

FORMULATIONS = Path(__file__).parents[2] / "formulations"

ROWS = {
    "approximate": {"total", "privacy", "budget"},
    "approximate_least_delta": {"total", "privacy", "budget", "bound", "bound_case"},
    "croft_variant_1": {"total", "privacy"},
    "croft_variant_2": {
        "total",
        "privacy",
        "column_rising",
        "column_falling",
        "row_rising",
        "row_falling",
        "symmetric",
        "fair",
    },
    "metric": {"total", "privacy"},
    "modular_approximate": {"total", "ratio", "budget"},
    "modular_approximate_least_delta": {"total", "ratio", "budget", "bound"},
    "properties": {
        "total",
        "privacy",
        "column_honest",
        "row_honest",
        "unbiased",
        "limit",
        "limit_most",
        "bound",
        "bound_case",
    },
    "sadeghi": {"total", "privacy"},
    "sadeghi_approximate": {"total", "privacy", "budget"},
    "sadeghi_symmetric_approximate": {"total", "privacy", "budget"},
    "sadeghi_symmetric_given_delta": {"total", "privacy"},
    "worst_loss": {"total", "privacy", "worst_case"},
    "sadeghi_symmetric": {"total", "privacy"},
    "sadeghi_symmetric_paper": {"total", "privacy"},
    "kadam": {"total", "ratio", "remainder", "violation", "budget"},
    "kadam_pure": {"total", "ratio"},
    "kadam_vector": {"total", "ratio", "remainder", "violation", "budget"},
    "kadam_vector_pure": {"total", "ratio"},
    "kadam_printed": {"total", "budget", "below", "keep", "cap", "ratio", "converse"},
    "kadam_least_delta": {"cost", "total", "ratio", "remainder", "violation", "budget"},
    "kadam_least_delta_printed": {
        "cost",
        "total",
        "budget",
        "below",
        "keep",
        "cap",
        "ratio",
        "converse",
    },
}
"""Names of the rows of each model, the builders' too."""


def instances() -> list[Any]:
    """List every instance of every formulation, named after its file and itself."""
    return [
        pytest.param(path.stem, instance, id=f"{path.stem}-{instance['name']}")
        for path in sorted(FORMULATIONS.glob("*.toml"))
        for instance in tomllib.loads(path.read_text(encoding="utf-8"))["instance"]
    ]


def model(name: str) -> Path:
    """Find the algebra of a formulation."""
    return FORMULATIONS / f"{name}.mod"


def data(name: str, instance: str) -> str:
    """Write the data section of one instance of a formulation."""
    document = tomllib.loads(model(name).with_suffix(".toml").read_text(encoding="utf-8"))
    (question,) = (item["question"] for item in document["instance"] if item["name"] == instance)
    return data_text(**data_of(name, question))


@each(("name", "instance"), instances(), every=4)
def test_optimum_is_the_known_one(name: str, instance: dict[str, Any]) -> None:
    known = instance["known"]
    objective = solve(model(name), data_text(**data_of(name, instance["question"])))
    assert objective == pytest.approx(float(known["objective"]), rel=0, abs=known["tolerance"])


@each(("name", "instance"), instances(), every=3)
def test_rows_and_columns_are_named_and_bounded(name: str, instance: dict[str, Any]) -> None:
    algebra = read_algebra(model(name), data_text(**data_of(name, instance["question"])))
    assert {row.partition("[")[0] for row in algebra.rows} <= ROWS[name]
    bounds = {column: bounds[:2] for column, bounds in algebra.columns.items()}
    assert bounds.pop("worst", (0.0, math.inf)) == (0.0, math.inf)  # a loss, and no probability
    assert set(bounds.values()) == {(0.0, 1.0)}
    assert all(is_integer == (column[0] == "u") for column, (_, _, is_integer) in algebra.columns.items())
    assert all(0.0 not in coefficients.values() for _, _, coefficients in algebra.rows.values())


@each("name", ROWS)
def test_each_model_has_a_toml_that_names_it(name: str) -> None:
    document = tomllib.loads(model(name).with_suffix(".toml").read_text(encoding="utf-8"))
    assert document["algebra"] == model(name).name
    names = [instance["name"] for instance in document["instance"]]
    assert len(names) == len(set(names))


def test_no_model_is_left_out() -> None:
    assert {path.stem for path in FORMULATIONS.glob("*.mod")} == set(ROWS)
    assert {path.stem for path in FORMULATIONS.glob("*.toml")} == set(ROWS)


def test_variant_1_has_the_size_that_its_definition_gives() -> None:
    """For F truths, F responses and P unordered pairs: F^2 columns and F + 2PF rows."""
    algebra = read_algebra(model("croft_variant_1"), data("croft_variant_1", "mean-of-five"))
    truths, pairs = 21, 4 * 21 - 10
    assert len(algebra.columns) == truths**2
    assert len(algebra.rows) == truths + 2 * pairs * truths


def test_variant_2_adds_the_rows_of_its_four_properties() -> None:
    algebra = read_algebra(model("croft_variant_2"), data("croft_variant_2", "mean-of-five"))
    truths, pairs = 21, 4 * 21 - 10
    added = 2 * truths * (truths - 1) + truths**2 // 2 + truths - 1
    assert len(algebra.rows) == truths + 2 * pairs * truths + added


def test_coarse_responses_make_rows_flat_inside_a_category() -> None:
    """With two truths a category, Croft (12) and (13) together ask equality between the two."""
    truths, responses = range(6), range(3)
    coarse = data_text(
        E=2.0,
        R=responses,
        F=truths,
        A=[(f, g) for f in truths for g in truths if abs(f - g) == 1],
        p=dict.fromkeys(truths, 1),
        l={(r, f): abs(2 * r + 0.5 - f) for r in responses for f in truths},
        home={f: f // 2 for f in truths},
        value={f: f for f in truths},
        lower={r: 2 * r - 0.5 for r in responses},
        upper={r: 2 * r + 1.5 for r in responses},
    )
    rows = read_algebra(model("croft_variant_2"), coarse).rows
    both = {(r, f) for r in responses for f in truths if f"row_rising[{r},{f}]" in rows}
    both &= {(r, f) for r in responses for f in truths if f"row_falling[{r},{f}]" in rows}
    assert both == {(0, 0), (1, 2), (2, 4)}
    assert sum(row.startswith("symmetric") for row in rows) == 3 * 6 // 2
    assert rows["fair[1]"] == (0.0, 0.0, {"M[0,1]": 1.0, "M[1,2]": -1.0})


def test_printed_kadam_has_the_columns_that_the_paper_counts() -> None:
    algebra = read_algebra(model("kadam_printed"), data("kadam_printed", "table-1-second"))
    assert len(algebra.columns) == 3 * 9


def test_sadeghi_example_1_is_matrix_6() -> None:
    """Sadeghi (6), row y = 2, columns n = 1 and n = 2: alpha/4 against eta = 1/2."""
    algebra = read_algebra(model("sadeghi"), data("sadeghi", "example-1"))
    lower, upper, coefficients = algebra.rows["privacy[2,1,2]"]
    half_e = math.e / 2
    assert (lower, upper) == (-math.inf, 0.0)
    assert coefficients == pytest.approx(
        {
            "alpha[-1,1,1]": 1 / 4,
            "alpha[-1,1,2]": -half_e,
            "alpha[-1,2,2]": -half_e,
            "alpha[-2,1,2]": -half_e,
            "alpha[-2,2,2]": -half_e,
            "delta": -1.0,
        }
    )


def test_symmetric_rows_keep_their_constants_on_the_right() -> None:
    algebra = read_algebra(model("sadeghi_symmetric"), data("sadeghi_symmetric", "three-steps"))
    eta, share = 0.5, 0.25
    assert algebra.rows["privacy[3,3,4]"] == (  # Sadeghi (19)
        -math.inf,
        -eta,
        {"alpha[1]": -math.e * share, "delta": -1.0},
    )
    assert algebra.rows["privacy[4,3,4]"] == (  # the row that Proposition 4 leaves out
        -math.inf,
        math.e * eta,
        {"alpha[1]": share, "delta": -1.0},
    )


def test_printed_sadeghi_rows_are_the_first_of_all_rows() -> None:
    name, instance = "sadeghi_symmetric", "small-accuracy"
    all_rows = read_algebra(model(name), data(name, instance)).rows
    printed = read_algebra(model(f"{name}_paper"), data(name, instance)).rows
    rows = {"total", *(f"privacy[{y},4,5]" for y in range(5))}
    assert printed == {row: all_rows[row] for row in rows}


def test_objective_is_not_a_row_and_keeps_its_constant(tmp_path: Path) -> None:
    path = tmp_path / "small.mod"
    path.write_text("var x >= 0; minimize cost: 2*x + 3; s.t. floor: x >= 1; end;")
    algebra = read_algebra(path, data_text())
    assert algebra.rows == {"floor": (1.0, math.inf, {"x": 1.0})}
    assert algebra.columns == {"x": (0.0, math.inf, False)}
    assert (algebra.objective, algebra.constant) == ({"x": 2.0}, 3.0)


def test_doubles_arrive_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "small.mod"
    path.write_text("param c{1..3}; var x; minimize z: x; s.t. a{i in 1..3}: c[i]*x >= 1; end;")
    doubles = {1: math.e, 2: 0.1 + 0.2, 3: 1e-300}
    rows = read_algebra(path, data_text(c=doubles)).rows
    assert {i: rows[f"a[{i}]"][2]["x"] for i in doubles} == doubles


def test_data_text_writes_sets_and_parameters() -> None:
    text = data_text(E=1.5, R=range(2), A=[(0, 1), (1, 0)], l={(0, 1): 2, (1, 0): 1e-05}, Mu=[])
    assert text.splitlines() == [
        "data;",
        "param E := 1.5;",
        "set R := 0, 1;",
        "set A := 0 1, 1 0;",
        "param l := 0 1 2, 1 0 1e-05;",
        "set Mu := ;",
        "end;",
    ]


def test_syntax_error_raises_with_what_glpk_says(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wrong.mod"
    path.write_text("var x >= ;\nend;")
    with pytest.raises(AlgebraError, match=r"wrong\.mod:1: syntax error"):
        read_algebra(path, data_text())
    assert capfd.readouterr().out == ""


def test_missing_data_raises_with_what_glpk_says() -> None:
    with pytest.raises(AlgebraError, match="no value for E"):
        read_algebra(model("kadam_pure"), data_text(n=1, Mu=[1], rho={0: 0, 1: 1}))


def test_infeasible_model_raises(tmp_path: Path) -> None:
    path = tmp_path / "small.mod"
    path.write_text("var x >= 0, <= 1; minimize z: x; s.t. a: x >= 2; end;")
    with pytest.raises(AlgebraError, match=r"small\.mod: no optimum of the LP"):
        solve(path, data_text())
