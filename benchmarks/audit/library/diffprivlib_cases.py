"""Finite mechanisms of diffprivlib, by their own code; its discrete Gaussian by the scale that it finds.

Its generator is a parameter of each mechanism, `random_state`. An error that it raises on some draws is an
output like another, since a user sees it.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb

from benchmarks.audit.library.case import LawSource, LibraryCase
from benchmarks.audit.library.closed_forms import gaussian_noise, near, scores
from benchmarks.audit.library.draws import GRID, OneDraw, PathDraws, branches, steps
from benchmarks.audit.library.law import FiniteLaw, all_pairs, exact, shifted, steps_apart

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from benchmarks.audit.library.case import CaseMaker, Untyped

_HALF = GRID // 2


def _out(mechanism: Untyped, value: Untyped) -> Hashable:
    """Return what a mechanism releases, or the name of the error that it raises."""
    try:
        out: Hashable = mechanism.randomise(value)
    except (ArithmeticError, RuntimeError) as error:
        return f"raises {type(error).__name__}"
    return out


def _law(
    found: Mapping[Any, Mapping[Any, Fraction]],
    pairs: Sequence[tuple[Any, Any]],
    unlisted: Fraction = Fraction(0),
) -> FiniteLaw:
    return FiniteLaw(
        distributions={
            value: {out: arb(exact(mass)) for out, mass in masses.items()} for value, masses in found.items()
        },
        pairs=pairs,
        unlisted=arb(exact(unlisted)),
    )


def _followed(
    source: PathDraws, releases: Mapping[Any, Callable[[], Hashable]], pairs: Sequence[tuple[Any, Any]]
) -> FiniteLaw:
    """Return the law of releases, by input, that compare the draws of `source` one after the other."""
    found, unlisted = {}, Fraction(0)
    for each, release in releases.items():
        found[each], left = branches(source, release)
        unlisted = max(unlisted, left)
    return _law(found, pairs, unlisted)


def _of_answers(library: Untyped, name: str, answers: Sequence[str], inputs: str, **rest: Any) -> LibraryCase:  # noqa: ANN401 - the library's own
    """Return a mechanism that randomises one of several answers."""
    source = PathDraws()
    mechanism = getattr(library.mechanisms, name)(epsilon=1, random_state=source, **rest)
    releases = {answer: partial(_out, mechanism, answer) for answer in answers}
    return LibraryCase(
        mechanism=f"{name}(epsilon=1)",
        inputs=inputs,
        source=LawSource.ENUMERATED,
        law=_followed(source, releases, all_pairs(answers)),
        epsilon=1,
    )


def binary(library: Untyped) -> LibraryCase:
    """Return randomised response with two answers."""
    return _of_answers(library, "Binary", ("no", "yes"), "two answers", value0="no", value1="yes")


def categorical(library: Untyped) -> LibraryCase:
    """Return the exponential mechanism on categories in a row."""
    utility = [("low", "middle", 1), ("low", "high", 2), ("middle", "high", 1)]
    answers = ("low", "middle", "high")
    return _of_answers(
        library, "ExponentialCategorical", answers, "three answers in a row", utility_list=utility
    )


def hierarchical(library: Untyped) -> LibraryCase:
    """Return the exponential mechanism on a tree of categories."""
    tree = [["A", "B"], ["C", "D"]]
    return _of_answers(
        library, "ExponentialHierarchical", "ABCD", "four answers in two groups", hierarchy=tree
    )


def permute_and_flip(library: Untyped) -> LibraryCase:
    """Return selection by permute-and-flip."""
    inputs, source, make = scores(3, 2), PathDraws(), library.mechanisms.PermuteAndFlip
    mechanisms = {
        values: make(epsilon=1, sensitivity=1, utility=list(map(float, values)), random_state=source)
        for values in inputs
    }
    releases = {values: partial(_out, mechanism, None) for values, mechanism in mechanisms.items()}
    return LibraryCase(
        mechanism="PermuteAndFlip(epsilon=1)",
        inputs="scores 0..2 of three candidates",
        source=LawSource.ENUMERATED,
        law=_followed(source, releases, near(inputs, monotonic=False)),
        epsilon=1,
        remark="where a draw is 0 it may raise an error, more often for some scores than for others",
    )


def _exponential(library: Untyped, *, monotonic: bool) -> LibraryCase:
    inputs, source, found = scores(3, 2), OneDraw(), {}
    for values in inputs:
        mechanism = library.mechanisms.Exponential(
            epsilon=1, sensitivity=1, utility=list(values), monotonic=monotonic, random_state=source
        )
        found[values] = _stepped(source, mechanism, None, [(0, GRID)])
    return LibraryCase(
        mechanism=f"Exponential(epsilon=1{', monotonic=True' if monotonic else ''})",
        inputs="scores 0..2 of three candidates",
        source=LawSource.ENUMERATED,
        law=_law(found, near(inputs, monotonic=monotonic)),
        epsilon=1,
    )


def exponential(library: Untyped) -> LibraryCase:
    """Return selection by the exponential mechanism."""
    return _exponential(library, monotonic=False)


def exponential_monotonic(library: Untyped) -> LibraryCase:
    """Return the same for scores that a person changes in one direction."""
    return _exponential(library, monotonic=True)


def _stepped(
    source: OneDraw,
    mechanism: Untyped,
    value: Untyped,
    ranges: Iterable[tuple[int, int]],
) -> dict[Hashable, Fraction]:
    """Return the law of a mechanism with one draw, monotone on each of the ranges."""
    found: defaultdict[Hashable, Fraction] = defaultdict(Fraction)
    for start, end, out in steps(lambda k: _released(source, mechanism, value, k), ranges):
        found[out] += Fraction(end - start, GRID)
    return dict(found)


def _released(source: OneDraw, mechanism: Untyped, value: Untyped, k: int) -> Hashable:
    source.k = k
    return _out(mechanism, value)


def _geometric(library: Untyped, name: str, epsilon: float, upper: int) -> LibraryCase:
    """Return geometric noise kept in a range: noise is cut by its draw first, then every truth is run."""
    source = OneDraw()
    make = getattr(library.mechanisms, name)
    mechanism = make(epsilon=epsilon, lower=0, upper=upper, random_state=source)
    noise = library.mechanisms.Geometric(epsilon=epsilon, random_state=source)
    found: dict[Hashable, dict[Hashable, Fraction]] = {}
    with np.errstate(all="ignore"):  # the draw of exactly one half has an infinite logarithm
        halves = [(0, _HALF), (_HALF, _HALF + 1), (_HALF + 1, GRID)]
        pieces = steps(lambda k: _released(source, noise, 0, k), halves)
        for truth in range(upper + 1):
            masses: defaultdict[Hashable, Fraction] = defaultdict(Fraction)
            for start, end, _ in pieces:
                out, last = (_released(source, mechanism, truth, k) for k in (start, end - 1))
                if out != last:
                    message = f"{name} must release one answer for one noise; got {out} and {last}."
                    raise ArithmeticError(message)
                masses[out] += Fraction(end - start, GRID)
            found[truth] = dict(masses)
    return LibraryCase(
        mechanism=f"{name}(epsilon={epsilon})",
        inputs=f"counts 0..{upper}",
        source=LawSource.ENUMERATED,
        law=_law(found, steps_apart(range(upper + 1))),
        epsilon=epsilon,
    )


def truncated_geometric(library: Untyped) -> LibraryCase:
    """Return truncated geometric noise on few counts."""
    return _geometric(library, "GeometricTruncated", 1, 20)


def truncated_geometric_wide(library: Untyped) -> LibraryCase:
    """Return the same on more counts than the noise of 53 bits reaches across."""
    return _geometric(library, "GeometricTruncated", 1, 50)


def folded_geometric(library: Untyped) -> LibraryCase:
    """Return folded geometric noise."""
    return _geometric(library, "GeometricFolded", 0.5, 10)


def _gaussian(library: Untyped, epsilon: float, delta: float) -> LibraryCase:
    scale = float(library.mechanisms.GaussianDiscrete(epsilon=epsilon, delta=delta)._scale)  # noqa: SLF001
    noise, rest = gaussian_noise(scale)
    return LibraryCase(
        mechanism=f"GaussianDiscrete(epsilon={epsilon}, delta={delta})",
        inputs="all whole numbers",
        source=LawSource.RECOMPUTED,
        law=shifted(noise, rest),
        epsilon=epsilon,
        delta=delta,
    )


def gaussian(library: Untyped) -> LibraryCase:
    """Return the discrete Gaussian."""
    return _gaussian(library, 1, 0.01)


def gaussian_small_delta(library: Untyped) -> LibraryCase:
    """Return the discrete Gaussian with a smaller delta."""
    return _gaussian(library, 0.5, 0.001)


CASES: tuple[CaseMaker, ...] = (
    binary,
    truncated_geometric,
    truncated_geometric_wide,
    folded_geometric,
    exponential,
    exponential_monotonic,
    permute_and_flip,
    categorical,
    hierarchical,
    gaussian,
    gaussian_small_delta,
)
