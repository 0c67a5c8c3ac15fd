"""Numbers of a certificate that would take long are refused, and those just before them are not."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import optmech as om
from optmech.proofs.enclosure import Enclosure
from optmech.proofs.file_limits import beyond_limits, short
from tests.each import each


def line(number, weight, responses=None):
    """Return a question on neighbours in a row, so many steps of epsilon apart."""
    edges = [(truth, truth + 1, weight) for truth in range(number - 1)]
    return om.question(om.Query(range(number), responses, neighbours=edges), "0.001")


def of_bits(bits):
    """Return 1 with so many bits on both sides of the fraction."""
    return Enclosure(Fraction(2 ** (bits - 1) + 1, 2 ** (bits - 1)), Fraction(2))


COUNT = om.croft(om.count(2), 1)
LIMITS = {
    "factor below 1": (
        (COUNT, Enclosure(Fraction(1), Fraction(3))),
        (COUNT, Enclosure(Fraction(1, 2), Fraction(3))),
        "1 or more",
    ),
    "bits of a factor": ((COUNT, of_bits(2000)), (COUNT, of_bits(2001)), "at most 2000 bits"),
    "factor of a logarithm": (
        (om.croft(om.count(2), "ln 2"), of_bits(2001)),
        (COUNT, of_bits(2001)),
        "at most 2000 bits",
    ),
    "epsilon": ((om.croft(om.count(2), 700), of_bits(9)), (line(3, 701_000), of_bits(9)), "at most 700"),
    "weight": ((line(3, 200), of_bits(1000)), (line(3, 201), of_bits(1000)), "a weight between neighbours"),
    # Both ways 198 edges of weight 90, times 100 answers and 2,000 bits: below 2**32; twice as long, above.
    "all weights": (
        (line(100, 90), of_bits(2000)),
        (line(200, 90), of_bits(2000)),
        "weights of all neighbours",
    ),
    "truths": (
        (om.croft(om.Query([0, 10**300 - 1], neighbours=1), 1), of_bits(9)),
        (om.croft(om.Query([0, 10**300], neighbours=1), 1), of_bits(9)),
        "below 10^300 in size",
    ),
    "responses": (
        (om.croft(om.Query([0, 1], [(1 - 10**300, 0), 1], neighbours=1), 1), of_bits(9)),
        (om.croft(om.Query([0, 1], [(-(10**300), 0), 1], neighbours=1), 1), of_bits(9)),
        "below 10^300 in size",
    ),
    "costs": (
        (om.croft(om.count(1), 1, loss=np.array([[0, 9e299], [1, 0]])), of_bits(9)),
        (om.croft(om.count(1), 1, loss=np.array([[0, 1.1e300], [1, 0]])), of_bits(9)),
        "costs must be below 10",
    ),
}


@each("limit", LIMITS)
def test_what_is_at_a_limit_is_taken_and_what_is_beyond_it_is_not(limit):
    within, beyond, words = LIMITS[limit]
    assert beyond_limits(*within) is None
    assert words in beyond_limits(*beyond)


@each("sign", [1, -1])
@each("scale", [Fraction(2) ** -9000, Fraction(1), Fraction(2) ** 9000])
def test_a_long_bound_is_shortened_downwards_and_by_little(sign, scale):
    bound = sign * scale * (1 + Fraction(1, 3**5000))
    shorter = short(bound)
    assert 0 <= bound - shorter <= abs(bound) * Fraction(1, 2**250)
    assert abs(shorter.numerator).bit_length() + shorter.denominator.bit_length() < 9600
