"""How large the parts of a certificate may be, looked at before anything is built of them.

A certificate is read to be judged, whoever wrote it: what it says must not decide how long that takes. Lists
must fit each other, so that the rest of the work grows with the file; what grows faster, powers and common
denominators, is held to numbers.
"""

from __future__ import annotations

import re
from math import lcm
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.numbers import exact
from optmech.proofs.file_limits import MOST_BITS, MOST_DIGITS, MOST_FURTHER, MOST_TRUTHS

if TYPE_CHECKING:
    from collections.abc import Iterator

_DIGITS = re.compile(rf"[-.0-9]{{{MOST_DIGITS + 1}}}")
_MOST_MODULI, _MOST_PAIRS = 30, 5_000_000
# Texts that nothing is computed of.
_TEXTS = {"name", "labels", "claimed_bounds", "repair", "raw", "made_by"}


def too_large(content: dict[str, Any]) -> str | None:
    """Return the rule that sizes of a certificate break, ``None`` where they break none.

    What is missing or of another kind than described is passed over: whoever reads it says so.
    """
    try:
        return (
            long_number(content)
            or _lists(content)
            or _grids(content)
            or _whole_numbers(content)
            or _denominators(content)
        )
    except (ProblemError, KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError):
        return None


def long_number(content: object) -> str | None:
    """Return the rule that a number with too many digits breaks, wherever it stands.

    A loop, for nests are as deep as they like.
    """
    rule = f"must hold numbers of at most {MOST_DIGITS:,} digits"
    rest = [content]
    while rest:
        part = rest.pop()
        if isinstance(part, str):
            if len(part) > MOST_DIGITS and _DIGITS.search(part):
                return rule
        elif isinstance(part, int):
            if part.bit_length() > 4 * MOST_DIGITS:
                return rule
        elif isinstance(part, dict):
            rest.extend(value for name, value in part.items() if name not in _TEXTS)
        elif isinstance(part, list):
            rest.extend(part)
    return None


def _lists(content: dict[str, Any]) -> str | None:
    """Hold lists of the query to each other: for each truth, for each response, for each pair."""
    query = content["question"]["query"]
    truths, responses, number = (len(query[name]) for name in ("truths", "responses", "pairs"))
    if max(truths, responses) > MOST_TRUTHS:
        return f"must have at most {MOST_TRUTHS:,} truths and as many responses"
    most = {
        "pairs": truths * truths,
        "categories": responses,
        "home": truths,
        "row_ends": max(truths, responses),
        "labels": truths,
        "weights": number,
    }
    for name, size in most.items():
        if len(query.get(name, [])) > size:
            return f"must have at most {size} {name} in its query"
    if len(content["question"].get("further_privacy", ())) > MOST_FURTHER:
        return f"must have at most {MOST_FURTHER} further privacies"
    if any(len(ends) > 2 for name in ("categories", "pairs", "row_ends") for ends in query[name]):  # noqa: PLR2004 - two ends
        return "must have pairs of two ends"
    return None


def _grids(content: dict[str, Any]) -> str | None:
    """Hold tables to the shape of the query: a row for each response, a column for each truth."""
    query = content["question"]["query"]
    truths, responses = len(query["truths"]), len(query["responses"])
    for name, rows in _tables(content):
        if len(rows) != responses or any(_width(row) != truths for row in rows):
            return f"must have {name} of {responses} rows and {truths} columns"
    for loss in _losses(content):
        entries, weights = loss["loss"], loss["weights"]
        noise = entries.get("noise", []) if isinstance(entries, dict) else []
        if max(len(noise), len(weights) if isinstance(weights, list) else 0) > truths:
            return f"must have costs and weights for {truths} truths"
    return None


def _tables(content: dict[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    yield "a matrix", content["matrix"]["rows"]
    for loss in _losses(content):
        yield "costs", loss["costs"]
        if isinstance(loss["loss"], dict) and "matrix" in loss["loss"]:
            yield "a loss", loss["loss"]["matrix"]


def _losses(content: dict[str, Any]) -> list[dict[str, Any]]:
    question = content["question"]
    return [question["objective"], *question.get("bounds", [])]


def _width(row: str | list[Any]) -> int:
    return row.count(" ") + 1 if isinstance(row, str) else len(row)


def _whole_numbers(content: dict[str, Any]) -> str | None:
    """Hold distances, of which loops are made, to the number of places there are."""
    query, structure = content["question"]["query"], content["question"]["structure"]
    places = max(len(query["truths"]), len(query["responses"]))
    moduli = structure.get("moduli", [])
    if max(query["reach"], structure["half_width"]) > places or len(moduli) > _MOST_MODULI:
        return f"must have a reach, a half-width and moduli within its {places} places"
    steps = max(query["reach"], len(query["parameters"].get("distances", [])))
    if len(query["truths"]) * steps > _MOST_PAIRS:
        return f"must have at most {_MOST_PAIRS:,} truths times reach, or times distances"
    if any(modulus > places for modulus in moduli):
        return f"must have moduli within its {places} places"
    return None


def _denominators(content: dict[str, Any]) -> str | None:
    """Hold what numbers of a kind have in common to so many digits: their products are written out."""
    query = content["question"]["query"]
    lists = [[*query["truths"], *query["responses"]]]
    for loss in _losses(content):
        entries, weights = loss["loss"], loss["weights"]
        if isinstance(entries, dict):
            lists.append(
                [*entries.get("noise", []), *(cost for row in entries.get("matrix", []) for cost in row)]
            )
        if isinstance(weights, list):
            lists.append(weights)
    rules = content["question"].get("rules", ())
    lists.append([text for rule in rules for text in (rule["right"], *(row[-1] for row in rule["entries"]))])
    if any(has_long_denominator(texts) for texts in lists):
        return f"must hold numbers over one denominator of at most {MOST_BITS:,} bits"
    return None


def has_long_denominator(texts: list[str]) -> bool:
    """Whether the least common denominator of numbers is longer than `MOST_BITS`."""
    if sum(map(len, texts)) <= MOST_DIGITS:
        return False
    common = 1
    for denominator in {exact(text, "number").denominator for text in set(texts)}:
        common = lcm(common, denominator)
        if common.bit_length() > MOST_BITS:
            return True
    return False
