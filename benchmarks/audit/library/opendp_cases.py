"""Finite mechanisms of OpenDP, by the sampling rules of its sources at 0.15 and 0.16.

Its draws are those of the operating system inside compiled code, so that they cannot be replaced. All of the
rules are exact there: Bernoulli draws of a double by its bits, the others by rational numbers. The claims are
those of its own maps.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from flint import arb

from benchmarks.audit.library import closed_forms
from benchmarks.audit.library.case import LawSource, LibraryCase
from benchmarks.audit.library.law import FiniteLaw, all_pairs, exact, shifted, steps_apart

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.audit.library.case import CaseMaker, Untyped
    from benchmarks.audit.library.closed_forms import Scores
    from benchmarks.audit.library.law import Distribution

_SMALL_DELTA = 1e-6


def _response(keep: Fraction, answers: tuple[Any, ...]) -> FiniteLaw:
    """Return randomised response: the truth with one probability, each other answer alike."""
    other = (1 - keep) / (len(answers) - 1)
    return FiniteLaw(
        distributions={
            truth: {answer: arb(exact(keep if answer == truth else other)) for answer in answers}
            for truth in answers
        },
        pairs=all_pairs(answers),
    )


def response_bool(dp: Untyped) -> LibraryCase:
    """Return randomised response on a bit."""
    return LibraryCase(
        mechanism="make_randomized_response_bool(prob=0.75)",
        inputs="two answers",
        source=LawSource.RECOMPUTED,
        law=_response(Fraction(3, 4), (False, True)),
        epsilon=dp.m.make_randomized_response_bool(0.75).map(1),
    )


def response(dp: Untyped) -> LibraryCase:
    """Return randomised response on categories."""
    return LibraryCase(
        mechanism="make_randomized_response(prob=0.9)",
        inputs="three answers",
        source=LawSource.RECOMPUTED,
        law=_response(Fraction(0.9), ("a", "b", "c")),
        epsilon=dp.m.make_randomized_response(["a", "b", "c"], 0.9).map(1),
    )


def response_bits(dp: Untyped) -> LibraryCase:
    """Return randomised response on each bit of a vector."""
    flip = Fraction(1, 4)  # half of f
    vectors = list(product((0, 1), repeat=4))
    inputs = [vector for vector in vectors if sum(vector) <= 2]  # noqa: PLR2004 - the largest weight
    measurement = dp.m.make_randomized_response_bitvec(
        dp.bitvector_domain(max_weight=2), dp.discrete_distance(), f=0.5
    )

    def mass(vector: tuple[int, ...], out: tuple[int, ...]) -> arb:
        flips = sum(a != b for a, b in zip(vector, out, strict=True))
        return arb(exact(flip**flips * (1 - flip) ** (len(vector) - flips)))

    return LibraryCase(
        mechanism="make_randomized_response_bitvec(f=0.5)",
        inputs="4 bits, at most 2 of them set",
        source=LawSource.RECOMPUTED,
        law=FiniteLaw(
            distributions={vector: {out: mass(vector, out) for out in vectors} for vector in inputs},
            pairs=all_pairs(inputs),
        ),
        epsilon=measurement.map(1),
    )


def geometric(dp: Untyped) -> LibraryCase:
    """Return geometric noise in bounds, by trials whose probability is a double, rounded down."""
    scale, upper = 1.0, 20
    grown = _double_above((-arb(exact(1 / scale))).exp())
    trial = _double_below(1 - Fraction(grown))
    a = arb(exact(1 - Fraction(trial)))
    return LibraryCase(
        mechanism=f"make_geometric(scale={scale}, bounds=(0, {upper}))",
        inputs=f"counts 0..{upper}",
        source=LawSource.RECOMPUTED,
        law=_noise_in_range(a, upper),
        epsilon=dp.m.make_geometric(*_counts(dp), scale=scale, bounds=(0, upper)).map(1),
    )


def laplace(dp: Untyped) -> LibraryCase:
    """Return the discrete Laplace noise of whole numbers, clamped afterwards."""
    scale, upper = 2.0, 20
    return LibraryCase(
        mechanism=f"make_laplace(scale={scale}), clamped",
        inputs=f"counts 0..{upper}",
        source=LawSource.RECOMPUTED,
        law=_noise_in_range(closed_forms.decay(scale), upper),
        epsilon=dp.m.make_laplace(*_counts(dp), scale=scale).map(1),
    )


def _noise_in_range(a: arb, upper: int) -> FiniteLaw:
    counts = range(upper + 1)
    return FiniteLaw(
        distributions={truth: closed_forms.geometric_in_range(a, 0, upper, truth) for truth in counts},
        pairs=steps_apart(counts),
    )


def gaussian(dp: Untyped) -> LibraryCase:
    """Return the discrete Gaussian, its zero-concentrated privacy turned into an epsilon at a delta."""
    scale = 2.0
    measurement = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*_counts(dp), scale=scale))
    return LibraryCase(
        mechanism=f"make_gaussian(scale={scale})",
        inputs="all whole numbers",
        source=LawSource.RECOMPUTED,
        law=shifted(*closed_forms.gaussian_noise(scale)),
        epsilon=measurement.map(1).epsilon(_SMALL_DELTA),
        delta=_SMALL_DELTA,
    )


def _selection(
    dp: Untyped,
    mechanism: str,
    law: Callable[[Scores], Distribution],
    measurement: Callable[..., Any],
    *,
    monotonic: bool = False,
) -> LibraryCase:
    inputs = closed_forms.scores(3, 2)
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int, monotonic=monotonic)
    return LibraryCase(
        mechanism=mechanism,
        inputs="scores 0..2 of three candidates" + (", in one direction" if monotonic else ""),
        source=LawSource.RECOMPUTED,
        law=FiniteLaw(
            distributions={values: law(values) for values in inputs},
            pairs=closed_forms.near(inputs, monotonic=monotonic),
        ),
        epsilon=measurement(*space).map(1),
    )


def noisy_max(dp: Untyped) -> LibraryCase:
    """Return the largest of scores with exponential noise, which is permute-and-flip."""
    return _selection(
        dp,
        "make_noisy_max(scale=2.0)",
        lambda values: closed_forms.permute_and_flip(values, 2),
        lambda *space: dp.m.make_noisy_max(*space, dp.max_divergence(), scale=2.0),
    )


def noisy_max_monotonic(dp: Untyped) -> LibraryCase:
    """Return the same for scores that a person changes in one direction."""
    return _selection(
        dp,
        "make_noisy_max(scale=1.0)",
        lambda values: closed_forms.permute_and_flip(values, 1),
        lambda *space: dp.m.make_noisy_max(*space, dp.max_divergence(), scale=1.0),
        monotonic=True,
    )


def noisy_top(dp: Untyped) -> LibraryCase:
    """Return the two largest scores, one after the other."""
    return _selection(
        dp,
        "make_noisy_top_k(k=2, scale=2.0)",
        lambda values: closed_forms.permute_and_flip(values, 2, 2),
        lambda *space: dp.m.make_noisy_top_k(*space, dp.max_divergence(), k=2, scale=2.0),
    )


def noisy_max_gumbel(dp: Untyped) -> LibraryCase:
    """Return the largest of scores with Gumbel noise: its own unit is zero-concentrated privacy."""
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    noise = dp.m.make_noisy_max(*space, dp.zero_concentrated_divergence(), scale=2.0)
    inputs = closed_forms.scores(3, 2)
    return LibraryCase(
        mechanism="make_noisy_max(scale=2.0), Gumbel",
        inputs="scores 0..2 of three candidates",
        source=LawSource.RECOMPUTED,
        law=FiniteLaw(
            distributions={values: closed_forms.exponential(values, 2) for values in inputs},
            pairs=closed_forms.near(inputs, monotonic=False),
        ),
        epsilon=dp.c.make_zCDP_to_approxDP(noise).map(1).epsilon(_SMALL_DELTA),
        delta=_SMALL_DELTA,
    )


def _counts(dp: Untyped) -> tuple[Untyped, Untyped]:
    return dp.atom_domain(T=int), dp.absolute_distance(T=int)


def _double_above(value: arb) -> float:
    nearest = float(value)
    return nearest if arb(exact(nearest)) >= value else math.nextafter(nearest, math.inf)


def _double_below(value: Fraction) -> float:
    nearest = float(value)
    return nearest if Fraction(nearest) <= value else math.nextafter(nearest, -math.inf)


CASES: tuple[CaseMaker, ...] = (
    response_bool,
    response,
    response_bits,
    geometric,
    laplace,
    gaussian,
    noisy_max,
    noisy_max_monotonic,
    noisy_top,
    noisy_max_gumbel,
)
