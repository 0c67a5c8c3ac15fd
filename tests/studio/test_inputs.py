import shlex

import pytest

from optmech.base.errors import ProblemError
from optmech.cli.arguments import build_parser, with_joined_values
from optmech.cli.questions import choices_of
from optmech.question.problems.named import named_problem
from optmech.question.properties import PROPERTIES
from optmech.reports.studio.inputs import MOST_TRUTHS, Inputs, inputs_of

HOSTILE = [
    {"largest": value}
    for value in (
        None, True, "5", 5.5, float("nan"), float("inf"), -(10**9), 10**5000, 1e300, [5], {"a": 1}, 101,
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
    {"beyond": -1}, {"records": 0}, {"query": "mean", "records": 100, "largest": 2}, {"smallest": 20},
    {"nothing": 1}, {7: 1}, {"__class__": 1},
]  # fmt: skip


@pytest.mark.parametrize("sent", HOSTILE, ids=map(str, range(len(HOSTILE))))
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
    Inputs(properties=tuple(map(str, PROPERTIES))),
]


@pytest.mark.parametrize("inputs", QUESTIONS, ids=lambda inputs: str(inputs.choices())[:60])
def test_the_command_line_that_is_shown_asks_the_same_question(inputs):
    program, *words = shlex.split(inputs.command())
    parsed = build_parser().parse_args(with_joined_values(words))
    assert (program, parsed.command, parsed.out) == ("optmech", "design", "mechanism.csv")
    asked = named_problem(parsed.formulation, choices_of(parsed))
    assert str(asked) == str(inputs.problem())
    assert asked.privacy == inputs.problem().privacy


def test_the_largest_questions_have_as_many_truths_as_are_allowed():
    largest = [
        Inputs(largest=100),
        Inputs(query="extremum", smallest=-50, largest=50),
        Inputs(query="mean", largest=4, records=25),
    ]
    assert [len(inputs.problem().query.truths) for inputs in largest] == [MOST_TRUTHS] * 3


def test_numbers_of_a_browser_are_whole_numbers():
    inputs = inputs_of({"largest": 7.0, "properties": ["symmetric", "fair", "fair"]})
    assert (inputs.largest, inputs.properties) == (7, ("fair", "symmetric"))
    assert hash(inputs) == hash(inputs_of({"largest": 7, "properties": ("fair", "symmetric")}))
