"""Limit the sizes of a certificate's parts, before anything is built of them.

A certificate may be hostile: its content must not make the check slow. Lists must have matching lengths, so
that most of the work grows with the file. Powers and common denominators, which grow faster, have fixed
limits.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.numbers import exact
from optmech.mechanisms.certificates.matrix_work import (
    costs_of,
    has_long_denominator,
    points_of,
    rule_numbers,
)
from optmech.proofs.file_limits import (
    LARGEST_NUMBER,
    MOST_BITS,
    MOST_COUNTED,
    MOST_DIGITS,
    MOST_ENTRIES_OF_RAYS,
    MOST_FURTHER,
    MOST_TRUTHS,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

_DIGITS = re.compile(r"[-.0-9]+")
_MOST_MODULI, _MOST_PAIRS = 30, 5_000_000
_MOST_LISTED_LOSSES = 20_000_000
_MOST_POINT_BITS, _MOST_POINT_PRIVACIES = 2**28, 2**21
_ONE_DENOMINATOR = f"must hold numbers over one denominator of at most {MOST_BITS:,} bits"
# Texts that enter no computation.
_TEXTS = {"name", "labels", "claimed_bounds", "repair", "raw", "made_by"}


def part_too_large(content: dict[str, Any]) -> str | None:
    """Return the rule on sizes that a certificate of any kind breaks, or ``None``.

    A missing key, or one of the wrong type, is skipped here: the reader of that key refuses it.
    """
    try:
        return _long_number(content) or next(_rules(content, content["question"]), None)
    except (ProblemError, KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError):
        return None


def _rules(content: dict[str, Any], question: dict[str, Any]) -> Iterator[str]:
    mechanism = content["mechanism"]
    rules = _of_noise if "noise" in mechanism else _of_two_numbers if "elsewhere" in mechanism else _of_matrix
    return rules(content, question)


def _long_number(content: object) -> str | None:
    """Return the rule that a number with too many digits breaks, at any depth.

    A loop, not a recursion: nesting may be of any depth.
    """
    rule = f"must hold numbers of at most {MOST_DIGITS:,} digits"
    rest = [content]
    while rest:
        part = rest.pop()
        if isinstance(part, str):
            # Each number is matched once: a search from each digit takes a thousand times as long.
            if len(part) > MOST_DIGITS and any(
                match.end() - match.start() > MOST_DIGITS for match in _DIGITS.finditer(part)
            ):
                return rule
        elif isinstance(part, int):
            if part.bit_length() > 4 * MOST_DIGITS:
                return rule
        elif isinstance(part, dict):
            rest.extend(value for name, value in part.items() if name not in _TEXTS)
        elif isinstance(part, list):
            rest.extend(part)
    return None


def _of_matrix(content: dict[str, Any], question: dict[str, Any]) -> Iterator[str]:
    query = question["query"]
    losses = [question["objective"], *question["bounds"]]
    truths = len(query["truths"])
    responses = truths if query["responses"] is None else len(query["responses"])
    yield from _lists(question, query, responses)
    yield from _mechanism(content["mechanism"], responses, truths)
    yield from _grids(losses, responses, truths)
    yield from _whole_numbers(query, question["structure"], max(truths, responses))
    # Numbers of a kind share a denominator, so their products are written in full.
    lists: list[Sequence[Fraction | str]] = [points_of(query)]
    for loss in losses:
        entries, weights = loss["loss"], loss["weights"]
        if isinstance(entries, dict):
            lists.append(costs_of(entries))
        if isinstance(weights, list):
            lists.append(weights)
    lists.append(rule_numbers(question))
    if any(map(has_long_denominator, lists)):
        yield _ONE_DENOMINATOR


def _of_two_numbers(content: dict[str, Any], question: dict[str, Any]) -> Iterator[str]:  # noqa: ARG001 - as others
    query = question["query"]
    truths = len(query["truths"])
    yield from _lists(question, query, truths if query["responses"] is None else len(query["responses"]))
    if has_long_denominator(points_of(query)):
        yield _ONE_DENOMINATOR


def _lists(question: dict[str, Any], query: dict[str, Any], responses: int) -> Iterator[str]:
    """Check that lists of the query have an item for each truth, response or pair."""
    truths, number = (len(query[name]) for name in ("truths", "pairs"))
    if max(truths, responses) > MOST_TRUTHS:
        yield f"must have at most {MOST_TRUTHS:,} truths and as many responses"
    most = {
        "pairs": truths * truths,
        "labels": truths,
        "weights": number,
    }
    for name, size in most.items():
        if len(query.get(name, [])) > size:
            yield f"must have at most {size} {name} in its query"
    if len(question["privacy"]) > 1 + MOST_FURTHER:
        yield f"must have at most {MOST_FURTHER} further privacies"
    if any(len(ends) > 2 for name in ("responses", "pairs") for ends in query[name] or ()):  # noqa: PLR2004 - two ends
        yield "must have pairs of two ends"


def _mechanism(mechanism: dict[str, Any], responses: int, truths: int) -> Iterator[str]:
    """Check that a matrix has an entry of each response and truth, or rays of each response."""
    if "rays" in mechanism:
        if len(mechanism["rays"]) != responses or responses * truths > MOST_ENTRIES_OF_RAYS:
            yield f"must have rays of {responses} responses, and at most {MOST_ENTRIES_OF_RAYS:,} entries"
    elif "column" in mechanism:
        if _width(mechanism["column"]) != responses or responses * truths > MOST_ENTRIES_OF_RAYS:
            yield f"must have a column of {responses} numbers, and at most {MOST_ENTRIES_OF_RAYS:,} entries"
    elif _is_no_grid(mechanism["rows"], responses, truths):
        yield f"must have a matrix of {responses} rows and {truths} columns"


def _is_no_grid(rows: list[Any], responses: int, truths: int) -> bool:
    return len(rows) != responses or any(_width(row) != truths for row in rows)


def _grids(losses: list[dict[str, Any]], responses: int, truths: int) -> Iterator[str]:
    """Check that tables have a row for each response and a column for each truth."""
    tables = [
        ("a loss", loss["loss"]["matrix"])
        for loss in losses
        if isinstance(loss["loss"], dict) and "matrix" in loss["loss"]
    ]
    for name, rows in tables:
        if _is_no_grid(rows, responses, truths):
            yield f"must have {name} of {responses} rows and {truths} columns"
    for loss in losses:
        entries, weights = loss["loss"], loss["weights"]
        noise = entries.get("noise", []) if isinstance(entries, dict) else []
        if max(len(noise), len(weights) if isinstance(weights, list) else 0) > truths:
            yield f"must have costs and weights for {truths} truths"


def _width(row: str | list[Any]) -> int:
    return row.count(" ") + 1 if isinstance(row, str) else len(row)


def _whole_numbers(query: dict[str, Any], structure: dict[str, Any], size: int) -> Iterator[str]:
    """Check that distances, which bound loops, are at most the number of truths."""
    parameters = query["parameters"]
    if query.get("kind") in ("residues", "vector") and _size_of_circles(parameters) != len(query["truths"]):
        yield "must have as many truths as its moduli make"
    moduli = structure.get("moduli", [])
    if max(query["reach"], structure["half_width"]) > size or len(moduli) > _MOST_MODULI:
        yield f"must have a reach, a half-width and moduli within its {size} answers"
    steps = max(query["reach"], len(parameters.get("distances", [])))
    if len(query["truths"]) * steps > _MOST_PAIRS:
        yield f"must have at most {_MOST_PAIRS:,} truths times reach, or times distances"
    if any(modulus > size for modulus in moduli):
        yield f"must have moduli within its {size} answers"


def _size_of_circles(parameters: dict[str, Any]) -> int:
    """Return the number of vectors modulo the moduli of a query, or 0 if it exceeds the limit on truths."""
    number = 1
    for modulus in parameters.get("moduli", [parameters.get("modulus")]):
        number *= modulus
        if number > MOST_TRUTHS:
            return 0
    return number


def _of_noise(content: dict[str, Any], question: dict[str, Any]) -> Iterator[str]:
    noise, privacies = content["mechanism"]["noise"], question["privacy"]
    points = _length(noise["cumulative"])
    if points * noise["bits"] > _MOST_POINT_BITS:
        yield f"must hold points times bits of at most {_MOST_POINT_BITS:,}"
    if len(privacies) > 1 + MOST_FURTHER or points * len(privacies) > _MOST_POINT_PRIVACIES:
        yield f"must hold at most {1 + MOST_FURTHER} privacies, and points times privacies of at most 2^21"
    yield from _of_chain(question)


def _of_chain(question: dict[str, Any]) -> Iterator[str]:
    query, objective = question["query"], question["objective"]
    loss, weights = objective["loss"], objective["weights"]
    truths = query["truths"]
    if isinstance(truths, dict):
        number = truths["number"]
        points = [exact(truths[name], "truths") for name in ("first", "step")]
        ends = [points[0], points[0] + points[1] * (number - 1)]
        long = any(part.denominator.bit_length() > MOST_BITS for part in points)
    else:
        responses = query["responses"] or []
        number, numbers = len(truths), [*truths, *(end for ends in responses for end in ends)]
        if max(number, len(responses)) > MOST_TRUTHS:
            yield f"must have at most {MOST_TRUTHS:,} truths in a list, and as many responses"
        long, ends = has_long_denominator(numbers), [exact(point, "truths") for point in numbers]
    if number > MOST_COUNTED:
        yield f"must have at most {MOST_COUNTED:,} truths"
    if max(map(abs, ends)) >= LARGEST_NUMBER:
        yield "must have truths and responses below 10^300 in size"
    if isinstance(loss, list) and len(loss) * number > _MOST_LISTED_LOSSES:
        yield f"must have listed losses times truths of at most {_MOST_LISTED_LOSSES:,}"
    costs = costs_of(loss)
    if max((exact(cost, "loss") for cost in costs), default=0) >= LARGEST_NUMBER:
        yield "must have costs below 10^300"
    long |= has_long_denominator(costs)
    if long or (isinstance(weights, list) and has_long_denominator(weights)):
        yield _ONE_DENOMINATOR


def _length(runs: str) -> int:
    """Return the count of written numbers without reading them."""
    times = re.findall(r"\*([0-9]+)", runs)
    return runs.count(" ") + 1 - len(times) + sum(int(number[:12]) for number in times)
