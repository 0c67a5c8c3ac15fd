"""All public names, right values for their parameters by name, and values that are wrong for most."""

from __future__ import annotations

import inspect
import math
from enum import EnumMeta
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa

import optmech as om

ROOMS = (om, om.release, om.analysis, om.reports, om.models)
QUERY = om.count(2)
PROBLEM = om.croft(QUERY, 1)
DESIGN = om.design(PROBLEM)
FRAME = pd.DataFrame({"answer": [0, 1], "place": ["a", "b"]})
RECORDS = pa.table({"person": ["a", "b", "a"], "group": ["x", "y", "y"]})
RIGHT = {
    "accuracy": "0.5",
    "half_width": 2,
    "counts": (1, 3),
    "at_most": 1,
    "at": [1],
    "answer": 1,
    "unit": 1,
    "largest": 3,
    "smallest": 0,
    "records": 2,
    "modulus": 5,
    "moduli": [2, 2],
    "edges": [("a", "b")],
    "names": ["a", "b"],
    "query": QUERY,
    "problem": PROBLEM,
    "epsilon": 1,
    "delta": "0.1",
    "loss": "absolute",
    "noise": "discrete-gaussian:2",
    "sigma": 2,
    "mechanism": DESIGN.mechanism,
    "mechanisms": DESIGN,
    "certificate": DESIGN.certificate,
    "source": DESIGN,
    "card": om.card_of(DESIGN),
    "result": DESIGN,
    "matrix": np.eye(3),
    "responses": [0, 1, 2],
    "truths": [0, 1, 2],
    "truth": 1,
    "frame": FRAME,
    "column": "answer",
    "table": RECORDS,
    "person": "person",
    "group": "group",
    "groups": ["x", "y"],
    "released": [1, 0],
    "question": PROBLEM,
    "target": 1,
    "uses": 2,
    "total_epsilon": 1,
    "total_delta": "0.1",
    "within": 2,
    "variance": 2,
    "probability": "0.5",
    "distance": 1,
    "columns": [{0: 1}],
    "logs": ["missing"],
    "points": (Fraction(0), Fraction(1)),
    "weights": (1, 3),
    "frontiers": {},
    "cost": "error-rate",
    "name": "a",
    "entries": {(0, 0): 1},
    "sense": "<=",
    "right": 1,
    "make": lambda epsilon: DESIGN,  # noqa: ARG005
    "path": "missing.json",
    "out": "out.csv",
    "content": {},
    "ratios": (Fraction(2),),
    "masses": (Fraction(1),),
}
WRONG = (
    *(None, "x", "", -1, 0, 1.5, math.nan, math.inf, True, 10**30, 1j, Fraction(1, 3), "1e400", b"x"),
    *(
        [],
        [[1], [2, 3]],
        ["a"],
        [None],
        [Fraction(1)],
        {},
        {"a": 1},
        {1},
        (1, 2),
        range(3),
        (part for part in "ab"),
    ),
    *(object(), int, np.zeros(3), np.zeros((2, 2)), "\0", "\ud800", ".", "missing.csv"),
    *(QUERY, PROBLEM, DESIGN, DESIGN.certificate, DESIGN.mechanism, FRAME, lambda: None),
)


def public_calls():
    """Yield each public function, class and class method with its name; no error, enumeration, interface."""
    for room in ROOMS:
        for name in room.__all__:
            value = getattr(room, name)
            is_class = isinstance(value, type)
            if not callable(value) or (is_class and issubclass(value, BaseException)):
                continue
            if not isinstance(value, EnumMeta) and not inspect.isabstract(value):
                yield f"{room.__name__}.{name}", value
            for part, method in vars(value).items() if is_class else ():
                if isinstance(method, (classmethod, staticmethod)) and not part.startswith("_"):
                    yield f"{room.__name__}.{name}.{part}", getattr(value, part)


def wrong_calls(call):
    """Yield the arguments of wrong calls: all that are required wrong alike, and each parameter by itself."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = [each for each in inspect.signature(call).parameters.values() if each.kind in kinds]
    required = [each.name for each in parameters if each.default is each.empty]
    for value in WRONG:
        yield dict.fromkeys(required, value)
    if all(name in RIGHT for name in required):
        for name in (each.name for each in parameters):
            for value in WRONG:
                yield {**{other: RIGHT[other] for other in required}, name: value}


# Values that a parameter of this annotation always refuses.
REFUSED = {
    "int": (None, "3", 1.5, math.nan, True, [], {}, object(), Fraction(1, 2), np.zeros(3), int),
    "bool": (None, "yes", 2, [], {}, object(), np.zeros(2)),
    "Number": (None, "", "x", "nan", math.nan, True, [], {}, object(), 1j, "1e5000", b"1", np.zeros(2)),
    "Query": (None, "count", -1, [], {}, object(), PROBLEM, DESIGN),
    "Problem": (None, "x", -1, [], {}, object(), QUERY, DESIGN),
}
NOTHING = ("x", "", -1, 1.5, math.nan, True, [], [[1], [2, 3]], {}, object(), b"x", np.zeros(3), "\0")
# Values that a parameter of this name always refuses.
REFUSED_BY_NAME = {
    "epsilon": (-1, "log2(3)", math.inf),
    "delta": (-1, 2),
    "at_most": (-1,),
    "uses": (0, -1),
    "precision": (0, "1e-400"),
    "half_width": (0, -1),
    "accuracy": (0, 2),
    "loss": (*(each for each in NOTHING if not isinstance(each, np.ndarray)), [-1.0, 0]),
    "prior": (
        ["1/3", "x", "1/3"],
        ["1/2"] * 2,
        ["3/4", "1/2", "-1/4"],
        ["1/3", None, "2/3"],
        [b"1", b"0", b"0"],
    ),
    "properties": (-1, 1.5, object(), "nice", ["nice"], [None], [[]]),
    "bounds": (-1, object(), "x", ["x"], [None]),
    **dict.fromkeys(("certificate", "mechanism", "card"), (*NOTHING, QUERY, PROBLEM)),
    **dict.fromkeys(("engine", "solver", "method", "least", "definition"), ("x", "", -1, [], {}, object())),
    "time_limit": (0, -1, "x", math.nan, [1]),
    "threads": (0, -1, 1.5, "x"),
    "path": (1, 1.5, [], {}, object(), ".", "\0", "\ud800\0"),
    "frame": NOTHING,
    "designer": (None, "x", 1),
}


def refused_calls(call):
    """Yield the arguments of calls that are right but for one, which its annotation forbids."""
    positional = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    parameters = [each for each in inspect.signature(call).parameters.values() if each.kind not in positional]
    needed = [each.name for each in parameters if each.default is each.empty]
    if not RIGHT.keys() >= {*needed}:
        return
    required = {name: RIGHT[name] for name in needed}
    for each in parameters:
        kind, bar, _ = str(each.annotation).partition(" | None")
        for value in REFUSED.get(kind, ()):
            if value is not None or not bar:
                yield {**required, each.name: value}
        for value in REFUSED_BY_NAME.get(each.name, ()):
            yield {**required, each.name: value}
