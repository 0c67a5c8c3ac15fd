"""A certificate may be as large as is documented, and in no part larger."""

from __future__ import annotations

import copy
import json

import pytest

import optmech as om
from optmech.mechanisms.certificates.certificate_text import certificate_text, read_certificate_text
from optmech.mechanisms.certificates.sizes import has_long_denominator, part_too_large
from tests.each import each

CONTENT = json.loads(
    certificate_text(om.design(om.question(om.count(3), 1, delta="0.1"), engine="chain").certificate)
)
(PRIVACY,) = CONTENT["question"]["privacy"]
FAR = 10**300
# About as many digits as a number may have, and their common denominator many times as long.
COPRIME = [f"1/{10**3000 + part}" for part in (1, 3, 7, 9)]


def listed(truths, **changes):
    query = {**CONTENT["question"]["query"], "truths": truths, "responses": [[truth] * 2 for truth in truths]}
    return {"question.query": query | changes}


def counted(first="0", step="1", number=4):
    return {"question.query.truths": {"first": first, "step": step, "number": number}}


# At a limit, and just beyond it: changed parts, and what the refusal says.
LIMITS = {
    "points times bits": (
        {"mechanism.noise.bits": 2**8, "mechanism.noise.cumulative": f"0 1*{2**20 - 1}"},
        {"mechanism.noise.bits": 2**8, "mechanism.noise.cumulative": f"0 1*{2**20}"},
        "points times bits",
    ),
    "privacies": (
        {"question.privacy": [PRIVACY] * 21},
        {"question.privacy": [PRIVACY] * 22},
        "at most 21 privacies",
    ),
    "points times privacies": (
        {
            "question.privacy": [PRIVACY] * 2,
            "mechanism.noise.bits": 1,
            "mechanism.noise.cumulative": f"0 1*{2**20 - 1}",
        },
        {
            "question.privacy": [PRIVACY] * 2,
            "mechanism.noise.bits": 1,
            "mechanism.noise.cumulative": f"0 1*{2**20}",
        },
        "points times privacies",
    ),
    "truths counted out": (counted(number=1_000_001), counted(number=1_000_002), "1,000,001 truths"),
    "size of truths": (
        counted(str(FAR - 4)),
        counted(str(FAR - 3)),
        "below 10^300",
    ),
    "size of truths below zero": (counted(str(4 - FAR)), counted(str(-FAR)), "below 10^300"),
    "size of the last truth": (
        counted("0", str((FAR - 1) // 3)),
        counted("0", str(FAR // 3 + 1)),
        "below 10^300",
    ),
    "size of responses": (
        listed(["0", "1"], responses=[["0", "0"], ["1", str(FAR - 1)]]),
        listed(["0", "1"], responses=[["0", "0"], ["1", str(FAR)]]),
        "below 10^300",
    ),
    "truths in a list": (
        listed(list(map(str, range(20_000)))),
        listed(list(map(str, range(20_001)))),
        "20,000 truths in a list",
    ),
    "responses in a list": (
        listed(["0", "1"], responses=[["0", "1"]] * 20_000),
        listed(["0", "1"], responses=[["0", "1"]] * 20_001),
        "20,000 truths in a list",
    ),
    "listed losses": (
        {**counted(number=1_000_000), "question.objective.loss": ["0"] * 20},
        {**counted(number=1_000_001), "question.objective.loss": ["0"] * 20},
        "listed losses times truths",
    ),
    "costs": (
        {"question.objective.loss": ["0", str(FAR - 1)]},
        {"question.objective.loss": ["0", str(FAR)]},
        "costs below 10",
    ),
    "costs in a table": (
        {"question.objective.loss": {"matrix": [["0", str(FAR - 1)]]}},
        {"question.objective.loss": {"matrix": [["0", str(FAR)]]}},
        "costs below 10",
    ),
    "denominators of truths": (listed(COPRIME[:2]), listed(COPRIME), "over one denominator"),
    "denominators of costs": (
        {"question.objective.loss": COPRIME[:2]},
        {"question.objective.loss": COPRIME},
        "over one denominator",
    ),
    "denominators of weights": (
        {"question.objective.weights": COPRIME[:2]},
        {"question.objective.weights": COPRIME},
        "over one denominator",
    ),
}


def changed(parts):
    content = copy.deepcopy(CONTENT)
    for place, value in parts.items():
        *before, last = (int(name) if name.isdigit() else name for name in place.split("."))
        part = content
        for name in before:
            part = part[name]
        part[last] = value
    return content


@pytest.mark.slow
@each("limit", LIMITS)
def test_what_is_at_a_limit_is_read_and_what_is_beyond_it_is_not(limit):
    within, beyond, words = LIMITS[limit]
    assert part_too_large(changed(within)) is None
    assert words in part_too_large(changed(beyond))


def test_many_numbers_over_one_short_denominator_are_no_long_one():
    assert not has_long_denominator([f"{number}/7" for number in range(2000)])
    assert not has_long_denominator(COPRIME[:2])
    assert has_long_denominator(COPRIME)


def of_matrix(places, **changes):
    """Return what the sizes of a certificate with a matrix are read from."""
    query = {"truths": ["0"] * places, "responses": None, "pairs": [], "reach": 1, "parameters": {}}
    query |= changes.pop("query", {})
    structure = {"half_width": 0, "moduli": []} | changes.pop("structure", {})
    objective = {"loss": "absolute", "weights": "sum"}
    question = {"query": query, "structure": structure, "objective": objective, "bounds": [], "rules": []}
    question |= {"privacy": [{}]} | changes
    return {"question": question, "mechanism": {"rows": [["0"] * places] * places}}


PAIR = [0, 1]
# Three truths and three responses: a part at its limit, and beyond it.
LIMITS_OF_THREE = [
    ({"reach": 3}, {"reach": 4}, "a reach, a half-width and moduli within"),
    (
        {"parameters": {"distances": [1] * 1_600_000}},
        {"parameters": {"distances": [1] * 1_700_000}},
        "5,000,000",
    ),
    ({"pairs": [PAIR] * 9}, {"pairs": [PAIR] * 10}, "at most 9 pairs"),
    ({"pairs": [PAIR]}, {"pairs": [[0, 1, 2]]}, "pairs of two ends"),
    ({"pairs": [PAIR], "weights": [1]}, {"pairs": [PAIR], "weights": [1, 1]}, "at most 1 weights"),
    ({"labels": ["a"] * 3}, {"labels": ["a"] * 4}, "at most 3 labels"),
    (
        {"responses": [["0", "0"]] * 3},
        {"truths": ["0"] * 4, "responses": [["0", "0"]] * 3},
        "a matrix of 3 rows and 4 columns",
    ),
    (
        {"responses": [["0", "0"]] * 3},
        {"responses": [["0", "0"]] * 4},
        "a matrix of 4 rows and 3 columns",
    ),
]
LIMITS_OF_STRUCTURE = [
    ({"half_width": 3}, {"half_width": 4}, "a half-width"),
    ({"moduli": [3] * 30}, {"moduli": [3] * 31}, "moduli within"),
    ({"moduli": [3]}, {"moduli": [4]}, "moduli within"),
]


@each(
    ("within", "beyond", "words"),
    [
        *(({"query": part}, {"query": more}, words) for part, more, words in LIMITS_OF_THREE),
        *(({"structure": part}, {"structure": more}, words) for part, more, words in LIMITS_OF_STRUCTURE),
        ({"privacy": [{}] * 21}, {"privacy": [{}] * 22}, "20 further privacies"),
    ],
    every=3,
)
def test_a_certificate_of_a_matrix_is_read_at_its_limits_and_not_beyond_them(within, beyond, words):
    assert part_too_large(of_matrix(3, **within)) is None
    assert words in part_too_large(of_matrix(3, **beyond))


def test_listed_truths_and_responses_are_together_no_more_than_a_matrix_holds():
    truths = list(map(str, range(2000)))
    beyond = listed(truths, responses=[[truth] * 2 for truth in (*truths, "2000")])
    with pytest.raises(om.FileFormatError, match="few enough for a matrix of 4,000,000 entries"):
        read_certificate_text(json.dumps(changed(beyond)))
