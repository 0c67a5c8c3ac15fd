"""Limits of the size of a certificate, so that a large one is refused quickly; see `docs/certificate.md`."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.logarithm import Logarithm
from optmech.proofs.enclosure import LONGEST_POWER
from optmech.question.epsilon import LARGEST_EPSILON, is_too_large

if TYPE_CHECKING:
    from optmech.proofs.enclosure import Enclosure
    from optmech.question.problem import Problem
    from optmech.question.query import Query

MOST_CHARACTERS, MOST_CHARACTERS_OF_NOISE = 2**29, 2**27
"""The most characters that a file has, and one with noise in place of a matrix."""
LARGEST_NUMBER = 10**300
"""Truths and costs are below it, as doubles can be."""
DEPTH = 300
"""Splits, one within the other."""
MOST_DIGITS = 4000
"""Digits of a number, or of each end of a ratio, sign and point counted: Python writes at most 4,300."""
MOST_TRUTHS = 20_000
"""And responses: their matrix of whole numbers fills the memory of a large machine."""
MOST_ENTRIES_OF_RAYS = 2**20
"""Entries of a matrix that is written as rays, or as one column: a short file stands for them."""
MOST_COUNTED = 1_000_001
"""Truths of a count whose mechanism is noise and thresholds."""
MOST_BITS = 27_000
"""Bits of a common denominator of truths and responses, of losses, or of weights."""
MOST_FURTHER = 20
"""Privacies besides the first."""
_EPSILON_BITS = 1_000
FACTOR_BITS = 2_000
"""Bits of an end of a factor, where epsilon is no logarithm of a rational."""
# Bits of the powers that all entries between weighted neighbours are multiplied with: a second or two of
# work.
_POWERS_BITS = 2**32
_EXACT_BITS, _ROUNDED_BITS = 6_000, 256


def beyond_limits(problem: Problem, factor: Enclosure) -> str | None:
    """Return a sentence on the limit that a factor, or its power between neighbours, breaks, or ``None``."""
    for privacy, own_factor in zip(problem.privacies, factor.each, strict=True):
        refusal = _weights_beyond(problem.query, privacy.epsilon, own_factor)
        if refusal is not None:
            return refusal
    return _too_large(problem)


def factor_beyond(epsilon: Fraction | Logarithm, factor: Enclosure, weight: int = 1) -> str | None:
    """Return a sentence on the limit that an epsilon breaks, or a factor around e^epsilon, or ``None``.

    `weight` is how many times epsilon lie between neighbours, at the most.
    """
    bits = _bits(factor.lower, factor.upper)
    if factor.lower < 1:
        return "the factor must be 1 or more"
    if isinstance(epsilon, Logarithm):
        bits = max(bits, _bits(epsilon.of))
    elif bits > FACTOR_BITS:
        return f"a factor must have at most {FACTOR_BITS} bits; got {bits}"
    elif _bits(epsilon) > _EPSILON_BITS:
        return f"epsilon must have at most {_EPSILON_BITS} bits; got {_bits(epsilon)}"
    is_long = weight * bits > LONGEST_POWER
    if not (is_long and isinstance(epsilon, Logarithm)) and is_too_large(epsilon, weight):
        return f"epsilon times the largest weight of neighbours must be at most {LARGEST_EPSILON}"
    if is_long:
        most = LONGEST_POWER // bits
        return f"a weight between neighbours must be at most {most:,}; got {weight:,}: give a larger `unit`"
    return None


def _weights_beyond(query: Query, epsilon: Fraction | Logarithm, factor: Enclosure) -> str | None:
    weight = int(query.weights.max(initial=1))
    refusal = factor_beyond(epsilon, factor, weight)
    bits, total = _bits(factor.lower, factor.upper), int(query.weights.sum())
    if refusal is None and weight > 1 and total * query.num_responses * bits > _POWERS_BITS:
        most = _POWERS_BITS // (query.num_responses * bits)
        return (
            f"the weights of all neighbours, {total:,} together, must be at most {most:,}: give a larger "
            "`unit`, or fewer edges"
        )
    return refusal


def _bits(*numbers: Fraction) -> int:
    return max(part.bit_length() for number in numbers for part in number.as_integer_ratio())


def _too_large(problem: Problem) -> str | None:
    """Return a sentence on an answer, or a cost given by the user, that is too large, or ``None``."""
    query = problem.query
    ends = (end for part in query.responses for end in (part.lower, part.upper))
    if max(map(abs, (*query.truths, *ends))) >= LARGEST_NUMBER:
        return "truths and responses must be below 10^300 in size"
    losses = [problem.loss, problem.objective.as_loss, *(bound.loss for bound in problem.bounds)]
    for loss in losses:
        if loss is not None and loss.loss_name is None and loss.loss.max() >= LARGEST_NUMBER:
            return "costs must be below 10^300"
    return None


def short(bound: Fraction) -> Fraction:
    """Return the bound, or a shorter rational below it where it is too long for a file."""
    top, bottom = abs(bound.numerator).bit_length(), bound.denominator.bit_length()
    if max(top, bottom) <= _EXACT_BITS:
        return bound
    bits = _ROUNDED_BITS - (top - bottom)  # a multiple of 2^-bits
    whole = (bound.numerator << max(bits, 0)) // (bound.denominator << max(-bits, 0))
    return Fraction(whole << max(-bits, 0), 1 << max(bits, 0))
