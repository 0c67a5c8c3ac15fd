"""A wrong argument of a public call gets a sentence of ours, never an error from inside."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import optmech as om
from optmech.analysis.utility import error_quantiles, errors_by_truth, utility_measures
from optmech.question.properties import FAIR
from optmech.question.query_from_data import distances_from_data
from optmech.question.vectors import joint_pmf, marginal_pmf
from tests.each import each

QUERY = om.count(2)
PROBLEM = om.croft(QUERY, 1)
DESIGN = om.design(PROBLEM)
CERTIFICATE, MECHANISM = DESIGN.certificate, DESIGN.mechanism
RING = om.residues(5, [1])
FRAME = pd.DataFrame({"answer": [0, 1], "place": ["a", "b"]})
NOTHING = (None, "x", "", -1, 1.5, math.nan, True, [], [[1], [2, 3]], {}, object(), b"x", np.zeros(3), "\0")
NO_NUMBER = (
    None,
    "",
    "x",
    "nan",
    math.inf,
    math.nan,
    True,
    [],
    {},
    object(),
    1j,
    "1e5000",
    b"1",
    np.zeros(2),
)
NO_WHOLE = (
    None,
    "3",
    1.5,
    math.nan,
    True,
    [],
    {},
    object(),
    Fraction(1, 2),
    np.zeros(3),
    np.array(["a"]),
    int,
)
NO_FLAG = (None, "yes", 2, [], {}, object(), np.zeros(2))
NO_LIST = (None, -1, 1.5, math.nan, object(), int)
NO_PATH = (None, 1, 1.5, [], {}, object(), "missing", ".", "\0", "\ud800\0")
NO_NAME = (None, "x", "", -1, 1.5, [], {}, object(), np.zeros(3))
# One row is a loss for each distance.
NO_LOSS = (*(part for part in NOTHING if not isinstance(part, np.ndarray)), np.zeros((1, 3)), [-1.0, 0])
NO_LOSS_OF_A_QUESTION = tuple(part for part in NO_LOSS if part is not None)  # it takes the loss that fits
NO_QUERY = (*NOTHING, PROBLEM, DESIGN, MECHANISM, CERTIFICATE, "count")
NO_PROBLEM = (*NOTHING, QUERY, DESIGN, MECHANISM, CERTIFICATE)
RAW = om.design(PROBLEM, raw=True)
NO_CERTIFICATE = (*NOTHING, QUERY, PROBLEM, RAW, MECHANISM)
NO_MECHANISM = (*NOTHING, QUERY, PROBLEM)
NO_PRIOR = (
    ["1/3", "x", "1/3"],
    ["1/2"] * 2,
    ["1/2"] * 3,
    ["3/4", "1/2", "-1/4"],
    ["1e400", "0", "0"],
    ["1/3", None, "2/3"],
    ["1/3", ["1/3"], "1/3"],
    [b"1", b"0", b"0"],
    {"a": 1, "b": 0, "c": 0},
    np.array([["1/3"] * 3]),
    np.array([None] * 3),
    (part for part in ("1", "0")),
)
RECORDS = pa.table({"person": ["a", "b", "a"], "group": ["x", "y", "y"]})
COUNTED = {"table": RECORDS, "person": "person", "group": "group", "groups": ["x", "y"], "at_most": 2}
COMPOSED, FRONTIER = om.compose(DESIGN), om.analysis.frontier(PROBLEM, at=[1])
# A call, the arguments that are right, and for each argument what is wrong.
CALLS = [
    (om.count, {"largest": 3}, dict.fromkeys(("largest", "smallest", "records_per_person"), NO_WHOLE)),
    (
        om.count,
        {"largest": 3},
        {"largest": (0, -1, 10**30), "smallest": (-1, 3, 4), "records_per_person": (0, -2)},
    ),
    (om.mean, {"records": 2, "largest": 2}, dict.fromkeys(("records", "largest", "smallest"), NO_WHOLE)),
    (
        om.total,
        {"records": 2, "largest": 2},
        {
            **dict.fromkeys(("records", "largest", "smallest", "records_per_person"), NO_WHOLE),
            "adjacency": (None, "x", 1, [], {}, object()),
        },
    ),
    (om.total, {"records": 2, "largest": 2}, {"records": (0, -1, 10**30), "records_per_person": (0, 3)}),
    (
        om.as_private_as,
        {"noise": "discrete-gaussian", "sigma": "2"},
        {"noise": (*NOTHING, "gauss", "discrete-gaussian:2"), "sigma": (*NO_NUMBER, 0, -1), "rate": (1, "x")},
    ),
    (
        om.analysis.improve,
        {"noise": "discrete-gaussian:2", "query": om.count(3)},
        {
            "noise": (*NOTHING, "x", "discrete-gaussian:x", "gaussian:0"),
            "query": (*NO_QUERY, RING),
            "loss": (*NO_LOSS_OF_A_QUESTION, "x"),
            "prior": NO_PRIOR,
        },
    ),
    (
        om.tabulate,
        COUNTED,
        {
            "table": (*NOTHING, "missing.csv", "."),
            "person": NO_NAME,
            "group": (None, "x", "", 1, {}, object(), ["group", "x"], []),
            "groups": (None, "missing.csv", 1, [], object(), ["x"], ["x", "x", "y"]),
            "groups_from_data": (*NO_FLAG, True),
            "at_most": (*NO_WHOLE, 0, -1),
            "at_most_per_group": (*NO_WHOLE[1:], 0, 3),
            "out": (1, "x.txt", ".", ""),
            "drop_others": NO_FLAG,
            "key": (None, 1, [], "\ud800"),
        },
    ),
    (
        om.ledger,
        {"logs": []},
        {"logs": (*NO_LIST, [], "missing", ["missing.json"], [1]), "certificates": (1, ["x"], [1], None)},
    ),
    (om.extremum, {"smallest": 0, "largest": 2}, dict.fromkeys(("smallest", "largest"), NO_WHOLE)),
    (om.residues, {"modulus": 5, "distances": [1]}, {"modulus": (*NO_WHOLE, 1), "symmetric": NO_FLAG}),
    (
        om.residues,
        {"modulus": 5, "distances": [1]},
        {"distances": (*NO_LIST, [], ["x"], [9], [0], "ab", [[1]])},
    ),
    (om.vector, {"moduli": [2, 2], "distances": [[0, 1]]}, {"moduli": (*NO_LIST, [], [1], ["x"], [[2]])}),
    (
        om.vector,
        {"moduli": [2, 2], "distances": [[0, 1]]},
        {"distances": (*NO_LIST, [], [[0, 0]], [[9, 9]], [1])},
    ),
    (om.vector, {"moduli": [2, 2], "distances": [[0, 1]]}, {"changes": NO_NAME, "symmetric": NO_FLAG}),
    (
        om.categories,
        {"names": ["a", "b"]},
        {"names": (*NO_LIST, [], ["a"], ["a", "a"]), "unit": (*NO_NUMBER, 0)},
    ),
    (om.categories, {"names": ["a", "b"]}, {"distance": (*NO_LIST, "x", [], [[1]], [["x", 0], [0, 0]])}),
    (
        om.graph,
        {"edges": [("a", "b")]},
        {"edges": (*NO_LIST, [], ["a"], [("a", "b", "x")], [("a", "b", -1)])},
    ),
    (om.graph, {"edges": [("a", "b")]}, {"unit": (*NO_NUMBER, 0), "shortest_paths": NO_FLAG}),
    (
        om.Query,
        {"truths": [0, 1]},
        {"truths": (*NO_LIST, [], [1, 0], ["x"], [[0]], [math.nan]), "symmetric": NO_FLAG},
    ),
    (
        om.Query,
        {"truths": [0, 1]},
        {"neighbours": ([(0, 9)], [(0, -1)], [("a", "b")], [(0, 1, 0)], "x", 1.5, object())},
    ),
    (
        om.Query,
        {"truths": [0, 1]},
        {"labels": (*NO_LIST, ["a"], ["a", "a"], ["a\n", "b"]), "name": (1, b"x", "\ud800")},
    ),
    (om.Query, {"truths": [0, 1]}, {"responses": (1, object(), [], [(1, 0)], ["x"])}),
    (
        om.croft,
        {"query": QUERY, "epsilon": 1},
        {"query": NO_QUERY, "epsilon": (*NO_NUMBER, 0, -1, "ln 0", "log2(3)")},
    ),
    (
        om.croft,
        {"query": QUERY, "epsilon": 1},
        {"variant": (0, 3, "2", None, 1.5), "loss": NO_LOSS_OF_A_QUESTION, "exp_epsilon": (2,)},
    ),
    (
        om.croft,
        {"query": QUERY, "epsilon": 1},
        {"prior": ("x", [1], [1, 2], -1, {}, object(), [math.nan] * 3, *NO_PRIOR)},
    ),
    (om.question, {"query": QUERY, "epsilon": 1}, {"prior": NO_PRIOR, "loss": NO_LOSS_OF_A_QUESTION}),
    (
        om.bound,
        {"query": QUERY, "loss": "absolute", "at_most": 1},
        {"prior": NO_PRIOR, "worst_case": NO_FLAG},
    ),
    (om.croft, {"query": QUERY, "epsilon": 1}, {"properties": (*NO_LIST, "nice", ["nice"], [None], [[]])}),
    (
        om.kadam,
        {"query": RING, "epsilon": 1, "delta": "0.1"},
        {"query": NO_QUERY, "delta": (*NO_NUMBER, -1), "reading": NO_NAME},
    ),
    (om.kadam, {"query": RING, "epsilon": 1, "delta": "0.1"}, {"cost": NOTHING}),
    (
        om.kadam_least_delta,
        {"query": RING, "epsilon": 1, "at_most": 1},
        {"query": NO_QUERY, "at_most": (*NO_NUMBER, -1)},
    ),
    (
        om.sadeghi,
        {"epsilon": 1, "accuracy": "0.5", "half_width": 2, "counts": (1, 3)},
        {
            "accuracy": (*NO_NUMBER, 0, 1, 2),
            "half_width": (*NO_WHOLE, 0),
            "counts": (None, 3, (3, 1), (1,), "ab"),
        },
    ),
    (
        om.question,
        {"query": QUERY, "epsilon": 1},
        {"query": NO_QUERY, "delta": (*NO_NUMBER, -1, 2), "least": NO_NAME},
    ),
    (
        om.question,
        {"query": QUERY, "epsilon": 1},
        {"structure": ("free", 1, object(), om.FreeMatrix), "worst_case": NO_FLAG},
    ),
    (
        om.question,
        {"query": QUERY, "epsilon": 1},
        {"bounds": (*NO_LIST, "x", ["x"], [None]), "definition": NO_NAME},
    ),
    (
        om.bound,
        {"query": QUERY, "loss": "absolute", "at_most": 1},
        {"query": NO_QUERY, "at_most": (*NO_NUMBER, -1)},
    ),
    (om.loss_matrix, {"loss": "absolute", "query": QUERY}, {"loss": NO_LOSS, "query": NO_QUERY}),
    (om.Accuracy, {"probability": "0.5"}, {"probability": (*NO_NUMBER, -1, 2)}),
    (om.Within, {"distance": 1}, {"distance": (*NO_NUMBER, -1)}),
    (om.Without, {"responses": [1]}, {"responses": (None, object(), ["x"], [[1]], [math.nan])}),
    (
        om.ZeroBiasNoise,
        {"half_width": 2, "accuracy": "0.5"},
        {"half_width": (*NO_WHOLE, 0), "accuracy": (*NO_NUMBER, 2)},
    ),
    (
        om.Problem,
        {
            name: getattr(PROBLEM, name)
            for name in ("name", "query", "structure", "privacy", "properties", "objective")
        },
        {
            "name": (None, 1),
            "query": NO_QUERY,
            "structure": NOTHING,
            "privacy": NOTHING,
            "objective": NOTHING,
        },
    ),
    (
        om.MatrixMechanism,
        {"matrix": np.eye(2), "responses": (0, 1), "truths": (0, 1)},
        {
            "matrix": (*NOTHING, np.eye(3), -np.eye(2), np.zeros((2, 2))),
            "truths": (*NO_LIST, (1, 0)),
            "exact": NOTHING[1:],
        },
    ),
    (
        om.design,
        {"problem": PROBLEM},
        {"problem": NO_PROBLEM, "engine": NO_NAME, "solver": NO_NAME, "method": NO_NAME},
    ),
    (
        om.design,
        {"problem": PROBLEM},
        {"time_limit": (0, -1, "x", math.nan), "threads": (0, -1, 1.5, "x"), "raw": NO_FLAG},
    ),
    (om.design, {"problem": PROBLEM}, {"options": ({}, "x", 1, object())}),
    (
        om.SolveOptions,
        {},
        {"method": NO_NAME, "time_limit": (0, "x"), "threads": (0, "x"), "seed": (-1, "x", 1.5)},
    ),
    (
        om.SolveOptions,
        {},
        {name: (-1, "x", None, math.nan, []) for name in ("feasibility_tolerance", "mip_gap")},
    ),
    (om.models.assemble, {"problem": PROBLEM}, {"problem": NO_PROBLEM}),
    (om.break_ties, {"result": DESIGN}, {"result": (*NOTHING, PROBLEM, MECHANISM)}),
    (om.clash, {"problem": PROBLEM}, {"problem": NO_PROBLEM, "solver": NO_NAME, "time_limit": (0, "x", [])}),
    (om.card_of, {"source": CERTIFICATE}, {"source": (*NOTHING, QUERY, PROBLEM, MECHANISM)}),
    (om.reports.card_json, {"card": None}, {"card": NOTHING}),
    (om.reports.card_markdown, {"card": None}, {"card": NOTHING}),
    (
        om.compare,
        {"problem": PROBLEM},
        {"problem": NO_PROBLEM, "beyond": (*NO_NUMBER[1:], -1), "others": (1, [1], {"a": 1})},
    ),
    (om.analysis.prices, {"problem": PROBLEM}, {"problem": NO_PROBLEM, "designer": (None, "x", 1)}),
    (
        om.compose,
        {"mechanisms": CERTIFICATE},
        {"mechanisms": (*NOTHING, QUERY, PROBLEM, MECHANISM), "uses": (0, -1, "x", 1.5, [], [0])},
    ),
    (om.compose, {"mechanisms": CERTIFICATE}, {"queries": NO_NAME, "cells": (*NO_WHOLE, 0)}),
    (om.analysis.privacy_curve, {"source": CERTIFICATE}, {"source": (*NOTHING, QUERY, PROBLEM, MECHANISM)}),
    (
        om.analysis.epsilon_per_query,
        {"total_epsilon": 1, "total_delta": "0.1", "uses": 2, "make": None},
        {
            "total_epsilon": NO_NUMBER,
            "total_delta": NO_NUMBER,
            "uses": (*NO_WHOLE, 0),
            "make": (None, "x", 1),
        },
    ),
    (
        om.Query.from_data,
        {"table": [1], "answer": max, "change": "remove"},
        {"answer": (None, 1), "change": NO_NAME},
    ),
    (
        om.Query.from_data,
        {"table": [1], "answer": max, "change": "remove"},
        {"table": NO_PATH[:3], "steps": (*NO_WHOLE, 0)},
    ),
    (
        om.Query.on_domain,
        {"answer": max, "domain": [1], "sizes": 2},
        {"sizes": (*NO_WHOLE, (1,), (2, 1), 10**30)},
    ),
    (
        distances_from_data,
        {"tables": [[1]], "answer": max, "change": "remove"},
        {"tables": NO_LIST, "change": NO_NAME},
    ),
    (
        om.release.distribution,
        {"source": MECHANISM, "truth": 1},
        {"source": NOTHING, "truth": (*NO_NUMBER, 9)},
    ),
    (
        om.release.noise_distribution,
        {"certificate": CERTIFICATE},
        {"certificate": (*NO_CERTIFICATE, CERTIFICATE)},
    ),
    (
        om.analysis.frontier,
        {"problem": PROBLEM, "at": [1]},
        {"problem": NO_PROBLEM, "over": NO_NAME, "at": (1, [], ["x"], "x")},
    ),
    (
        om.analysis.frontier,
        {"problem": PROBLEM, "low": 1, "high": 2},
        {"points": (*NO_WHOLE, 1), "low": (2, "x"), "high": (1, "x")},
    ),
    (
        om.analysis.least_epsilon,
        {"problem": PROBLEM, "target": 1},
        {"problem": NO_PROBLEM, "target": (*NO_NUMBER[1:], -1)},
    ),
    (
        om.analysis.least_epsilon,
        {"problem": PROBLEM, "target": 1},
        {"precision": (*NO_NUMBER, 0, "1e-400"), "highest": NO_NUMBER},
    ),
    (
        om.analysis.least_half_width,
        {"problem": PROBLEM},
        {"problem": (*NO_PROBLEM, PROBLEM), "highest": (*NO_WHOLE, 0)},
    ),
    (
        om.analysis.largest_accuracy,
        {"problem": PROBLEM},
        {"problem": NO_PROBLEM, "precision": (*NO_NUMBER, 0), "solver": NO_NAME},
    ),
    (
        joint_pmf,
        {"matrix": np.eye(4), "moduli": [2, 2]},
        {"matrix": NOTHING, "moduli": (*NO_LIST, []), "truth": (1, [9, 9])},
    ),
    (
        marginal_pmf,
        {"joint": np.eye(2), "coordinate": 0},
        {"coordinate": (*NO_WHOLE, 2, -1), "joint": ("x", None, {})},
    ),
    (
        om.certify,
        {"matrix": np.eye(3), "problem": PROBLEM},
        {
            "matrix": (
                *NOTHING,
                np.eye(2),
                2 * np.eye(3),
                -np.eye(3),
                [["x"] * 3] * 3,
                RING,
                {"M[0,0]": "x"},
            ),
            "problem": (*NO_PROBLEM, om.croft(om.count(5000), 1)),
            "designer": (None, "x", 1),
        },
    ),
    (
        om.verify,
        {"mechanism": MECHANISM, "problem": PROBLEM},
        {"solution": NOTHING[1:], "certificate": (*NOTHING[1:], om.design(om.croft(QUERY, 2)).certificate)},
    ),
    (MECHANISM.expected_loss, {"loss": "absolute"}, {"loss": NO_LOSS, "prior": NO_PRIOR}),
    (om.MatrixMechanism.certified, {"certificate": CERTIFICATE}, {"certificate": NO_CERTIFICATE}),
    (om.verify, {"mechanism": DESIGN}, {"theorems": (*NO_LIST[1:], [1], ["x"], "x")}),
    (om.design, {"problem": PROBLEM}, {"time_limit": (np.eye(3), [1]), "threads": (np.eye(3), [1])}),
    (
        om.question,
        {"query": QUERY, "privacy": []},
        {"exp_epsilon": (np.zeros(3), 2), "delta": (np.zeros(3), 1)},
    ),
    (om.LinearRule, {"name": "a", "entries": {(0, 0): 1}, "sense": "<=", "right": 1}, {"sense": NOTHING}),
    (om.words_of, {"question": PROBLEM}, {"whole": (QUERY, DESIGN, "x", ("a", "b"))}),
    (COMPOSED.to_csv, {"path": "x.csv", "epsilons": [1]}, {"path": ([1], {}, 3, None)}),
    *((curve, {"value": 1}, {"value": (*NO_NUMBER, QUERY)}) for curve in (FRONTIER.lower, FRONTIER.upper)),
    (MECHANISM.worst_case_loss, {"loss": "absolute"}, {"loss": NO_LOSS}),
    (MECHANISM.hockey_stick_delta, {"query": QUERY, "epsilon": 1}, {"query": NO_QUERY, "epsilon": NO_NUMBER}),
    *(
        (measure, {"mechanism": MECHANISM}, {"mechanism": (*NOTHING, QUERY, PROBLEM)})
        for measure in (errors_by_truth, utility_measures)
    ),
    (
        error_quantiles,
        {"mechanism": MECHANISM, "levels": [0.5]},
        {"mechanism": NOTHING, "levels": (None, "x", [0], [2], [math.nan], {})},
    ),
    *(
        (hand_on, {"certificate": CERTIFICATE}, {"certificate": NO_CERTIFICATE})
        for hand_on in (
            om.release.to_opendp,
            om.release.to_dp_accounting,
            om.release.to_dp_event,
        )
    ),
    (
        om.verify,
        {"mechanism": MECHANISM, "problem": PROBLEM},
        {"mechanism": NO_MECHANISM, "problem": NO_PROBLEM},
    ),
    (om.words_of, {"question": PROBLEM}, {"question": (*NOTHING, QUERY, DESIGN), "spent": ("x", 1.5, [])}),
    *(
        (read, {"path": "x"}, {"path": NO_PATH})
        for read in (om.read_certificate, om.read_log, om.release.read_parquet)
    ),
    *(
        (
            write,
            {"certificate": CERTIFICATE, "path": "x"},
            {"certificate": NO_CERTIFICATE, "path": (None, 1, [], ".", "\0")},
        )
        for write in (om.write_certificate, om.release.write_parquet)
    ),
    (om.MatrixMechanism.from_csv, {"path": "x"}, {"path": NO_PATH}),
    (MECHANISM.to_csv, {"path": "x"}, {"path": (None, 1, [], ".", "\0")}),
    (MECHANISM.effective_epsilon, {"query": QUERY}, {"query": (*NO_QUERY, om.count(9))}),
    (
        MECHANISM.sample,
        {"truths": 1},
        {"truths": (None, "x", 9, [[1], [1, 2]], 1j), "size": (-1, "x", 1.5, 10**30)},
    ),
    (
        om.release.to_c,
        {"certificate": CERTIFICATE},
        {"certificate": NO_CERTIFICATE, "name": (None, "", "9", "A b", 1)},
    ),
    (om.release.to_rust, {"certificate": CERTIFICATE}, {"certificate": NO_CERTIFICATE}),
    (
        om.release_frame,
        {"frame": FRAME, "column": "answer", "mechanism": CERTIFICATE},
        {
            "frame": NOTHING,
            "column": NO_NAME,
            "mechanism": (*NOTHING, PROBLEM),
            "clamp": NO_FLAG,
            "constant_time": NO_FLAG,
        },
    ),
    (
        om.release_table,
        {"mechanism": CERTIFICATE, "table": "in.csv", "out": "out.csv", "column": "a"},
        {
            "table": NO_PATH,
            "out": (None, 1, "", ".", "x.txt"),
            "column": (None, 1),
            "log": (1, []),
            "clamp": NO_FLAG,
        },
    ),
    (
        om.release_joint_table,
        {"mechanism": "table.json", "table": "in.csv", "out": "out.csv"},
        {
            "mechanism": (*NO_PATH, 1.5, None, CERTIFICATE),
            "table": NO_PATH,
            "out": (None, 1, "", ".", "x.txt"),
            "column": (1, []),
            "log": (1, []),
            "errors": NO_FLAG,
            "wide": NO_FLAG,
        },
    ),
    (
        om.estimate_sums,
        {"table": "released.csv"},
        {"table": NO_PATH, "mechanism": (1, []), "sums": ("x", 1, [1]), "group": ("x", 1, [1])},
    ),
]
CASES = [
    (call, {**right, name: value}, name)
    for call, right, wrong in CALLS
    for name, values in wrong.items()
    for value in values
]
# Words of an error from inside, and forms in which a constant must not be shown.
INSIDE = re.compile(
    r"has no attribute|not iterable|not subscriptable|unsupported operand|truth value of|"
    r"<[A-Z]\w+\.[A-Z_]+: |Traceback|ufunc|unhashable|Error\("
)
RULE = re.compile(
    r"must|cannot|only|are broken|can be|needs|asks for|at most|beyond|no mechanism|hold|not available",
    re.IGNORECASE,
)


@pytest.mark.slow
@each("case", CASES)
def test_a_wrong_argument_gets_a_sentence(case, tmp_path, monkeypatch):
    call, arguments, _ = case
    monkeypatch.chdir(tmp_path)
    with pytest.raises(om.OptmechError) as refused:
        call(**arguments)
    text = str(refused.value)
    assert RULE.search(text)
    assert not INSIDE.search(text)
    assert "\n" not in text
    assert text.rstrip().endswith((".", "…", "?"))
    assert not list(tmp_path.iterdir())


def test_there_are_hundreds_of_them():
    assert len(CASES) >= 2_400
    assert len({call for call, _, _ in CASES}) >= 80


@each(
    ("call", "says"),
    [
        (
            lambda: om.design(om.count(5)),
            "`problem` must be a Problem or a TableProblem or a QuantileProblem",
        ),
        (lambda: om.question("count", 1), "`query` must be a Query; got 'count'. Make one, such as"),
        (lambda: om.design(PROBLEM, method="magic"), "`method` must be one of auto, "),
        (
            lambda: om.verify(PROBLEM, PROBLEM),
            "`mechanism` must be a design, a certificate or a mechanism; got",
        ),
        (
            lambda: om.count(1, 2, 3),
            "`count` must be given the largest value, or",
        ),
        (
            lambda: om.mean(28),
            "`mean` must be given the largest value, or",
        ),
        (lambda: om.extremum(1, 2, smallest=1), "`extremum` must be given the largest value"),
        (lambda: om.count(range(5)), "`largest` must be a whole number; got range(0, 5)"),
        (lambda: om.write_certificate(RAW, "x"), "got a RawDesign, of which nothing is. Design it without"),
        (lambda: om.compose([DESIGN, RAW, MECHANISM]), "a Mechanism with its Query; got <MatrixMechanism"),
        (lambda: om.card_of(DESIGN, PROBLEM), "`problem` must be left out with a certificate or a design"),
        (lambda: om.verify(MECHANISM), "`problem` must be given with a mechanism"),
        (lambda: om.count(FAIR), "`largest` must be a whole number; got 'fair'."),
        (lambda: om.Query(range(3), name="\ud800"), "`name` must be text that a file can hold"),
    ],
)
def test_the_sentence_names_argument_rule_and_value(call, says):
    with pytest.raises(om.ProblemError, match=re.escape(says)):
        call()


def test_a_constant_is_shown_as_the_text_that_it_is():
    assert repr(om.SolveOptions()).startswith("SolveOptions(method='auto', ")
