"""Weighted losses of draws, in fixed point: walks along the remap, and how a loss changes between answers.

Model
-----
    D_i(j) = sum_(k <= j) a^(j-k) p_k (l(|i+1-k|) - l(|i-k|))

    absolute    i >= j:  m0(j)             i < j:  2 a^(j-i) m0(i) - m0(j)
    squared     (2 (i-j) + 1) m0(j) + 2 m1(j)
    steps       sum_t h_t (a^(j-i-1+t) p_(i+1-t) - a^(j-i-t) p_(i+t)),  l(d) = h_0 + ... + h_d

with ``m0(j) = sum_(k<=j) a^(j-k) p_k`` and ``m1(j) = sum_(k<=j) a^(j-k) p_k (j-k)``; terms with k outside
0..j are absent. Numbers are whole multiples of ``2**-bits``. Moments and powers are rounded down, by less
than `reach` and ``2 reach**2`` units, the sum of what each rounding leaves behind. `Increments.of` is at
most D_i(j), and less by at most `width`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.errors import VerificationError
from optmech.proofs.enclosure import enclose_exponential

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.base.logarithm import Logarithm
    from optmech.question.path_question import PathQuestion

MOST_BITS = 2**13
"""Of a decay: beyond, nothing is proved that fewer bits would not prove."""
_FEWEST_BITS = 64


@dataclass(frozen=True, slots=True)
class Decay:
    """``a = numerator / 2**bits`` between 0 and 1; what it is multiplied with are multiples of ``2**-bits``.

    Where ``a >= e^-epsilon``, a mechanism whose neighbouring columns differ by factors within [a, 1/a] is
    private, for ``1/a <= e^epsilon``. Where ``a <= e^-epsilon``, every row x of a private matrix has
    ``a x[f] <= x[f+1] <= x[f] / a``: a bound for all such rows is one for all private mechanisms.
    """

    numerator: int
    bits: int

    def __post_init__(self) -> None:
        if not (_FEWEST_BITS <= self.bits <= MOST_BITS and 0 < self.numerator < 1 << self.bits):
            message = f"a decay must be between 0 and 1, of {_FEWEST_BITS} to {MOST_BITS} bits; it is not."
            raise VerificationError(message)

    @property
    def value(self) -> Fraction:
        """The decay itself."""
        return Fraction(self.numerator, 1 << self.bits)

    @property
    def reach(self) -> int:
        """A whole number above ``1 / (1 - a)``, the sum of all powers."""
        return (1 << self.bits) // ((1 << self.bits) - self.numerator) + 1

    def proves_privacy(self, epsilon: Fraction | Logarithm) -> bool:
        """Whether ``1/a <= e^epsilon``, proved."""
        return self.value * enclose_exponential(epsilon, self.bits + 8).lower >= 1

    def proves_a_bound(self, epsilon: Fraction | Logarithm) -> bool:
        """Whether ``1/a >= e^epsilon``, proved."""
        return self.value * enclose_exponential(epsilon, self.bits + 8).upper <= 1


class Increments:
    """Lower ends of D_i(j) for one question and decay; true values are more by at most `width`."""

    def __init__(self, question: PathQuestion, decay: Decay) -> None:
        numerator, self._bits = decay.numerator, decay.bits
        self._reach = reach = decay.reach
        self._weights = question.weights
        heaviest, largest = max(self._weights), question.largest
        self._moments, self._arms, self._powers = [], [], []
        if question.steps:
            self.of = self._steps
            self._powers = self._powers_of(numerator, largest)
            self._heights = [(t, height) for t, height in enumerate(question.steps) if t and height]
            self.width = 2 * reach * heaviest * sum(question.steps)
        elif question.growth == 1:
            self.of = self._absolute
            self._moments = self._sums(numerator)
            self._powers = self._powers_of(numerator, largest)
            self.width = 2 * reach * (heaviest * reach + 3) + 2
        else:
            self.of = self._square
            self._moments = self._sums(numerator)
            self._arms = self._sums_of_arms(numerator)
            self.width = (2 * largest + 1) * reach + 4 * reach**2

    def _absolute(self, response: int, draw: int) -> int:
        if response >= draw:
            return self._moments[draw]
        moment_of_turn = 2 * self._powers[draw - response] * self._moments[response] >> self._bits
        return moment_of_turn - self._moments[draw] - self._reach

    def _square(self, response: int, draw: int) -> int:
        factor = 2 * (response - draw) + 1
        return factor * (self._moments[draw] + (self._reach if factor < 0 else 0)) + 2 * self._arms[draw]

    def _steps(self, response: int, draw: int) -> int:
        total, weights, powers = 0, self._weights, self._powers
        for distance, height in self._heights:
            near, far = response + 1 - distance, response + distance
            if 0 <= near <= draw:
                total += height * weights[near] * powers[draw - near]
            if far <= draw:
                total -= height * weights[far] * (powers[draw - far] + self._reach)
            elif near < 0:
                break
        return total

    def _sums(self, numerator: int) -> list[int]:
        sums, last = [], 0
        for weight in self._weights:
            last = (last * numerator >> self._bits) + (weight << self._bits)
            sums.append(last)
        return sums

    def _sums_of_arms(self, numerator: int) -> list[int]:
        """Return m1, where ``m1(j+1) = a (m1(j) + m0(j))``."""
        arms, last = [], 0
        for moment in self._moments:
            arms.append(last)
            last = (last + moment) * numerator >> self._bits
        return arms

    def _powers_of(self, numerator: int, largest: int) -> list[int]:
        powers, last = [], 1 << self._bits
        for _ in range(largest + 1):
            powers.append(last)
            last = last * numerator >> self._bits
        return powers


def mirrored_remap(remap: Sequence[int]) -> list[int]:
    """Return the remap of the mirrored question."""
    largest = len(remap) - 1
    return [largest - answer for answer in reversed(remap)]


def losses_of_draws(question: PathQuestion, decay: Decay, remap: Sequence[int]) -> list[int]:
    """Return upper ends of ``b_j = sum_k a^|j-k| p_k l(|rho(j)-k|)``, in units of ``2**-bits / unit``."""
    own_side = _one_side(question, decay, remap)
    other, other_remap = question.reflection(), mirrored_remap(remap)
    mirrors = question.weights == other.weights and list(remap) == other_remap
    right = own_side if mirrors else _one_side(other, decay, other_remap)
    return [
        above + below - (question.cost(answer, draw) << decay.bits)
        for draw, (above, below, answer) in enumerate(zip(own_side, reversed(right), remap, strict=True))
    ]


def objective_of(question: PathQuestion, decay: Decay, losses: Sequence[int]) -> Fraction:
    """Return ``sum_j w_j b_j`` with the weights w of the truncated geometric mechanism, rounded up.

    They are ``(1-a)/(1+a)``, and ``1/(1+a)`` for the first and last draw.
    """
    one = 1 << decay.bits
    total = (one - decay.numerator) * sum(losses) + decay.numerator * (losses[0] + losses[-1])
    return Fraction(-(-total // (one + decay.numerator)), one * question.unit)


def _one_side(question: PathQuestion, decay: Decay, remap: Sequence[int]) -> list[int]:
    """Return upper ends of ``sum_(k<=j) a^(j-k) p_k l(|rho(j)-k|)``."""
    increments = Increments(question, decay)
    rise, width = increments.of, increments.width
    numerator, bits = decay.numerator, decay.bits
    sums, last, answer = [], 0, remap[0]
    for draw, best in enumerate(remap):
        while answer < best:
            last += rise(answer, draw - 1) + width
            answer += 1
        last = -(-last * numerator >> bits) + (question.cost(best, draw) << bits)
        sums.append(last)
    return sums
