"""The epsilon or delta of a matrix that does not keep what is claimed, with the entries that spend it.

Columns are taken over their own sums, as they are drawn from. The worst pair of neighbours is found in
doubles; what it spends is computed from whole numbers.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from optmech.base.numbers import as_text
from optmech.base.wording import shorten
from optmech.proofs.enclosure import power_below
from optmech.question.privacy.loss import largest_log_ratio, log_ratio
from optmech.verify.report import EPSILON_ROUNDING

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.proofs.enclosure import Enclosure
    from optmech.question.privacy import Privacy
    from optmech.question.problem import Problem
    from optmech.question.query import Query

    Numerators = NDArray[Any]

# An excess below this share does not show in twelve digits.
_HIDDEN = 1e-9


class Shortfall(NamedTuple):
    """The requirement that a matrix breaks, in a sentence, and whether rounding of its digits explains it."""

    text: str
    is_rounding: bool


def privacy_shortfall(numerators: Numerators, problem: Problem, factor: Enclosure) -> Shortfall | None:
    """Return the first privacy of a problem that columns in proportion to whole numbers do not keep.

    ``None`` where all are kept, and of a privacy whose delta is sought.
    """
    query, sums = problem.query, numerators.sum(axis=0)
    for privacy, own in zip(problem.privacies, factor.each, strict=True):
        if privacy.delta is None:
            continue
        measure = _epsilon_shortfall if privacy.is_pure else _delta_shortfall
        shortfall = measure(numerators, sums, query, privacy, own.lower)
        if shortfall is not None:
            return shortfall
    return None


def _epsilon_shortfall(
    numerators: Numerators, sums: Numerators, query: Query, privacy: Privacy, factor: Fraction
) -> Shortfall | None:
    logs = np.array([[math.log(value) if value else -math.inf for value in row] for row in numerators])
    logs -= np.array([math.log(total) for total in sums])
    worst = largest_log_ratio(logs, query.pairs, query.weights)
    row, left, right = worst.response, worst.truth, worst.neighbour
    if row is None:
        return None
    large, small = numerators[row, left] * sums[right], numerators[row, right] * sums[left]
    entries = f"{_entry(numerators, sums, row, left)} beside {_entry(numerators, sums, row, right)}"
    if not small:
        return Shortfall(f"{privacy.criterion}: {entries}: the privacy loss is infinite", is_rounding=False)
    weight = _weight(query, left, right)
    power = power_below(factor, weight)
    if large * power.denominator <= small * power.numerator:
        return None
    excess = log_ratio(large * power.denominator, small * power.numerator) / weight
    value = log_ratio(large, small) / weight
    text = f"effective epsilon {value:.12g} exceeds {as_text(privacy.epsilon)}"
    return Shortfall(
        f"{privacy.criterion}: {text}{_by(excess, value)}: {entries}", is_rounding=excess <= EPSILON_ROUNDING
    )


def _delta_shortfall(
    numerators: Numerators, sums: Numerators, query: Query, privacy: Privacy, factor: Fraction
) -> Shortfall | None:
    doubles = (numerators / sums).astype(float)
    worst = privacy.measure(doubles, query.pairs, query.weights)
    left, right = worst.truth, worst.neighbour
    power = power_below(factor, _weight(query, left, right)) if left != right else Fraction(1)
    whole = sums[left] * sums[right] * power.denominator
    scales = sums[right] * power.denominator, sums[left] * power.numerator
    excesses = numerators[:, left] * scales[0] - numerators[:, right] * scales[1]
    rows = np.flatnonzero(excesses > 0)
    if not len(rows):
        return None
    masses = numerators[rows, left] * scales[0]
    positions, spent = privacy.payment(excesses[rows], masses)
    rows = rows[positions]
    delta, most = Fraction(int(spent), int(whole)), privacy.delta or Fraction(0)
    if delta <= most:
        return None
    names = query.labels or [as_text(truth) for truth in query.truths]
    responses = query.labels or [as_text(response.midpoint) for response in query.responses]
    among = f"response{'s' * (len(rows) > 1)} {shorten([responses[row] for row in rows.tolist()])}"
    text = f"delta {float(delta):.12g} at epsilon {as_text(privacy.epsilon)} exceeds {as_text(most)}"
    text += _by(float(delta - most), float(delta))
    entries = f"{among} at truth {names[left]} against truth {names[right]}"
    return Shortfall(
        f"{privacy.criterion}: {text}: {entries}", is_rounding=float(delta - most) <= privacy.rounding
    )


def _weight(query: Query, left: int, right: int) -> int:
    """Return the multiple of epsilon between two neighbours."""
    index = np.flatnonzero((query.pairs == (left, right)).all(axis=1))
    return int(query.weights[index[0]])


def _entry(numerators: Numerators, sums: Numerators, row: int, column: int) -> str:
    numerator, value = numerators[row, column], numerators[row, column] / sums[column]
    text = f"{value!r}" if value or not numerator else "less than 1e-323"
    return f"matrix[{row}, {column}] = {text}"


def _by(excess: float, value: float) -> str:
    return f" by {excess:.1e}" if excess <= _HIDDEN * value else ""
