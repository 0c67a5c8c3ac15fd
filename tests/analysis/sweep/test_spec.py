"""A spec becomes its product of cells, or a sentence that says what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optmech.analysis.sweep import spec as spec_module
from optmech.analysis.sweep.cell import Cell
from optmech.analysis.sweep.spec import read_spec
from optmech.base.errors import OptmechError
from optmech.base.toml_text import toml_value
from tests.analysis.sweep.asked import count_question
from tests.each import each

EXAMPLE = Path(__file__).parents[3] / "examples" / "sweep.toml"
COUNT = '[question]\nquery = {kind = "count", smallest = 0, largest = 3}\n'
PURE = 'privacy = {kind = "pure", epsilon = "1"}\n'


@pytest.fixture
def spec(tmp_path):
    def write(text):
        path = tmp_path / "spec.toml"
        path.write_text(text)
        return path

    return write


def key_of(largest=3, epsilon="1", settings=None, **parts):
    return Cell(question=count_question(largest, epsilon, **parts), settings=settings or {}).key


def pure(epsilon):
    return f'privacy = {{kind = "pure", epsilon = {epsilon}}}\n'


def test_the_product_is_in_the_order_of_the_file_the_last_list_fastest(spec):
    cells = read_spec(spec(COUNT + pure('["0.5", 1]') + 'objective.loss = ["absolute", "squared"]'))
    pairs = [(cell.question["privacy"]["epsilon"], cell.question["objective"]["loss"]) for cell in cells]
    assert pairs == [("0.5", "absolute"), ("0.5", "squared"), ("1", "absolute"), ("1", "squared")]


def test_what_stands_above_the_grids_holds_for_all_unless_one_says_otherwise(spec):
    text = """
    solver = "highs"
    question.privacy = {kind = "pure", epsilon = ["0.5", "1"]}
    [[grid]]
    question.query = {kind = "count", smallest = 0, largest = 3}
    [[grid]]
    [grid.question]
    query = {kind = "count", smallest = 3, largest = 6}
    privacy = {kind = "per-outcome", epsilon = "2"}
    structure = {kind = "symmetric", accuracy = "0.8", half_width = [2, 3]}
    objective.least = "delta"
    """
    cells = read_spec(spec(text))
    privacies = [(cell.question["privacy"]["kind"], cell.question["privacy"]["epsilon"]) for cell in cells]
    assert privacies == [("pure", "0.5"), ("pure", "1"), ("per-outcome", "2"), ("per-outcome", "2")]
    assert [cell.question["structure"]["half_width"] for cell in cells[2:]] == [2, 3]
    assert {cell.settings["solver"] for cell in cells} == {"highs"}


RESIDUES = '[question]\nstructure.kind = "modular"\n' + PURE
BOTH = [{"loss": "absolute", "at_most": "1.2"}, {"loss": "beyond 1", "worst_case": True, "at_most": "0.9"}]
DEFINITIONS = [{"kind": "pure", "epsilon": "2"}, {"kind": "approximate", "epsilon": "1", "delta": "0.1"}]


def toml(part, **kinds):
    return f"{part} = {toml_value(kinds)}\n"


@each(
    ("text", "part", "values"),
    [
        (RESIDUES + toml("query", kind="residues", modulus=5, distances=[1, 2]), "query.distances", [[1, 2]]),
        (
            RESIDUES + toml("query", kind="residues", modulus=5, distances=[[1], [1, 2]]),
            "query.distances",
            [[1], [1, 2]],
        ),
        (
            RESIDUES + toml("query", kind="vector", moduli=[3, 3], distances=[[0, 1], [1, 0]]),
            "query.distances",
            [[[0, 1], [1, 0]]],
        ),
        (
            RESIDUES + toml("query", kind="vector", moduli=[3, 3], distances=[[[0, 1]], [[1, 1], [1, 2]]]),
            "query.distances",
            [[[0, 1]], [[1, 1], [1, 2]]],
        ),
        (COUNT + PURE + f"bounds = {toml_value(BOTH)}", "bounds", [BOTH]),
        (COUNT + PURE + f"bounds = {toml_value([BOTH, BOTH[:1]])}", "bounds", [BOTH, BOTH[:1]]),
        (COUNT + f"privacy = {toml_value(DEFINITIONS)}", "privacy", [DEFINITIONS]),
        (
            COUNT + f"privacy = {toml_value([DEFINITIONS, DEFINITIONS[:1]])}",
            "privacy",
            [DEFINITIONS, DEFINITIONS[0]],
        ),
        (COUNT + PURE + 'properties = ["symmetric", "fair"]', "properties", [["fair", "symmetric"]]),
        (
            COUNT + PURE + 'properties = [["symmetric", "fair"], ["fair"]]',
            "properties",
            [["fair", "symmetric"], ["fair"]],
        ),
        (
            PURE.join(["[question]\n", ""]) + toml("query", kind="categories", labels=["a", "b"]),
            "query.labels",
            [["a", "b"]],
        ),
        (
            COUNT + PURE + "objective.loss = {by_distance = [0, 1, 3]}",
            "objective.loss",
            [{"by_distance": ["0", "1", "3"]}],
        ),
        (
            COUNT + PURE + 'objective.loss = ["squared", {by_distance = [0, 1, 3]}]',
            "objective.loss",
            ["squared", {"by_distance": ["0", "1", "3"]}],
        ),
        (
            COUNT
            + PURE
            + 'structure = [{kind = "free"}, {kind = "modular"}]\nobjective.worst_case = [true, false]',
            "objective.loss",
            ["absolute"] * 4,
        ),
    ],
)
def test_a_list_is_one_value_where_one_value_is_a_list(spec, text, part, values):
    cells = read_spec(spec(text))
    found = [cell.question for cell in cells]
    for name in part.split("."):
        found = [part_of[name] for part_of in found]
    assert found == values
    assert all(cell.problem() for cell in cells)


def test_a_whole_query_may_vary(spec):
    queries = [{"kind": "count", "smallest": 0, "largest": 3}, {"kind": "categories", "labels": ["a", "b"]}]
    cells = read_spec(spec(f"[question]\nquery = {toml_value(queries)}\n{PURE}"))
    assert [cell.question["query"] for cell in cells] == queries
    assert [cell.question["objective"]["loss"] for cell in cells] == ["absolute", "zero-one"]


def test_the_same_question_in_other_words_is_one_cell(spec):
    cells = read_spec(spec(COUNT + pure('["0.5", 0.5, "1/2", "0.50", "5e-1"]')))
    assert [cell.question["privacy"]["epsilon"] for cell in cells] == ["0.5"]
    assert key_of(3, "log(2)", properties=["fair", "fair"]) == key_of(3, "ln 2", properties=["fair"])
    assert key_of(objective={"loss": "absolute", "prior": "uniform"}) == key_of(objective={})


def test_a_key_stays_what_it_is():
    # Rows on people's disks are known by it.
    assert key_of(3, "0.5") == "69e1a6fb14b6b905"


@given(st.permutations(["query", "privacy", "objective"]))
def test_a_key_does_not_depend_on_the_order_of_what_is_asked(names):
    question = count_question(3, "1")
    assert Cell(question={name: question[name] for name in names}, settings={}).key == key_of()


def test_whatever_is_asked_otherwise_has_another_key():
    others = [
        key_of(epsilon="1.1"),
        key_of(4),
        key_of(objective={"loss": "squared"}),
        key_of(properties=["fair"]),
    ]
    assert len({key_of(), key_of(settings={"solver": "cbc"}), *others}) == 6


def test_more_time_or_threads_ask_for_the_same_cell(spec):
    keys = {
        key_of(settings=settings) for settings in ({}, {"time_limit": 9}, {"time_limit": 10, "threads": 2})
    }
    assert keys == {key_of()}
    for name in ("time_limit", "threads"):
        with pytest.raises(OptmechError, match=f"`{name}` must be one value in .*, grid 1; got a list"):
            read_spec(spec(f"{name} = [1, 2]\n{COUNT}{PURE}"))


@pytest.mark.long
def test_a_large_cell_is_not_built_to_be_checked(spec, monkeypatch):
    built, build = [], Cell.problem
    monkeypatch.setattr(
        Cell, "problem", lambda cell: (built.append(cell.question["query"]["largest"]), build(cell))
    )
    text = COUNT.replace("3", "[3, 30000]") + pure('["1", "2"]')
    assert len(read_spec(spec(text))) == 4
    assert set(built) == {3}
    fits_the_large_alone = f'objective.prior = ["uniform", {[1 / 30001] * 30001}]\n'
    assert len(read_spec(spec(text + fits_the_large_alone))) == 8
    with pytest.raises(OptmechError, match="`loss` must be one of"):
        read_spec(spec(text + 'objective.loss = ["absolute", "absolut"]'))


def test_a_cell_beyond_memory_does_not_refuse_the_others(spec, monkeypatch):
    build = Cell.problem

    def fills_memory(cell):
        if cell.question["query"]["largest"] == 4:
            raise MemoryError
        return build(cell)

    monkeypatch.setattr(Cell, "problem", fills_memory)
    cells = read_spec(spec(COUNT.replace("3", "[4, 3]") + PURE))
    assert [cell.question["query"]["largest"] for cell in cells] == [4, 3]


def test_a_combination_that_cannot_be_asked_is_a_cell_like_others(spec):
    # A prior of four probabilities fits counts 0..3 alone.
    prior = 'objective.prior = ["uniform", [0.25, 0.25, 0.25, 0.25]]'
    cells = read_spec(spec(COUNT.replace("3", "[3, 4]") + PURE + prior))
    assert len(cells) == 4
    with pytest.raises(OptmechError, match="must have 5 entries"):
        cells[-1].problem()


@each(
    ("text", "sentence"),
    [
        ("", "`question` must be a table in .*, grid 1, with `query` and `privacy`"),
        ('formulation = "croft"\nquery = "count"', "`question` must be a table in"),
        (COUNT.replace("count", "cont") + PURE, "`question.query.kind` must be one of count, .*; got 'cont'"),
        (f'los = "squared"\n{COUNT}{PURE}', "`los` is no key of .*; it knows question, engine, solver, "),
        (COUNT + PURE + 'los = "squared"', "`question.los` is no part of a question in .*; it knows query, "),
        (COUNT + PURE + 'objective.los = "squared"', "`question.objective.los` must be left out: no key of"),
        (
            COUNT + pure("[]"),
            "`question.privacy.epsilon` must have at least one value in .*; got an empty list",
        ),
        (COUNT, "grid 1: `question.privacy` must be given for a question"),
        (COUNT + pure('"half"'), "grid 1: `question.privacy.epsilon` must be a finite number; got 'half'"),
        (COUNT + pure("true"), "`question.privacy.epsilon` must be a finite number; got True"),
        (COUNT + pure("-1"), "`epsilon` must be positive; got -1"),
        (COUNT + pure("1979-05-27"), "`question.privacy.epsilon` must be a finite number"),
        (COUNT + pure("{a = 1}"), "`question.privacy.epsilon` must be a finite number"),
        (COUNT + pure("[[1, 2]]"), "`question.privacy.epsilon` must be a finite number"),
        (COUNT + PURE + 'objective.loss = ["absolute", "absolut"]', "`loss` must be one of"),
        (COUNT + PURE + "objective.least = [1, 3]", "`question.objective.least` must be one of loss, delta"),
        (COUNT + PURE + 'properties = [["fair"], ["far"]]', "`properties` must be among"),
        (f'engine = "magic"\n{COUNT}{PURE}', "`engine` must be one of auto, closed-form, chain"),
        (f'solver = "gurobi"\n{COUNT}{PURE}', "solver 'gurobi' is not available"),
        (f"time_limit = 0\n{COUNT}{PURE}", "`time_limit` must be positive; got 0"),
        (f'time_limit = "long"\n{COUNT}{PURE}', "`time_limit` must be positive; got 'long'"),
        (f'method = "magic"\n{COUNT}{PURE}', "`method` must be one of"),
        (
            COUNT + PURE + 'structure = {kind = "symmetric", accuracy = "0.5", half_width = "wide"}',
            "got 'wide'",
        ),
        ('grid = "croft"', r"`grid` must be written \[\[grid\]\]"),
        ("grid = []", r"`grid` must be written \[\[grid\]\]"),
        ("epsilon = [", "must be TOML text"),
        (
            RESIDUES + toml("query", kind="residues", modulus=9, distances="far"),
            "`question.query.distances` must be a list of whole numbers; got 'far'",
        ),
        (COUNT + "privacy = 3", "`question.privacy` must be a table of a `kind`"),
        ("[question]\nquery = []\n" + PURE, "`question.query` must have at least one value"),
        ('[question]\nquery = ["count"]\n' + PURE, "`question.query` must be a table of a `kind`"),
    ],
)
def test_a_bad_spec_gets_a_sentence(spec, text, sentence):
    with pytest.raises(OptmechError, match=sentence):
        read_spec(spec(text))


def test_a_file_that_cannot_be_read_gets_a_sentence(tmp_path):
    with pytest.raises(OptmechError, match="must be a file that can be read; got no such file"):
        read_spec(tmp_path / "none.toml")
    with pytest.raises(OptmechError, match="must be a file that can be read; got a folder"):
        read_spec(tmp_path)
    (tmp_path / "spec.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(OptmechError, match="must be text in UTF-8"):
        read_spec(tmp_path / "spec.toml")


def test_a_product_beyond_all_measure_is_refused_before_it_is_made(spec, monkeypatch):
    monkeypatch.setattr(spec_module, "product", None)
    numbers = list(range(1, 2000))
    with pytest.raises(OptmechError, match="must have at most 1000000 cells; got 3996001"):
        read_spec(spec(COUNT.replace("3", str(numbers)) + pure(numbers)))


def test_the_example_is_a_sweep():
    cells = read_spec(EXAMPLE)
    assert len({cell.key for cell in cells}) == len(cells) == 24
    assert {"engine", "solver"}.isdisjoint(
        set().union(*(cell.settings for cell in cells))
    )  # each engine may answer
