"""Compose the uses of one or several mechanisms exactly.

Each use answers a question about the same data, with independent randomness. Two neighbouring data sets give
each question a pair of true answers, so that the releases are independent draws from the columns of a pair
each; what they spend is the hockey-stick divergence of the two products. The questions decide which pairs
meet:

repeated    The same query each time: its pair of answers is the same in all uses. The worst case is the
            largest over ordered pairs (f, g) of  product P_f  against  product P_g.
fixed       Other queries of the same kind, all chosen beforehand: one person may move each answer in its own
            way. The worst case is the largest over all combinations of one ordered pair for each use.
adaptive    Each query chosen after the earlier releases were seen. That can be worse than every combination;
            the product of *dominating* pairs, one for each mechanism, bounds it.
            Zhu, Dong, Wang 2022, Theorem 10.

Pairs are ordered, and both orders count, also where a question protects only one of two neighbours: nobody
knows which of the two the data are.

Where one pair of neighbours dominates all others, as in geometric noise, the three are equal. The mechanisms
are given beforehand in all three: who chooses *how private* the next one is after a look at the releases
needs a privacy filter, not this.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import chain, combinations_with_replacement, islice
from itertools import product as combinations_of
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpq

from optmech.analysis.composition.curve import PrivacyCurve, curve_of, rounded_down, rounded_up
from optmech.analysis.composition.losses import Losses, envelope, product
from optmech.analysis.composition.pairs import Neighbours, Source, are_few, neighbours_of
from optmech.analysis.composition.product_bounds import product_bound
from optmech.base.arguments import Word, brief, items, need_path, one_of, takes, whole_number
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.provenance import Provenance
from optmech.base.whole_files import write_whole
from optmech.mechanisms.mechanism import Mechanism
from optmech.mechanisms.source import find_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from fractions import Fraction
    from os import PathLike

    from optmech.analysis.composition.near_losses import NearLosses
    from optmech.base.numbers import Number

    NearUses = tuple[NearLosses, int]

# Combinations of pairs that are looked at one by one: if all are exact, and if they are put into cells.
_MOST_COMBINATIONS, _MOST_ROUNDED = 32, 4
_LONGEST_LIST = _MOST_COMBINATIONS + 1
# Longer lists of ratios that are near others are not made again for another combination.
_FEW_LISTED = 500
_ORDER_BITS = 40
_MOST_USES = 10_000
_CELLS = 512
_FEWEST_CELLS = 8


class Queries(Word):
    """The pairs of neighbours that several uses can meet; the module says it precisely."""

    REPEATED = "repeated"
    """The same query each time."""
    FIXED = "fixed"
    """Any queries of the kind, chosen beforehand."""
    ADAPTIVE = "adaptive"
    """Any queries of the kind, each chosen after the earlier releases were seen."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Composition:
    """The privacy that several uses spend together.

    Attributes
    ----------
    curve : PrivacyCurve
        No more than this is spent, at any epsilon.
    attained : PrivacyCurve
        Some data and some queries spend at least this. The same object as `curve` where that is exact.
    queries : Queries
        The queries that are covered.
    uses : int
        Number of releases, of all mechanisms together.
    provenance : Provenance
        Both curves come from exact arithmetic with safe rounding. They are proved if all mechanisms are
        certified, and recomputed from doubles, taken as they stand, if one is not.
    """

    curve: PrivacyCurve
    attained: PrivacyCurve
    queries: Queries
    uses: int
    provenance: Provenance

    @property
    def is_exact(self) -> bool:
        """Whether `curve` is what is spent in the worst case, and no bound."""
        return self.attained is self.curve

    def delta(self, epsilon: Number) -> Fraction:
        """Return a delta that suffices at this epsilon; see `PrivacyCurve.delta`."""
        return self.curve.delta(epsilon)

    def epsilon(self, delta: Number) -> float:
        """Return an epsilon that suffices at this delta, rounded up; ``math.inf`` where there is none."""
        return self.curve.epsilon(delta)

    def rows(self, epsilons: Iterable[Number]) -> list[tuple[str, float, float]]:
        """Return for each epsilon its text, the attained delta rounded down, and delta rounded up."""
        return [
            (
                str(epsilon),
                rounded_down(self.attained.delta_at_least(epsilon)),
                rounded_up(self.delta(epsilon)),
            )
            for epsilon in items(epsilons, "epsilons")
        ]

    @takes(path=need_path)
    def to_csv(self, path: str | PathLike[str], epsilons: Iterable[Number]) -> None:
        """Write the curve as CSV with columns ``epsilon,delta_at_least,delta``, whole or not at all.

        Raises
        ------
        ProblemError
            If an epsilon is negative or no number.
        FileFormatError
            If the path cannot be written.
        """
        lines = [
            f"# {self.uses} uses, {self.queries} queries: {self.provenance}",
            "epsilon,delta_at_least,delta",
        ]
        lines += [f"{epsilon},{low!r},{high!r}" for epsilon, low, high in self.rows(epsilons)]
        write_whole(path, "\n".join(lines) + "\n")


@takes(cells=whole_number)
def compose(
    mechanisms: Source | Sequence[Source],
    uses: int | Sequence[int] = 1,
    *,
    queries: str = Queries.ADAPTIVE,
    cells: int = _CELLS,
) -> Composition:
    """Return the total privacy loss of all uses of all mechanisms.

    Ratios are multiplied exactly where there are few enough of them. Otherwise losses are put into cells,
    with a proved upper and a proved lower bound.

    Parameters
    ----------
    mechanisms : Design, Certificate, (Mechanism, Query), or a list of these
        The mechanisms that are used.
    uses : int or list of int
        Number of uses of each: one number for all, or one for each.
    queries : {"adaptive", "fixed", "repeated"}
        The queries of the uses; see the head of this module. ``"adaptive"`` covers the others.
    cells : int
        Number of cells, where losses are put into cells. Errors fall with the square of it.

    Raises
    ------
    ProblemError
        If an argument breaks its rule, a query has no neighbours, or repeated queries differ.

    Examples
    --------
    >>> from optmech.mechanisms.matrix_mechanism import MatrixMechanism
    >>> from optmech.question.queries import count
    >>> answer = MatrixMechanism(matrix=[[0.75, 0.25], [0.25, 0.75]], responses=(0, 1), truths=(0, 1))
    >>> spent = compose((answer, count(1)), uses=2)
    >>> print(spent.delta("ln 3"), spent.delta("ln 9"), spent.is_exact)
    3/8 0 True
    """
    mode = Queries(one_of(queries, Queries, "queries"))
    if cells < _FEWEST_CELLS:
        raise broken_rule("cells", f"be at least {_FEWEST_CELLS}", cells, "More cells, tighter bounds.")
    sources = _sources(mechanisms)
    counts = _counts(uses, len(sources))
    neighbours = [neighbours_of(source) for source in sources]
    if are_few((part.most_ratios, count) for part, count in zip(neighbours, counts, strict=True)):
        neighbours = [replace(part, exactly=True) for part in neighbours]
    high: Losses | None
    if sum(counts) == 1:
        low = high = neighbours[0].dominating
    else:
        combinations = _combinations(neighbours, counts, mode)
        is_adaptive = mode is Queries.ADAPTIVE and len(combinations) > 1
        low, high = _bounds(combinations, cells, only_low=is_adaptive)
    if high is None:
        worst = [(part.nearly_dominating, count) for part, count in zip(neighbours, counts, strict=True)]
        bound = product_bound(worst, up=True, cells=cells)
        high = bound.losses
        if not bound.is_listed and not all(near.is_exact for part in neighbours for near in part.near):
            # Ratios that were merged may hide that one ratio is the inverse of another.
            exactly = [(part.dominating, count) for part, count in zip(neighbours, counts, strict=True)]
            high = product(exactly) or high
    is_certified = all(part.is_certified for part in neighbours)
    provenance = Provenance.PROVED if is_certified else Provenance.RECOMPUTED
    return composition_of(low, high, mode, sum(counts), provenance)


def composition_of(
    low: Losses, high: Losses, queries: Queries, uses: int, provenance: Provenance
) -> Composition:
    """Return the composition from two pairs: one is attained, the other dominates all."""
    curve = curve_of(high)
    attained = curve if low == high else curve_of(low)
    return Composition(curve=curve, attained=attained, queries=queries, uses=uses, provenance=provenance)


def _bounds(
    combinations: list[list[NearUses]], cells: int, *, only_low: bool
) -> tuple[Losses, Losses | None]:
    """Return the curve that some combinations attain, and an upper bound if all were examined."""
    is_long = len(combinations) > _MOST_ROUNDED
    looked_at = combinations[: _MOST_ROUNDED if len(combinations) > _MOST_COMBINATIONS else None]
    lows, highs = list[Losses](), list[Losses]()
    for parts in looked_at:
        low = product_bound([(near.low, uses) for near, uses in parts], up=False, cells=cells)
        lows.append(low.losses)
        is_exact = all(near.is_exact for near, _ in parts)
        if is_long and not (low.is_listed and (is_exact or len(low.losses.finite) <= _FEW_LISTED)):
            break
        if only_low or len(combinations) > len(looked_at):
            continue
        high = low
        if not (low.is_listed and is_exact):
            high = product_bound([(near.high, uses) for near, uses in parts], up=True, cells=cells)
        highs.append(high.losses)
    return envelope(lows), envelope(highs) if len(highs) == len(combinations) else None


def _combinations(neighbours: list[Neighbours], counts: list[int], mode: Queries) -> list[list[NearUses]]:
    """Return the combinations of pairs to look at, that of the largest total variations first.

    The list is cut where it is longer than what is looked at.
    """
    if mode is Queries.REPEATED and len(neighbours) > 1:
        _need_one_query(neighbours)
        tuples = dict.fromkeys(zip(*(part.indices for part in neighbours), strict=True))
        combinations = [
            [
                (part.near[index], count)
                for part, index, count in zip(neighbours, indices, counts, strict=True)
            ]
            for indices in tuples
        ]
        combinations.sort(key=lambda parts: -sum(count * _variation(near) for near, count in parts))
        return combinations
    worst = [sorted(part.worst(), key=_order, reverse=True) for part in neighbours]
    if mode is Queries.REPEATED:
        return [[(near, counts[0])] for near in worst[0]]
    choices = [
        [
            [(pairs[index], number) for index, number in Counter(indices).items()]
            for indices in islice(_choices(len(pairs), count), _LONGEST_LIST)
        ]
        for pairs, count in zip(worst, counts, strict=True)
    ]
    return [list(chain(*chosen_parts)) for chosen_parts in islice(combinations_of(*choices), _LONGEST_LIST)]


def _choices(number: int, count: int) -> Iterator[tuple[int, ...]]:
    """Yield the choices of `count` pairs out of `number`, the same pair each time first."""
    yield from ((index,) * count for index in range(number))
    combinations = combinations_with_replacement(range(number), count)
    yield from (indices for indices in combinations if indices[0] != indices[-1])


def _order(near: NearLosses) -> tuple[int, ...]:
    """Return the total variation, then the largest ratio, then that of larger ratios, to some digits each."""
    numbers = (_variation(near), *near.low.largest, _variation(near, 2))
    return tuple(int((number.p << _ORDER_BITS) // number.q) for number in numbers)


def _variation(near: NearLosses, power: int = 1) -> fmpq:
    """Return the total variation, or with a larger power less of what smaller ratios have in it."""
    losses = near.low
    return losses.infinite + sum(
        (mass * (1 - 1 / ratio) ** power for ratio, mass in losses.finite.items() if ratio > 1), fmpq(0)
    )


def _need_one_query(neighbours: list[Neighbours]) -> None:
    first, *others = (part.query for part in neighbours)
    for other in others:
        if other.truths != first.truths or not np.array_equal(other.pairs, first.pairs):
            message = (
                "`queries` must be fixed or adaptive for mechanisms of different queries; got repeated for "
                f"{first.name} and {other.name}."
            )
            raise ProblemError(message)


def _sources(mechanisms: Source | Sequence[Source]) -> list[Source]:
    is_pair = isinstance(mechanisms, tuple) and mechanisms and isinstance(mechanisms[0], Mechanism)
    if is_pair or find_source(mechanisms) is not None:
        return [mechanisms]  # type: ignore[list-item] # as was just seen
    sources: list[Source] = items(mechanisms, "mechanisms", "a design, a certificate, or a list of them")
    if not sources:
        raise broken_rule("mechanisms", "name at least one", "none")
    return sources


def _counts(uses: int | Sequence[int], number: int) -> list[int]:
    try:
        if hasattr(uses, "__index__"):
            counts = [whole_number(uses, "uses")] * number
        else:
            counts = [whole_number(use, "uses") for use in items(uses, "uses")]
    except ProblemError:
        counts = []
    if len(counts) != number or min(counts) < 1:
        raise broken_rule("uses", "be a positive whole number, or one for each mechanism", brief(uses))
    if sum(counts) > _MOST_USES:
        message = (
            f"all uses together must be at most {_MOST_USES:,}; got {sum(counts):,}. "
            "Beyond that use a theorem, such as `advanced_composition`."
        )
        raise ProblemError(message)
    return counts
