"""Epsilon, delta and rho of a table: searched in doubles, then proved and rounded to the safe side."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, exp, expm1, log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import NotAcceptedError, VerificationError
from optmech.proofs.tables.curve import MOST_VARIANCE, delta_of

if TYPE_CHECKING:
    from collections.abc import Callable

Centre = tuple[Fraction, Fraction]
_STEPS, _PLACES, _TRIES = 60, 6, 12
_BESIDE = (1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 1.0)


def epsilon_of(rho: Fraction, delta: Fraction) -> tuple[Fraction, Centre]:
    """Return the least epsilon of six places that a table keeps at delta, with its worst centre.

    NotAcceptedError: none is proved.

    >>> float(epsilon_of(Fraction(1, 10), Fraction(1, 10**6))[0])
    2.0113
    """
    most = float(rho) + 2 * sqrt(float(rho) * log(1 / float(delta)))
    while _delta(float(rho), most) > float(delta):  # the least theta is far below the others at a large rho
        most *= 2
    found = _least(lambda epsilon: _delta(float(rho), epsilon) <= float(delta), 0.0, most)
    epsilon = Fraction(ceil(found * 10**_PLACES * (1 - 1e-11)), 10**_PLACES)
    for step in range(_TRIES):
        centre = proved_centre(rho, epsilon, delta)
        if centre is not None:
            return epsilon, centre
        epsilon += Fraction(4**step, 10**_PLACES)
    message = f"`zcdp` must allow an epsilon at delta = {float(delta):g}; got {float(rho):g}."
    raise NotAcceptedError(message)


def rho_of(epsilon: Fraction, delta: Fraction) -> tuple[Fraction, Centre]:
    """Return the largest rho of ten digits whose table keeps epsilon and delta, with its worst centre.

    Raises
    ------
    NotAcceptedError
        If it is below the least rho of the proof.
    """
    eps = float(epsilon)
    root = sqrt(log(1 / float(delta)) + eps) - sqrt(log(1 / float(delta)))
    low = root**2 / 2  # the usual conversion keeps more than asked
    while _delta(low, eps) > float(delta):
        low /= 2
    log_rho = -_least(lambda value: _delta(exp(-value), eps) <= float(delta), -log(low) - 8, -log(low))
    for loss in (1e-13, 1e-11, 1e-9, 1e-7, 1e-5):
        rho = Fraction(f"{exp(log_rho) * (1 - loss):.14g}")
        if 1 / (2 * rho) > MOST_VARIANCE:
            break
        centre = proved_centre(rho, epsilon, delta)
        if centre is not None:
            return rho, centre
    message = f"`epsilon` must allow a rho of at least {1 / (2 * MOST_VARIANCE):g}; got {eps:g}."
    raise NotAcceptedError(message)


def proved_centre(rho: Fraction, epsilon: Fraction, delta: Fraction) -> Centre | None:
    """Return two points beside the worst centre that prove a delta, or None."""
    u = _worst(float(rho), float(epsilon))
    for width in _BESIDE:
        low, high = (Fraction(f"{min(max(u + side * width, 0), 1):.15g}") for side in (-1, 1))
        try:
            if delta_of(rho, epsilon, (low, high)) <= delta:
                return low, high
        except (VerificationError, ArithmeticError):
            continue
        return None
    return None


def _least(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Return the least number that holds, from above."""
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _delta(rho: float, epsilon: float) -> float:
    """Return delta at the worst centre, in doubles."""
    s = 1 / (2 * rho)
    u, h, steps = _worst(rho, epsilon), s * epsilon + 0.5, np.arange(13 * sqrt(s) + 2)
    top = exp(-((h + u - 1) ** 2) / (2 * s))
    rest = np.exp(-((h + u + steps) ** 2) / (2 * s)).sum()
    theta = 2 * np.exp(-((steps + 0.5) ** 2) / (2 * s)).sum()
    return float((top - expm1(epsilon) * rest) / theta)


def _worst(rho: float, epsilon: float) -> float:
    """Return the worst centre: the slope is positive before it and negative beyond."""
    s = 1 / (2 * rho)
    h, steps = s * epsilon + 0.5, np.arange(13 * sqrt(s) + 2)

    def falls(u: float) -> bool:
        first, w = h + u - 1, h + u + steps
        if first <= 0:
            return False
        rest = w * np.exp(-(w**2 - first**2) / (2 * s))  # in units of phi(first)
        return bool(expm1(epsilon) * rest.sum() < first)

    return _least(falls, 0.0, 1.0)
