"""Losses that differ by rounding alone, put together: a pair below one of neighbours, and a pair above it.

Whole numbers of noise have about as many ratios as responses, most of them equal but for rounding. Let
``t = 1 + 2**-96``. Take responses of masses p under P and q under Q, whose ratios ``p / q`` are from
``R / t`` to R, and P and Q for the sums of p and q. They are replaced by

    above    a mass P' from P to (1 + 2**-127) P, of ratio R, or of one up to (1 + 2**-127) R
    below    a mass P' from (1 - 2**-127) P to P, of a ratio from (1 - 2**-127) P / Q to P / Q

Above, H nowhere falls:   sum max(0, p - x q) <= sum p max(0, 1 - x / R) <= P' max(0, 1 - x / R)
and it hardly grows:      P' max(0, 1 - x / R) <= (1 + 2**-127) sum p max(0, 1 - x q / (t p))
Below, H nowhere grows:   P' max(0, 1 - x / ratio) <= max(0, P - x Q) <= sum max(0, p - x q)

All of this holds with ``t^4`` for t where R is a larger one, and P' too: rounded, of other neighbours, or of
a hull. Ratios of masses m may join a larger one of mass M also where all of these come to ``(t - 1) M`` at
most: they have ``m max(0, 1 - x / R)`` then, no less than their own, and at most ``t - 1`` times what M has.

So above ``H'(x) <= s H(x / s)`` with s below ``1 + 2**-93``, which is H of the measures s P and Q. Where one
of several pairs stands for all that it is hardly below, within ``1 + 2**-90``, s is below ``1 + 2**-89``.
Domination lasts in products, and for k uses the right side is ``s^k H_k(x / s^k)``: epsilon grows by less
than ``k 2**-89``, delta by such a share of itself. For 10,000 uses that is 2e-23. The largest ratio stays as
it is, above and below, and so does the least epsilon at which delta is zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from flint import fmpq

from optmech.analysis.composition.losses import Losses, in_order, is_dominated, losses_of_atoms

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from optmech.analysis.composition.losses import Atom

_NEAR_BITS, _MASS_BITS = 96, 128
_NEAR, _MORE = fmpq(2**_NEAR_BITS + 1, 2**_NEAR_BITS), fmpq(2**90 + 1, 2**90)


class NearLosses(NamedTuple):
    """A pair that an ordered pair of neighbours dominates and one that dominates it, hardly apart."""

    low: Losses
    high: Losses

    @property
    def is_exact(self) -> bool:
        """Whether both are the losses of the neighbours themselves."""
        return self.low is self.high


def near_losses_of(truth: Sequence[int], neighbour: Sequence[int], *, exactly: bool = False) -> NearLosses:
    """Return the losses of two columns of whole numbers, those put together that differ by rounding alone.

    Where none do, or if they are wanted exactly, both are the exact ones.

    >>> near_losses_of([3, 1], [1, 3]).is_exact
    True
    >>> most = 10**40
    >>> near = near_losses_of([3 * most, 3 * most + 1, most, most], [most, most, 3 * most, 3 * most + 1])
    >>> near.is_exact, len(near.low.finite), len(near.high.finite)
    (False, 3, 2)
    """
    total, other = sum(truth), sum(neighbour)
    never, atoms = in_order(truth, neighbour)
    groups: list[list[Atom]] = []
    for atom in atoms:
        # A quotient is rounded down: the ratio of the first is below its own plus one.
        if (
            not exactly
            and groups
            and groups[-1][0].quotient + 1 - atom.quotient <= atom.quotient >> _NEAR_BITS
        ):
            groups[-1].append(atom)
        else:
            groups.append([atom])
    if len(groups) == len(atoms):
        exact = losses_of_atoms(never, atoms, total, other)
        return NearLosses(exact, exact)
    low, high = dict[fmpq, fmpq](), dict[fmpq, fmpq]()
    for group in groups:
        p, q = group[0].p * other, group[0].q * total
        ratio = fmpq(p, q) if group is groups[0] else _rounded(p, q, up=True)
        high[ratio] = _rounded(sum(atom.p for atom in group), total, up=True)
    for group in [atoms[:1], groups[0][1:], *groups[1:]]:
        p, q = sum(atom.p for atom in group), sum(atom.q for atom in group)
        if len(group) == 1:
            low[fmpq(p * other, q * total)] = _rounded(p, total, up=False)
        elif group:
            low[_rounded(p * other, q * total, up=False)] = _rounded(p, total, up=False)
    infinite = fmpq(never, total)
    return NearLosses(Losses(infinite, low), Losses(infinite, high))


def with_common_numbers(pairs: Sequence[NearLosses]) -> list[NearLosses]:
    """Return pairs further above where those of different neighbours differ by rounding alone.

    So those of neighbours that are alike become equal, and one of them stands for all.
    """
    rounded = [near.high for near in pairs if not near.is_exact]
    ratios = _in_common(ratio for high in rounded for ratio in high.finite)
    masses = _in_common(mass for high in rounded for mass in high.finite.values())
    return [near if near.is_exact else _with_numbers(near, ratios, masses) for near in pairs]


def _in_common(numbers: Iterable[fmpq]) -> dict[fmpq, fmpq]:
    """Return for each number the largest of those that differ from it by rounding alone."""
    common: dict[fmpq, fmpq] = {}
    largest = None
    for number in sorted(set(numbers), reverse=True):
        if largest is None or largest > number * _NEAR:
            largest = number
        common[number] = largest
    return common


def _with_numbers(near: NearLosses, ratios: dict[fmpq, fmpq], masses: dict[fmpq, fmpq]) -> NearLosses:
    finite: dict[fmpq, fmpq] = {}
    for own, mass in near.high.finite.items():
        finite[ratios[own]] = finite.get(ratios[own], fmpq(0)) + masses[mass]
    return NearLosses(near.low, Losses(near.high.infinite, finite))


def merged_up(losses: Losses) -> Losses:
    """Return a pair that dominates another, hardly more, in which no ratios differ by rounding alone.

    Ratios with next to no mass join the next larger one too: they are where hulls of nearly equal pairs meet.
    """
    finite: dict[fmpq, fmpq] = {}
    head, left = fmpq(0), fmpq(0)  # the ratio that others join, and how much of any ratio may still
    for ratio in sorted(losses.finite, reverse=True):
        mass = losses.finite[ratio]
        if head and head <= ratio * _NEAR:
            finite[head] += mass
        elif mass <= left:
            finite[head] += mass
            left -= mass
        else:
            head, finite[ratio], left = ratio, mass, mass * (_NEAR - 1)
    return Losses(losses.infinite, finite)


def is_nearly_above(losses: Losses, other: Losses) -> bool:
    """Whether losses dominate others but for next to nothing: with s for `_MORE`, ``s H(x / s)`` does."""
    more = Losses(
        losses.infinite * _MORE, {_MORE * ratio: _MORE * mass for ratio, mass in losses.finite.items()}
    )
    return is_dominated(other, more)


def _rounded(top: int, bottom: int, *, up: bool) -> fmpq:
    """Return a positive quotient in `_MASS_BITS` bits, rounded up or down."""
    shift = _MASS_BITS + bottom.bit_length() - top.bit_length()
    top, bottom = top << max(shift, 0), bottom << max(-shift, 0)
    whole = -(-top // bottom) if up else top // bottom
    return fmpq(whole, 1 << shift) if shift >= 0 else fmpq(whole << -shift)
