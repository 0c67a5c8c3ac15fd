"""The curve delta(epsilon) of a mechanism, exact: it is piecewise linear in ``e^epsilon``."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from flint import fmpq

from optmech.analysis.composition.losses import rank
from optmech.base.arguments import of_form
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.logarithm import Logarithm
from optmech.base.numbers import as_text, exact, exact_delta
from optmech.proofs.enclosure import enclose_exponential
from optmech.question.epsilon import exact_epsilon

if TYPE_CHECKING:
    from optmech.analysis.composition.losses import Losses
    from optmech.base.numbers import Number

# Delta is known to this share of itself, or e^epsilon to this many bits, whichever comes first.
_CLOSE = Fraction(1, 2**60)
_FIRST_BITS, _MOST_BITS = 64, 2**14


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyCurve:
    """For each epsilon the least delta of (epsilon, delta)-differential privacy.

    Between the columns P and Q of two neighbours that is the hockey-stick divergence, the sum over responses
    of ``max(0, P(r) - e^epsilon Q(r))``. It depends on the ratios ``P(r) / Q(r)`` and on what P weighs them
    alone. The largest over all pairs of neighbours is the curve of a pair again: that one dominates them.

    Attributes
    ----------
    ratios : tuple of Fraction
        Decreasing: where the curve, over ``e^epsilon``, has its corners. Their logarithms are the finite
        privacy losses.
    masses : tuple of Fraction
        The probability of each under P, positive.
    infinite : Fraction
        The probability under P of what is impossible under Q: no epsilon brings delta below it.

    Raises
    ------
    ProblemError
        If ratios do not decrease, or a mass is not positive.

    Examples
    --------
    Randomised response with odds of 3 to 1:

    >>> curve = PrivacyCurve(ratios=(Fraction(3), Fraction(1, 3)), masses=(Fraction(3, 4), Fraction(1, 4)))
    >>> print(curve.delta(0), curve.delta("ln 2"), curve.delta("ln 3"))
    1/2 1/4 0
    >>> print(curve.exact_epsilon("1/4"), curve.epsilon(0))
    ln 2 1.0986122886681098
    """

    ratios: tuple[Fraction, ...]
    masses: tuple[Fraction, ...]
    infinite: Fraction = Fraction(0)
    # Probabilities under P and under Q of the responses of the n largest ratios, for n from 0 on.
    _truth: tuple[fmpq, ...] = field(init=False, repr=False, compare=False)
    _neighbour: tuple[fmpq, ...] = field(init=False, repr=False, compare=False)

    @of_form("ratios", "be fractions, as `masses` and `infinite`")
    def __post_init__(self) -> None:
        if len(self.ratios) != len(self.masses) or any(low >= high for high, low in pairwise(self.ratios)):
            message = "`ratios` must decrease and have a mass each; they do not. Add up those that are equal."
            raise ProblemError(message)
        if self.infinite < 0 or any(value <= 0 for value in (*self.masses, *self.ratios[-1:])):
            message = "`masses` and `ratios` must be positive, `infinite` zero or more; one is not."
            raise ProblemError(message)
        masses = [_quick(mass) for mass in self.masses]
        under = (mass / _quick(ratio) for mass, ratio in zip(masses, self.ratios, strict=True))
        object.__setattr__(self, "_truth", tuple(accumulate(masses, initial=_quick(self.infinite))))
        object.__setattr__(self, "_neighbour", tuple(accumulate(under, initial=fmpq(0))))

    def hockey_stick(self, factor: Fraction) -> Fraction:
        """Return delta where ``e^epsilon`` is the rational number `factor`, zero or more: exact.

        Below 1 it is defined as well, and what dominates must be larger there too.
        """
        factor = exact(factor, "factor")
        beyond = bisect_left(self.ratios, -factor, key=lambda ratio: -ratio)
        return _fraction(self._truth[beyond] - _quick(factor) * self._neighbour[beyond])

    def delta(self, epsilon: Number) -> Fraction:
        """Return the least delta at this epsilon, rounded up by less than ``2**-60`` of itself.

        Exact where ``e^epsilon`` is rational: at 0, where it is the total variation, and at logarithms.

        Parameters
        ----------
        epsilon : str, int, float, Fraction or Logarithm
            Zero or more; ``"ln 2"`` is the natural logarithm of 2, exactly.

        Raises
        ------
        ProblemError
            If `epsilon` is negative or no number.
        """
        return self._enclosure(epsilon)[1]

    def delta_at_least(self, epsilon: Number) -> Fraction:
        """Return the least delta at this epsilon, rounded down likewise."""
        return self._enclosure(epsilon)[0]

    def exact_epsilon(self, delta: Number) -> Fraction | Logarithm | float:
        """Return the least epsilon at this delta: zero, the logarithm of a rational, or ``math.inf``.

        Raises
        ------
        ProblemError
            If `delta` is not zero or more and below 1.
        """
        target = exact_delta(delta)
        if self.infinite > target:
            return math.inf
        if self.hockey_stick(Fraction(1)) <= target:
            return Fraction(0)
        # At the corners, from the largest ratio on, delta grows.
        beyond = bisect_left(self.ratios, x=True, key=lambda ratio: self.hockey_stick(ratio) > target)
        return Logarithm(_fraction((self._truth[beyond] - _quick(target)) / self._neighbour[beyond]))

    def epsilon(self, delta: Number) -> float:
        """Return the least epsilon at this delta as a double, rounded up; ``math.inf`` where there is none.

        Raises
        ------
        ProblemError
            If `delta` is not zero or more and below 1.
        """
        return rounded_up(self.exact_epsilon(delta))

    @property
    def last(self) -> float:
        """The epsilon from which on delta does not fall any more, rounded up."""
        return rounded_up(Logarithm(max(self.ratios[0], Fraction(1)))) if self.ratios else 0.0

    def _enclosure(self, epsilon: Number) -> tuple[Fraction, Fraction]:
        exactly = checked_epsilon(epsilon)
        if not self.ratios or exactly >= Logarithm(self.ratios[0]):  # e^epsilon may be too large to write
            return self.infinite, self.infinite
        bits = _FIRST_BITS
        while True:
            factor = enclose_exponential(exactly, bits)
            low, high = self.hockey_stick(factor.upper), self.hockey_stick(factor.lower)
            if high - low <= high * _CLOSE or bits >= _MOST_BITS:
                return low, min(high, Fraction(1))
            bits *= 2


def curve_of(losses: Losses) -> PrivacyCurve:
    """Return the curve of a pair."""
    ratios = sorted(losses.finite, key=rank, reverse=True)
    return PrivacyCurve(
        ratios=tuple(_fraction(ratio) for ratio in ratios),
        masses=tuple(_fraction(losses.finite[ratio]) for ratio in ratios),
        infinite=_fraction(losses.infinite),
    )


def checked_epsilon(epsilon: Number) -> Fraction | Logarithm:
    """Return an epsilon of zero or more, exactly as given."""
    value = exact_epsilon(epsilon)
    if value < 0:
        raise broken_rule("epsilon", "be zero or more", as_text(value), "Zero asks for the total variation.")
    return value


def rounded_up(value: Fraction | Logarithm | float) -> float:
    """Return the least double that is not below `value`."""
    nearest = float(value)
    return nearest if value <= nearest else math.nextafter(nearest, math.inf)


def rational_above(epsilon: Fraction | Logarithm) -> Fraction:
    """Return an epsilon exactly where it is rational, else the least double that is not below it."""
    return epsilon if isinstance(epsilon, Fraction) else Fraction(rounded_up(epsilon))


def epsilon_of_steps(epsilon: Fraction | Logarithm, steps: int) -> Fraction | Logarithm:
    """Return a multiple of epsilon, never rounded down; for one step epsilon itself."""
    return epsilon if steps == 1 else steps * rational_above(epsilon)


def rounded_down(value: Fraction | Logarithm | float) -> float:
    """Return the largest double that is not above `value`."""
    nearest = float(value)
    return nearest if value >= nearest else math.nextafter(nearest, -math.inf)


def _quick(value: Fraction) -> fmpq:
    """Return a rational that is added up in a tenth of the time."""
    return fmpq(value.numerator, value.denominator)


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))
