import json
import shlex
from urllib.parse import parse_qsl

import pytest

from optmech.base.errors import ProblemError
from optmech.cli import main
from optmech.cli.commands import build_parser
from optmech.cli.questions import problem_of
from optmech.question.properties import PROPERTIES
from optmech.reports.studio.address import inputs_at
from optmech.reports.studio.inputs import MOST_COUNTS, MOST_TRUTHS, Inputs, inputs_of
from optmech.reports.studio.queries import inputs_of_query
from tests.each import each

HOSTILE = [
    {"largest": value}
    for value in (
        None, True, "5", 5.5, float("nan"), float("inf"), -(10**9), 10**5000, 1e300, [5], {"a": 1}, 100_001,
        -1, 0,
    )
] + [
    {"epsilon": value}
    for value in (
        None, 1, 0, "", "0", "-1", "nan", "inf", "1e999999999", "1/0", "ln 0", "ln 1e399", "1e-400", "log2 8",
        "9" * 41, "1" * 10**6, "\N{FULLWIDTH DIGIT ONE}", "0.5; rm", "0x10", "1_0", ["1"],
    )
] + [
    {"delta": value} for value in (None, 0, "ln 2", "0.6", "-1e-9", "1e-400", "1e-13", "nan", [])
] + [
    {"query": "graph"}, {"query": ["count"]}, {"query": None}, {"loss": "beyond 2"}, {"loss": {}},
    {"judged": ""}, {"properties": "fair"}, {"properties": [["fair"]]}, {"properties": ["fair"] * 10**4},
    {"properties": ["accuracy >= 1"]}, {"properties": {"fair": 1}}, {"seconds": 10**6}, {"seconds": 0},
    {"beyond": -1}, {"records": 0}, {"query": "mean", "records": 100, "largest": 5}, {"smallest": 20},
    {"query": "extremum", "largest": 401}, {"per_person": 0}, {"per_person": "2"}, {"categories": 3},
    {"query": "categories", "categories": "a" * 1001},
    {"nothing": 1}, {7: 1}, {"__class__": 1},
]  # fmt: skip


@each("sent", HOSTILE)
def test_whatever_a_client_sends_is_refused_in_a_sentence(sent):
    with pytest.raises(ProblemError) as refused:
        inputs_of(sent)
    sentence = str(refused.value)
    assert all(part in sentence for part in ("`", " must ", "; got "))
    assert len(sentence) < 300


QUESTIONS = [
    Inputs(),
    Inputs(query="extremum", smallest=-3, largest=3, epsilon="ln 2"),
    Inputs(query="mean", largest=4, records=25, loss="squared", judged="worst"),
    Inputs(query="extremum", smallest=1, largest=7, properties=("symmetric", "fair"), loss="zero-one"),
    Inputs(loss="beyond", beyond=3, delta="1e-6", epsilon=" 1/3 "),
    Inputs(properties=tuple(map(str, PROPERTIES)), delta="1e-6"),
    Inputs(query="mean", smallest=1, largest=5, records=26, per_person=2),
    Inputs(query="categories", categories="flu, cold ,none", epsilon="2"),
    Inputs(query="total", records=8, largest=4, per_person=2),
    Inputs(query="total", records=8, smallest=-1, largest=4, adjacency="add-remove"),
    Inputs(query="histogram", largest=9, epsilon="0.3", properties=("fair",)),
    Inputs(query="histogram", largest=9, adjacency="add-remove", per_person=3),
    Inputs(query="histogram", largest=9, delta="1e-4", judged="worst"),
    Inputs(query="histogram", largest=9, adjacency="add-remove", epsilon="ln 2"),
]


@each("inputs", QUESTIONS)
def test_the_command_line_that_is_shown_asks_the_same_question(inputs):
    program, *words = shlex.split(inputs.command())
    parsed = build_parser().parse_args(words)
    assert (program, parsed.command, parsed.out) == ("optmech", "design", "mechanism.csv")
    assert problem_of(parsed).to_dict() == inputs.problem().to_dict()


@each("inputs", [inputs for inputs in QUESTIONS if "records" in inputs_of_query(inputs.query)])
def test_the_true_answers_are_counted_as_the_question_has_them(inputs):
    assert inputs.num_truths == inputs.problem().query.num_truths


@each(
    ("inputs", "rule"),
    [
        ({"query": "total", "records": 101, "largest": 4}, "at most 401 true values in the studio; got 405"),
        ({"query": "total", "records": 3, "per_person": 4}, "`records_per_person` must be at most 3"),
        ({"query": "total", "adjacency": "replace"}, "`adjacency` must be one of change, add-remove"),
        ({"query": "histogram", "per_person": 2, "delta": "1e-6"}, "`delta` must be left out where a person"),
        ({"query": "histogram", "epsilon": "ln 2"}, "`epsilon` must be a number that 2 parts"),
    ],
)
def test_a_total_or_a_histogram_that_cannot_be_asked_is_refused(inputs, rule):
    with pytest.raises(ProblemError, match=rule):
        inputs_of(inputs).problem()


def test_the_largest_questions_have_as_many_truths_as_are_allowed():
    largest = [
        Inputs(query="extremum", smallest=-200, largest=200),
        Inputs(query="mean", smallest=1, largest=5, records=100),
    ]
    assert [len(inputs.problem().query.truths) for inputs in largest] == [MOST_TRUTHS] * 2
    assert Inputs(largest=100_000).problem().query.num_truths == MOST_COUNTS


@pytest.mark.parametrize(
    ("inputs", "end"),
    [
        (Inputs(largest=1500), "--engine chain --out mechanism.certificate.json"),
        (Inputs(largest=1500, delta="1e-6"), "--out mechanism.csv"),
        (Inputs(largest=5000, delta="1e-6"), "--out mechanism.certificate.json"),
    ],
    ids=str,
)
def test_the_command_line_of_a_large_count_runs_and_writes_what_is_shown(inputs, end, tmp_path, monkeypatch):
    assert inputs.command().endswith(end)
    monkeypatch.chdir(tmp_path)
    if inputs.problem().query.is_large or inputs.privacy == "pure":
        assert main(shlex.split(inputs.command())[1:]) == 0
        assert (tmp_path / "mechanism.certificate.json").is_file()


@each("inputs", QUESTIONS)
def test_the_address_of_a_page_states_its_question(inputs):
    again = inputs_at(dict(parse_qsl(inputs.address())))
    assert again.question() == inputs.question()
    assert again.stated() == inputs.stated()
    assert again.seconds == inputs.seconds


@each(
    "address",
    [
        "largest=5",
        "question=",
        "question=5",
        "question=[]",
        "question={}",
        "question=" + "[" * 20_000,
        "seconds=5.5",
        "seconds=",
        *(
            "question=" + json.dumps(table)
            for table in (
                {"query": {"kind": "count"}, "privacy": 3},
                {"query": {"kind": "count", "largest": 5.5}, "privacy": {"kind": "pure"}},
                {"query": {"kind": "count", "largest": 10**9}, "privacy": {"kind": "pure", "epsilon": "1"}},
                {"query": {"kind": ["count"]}, "privacy": {"kind": "pure", "epsilon": "<b>"}},
                {"query": {"kind": "count", "labels": [3]}, "privacy": {"kind": "pure", "epsilon": "1"}},
                {"query": {"kind": "graph"}, "privacy": {"kind": "pure", "epsilon": "1"}},
                {"query": {"kind": "count"}, "privacy": {"kind": "per-outcome", "epsilon": "1"}},
                {"query": {"kind": "count"}, "privacy": {"kind": "pure"}, "rules": []},
                {"query": {"kind": "count"}, "privacy": {"kind": "pure"}, "properties": [["fair"]]},
                {"query": {"kind": "count"}, "privacy": {"kind": "pure"}, "structure": {"kind": "modular"}},
                *(
                    {"query": {"kind": "count"}, "privacy": {"kind": "pure"}, "objective": objective}
                    for objective in (
                        {"loss": "beyond 1/2"},
                        {"loss": "beyond " + "9" * 99},
                        {"loss": {}},
                        {"prior": "sum"},
                        {"worst_case": 1},
                        {"least": "delta"},
                    )
                ),
            )
        ),
    ],
)
def test_an_address_that_states_none_is_refused(address):
    with pytest.raises(ProblemError, match=r"must .*; got "):
        inputs_at(dict(parse_qsl(address, keep_blank_values=True)))


def test_numbers_of_a_browser_are_whole_numbers():
    inputs = inputs_of({"largest": 7.0, "properties": ["symmetric", "fair", "fair"]})
    assert (inputs.largest, inputs.properties) == (7, ("fair", "symmetric"))
    assert hash(inputs) == hash(inputs_of({"largest": 7, "properties": ("fair", "symmetric")}))
