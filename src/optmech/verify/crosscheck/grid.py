"""The problems that theorems and models are held against each other on.

A grid is a list of cases in the papers' own families. ``QUICK`` takes seconds, ``FULL`` minutes; a user's own
ranges replace the lists of a grid one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from math import ceil, exp, expm1, gcd
from typing import TYPE_CHECKING, Any

from optmech.question.epsilon import exact_epsilon
from optmech.question.problems.croft import croft
from optmech.question.problems.kadam import kadam, kadam_least_delta
from optmech.question.problems.question import question
from optmech.question.problems.sadeghi import noisy_counts, sadeghi, sadeghi_symmetric
from optmech.question.queries import count, extremum, mean, residues
from optmech.question.structures import FreeMatrix, ModularNoise, SymmetricNoise, ZeroBiasNoise
from optmech.verify.crosscheck.chains import CURVES, chain_questions, step_questions

if TYPE_CHECKING:
    from optmech.question.problem import Problem
    from optmech.question.query import Query
    from optmech.question.structures import Structure

# With several distances fewer deltas are tried, and beyond this many boundaries they are below 1e-5.
_FEW, _MOST_BOUNDARIES = 3, 8

# Programs with an excess for each comparison grow with the cube of the range of an extremum.
_MOST_ANSWERS = 12

_Asked = Iterator[tuple[str, Callable[[], "Problem"]]]

FAMILIES = ("sadeghi", "croft", "kadam", "approximate", "chain")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One problem of a grid, asked for only when its turn comes."""

    family: str
    instance: str
    ask: Callable[[], Problem]


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceGrid:
    """Ranges of all families. Numbers are text, so that they mean what they say."""

    sadeghi_epsilons: tuple[str, ...]
    accuracies: tuple[str, ...]
    half_widths: tuple[int, ...]
    croft_epsilons: tuple[str, ...]
    counts: tuple[int, ...]
    extremes: tuple[int, ...]
    means: tuple[tuple[int, int], ...]
    """Numbers of records, and their largest values; the smallest is 0."""
    kadam_epsilons: tuple[str, ...]
    largest_answer: int
    """Modular noise: all moduli up to this plus one, all single distances and all bounded ones."""
    deltas: tuple[str, ...]
    """(epsilon, delta)-differential privacy, on the other families' ranges up to 12."""
    chain_counts: tuple[int, ...]
    curves: tuple[tuple[tuple[str, str], ...], ...]
    """Several pairs (epsilon, delta) at once, for the theorem of chains."""
    every_shape: bool
    """Whether each of these meets each prior, loss, grid of responses and property; else they take turns."""

    def with_ranges(self, **ranges: Any) -> InstanceGrid:  # noqa: ANN401 - a tuple or a number, by field
        """Return this grid with some of its ranges replaced; those that are ``None`` stay."""
        return replace(self, **{name: value for name, value in ranges.items() if value is not None})

    def cases(self, families: tuple[str, ...] = FAMILIES) -> list[Case]:
        """Return the cases of the families, in order."""
        return [
            Case(family=family, instance=instance, ask=ask)
            for family in families
            for instance, ask in getattr(self, f"_{family}")()
        ]

    def _sadeghi(self) -> _Asked:
        for epsilon in self.sadeghi_epsilons:
            for accuracy in self.accuracies:
                for width in self.half_widths:
                    name = f"epsilon {epsilon}, accuracy {accuracy}, half-width {width}"
                    for rows in ("all", "paper"):
                        yield (
                            f"symmetric, {name}, {rows} rows",
                            partial(sadeghi_symmetric, epsilon, accuracy, width, rows=rows),
                        )
                    yield from _over_all_sets(
                        SymmetricNoise(width, Fraction(accuracy)), epsilon, (width, 2 * width)
                    )
                    if width <= 3 and 0.1 <= float(exact_epsilon(epsilon)) < 3:  # noqa: PLR2004 - larger ones solve for minutes
                        for counts in ((1, 2 * width + 2), (width, 2 * width + 1), (width, 3 * width + 1)):
                            yield (
                                f"counts {counts[0]}..{counts[1]}, {name}",
                                partial(sadeghi, epsilon, accuracy, width, counts=counts),
                            )
                            yield from _over_all_sets(
                                ZeroBiasNoise(width, Fraction(accuracy)), epsilon, counts
                            )

    def _croft(self) -> _Asked:
        for epsilon in self.croft_epsilons:
            for largest in self.counts:
                yield f"count 0..{largest}, epsilon {epsilon}", partial(croft, count(largest), epsilon)
                yield from _unbiased(largest, epsilon)
            for largest in self.extremes:
                for variant, loss in ((1, "absolute"), (2, "absolute"), (1, "squared")):
                    yield (
                        f"extremum 0..{largest}, epsilon {epsilon}, variant {variant}, {loss} loss",
                        partial(croft, extremum(0, largest), epsilon, variant=variant, loss=loss),
                    )
            for size, loss in product(self.means, ("absolute", "squared", "zero-one")):
                query = mean(*size)
                name = f"{query.title}, epsilon {epsilon}, variant 1, {loss} loss"
                yield name, partial(croft, query, epsilon, loss=loss)

    def _kadam(self) -> _Asked:
        for epsilon in self.kadam_epsilons:
            for answer in range(1, self.largest_answer + 1):
                for distance in range(1, answer + 1):
                    yield from _modular(answer + 1, (distance,), epsilon)
                    if distance > 1:
                        yield from _modular(answer + 1, tuple(range(1, distance + 1)), epsilon)

    def _approximate(self) -> _Asked:
        sizes = [n for n in self.counts if n <= _MOST_ANSWERS]
        queries = [count(n) for n in sizes] + [extremum(0, k) for k in self.extremes if k <= _MOST_ANSWERS]
        queries += [mean(*size) for size in self.means if size[0] * size[1] <= _MOST_ANSWERS]
        for epsilon in ("0", *self.croft_epsilons):
            for query in queries:
                yield from _error_rates(query, epsilon, self.deltas, FreeMatrix(), "zero-one")
        for epsilon in ("0", *self.kadam_epsilons):
            for answer in range(1, self.largest_answer + 1):
                for distance in range(1, answer + 1):
                    for both in (False, True):
                        query = residues(answer + 1, [distance], symmetric=both)
                        for structure, loss in ((FreeMatrix(), "zero-one"), (ModularNoise(), "error-rate")):
                            yield from _error_rates(query, epsilon, self.deltas, structure, loss)

    def _chain(self) -> _Asked:
        for questions in (chain_questions, step_questions):
            yield from questions(self.chain_counts, self.curves, every=self.every_shape)


def _unbiased(largest: int, epsilon: str) -> _Asked:
    """Yield the unbiased count with responses as far as it needs, unless that is far."""
    beyond = ceil(1 / expm1(float(exact_epsilon(epsilon))))
    if beyond <= largest:
        query = count(largest).variant(responses=range(-beyond, largest + beyond + 1))
        name = f"unbiased count 0..{largest} on {-beyond}..{largest + beyond}, epsilon {epsilon}"
        yield name, partial(question, query, epsilon, properties=["unbiased"])


def _over_all_sets(noise: SymmetricNoise | ZeroBiasNoise, epsilon: str, counts: tuple[int, int]) -> _Asked:
    query = noisy_counts(*counts, noise.half_width)
    yield (
        f"{noise}, counts {counts[0]}..{counts[1]}, epsilon {epsilon}, all sets",
        partial(question, query, epsilon, structure=noise, least="delta"),
    )


def _error_rates(
    query: Query, epsilon: str, deltas: tuple[str, ...], structure: Structure, loss: str
) -> _Asked:
    name = f"{query.title}, {structure}, epsilon {epsilon}"
    ask = partial(question, query, epsilon, structure=structure)
    for worst in (False, True):
        kind = "worst" if worst else "mean"
        for delta in deltas:
            # Without delta and on average the other families ask the same.
            if delta != "0" or (worst and epsilon != "0"):
                yield (
                    f"{name}, delta {delta}, {kind} {loss}",
                    partial(ask, delta=delta, loss=loss, worst_case=worst),
                )
        bounds = [f"{kind} {loss} <= 0.2"]
        yield f"{name}, least delta at a {kind} {loss} of 0.2", partial(ask, least="delta", bounds=bounds)


def _modular(modulus: int, distances: tuple[int, ...], epsilon: str) -> _Asked:
    query = residues(modulus, distances, symmetric=False)
    text = ",".join(map(str, distances))
    name = f"modulo {modulus}, distances {text}, epsilon {epsilon}"
    readings = ("definition",) if len(distances) == 1 else ("definition", "printed")
    for delta in _deltas(modulus, distances, epsilon):
        for reading in readings:
            instance = f"{name}, delta {float(delta):.12g}, {reading}"
            yield instance, partial(kadam, query, epsilon, delta, reading=reading)
    ask = partial(kadam_least_delta, query, epsilon, at_most="0.4")
    yield f"{name}, least delta at error rate 0.4", ask


def _deltas(modulus: int, distances: tuple[int, ...], epsilon: str) -> list[Fraction]:
    """Return zero, some large delta, and deltas on and between the boundaries of the regions.

    With one distance the noise walks a cycle of N answers; keeping h + 1 of its masses leaks the last of
    them, ``e^(-h epsilon) / (1 + ... + e^(-h epsilon))``. For several distances these are as good as any.
    """
    decay = exp(-float(exact_epsilon(epsilon)))
    length = modulus // gcd(modulus, *distances) if len(distances) == 1 else _FEW
    boundaries, total = [], 1.0
    for steps in range(1, min(length, _MOST_BOUNDARIES)):
        total += decay**steps
        boundaries.append(Fraction(decay**steps / total))
    between = [(low + high) / 2 for low, high in pairwise([Fraction(0), *reversed(boundaries)])]
    return [Fraction(0), *boundaries, *between, Fraction(3, 10)]


QUICK = InstanceGrid(
    sadeghi_epsilons=("0", "0.5", "1", "2.18"),
    accuracies=("0.01", "0.3", "0.8"),
    half_widths=(1, 2, 4, 8),
    croft_epsilons=("0.1", "0.5", "2"),
    counts=(2, 5, 10, 20),
    extremes=(2, 4, 9),
    means=((2, 2), (4, 3)),
    kadam_epsilons=("0.5", "1.5"),
    largest_answer=5,
    deltas=("0", "0.01", "0.3"),
    chain_counts=(1, 4, 7),
    curves=CURVES[:4],
    every_shape=False,
)
FULL = InstanceGrid(
    sadeghi_epsilons=("0", "0.001", "0.1", "0.5", "1", "1.5", "2.18", "5", "10", "20", "40"),
    accuracies=("0.001", "0.01", "0.1", "0.3", "0.5", "0.8", "0.95", "0.999"),
    half_widths=(1, 2, 3, 4, 6, 8, 16, 32, 64),
    croft_epsilons=("0.05", "0.1", "0.2", "0.5", "1", "2", "4"),
    counts=tuple(range(2, 61)),
    extremes=tuple(range(2, 21)),
    means=((2, 2), (2, 4), (3, 2), (4, 3), (5, 2), (10, 2), (10, 4)),
    kadam_epsilons=("0.5", "1", "2"),
    largest_answer=12,
    deltas=("0", "0.000001", "0.01", "0.3", "1"),
    chain_counts=(1, 2, 3, 5, 8, 12, 20),
    curves=CURVES,
    every_shape=True,
)
