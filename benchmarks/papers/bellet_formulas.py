"""Misprinted steps of Bellet's lecture 2: the proof that Gaussian noise is private.

The proof bounds the privacy loss at the noise y, and then the probability of those y at which the bound
exceeds epsilon. Small functions evaluate its steps exactly as printed; beside them stands the loss or the
probability itself. That the theorem fails for large epsilon, and other misprints, are in `bellet`.
"""

from __future__ import annotations

from math import exp

from benchmarks.papers import classical
from benchmarks.papers.digits import misprint
from benchmarks.papers.item import Item, Line, Reproduction, Weight

__all__ = ["ITEMS"]


def _log_density(noise: float, sigma: float) -> float:
    """Return the logarithm of the Gaussian density, but for a constant."""
    return -(noise**2) / (2 * sigma**2)


def _loss(noise: float, shift: float, sigma: float) -> float:
    """Return the absolute privacy loss at y where the neighbour's answer is `shift` away."""
    return abs(_log_density(noise, sigma) - _log_density(noise + shift, sigma))


def _loss_bound(noise: float, sensitivity: float, sigma: float) -> float:
    """Evaluate the proof's bound of the absolute privacy loss."""
    return abs((2 * noise * sensitivity + sensitivity**2) / (2 * sigma**2))


def _safe_below(sensitivity: float, epsilon: float, sigma: float) -> float:
    """Evaluate the noise below which the proof says that the loss is at most epsilon."""
    return sigma**2 * epsilon / sensitivity - sensitivity / 2


def _tail_bound(times: float) -> float:
    """Evaluate the slide's bound of the probability that noise exceeds so many sigma."""
    return 2 * exp(-(times**2) / 2)


def _gaussian_proof() -> Reproduction:
    epsilon, delta = 1.0, 1e-5
    sigma = classical.gaussian_sigma(1.0, epsilon, delta)
    limit = _safe_below(1.0, epsilon, sigma)
    low = -2 * limit
    where = "Delta = 1, epsilon = 1, delta = 1e-5"
    lines = [
        misprint(
            f"absolute privacy loss at y = -1/2 for answers that are 1/2 apart, {where}",
            f"at most {_loss_bound(-0.5, 1.0, sigma):.6g}",
            _loss(-0.5, 0.5, sigma),
            "the bound by Delta_2(f) holds for y at least 0; with |y| in place of y it holds for all",
            Weight.SLIP,
        ),
        misprint(
            f"absolute privacy loss at y = {low:.6g}, below {limit:.6g}, {where}",
            f"at most {epsilon:g}",
            _loss(low, 1.0, sigma),
            "|y| must be below, as the next line of the proof has it",
            Weight.SLIP,
        ),
    ]
    for rate, allowed in ((1.0, 1e-5), (0.1, 1e-5), (1.0, 0.01)):
        spread = classical.gaussian_sigma(1.0, rate, allowed)
        times = _safe_below(1.0, rate, spread) / spread
        lines.append(_tail_line(rate, allowed, times))
    return Reproduction(
        lines=tuple(lines), note="y is the noise, Delta the sensitivity; sigma is that of the slide."
    )


def _tail_line(epsilon: float, delta: float, times: float) -> Line:
    return misprint(
        f"the proof's last step: the Gaussian tail bound, epsilon = {epsilon:g}, delta = {delta:g}",
        f"at most {delta:g}",
        _tail_bound(times),
        "2 e^(-t^2/2) is above 8/5 delta wherever t is positive; the sharper e^(-t^2/2) / t, as in Dwork and "
        "Roth, is enough",
        Weight.SLIP,
    )


ITEMS = (
    Item(
        name="bellet-formulas",
        source="Bellet, lecture 2, proof of the Gaussian mechanism",
        title="steps of the proof as printed beside what is true",
        compute=_gaussian_proof,
    ),
)
