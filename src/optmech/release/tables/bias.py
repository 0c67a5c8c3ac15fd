"""The bias of a mechanism: the mean of a released answer less the true one, at each true answer."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.number_format import number
from optmech.base.numbers import as_text
from optmech.mechanisms.noise_errors import moments, reach
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.mechanisms.sampling import whole_weights

if TYPE_CHECKING:
    from optmech.mechanisms.mechanism import Mechanism

# Means, truth by truth, are sums over the distances that are possible: beyond this many seconds pass.
MOST_SUMS = 50_000_000
# A smaller bias of doubles is their rounding, relative to the largest answer.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Bias:
    """The bias where it is farthest from zero.

    Attributes
    ----------
    largest : Fraction
        The mean of the released answer less the true one.
    truth : Fraction
        The true answer, the first of several.
    is_exact : bool
        Whether it is computed from whole numbers, or proved to be zero; else from doubles.
    is_none : bool
        Whether the mean of each released answer is the true one; of doubles up to their rounding.
    """

    largest: Fraction
    truth: Fraction
    is_exact: bool
    is_none: bool

    @property
    def sentence(self) -> str:
        """The bias in a sentence."""
        if self.is_none:
            return (
                "On average a released number is the true one, whatever that is, so that sums are right too."
            )
        return (
            f"On average a released number is off by {number(float(self.largest))} where "
            f"{as_text(self.truth)} is true. Sums and averages of released numbers keep such a bias."
        )


def bias_of(mechanism: Mechanism, *, is_unbiased: bool = False) -> Bias | None:
    """Return the bias of a mechanism whose answers are numbers, not on a circle.

    It is exact where probabilities are whole numbers, and zero where a proof says so. ``None`` of noise whose
    means would take too long.

    >>> from optmech.mechanisms.matrix_mechanism import MatrixMechanism
    >>> coin = MatrixMechanism(matrix=[[0.75, 0.5], [0.25, 0.5]], responses=(0, 1), truths=(0, 1))
    >>> found = bias_of(coin)
    >>> str(found.largest), str(found.truth), found.is_none
    ('-1/2', '1', False)
    """
    first = mechanism.truths[0]
    if is_unbiased:
        return Bias(largest=Fraction(0), truth=first, is_exact=True, is_none=True)
    if isinstance(mechanism, NoiseMechanism):
        return _of_noise(mechanism)
    weights = whole_weights(mechanism.matrix, mechanism.exact)
    scale = lcm(*(value.denominator for value in mechanism.responses))
    values = np.array([int(value * scale) for value in mechanism.responses], object)
    sums, totals = (values @ weights).tolist(), weights.sum(axis=0).tolist()
    biases = [
        Fraction(int(whole), int(total) * scale) - truth
        for whole, total, truth in zip(sums, totals, mechanism.truths, strict=True)
    ]
    most = max(range(len(biases)), key=lambda index: abs(biases[index]))
    size = max(map(abs, (*mechanism.truths, *mechanism.responses)))
    is_exact = mechanism.exact is not None
    return Bias(
        largest=biases[most],
        truth=mechanism.truths[most],
        is_exact=is_exact,
        is_none=abs(biases[most]) <= (0 if is_exact else _ROUNDING * size),
    )


def _of_noise(mechanism: NoiseMechanism) -> Bias | None:
    if reach(mechanism) * len(mechanism.truths) > MOST_SUMS:
        return None
    biases, _, _ = moments(mechanism)
    most = int(np.abs(biases).argmax())
    largest = Fraction(float(biases[most]))
    return Bias(largest=largest, truth=mechanism.truths[most], is_exact=False, is_none=False)
