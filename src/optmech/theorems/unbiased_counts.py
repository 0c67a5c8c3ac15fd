"""Least absolute error without bias on a path: geometric noise, its far tails gathered on two responses.

The truths 0, s, …, n s are responses, each the neighbour of the next; other responses may lie anywhere. With
a = e^-epsilon and mu = s a / (1 - a) there is a mechanism without bias just where some response is at most
-mu and another at least n s + mu, and then

    least mean absolute error  =  2 s a / (1 - a^2)              on average, and at the worst truth

Attained. Geometric noise c a^|k|, c = (1-a)/(1+a), has no bias and this error at each truth. At the truth f s
the released numbers -j s, -(j+1) s, … have the probabilities c a^(f+j), c a^(f+j+1), …: given that one of
them comes, their distribution is the same at every truth, of mean -j s - mu. Another distribution of that
mean in its place, on responses up to 0, changes no mean, no ratio and no error, which is linear there. The
two responses on either side of the mean will do, for the largest j that they allow. The same above n s.

Optimal, at each truth by itself, for any prior and any responses. Let X be the response less the truth f, and
x the mean of X^+ there, which is that of X^- without bias. At a neighbour, d away, E X^+ is d + E X^-, and
privacy gives ``x >= a E X^+ = a (d + E X^-) >= a (d + a x)``. So the error 2 x is at least 2 d a / (1 - a^2),
on any graph of neighbours.

Multipliers of that, with E = e^epsilon, c = 1 / (E^2 - 1) and the neighbour g next above f:

    2 E c (r - f)        of  M[r,g] <= E M[r,f],  r above f          -(E^2 + 1) c    of the mean at f
    2 c (f - r)          of  M[r,f] <= E M[r,g],  r below f          2 E c           of the mean at g

They leave no entry a cost, and 2 E c d is the bound. At the last truth all of it is turned round. A prior
weighs those of each truth; of the worst truth any one will do. We know of no print of it.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm, log
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from flint import arb, ctx

from optmech.base.logarithm import Logarithm
from optmech.question.costs import exact_weights
from optmech.question.homes import errors_of_entries
from optmech.question.kinds.kind import evenly_spaced
from optmech.question.losses import ExpectedLoss, WorstLoss
from optmech.question.privacy import PurePrivacy
from optmech.question.properties import UNBIASED
from optmech.question.shape import Shape
from optmech.question.structures import FreeMatrix
from optmech.theorems.powers import Powers, rational
from optmech.theorems.theorem import Form, WholeNumbers, proved_optimum

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats, Integers, Whole
    from optmech.question.problem import Problem
    from optmech.question.query import Query

# Powers of a ratio of so many bits are written out; those of others are rounded.
_SHORT = 16
# The ratio of rounded powers is smaller by this share, which is far more than rounding adds.
_ROOM = Fraction(1, 1 << 56)
# Bits of the smallest probability, and of all of a matrix, some hundred megabytes.
_DIGITS, _MOST_BITS = 72, 400_000_000
# Tails of less than e^-45 are gathered: nobody ever draws from them.
_FARTHEST = 45.0
# Responses reach far enough where they do at a factor that is smaller by this share; bits to decide it with.
_WIDE, _PRECISION = Fraction(1, 1 << 48), 128


class _Letters(NamedTuple):
    step: Fraction
    weight: Fraction
    """The sum of the weights of the truths; 1 at the worst truth."""


class _Part(NamedTuple):
    """A part of the mechanism: a row, and the multiple of the powers of a with these exponents."""

    row: int
    share: Fraction
    exponents: Integers


def least_error(powers: Powers[Any], letters: _Letters) -> Any:  # noqa: ANN401 - of the kind of the powers
    """Return the least mean absolute error, times the weights of all truths.

    >>> from optmech.theorems.powers import Doubles
    >>> round(least_error(Doubles(Fraction(1)), _Letters(Fraction(1), Fraction(1))), 12)
    0.850918128239
    """
    size = powers.number(2 * letters.step * letters.weight)
    return size * powers.power(1) / (powers.complement() * (1 + powers.power(1)))


def gathered_noise(problem: Problem, factor: Fraction) -> WholeNumbers:
    """Return the mechanism with ratios of at most `factor`; sums and means are exact.

    Powers of a short factor are written out. Those of another are rounded down, at a factor that is a little
    smaller, and two large entries of each column take what its sum and its mean then lack.
    """
    query = problem.query
    is_short = _length(factor) <= _SHORT
    ratio = factor if is_short else factor * (1 - _ROOM)
    parts = list(_parts(query, ratio))
    most = max(int(part.exponents.max()) for part in parts)
    numerators = np.zeros((query.num_responses, query.num_truths), dtype=object)
    if is_short:
        above, below = ratio.as_integer_ratio()
        powers = np.array([below**step * above ** (most - step) for step in range(most + 1)], dtype=object)
        scale = lcm(*(part.share.denominator for part in parts))
        for row, share, exponents in parts:
            numerators[row] += int(share * scale) * powers[exponents]
        return WholeNumbers(numerators, scale * above**most)
    one = 1 << _bits(query, ratio, parts)
    powers = np.array(list(_falling(one, ratio, most)), dtype=object)
    for row, share, exponents in parts:
        numerators[row] += share.numerator * powers[exponents] // share.denominator
    return _mended(query, numerators, one)


def _parts(query: Query, ratio: Fraction) -> Iterator[_Part]:
    """Yield the parts of geometric noise at ``a = 1 / ratio`` with gathered tails."""
    rows = {response.midpoint: row for row, response in enumerate(query.responses)}
    first, step, number = query.truths[0], query.truths[1] - query.truths[0], query.num_truths
    index = np.arange(number)
    tails = [_tail(sorted(rows), first, -step, ratio), _tail(sorted(rows), query.truths[-1], step, ratio)]
    for position in range(1 - tails[0].start, number - 1 + tails[1].start):
        yield _Part(rows[first + position * step], (ratio - 1) / (ratio + 1), np.abs(index - position))
    for tail, distance in zip(tails, (index, index[::-1]), strict=True):
        for value, share in tail.shares.items():
            yield _Part(rows[value], share * ratio / (ratio + 1), distance + tail.start)


class _Tail(NamedTuple):
    start: int
    """The number of steps beyond the last truth from which noise is gathered."""
    shares: dict[Fraction, Fraction]
    """The shares of the two responses that get it."""


def _tail(values: list[Fraction], end: Fraction, step: Fraction, ratio: Fraction) -> _Tail:
    """Return the tail beyond the truth `end`, in the direction of `step`."""
    known, beyond, farthest = set(values), step / (ratio - 1), values[-1 if step > 0 else 0]
    start = 0
    while (
        end + start * step in known
        and abs(farthest - end) >= abs((start + 1) * step + beyond)
        and (start + 1) * log(ratio) <= _FARTHEST
    ):
        start += 1
    mean = end + start * step + beyond
    low, high = (max(v for v in values if v <= mean), min(v for v in values if v >= mean))
    if low == high:
        return _Tail(start, {low: Fraction(1)})
    return _Tail(start, {low: (high - mean) / (high - low), high: (mean - low) / (high - low)})


def _falling(one: int, ratio: Fraction, most: int) -> Iterator[int]:
    """Yield ``one / ratio**k`` for k = 0, …, `most`, rounded down each time."""
    for _ in range(most + 1):
        yield one
        one = one * ratio.denominator // ratio.numerator


def _bits(query: Query, ratio: Fraction, parts: list[_Part]) -> int:
    """Return the bits that keep `_DIGITS` of the smallest probability, whatever is added to two entries."""
    smallest = max(part.exponents.max() * log(ratio) / log(2) + _zeros(part.share) for part in parts)
    moved = query.num_responses * int(abs(errors_of_entries(query)[0]).max())
    return _DIGITS + int(smallest) + _zeros(1 - 1 / ratio) + moved.bit_length()


def _mended(query: Query, numerators: Whole, bottom: int) -> WholeNumbers:
    """Return columns of sum one and their truth as mean: the two largest entries take what is lacking."""
    errors, _ = errors_of_entries(query)
    columns = range(query.num_truths)
    takers = [sorted(range(len(errors)), key=numerators[:, column].__getitem__)[-2:] for column in columns]
    distances = [int(errors[taker, 0] - errors[other, 0]) for other, taker in takers]
    scale = lcm(*distances)
    numerators, bottom = numerators * scale, bottom * scale
    for column, (other, taker), distance in zip(columns, takers, distances, strict=True):
        lacking = bottom - int(numerators[:, column].sum())
        moment = int((errors[:, column] * numerators[:, column]).sum()) + lacking * int(errors[other, column])
        numerators[taker, column] -= moment // distance
        numerators[other, column] += lacking + moment // distance
    return WholeNumbers(numerators, bottom)


def _zeros(share: Fraction) -> int:
    """Return at least the number of binary zeros that a positive number below 1 begins with."""
    return share.denominator.bit_length() - share.numerator.bit_length() + 1


def _length(number: Fraction) -> int:
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def _unbiased_on_a_path(problem: Problem) -> str | None:
    """Say why this is no question of least absolute error without bias on a path, or return ``None``."""
    if not isinstance(problem.structure, FreeMatrix) or not isinstance(problem.privacy, PurePrivacy):
        return "this applies to any matrix under pure privacy"
    if problem.properties != {UNBIASED}:
        return "this applies to unbiased mechanisms without other properties"
    if not Shape.of(problem).equal_steps:
        return "neighbours are not just the truths next to each other, both ways"
    first, second = problem.query.truths[:2]
    if not evenly_spaced(problem.query, first, second - first, problem.query.num_truths):
        return "the truths are not as far from one to the next throughout"
    if any(response.lower != response.upper for response in problem.query.responses):
        return "a response is no single number"
    return "a truth is no response" if (problem.query.home < 0).any() else None


def _least_absolute_error(problem: Problem) -> str | None:
    """Say why the objective is no mean absolute error, or return ``None``."""
    objective = problem.objective
    if isinstance(objective, ExpectedLoss | WorstLoss) and objective.loss_name == "absolute":
        return None
    return "this applies to the absolute loss"


def _reaches_far_enough(problem: Problem) -> str | None:
    """Say that the responses do not reach as far as the noise needs, or return ``None``."""
    query, epsilon = problem.query, problem.privacy.epsilon
    values = [response.midpoint for response in query.responses]
    step = query.truths[1] - query.truths[0]
    reach = min(query.truths[0] - min(values), max(values) - query.truths[-1])
    if isinstance(epsilon, Logarithm) and _length(epsilon.of) <= _SHORT:
        is_enough = reach * (epsilon.of - 1) >= step
    else:
        with ctx.workprec(_PRECISION):
            power = (
                arb(rational(epsilon.of)) if isinstance(epsilon, Logarithm) else arb(rational(epsilon)).exp()
            )
            is_enough = bool(arb(rational(reach)) * (power * (1 - rational(_WIDE)) - 1) >= rational(step))
    return None if is_enough else "the responses do not reach as far as the mean of the noise beyond them"


def _too_long(problem: Problem) -> str | None:
    """Say that the probabilities have too many digits, or return ``None``."""
    query = problem.query
    bits = _DIGITS + (query.num_truths * float(problem.privacy.epsilon) + _FARTHEST) / log(2)
    is_long = bits * query.num_truths * query.num_responses > _MOST_BITS
    return "its smallest probabilities have too many digits to be written down" if is_long else None


def _letters(problem: Problem) -> _Letters:
    objective, query = problem.objective, problem.query
    weights = exact_weights(objective, query) if isinstance(objective, ExpectedLoss) else [Fraction(1)]
    return _Letters(query.truths[1] - query.truths[0], sum(weights, Fraction(0)))


def _matrix(problem: Problem) -> Floats:
    epsilon = problem.privacy.epsilon
    factor = epsilon.of if isinstance(epsilon, Logarithm) else Fraction(problem.privacy.factor)
    numerators, bottom = gathered_noise(problem, factor)
    matrix: Floats = np.array([[value / bottom for value in row] for row in numerators.tolist()])
    return matrix


THEOREMS = (
    proved_optimum(
        name="croft-unbiased-path",
        source="unbiased_counts, for Croft et al. 2020, Variant 1 without bias",
        says=(
            "The least mean absolute error of an unbiased count, or of other numbers one step apart, is "
            "that of geometric noise."
        ),
        conditions=(_unbiased_on_a_path, _least_absolute_error, _reaches_far_enough),
        form=Form.of(least_error, _letters),
        matrix=_matrix,
        whole=gathered_noise,
        reads=frozenset({"properties"}),
        too_long=_too_long,
    ),
)
