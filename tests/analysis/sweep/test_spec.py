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
from tests.each import each

EXAMPLE = Path(__file__).parents[3] / "examples" / "sweep.toml"
COUNT = 'formulation = "croft"\nquery = "count"\nrange = "0:3"\n'


@pytest.fixture
def spec(tmp_path):
    def write(text):
        path = tmp_path / "spec.toml"
        path.write_text(text)
        return path

    return write


def key_of(**choices):
    settings = {name: choices.pop(name) for name in ("solver", "time_limit", "threads") if name in choices}
    return Cell(formulation="croft", choices=choices, settings=settings).key


def test_the_product_is_in_the_order_of_the_file_the_last_list_fastest(spec):
    cells = read_spec(spec(COUNT + 'epsilon = ["0.5", 1]\nloss = ["absolute", "squared"]'))
    pairs = [(cell.choices["epsilon"], cell.choices["loss"]) for cell in cells]
    assert pairs == [("0.5", "absolute"), ("0.5", "squared"), ("1", "absolute"), ("1", "squared")]


def test_what_stands_above_the_grids_holds_for_all_unless_one_says_otherwise(spec):
    text = """
    epsilon = ["0.5", "1"]
    solver = "highs"
    [[grid]]
    formulation = "croft"
    query = "count"
    range = "0:3"
    [[grid]]
    formulation = "sadeghi-symmetric"
    epsilon = "2"
    accuracy = "0.8"
    half_width = [2, 3]
    """
    cells = read_spec(spec(text))
    assert [(cell.formulation, cell.choices["epsilon"]) for cell in cells] == [
        *(("croft", "0.5"), ("croft", "1"), ("sadeghi-symmetric", "2"), ("sadeghi-symmetric", "2")),
    ]
    assert {cell.settings["solver"] for cell in cells} == {"highs"}


@each(
    ("line", "values"),
    [
        ("distances = [1, 2]", [[1, 2]]),
        ("distances = [[1], [1, 2]]", [[1], [1, 2]]),
        ('cost = "circular"', ["circular"]),
        ('cost = ["circular", "squared"]', ["circular", "squared"]),
        ("cost = [0, 1, 1, 2, 1]", [[0, 1, 1, 2, 1]]),
        ('cost = ["circular", [0, 1, 1, 2, 1]]', ["circular", [0, 1, 1, 2, 1]]),
    ],
)
def test_a_list_is_one_value_where_one_value_is_a_list(spec, line, values):
    rest = "" if line.startswith("distances") else "distances = [1]\n"
    cells = read_spec(spec(f'formulation = "kadam"\nmodulus = 5\nepsilon = "1"\n{rest}{line}'))
    name = line.split(" = ")[0]
    assert [cell.choices[name] for cell in cells] == values


def test_properties_and_a_loss_matrix_are_lists_too(spec):
    cells = read_spec(spec(COUNT + 'epsilon = "1"\nproperties = [[], ["symmetric", "fair"], "fair"]'))
    assert [cell.choices["properties"] for cell in cells] == [[], ["fair", "symmetric"], "fair"]
    matrix = [[0, 1], [1, 0]]
    text = f'formulation = "croft"\nquery = "count"\nrange = "0:1"\nepsilon = "1"\nloss = {matrix}'
    (cell,) = read_spec(spec(text))
    assert cell.choices["loss"] == matrix


QUESTION = 'formulation = "question"\nepsilon = "1"\n'
BOTH = ["mean absolute <= 1.2", "worst beyond 1 <= 0.9"]


@each(
    ("text", "name", "values"),
    [
        (f'query = "count"\nrange = "0:3"\nbounds = {BOTH}', "bounds", [BOTH]),
        (f'query = "count"\nrange = "0:3"\nbounds = [{BOTH}, {BOTH[:1]}]', "bounds", [BOTH, BOTH[:1]]),
        (
            'query = "graph"\nloss = "zero-one"\nedges = [["a", "b", 1], ["b", "c", 2]]',
            "edges",
            [[["a", "b", 1], ["b", "c", 2]]],
        ),
        (
            'query = "categories"\nloss = "distance"\nof = ["a", "b"]\ndistance = [[0, 1], [1, 0]]',
            "distance",
            [[[0, 1], [1, 0]]],
        ),
        (
            'query = "vector"\nmoduli = [3, 3]\ndistances = [[[0, 1], [1, 0]], [[1, 1]]]',
            "distances",
            [[[0, 1], [1, 0]], [[1, 1]]],
        ),
    ],
)
def test_what_a_question_takes_as_a_list_can_be_swept(spec, text, name, values):
    cells = read_spec(spec(QUESTION + text))
    assert [cell.choices[name] for cell in cells] == values
    assert all(cell.problem() for cell in cells)


def test_the_same_question_in_other_words_is_one_cell(spec):
    cells = read_spec(spec(COUNT + 'epsilon = ["0.5", 0.5, "1/2", "0.50", "5e-1"]'))
    assert [cell.choices["epsilon"] for cell in cells] == ["0.5"]
    (cell,) = read_spec(spec(COUNT + "exp_epsilon = [2, '4/2']"))
    assert cell.key == key_of(query="count", range=" 0 : 3", epsilon="ln 2")


def test_a_key_stays_what_it_is():
    # Rows on people's disks are known by it.
    assert key_of(query="count", range="0:3", epsilon="0.5") == "692fd4fae5776868"


@given(st.permutations([("query", "count"), ("range", "0:3"), ("epsilon", "1"), ("solver", "highs")]))
def test_a_key_does_not_depend_on_the_order_of_what_is_asked(items):
    assert key_of(**dict(items)) == key_of(query="count", range="0:3", epsilon="1", solver="highs")


def test_whatever_is_asked_otherwise_has_another_key():
    options = {"query": "count", "range": "0:3", "epsilon": "1"}
    others = [{"epsilon": "1.1"}, {"range": "0:4"}, {"loss": "squared"}, {"solver": "cbc"}]
    keys = {key_of(**options), *(key_of(**{**options, **other}) for other in others)}
    assert len(keys) == 1 + len(others)


def test_more_time_or_threads_ask_for_the_same_cell(spec):
    options = {"query": "count", "range": "0:3", "epsilon": "1"}
    assert key_of(**options) == key_of(**options, time_limit=9) == key_of(**options, time_limit=10, threads=2)
    for name in ("time_limit", "threads"):
        with pytest.raises(OptmechError, match=f"`{name}` must be one value in .*, grid 1; got a list"):
            read_spec(spec(COUNT + f"epsilon = 1\n{name} = [1, 2]"))


def test_a_large_cell_is_not_built_to_be_checked(spec, monkeypatch):
    built, build = [], Cell.problem
    monkeypatch.setattr(Cell, "problem", lambda cell: (built.append(cell.choices["range"]), build(cell)))
    text = 'formulation = "croft"\nquery = "count"\nrange = ["0:3", "0:30000"]\nepsilon = ["1", "2"]'
    assert len(read_spec(spec(text))) == 4
    assert set(built) == {"0:3"}
    fits_the_large_alone = f'\nprior = ["uniform", {[1 / 30001] * 30001}]'
    assert len(read_spec(spec(text + fits_the_large_alone))) == 8
    with pytest.raises(OptmechError, match="`loss` must be one of"):
        read_spec(spec(text + '\nloss = ["absolute", "absolut"]'))


def test_a_cell_beyond_memory_does_not_refuse_the_others(spec, monkeypatch):
    build = Cell.problem

    def fills_memory(cell):
        if cell.choices["range"] == "0:4":
            raise MemoryError
        return build(cell)

    monkeypatch.setattr(Cell, "problem", fills_memory)
    text = 'formulation = "croft"\nquery = "count"\nrange = ["0:4", "0:3"]\nepsilon = "1"'
    assert [cell.choices["range"] for cell in read_spec(spec(text))] == ["0:4", "0:3"]


def test_a_combination_that_cannot_be_asked_is_a_cell_like_others(spec):
    # A prior of four probabilities fits counts 0..3 alone.
    cells = read_spec(
        spec('formulation = "croft"\nquery = "count"\nrange = ["0:3", "0:4"]\nepsilon = "1"\n'
             'prior = ["uniform", [0.25, 0.25, 0.25, 0.25]]')
    )  # fmt: skip
    assert len(cells) == 4
    with pytest.raises(OptmechError, match="must have 5 entries"):
        cells[-1].problem()


@each(
    ("text", "sentence"),
    [
        ("", "must be one of count, mean, .*, sadeghi-symmetric, kadam in .*; got none"),
        ('formulation = "crofd"', "got 'crofd'"),
        (COUNT + 'epsilon = "1"\nlos = "squared"', "`los` is no key of croft in .*; it knows formulation, "),
        (COUNT + "epsilon = []", "`epsilon` must have at least one value in .*; got an empty list"),
        (COUNT + "epsilon = 1\nproperties = []", r"For no property at all write \[\[\]\]"),
        (COUNT, "grid 1: `epsilon` must be given for croft"),
        (COUNT + 'epsilon = "half"', "grid 1: `epsilon` must be a finite number; got 'half'"),
        (COUNT + "epsilon = true", "`epsilon` must be a finite number; got True"),
        (COUNT + "epsilon = -1", "`epsilon` must be positive; got -1"),
        (COUNT + "epsilon = 1979-05-27", "`epsilon` must be text, a number, true or false, or a list"),
        (COUNT + "epsilon = {a = 1}", "`epsilon` must be text"),
        (COUNT + "epsilon = [[1, 2]]", "`epsilon` must be text"),
        (COUNT + 'epsilon = "1"\nexp_epsilon = 2', "must not both be given"),
        (COUNT + 'epsilon = ["1", "2"]\nloss = ["absolute", "absolut"]', "`loss` must be one of"),
        (COUNT + 'epsilon = "1"\nvariant = [1, 3]', "`variant` must be 1 or 2; got 3"),
        (COUNT + 'epsilon = "1"\nproperties = [["fair"], ["far"]]', "`properties` must be among"),
        (COUNT + 'epsilon = "1"\nengine = "magic"', "`engine` must be one of auto, closed-form, chain"),
        (COUNT + 'epsilon = "1"\nsolver = "gurobi"', "solver 'gurobi' is not available"),
        (COUNT + 'epsilon = "1"\ntime_limit = 0', "`time_limit` must be positive; got 0"),
        (COUNT + 'epsilon = "1"\ntime_limit = "long"', "`time_limit` must be positive; got 'long'"),
        (COUNT + 'epsilon = "1"\nmethod = "magic"', "`method` must be one of"),
        ('formulation = "sadeghi-symmetric"\nepsilon = "1"\naccuracy = "0.5"\nhalf_width = "wide"', "wide"),
        ('grid = "croft"', r"`grid` must be written \[\[grid\]\]"),
        ("grid = []", r"`grid` must be written \[\[grid\]\]"),
        ("epsilon = [", "must be TOML text"),
        ('formulation = "kadam"\nmodulus = 9\nepsilon = "1"\ndistances = "far"', "distances"),
    ],
)  # fmt: skip
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
        read_spec(spec(COUNT + f"epsilon = {numbers}\nvariant = {numbers}"))


def test_the_example_is_a_sweep():
    cells = read_spec(EXAMPLE)
    assert len({cell.key for cell in cells}) == len(cells) == 24
    assert {"engine", "solver"}.isdisjoint(
        set().union(*(cell.settings for cell in cells))
    )  # each engine may answer
