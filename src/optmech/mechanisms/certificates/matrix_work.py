"""Count the work to check a certificate with a matrix, before doing it.

`docs/certificate.md`, "Work", has the terms; `check_certificate.py` counts the same.
"""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from optmech.base.numbers import exact
from optmech.mechanisms.certificates.level_text import work_of_levels
from optmech.mechanisms.certificates.ray_text import texts_of_rays
from optmech.proofs.enclosure import LONGEST_POWER
from optmech.proofs.file_limits import MOST_BITS
from optmech.proofs.levels.counts import BITS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

_WORK, _WORK_OF_RAYS, _WORK_OF_A_CHARACTER = 2**32, 2**35, 2**12
_WORK_OF_A_PAIR, _WORK_OF_A_LIMIT, _WORK_OF_AN_ORDER = 2**14, 2**12, 2**11
_ENTRIES_OF_A_LEAF = 2**9
_ORDERS = {"column-monotone", "row-monotone", "column-honest"}
_TIMES_POINTS = {"absolute": 1, "squared": 2}


class _Proof(NamedTuple):
    leaves: int
    chained: int
    numbers: int
    longest: int


def is_too_much(content: dict[str, Any], characters: int) -> bool:
    """Whether a certificate needs more computation than its number of characters allows."""
    return share_of_work(content, characters) > 1


def share_of_work(content: dict[str, Any], characters: int) -> float:
    """Return the computation that a certificate needs, relatively to what its number of characters allows."""
    on_levels = isinstance(content["proof"], dict) and "levels" in content["proof"]
    in_short = content["mechanism"].keys() & {"rays", "column"} and not on_levels
    most = _WORK_OF_RAYS if in_short else _WORK
    return _work(content) / (most + _WORK_OF_A_CHARACTER * characters)


def has_long_denominator(texts: Iterable[Fraction | str]) -> bool:
    """Whether the least common denominator of numbers is longer than `MOST_BITS`."""
    return denominator_bits(texts) > MOST_BITS


def denominator_bits(texts: Iterable[Fraction | str]) -> int:
    """Return the bits of the least common denominator, or a number above `MOST_BITS` for a long one."""
    common = 1
    for text in {*texts}:
        common = lcm(common, exact(text, "number").denominator)
        if common.bit_length() > MOST_BITS:
            break
    return common.bit_length()


def rule_numbers(question: dict[str, Any]) -> list[str]:
    """Return right-hand sides and coefficients of the linear rules of a question."""
    rules = question["rules"]
    return [text for rule in rules for text in (rule["right"], *(row[-1] for row in rule["entries"]))]


def costs_of(loss: object) -> list[str]:
    """Return the listed numbers of a loss by distance, by noise value, or entry by entry."""
    if isinstance(loss, dict):
        return [*loss.get("noise", ()), *(cost for row in loss.get("matrix", ()) for cost in row)]
    return loss if isinstance(loss, list) else []


def _work(content: dict[str, Any]) -> int:
    question = content["question"]
    query = question["query"]
    truths = len(query["truths"])
    responses = truths if query["responses"] is None else len(query["responses"])
    entries, reach, weights = truths * responses, query["reach"], {*query["weights"]} or {1}
    pairs = len(query["pairs"]) or reach * (2 * truths - reach - 1)
    moduli = question["structure"]["moduli"]
    bits = int(content["mechanism"]["denominator"]).bit_length()
    orders = entries * len({*question["properties"]} & _ORDERS)
    orders += truths**2 * ("row-honest" in question["properties"])

    work = pairs * _WORK_OF_A_PAIR + entries * (1 + (len(moduli) or _is_modular(question))) * _cost(0, 0)
    factors = []
    for privacy in question["privacy"]:
        ends = (privacy["lower"], privacy["upper"])
        factors.append(min(max(weights) * max(map(_length, ends)), LONGEST_POWER))  # longer ones are refused
        by_rows = privacy["kind"] == "pure" and reach == truths - 1
        work += len(weights) * entries * _cost(bits, factors[-1])
        work += 0 if by_rows else responses * pairs * _cost(bits, factors[-1], is_kept=False)
    points = denominator_bits(points_of(query))
    losses = [_bits_of_loss(loss, points, truths) for loss in (question["objective"], *question["bounds"])]
    work += sum(entries * _cost(each, each) for each in losses)
    work += entries * len(question["limits"]) * _WORK_OF_A_LIMIT + orders * _WORK_OF_AN_ORDER
    numbers, proof = rule_numbers(question), _size_of(content["proof"])
    coefficients = len(numbers) - len(question["rules"])
    scale = sum(losses) + sum(factors) + denominator_bits(numbers) + points
    if "rays" in content["mechanism"]:
        work += (2 + sum(1 for _ in texts_of_rays(content["mechanism"]))) * truths * _cost(bits, bits)
    if "column" in content["mechanism"]:
        work += entries * (1 + (len(moduli) or _is_modular(question))) * _cost(0, 0)
    whole = min(proof.leaves, max(proof.chained, 1)) if _is_by_noise(question) else proof.leaves
    each = min(entries, truths + _ENTRIES_OF_A_LEAF)
    of_leaves = whole * entries + (proof.leaves - whole) * each
    times = of_leaves * (4 + len(losses)) + proof.leaves * orders + proof.numbers
    times += proof.chained * entries
    times += (proof.leaves + 1) * coefficients
    work += times * _cost(scale, 4 * proof.longest)
    if isinstance(content["proof"], dict) and "levels" in content["proof"]:
        product = _cost(BITS, 4 * proof.longest)
        work += work_of_levels(content["proof"]["levels"], truths, pairs, product)
    return work + proof.leaves * len(weights) * sum(_cost(scale, each) for each in factors)


def points_of(query: dict[str, Any]) -> list[Fraction | str]:
    """Return truths, and the midpoints of responses that differ from them."""
    ends = query["responses"] or []
    return [*query["truths"], *(sum(exact(end, "responses") for end in pair) / 2 for pair in ends)]


def _cost(bits: int, others: int, *, is_kept: bool = True) -> int:
    """Return the cost of an operation on two numbers, given their bits."""
    return 512 + (8 * (bits + others) if is_kept else (bits + others) // 2) + bits * others // 256


def _is_modular(question: dict[str, Any]) -> bool:
    return bool(question["structure"]["kind"] == "modular")


def _is_by_noise(question: dict[str, Any]) -> bool:
    """Whether a leaf without chains needs no more than one reduced cost for each noise value."""
    losses = (question["objective"], *question["bounds"])
    sums = not any(loss["worst"] for loss in losses) and "unbiased" not in question["properties"]
    return _is_modular(question) and sums


def _length(text: str) -> int:
    return max(part.bit_length() for part in exact(text, "factor").as_integer_ratio())


def _bits_of_loss(content: dict[str, Any], points: int, truths: int) -> int:
    """Return the bits of the denominators of the losses, and of the weights of truths."""
    loss, weights = content["loss"], content["weights"]
    bits = (
        points * _TIMES_POINTS.get(loss, 0)
        if not isinstance(loss, dict)
        else denominator_bits(costs_of(loss))
    )
    if isinstance(weights, list):
        return bits + denominator_bits(weights)
    return bits + (truths if weights == "uniform" else 1).bit_length()


def _size_of(proof: object) -> _Proof:
    """Return the numbers of leaves and of numbers in a proof, and the length of the longest number."""
    leaves = chained = numbers = longest = 0
    rest = [proof]
    while rest:
        part = rest.pop()
        if isinstance(part, str):
            each = part.split(" ")
            numbers, longest = numbers + len(each), max(longest, *map(len, each))
        elif isinstance(part, dict):
            leaves += "totals" in part
            chained += "chains" in part
            rest.extend(part.values())
        elif isinstance(part, list):
            rest.extend(part)
    return _Proof(leaves, chained, numbers, longest)
