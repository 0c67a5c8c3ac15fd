"""Problems in whose optima a mistake in a closed form shows.

The grid of the comparison itself, in small, and beside it what it leaves out: error rates on both sides of
each jump, distances both ways, the shared indicators of the printed program, levels enough for each section
of a theorem, and truths, responses and weights of all kinds.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from optmech.question.privacy import ApproximatePrivacy, PurePrivacy
from optmech.question.problems.croft import croft
from optmech.question.problems.kadam import kadam, kadam_least_delta
from optmech.question.problems.p_table import p_table
from optmech.question.problems.question import question
from optmech.question.problems.sadeghi import noisy_counts, sadeghi, sadeghi_symmetric
from optmech.question.queries import count, extremum, mean, residues
from optmech.question.query import Query
from optmech.question.structures import FreeMatrix, ModularNoise, SymmetricNoise, ZeroBiasNoise
from optmech.verify.crosscheck.compare import optimum_of
from optmech.verify.crosscheck.grid import QUICK, Case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.question.problem import Problem

GRID = QUICK.with_ranges(
    sadeghi_epsilons=("0", "1", "2.18"),
    accuracies=("0.01", "0.5", "0.8"),
    half_widths=(1, 2, 3),
    croft_epsilons=("0.5", "1.7"),
    counts=(2, 5, 8),
    extremes=(3, 8),
    means=((3, 2),),
    kadam_epsilons=("0.7",),
    largest_answer=4,
    deltas=("0", "0.2"),
    chain_counts=(),
)


@cache
def cases() -> list[Case]:
    """Return all problems, those that solve in no time first within each family."""
    return [*_sadeghi(), *_all_sets(), *_croft(), *_kadam(), *_approximate(), *GRID.cases()]


@cache
def optimum(case: Case) -> tuple[float, str]:
    """Return the optimum of a problem, solved once."""
    return optimum_of(case.ask())


def _case(family: str, make, *arguments, **options) -> Case:
    words = [*map(str, arguments), *(f"{name} {value}" for name, value in options.items())]

    @cache
    def ask() -> Problem:
        return make(*arguments, **options)

    return Case(family=family, instance=f"{make.__name__}: {', '.join(words)}", ask=ask)


def _sadeghi() -> Iterator[Case]:
    # From a small accuracy, where inner bounds hold, past every crossover.
    accuracies = [
        "0.00001",
        "0.0005",
        "0.004",
        "0.02",
        "0.05",
        "0.118",
        *(f"{k / 40:g}" for k in range(3, 40, 3)),
    ]
    for epsilon, width, accuracy in product(("0.3", "1"), (2, 5, 9), accuracies):
        for rows in ("all", "paper"):
            yield _case("sadeghi", sadeghi_symmetric, epsilon, accuracy, width, rows=rows)
    for epsilon, accuracy, width in product(("0.2", "1", "2"), ("0.02", "0.3", "0.7", "0.9"), (1, 2, 3, 4)):
        for last in (2, 3, 5):
            yield _case("sadeghi", sadeghi, epsilon, accuracy, width, counts=(1, last))
    # Ranges that are just long enough to follow outcomes, and those one shorter.
    for epsilon, accuracy, width in product(
        ("0.5", "1.2"), ("0.004", "0.05", "0.3", "0.7", "0.9"), (1, 2, 3, 4)
    ):
        for length in range(1, 2 * width + 1):
            yield _case("sadeghi", sadeghi, epsilon, accuracy, width, counts=(width, width + length))
    # Here the floor of counts from 1 is the optimum, after one step or after several.
    floors = (("1", "0.45", 5), ("1", "0.5", 4), ("1", "0.6", 4), ("1.2", "0.55", 3), ("2", "0.75", 6))
    for (epsilon, accuracy, width), last in product(floors, (2, 3, 4, 5)):
        yield _case("sadeghi", sadeghi, epsilon, accuracy, width, counts=(1, last))


def _all_sets() -> Iterator[Case]:
    accuracies = [
        "0.00001",
        "0.0005",
        "0.004",
        "0.02",
        "0.05",
        "0.118",
        *(f"{k / 40:g}" for k in range(3, 40, 3)),
    ]
    for epsilon, width, accuracy in product(("0.3", "1"), (1, 2, 3, 4, 5, 8, 9), accuracies):
        yield _over_all_sets(SymmetricNoise, epsilon, accuracy, width, (width, 2 * width + 1))
    for epsilon, accuracy, width in product(("0.2", "1"), ("0.02", "0.3", "0.7"), (1, 2, 3)):
        for first, last in ((1, 2), (1, 5), (width, width + 2), (width, 3 * width)):
            if last > first:
                yield _over_all_sets(ZeroBiasNoise, epsilon, accuracy, width, (first, last))


def _over_all_sets(kind, epsilon, accuracy, width, counts) -> Case:
    query, noise = noisy_counts(*counts, width), kind(width, accuracy)
    return _case("sadeghi", question, query, epsilon, structure=noise, least="delta")


def _croft() -> Iterator[Case]:
    beyond = Query([1, 4, 7, 10], [-9, -2, 1, 3, 4, 7, 10, 11, 17], neighbours=1)
    for epsilon, choices in product(("0.4", "1.3", "ln 2"), ({}, {"prior": None}, {"worst_case": True})):
        yield _case("croft", question, beyond, epsilon, properties=["unbiased"], **choices)
    apart = Query([0, 1, 5, 7, 8], [0, 1, 2, (3, 6), 7, 9], "all")
    cells = Query(range(5), [(Fraction(2 * k - 1, 2), Fraction(2 * k + 1, 2)) for k in range(5)], "all")
    fine = Query(range(6), [Fraction(k, 2) for k in range(-2, 14)], "all")
    few = Query(range(9), [1, 4, 6], "all")
    for epsilon in ("0.1", "0.6", "1.3", "2.2", "3.5", "6"):
        for query in (apart, cells, fine, few, *(extremum(0, last) for last in (6, 10, 17, 20))):
            number, size = query.num_truths, query.num_responses
            weights = [Fraction((5 * k) % 7 + 1, 4) for k in range(number)]
            weights = [float(w / sum(weights)) for w in weights]
            for loss, prior in (("absolute", None), ("squared", weights), ("zero-one", "uniform")):
                yield _case("croft", croft, query, epsilon, loss=loss, prior=prior)
            priced = [
                [1 + int(abs(query.response_values[r] - t) > 1) for t in query.truth_values]
                for r in range(size)
            ]
            yield _case("croft", croft, query, epsilon, loss=priced)
        for largest, loss in product((1, 2, 3, 6, 11), ("absolute", "squared", "zero-one")):
            yield _case("croft", croft, count(largest), epsilon, loss=loss)
        for query, loss in product((mean(3, 2), mean(2, 3), *_graphs()), ("absolute", "squared", "zero-one")):
            yield _case("croft", croft, query, epsilon, loss=loss)
        for query in _graphs():  # where the truth costs something, and truths count differently
            losses = [[1 + (3 * r + 2 * f) % 5 - (r == f) for f in range(5)] for r in range(5)]
            prior = [0.3, 0.2, 0.2, 0.2, 0.1]
            yield _case("croft", croft, query, epsilon, loss=losses, prior=prior)
        for largest, loss in product((1, 2, 5, 9), ("absolute", "squared")):
            yield _case("croft", croft, extremum(0, largest), epsilon, variant=2, loss=loss, prior="uniform")


def _graphs() -> tuple[Query, Query]:
    """Truths that differ in how many are near them, and one that others reach and cannot leave."""
    star = Query(range(5), neighbours=[(0, leaf) for leaf in range(1, 5)], name="a star")
    chain = Query(range(5), neighbours=[(0, 1), (1, 2), (2, 3), (4, 3)], symmetric=False, name="one way")
    return star, chain


def _kadam() -> Iterator[Case]:
    rates = ("0", "0.1", "0.25", "0.4", "0.5", "0.54", "0.6", "0.7", "0.82", "0.9", "1", "1.5")
    deltas = tuple(Fraction(share) for share in ("0", "1/100", "1/20", "1/9", "1/5", "2/5", "9/10"))
    for epsilon, (modulus, distance) in product(("0.2", "0.9"), ((2, 1), (3, 1), (6, 1), (9, 2), (8, 2))):
        for both, rate in product((False, True), rates):
            query = residues(modulus, [distance], symmetric=both)
            yield _case("kadam", kadam_least_delta, query, epsilon, at_most=rate)
        for both, delta in product((False, True), deltas):
            query = residues(modulus, [distance], symmetric=both)
            yield _case("kadam", kadam, query, epsilon, delta)
            if not both:
                yield _case("kadam", kadam, query, epsilon, delta, reading="printed")
    # n = b mu + r, up to b = 5.
    shapes = ((4, 2), (5, 2), (6, 2), (7, 2), (6, 3), (7, 3), (9, 3), (10, 3), (12, 3), (12, 4), (13, 4))
    for epsilon, (n, largest) in product(("0.3", "0.8"), shapes):
        query = residues(n + 1, range(1, largest + 1), symmetric=False)
        for delta in deltas:
            yield _case("kadam", kadam, query, epsilon, delta, reading="printed")
        for rate in rates:
            yield _case("kadam", kadam_least_delta, query, epsilon, at_most=rate, reading="printed")
    for epsilon, (n, largest) in product(("0.3", "0.8"), ((4, 2), (6, 3), (7, 3), (9, 3), (13, 4))):
        query = residues(n + 1, range(1, largest + 1), symmetric=False)
        for rate in range(21, 48):
            at_most = Fraction(rate, 50)
            yield _case("kadam", kadam_least_delta, query, epsilon, at_most=at_most, reading="printed")
    for modulus, distances in ((4, (1,)), (6, (1, 2)), (7, (1, 3))):
        yield _case("kadam", _pure, residues(modulus, distances, symmetric=False), "0.7")
    for epsilon, (modulus, distances) in product(("0.4", "1.2"), ((6, (2, 3)), (6, (2, 4)), (7, (1, 3)))):
        query = residues(modulus, distances, symmetric=False)
        for delta in deltas:
            yield _case("kadam", kadam, query, epsilon, delta)
        for rate in rates:
            yield _case("kadam", kadam_least_delta, query, epsilon, at_most=rate)


def _approximate() -> Iterator[Case]:
    circles = [residues(7, [1, 3], symmetric=False), residues(6, [2]), residues(6, [2, 3]), extremum(0, 3)]
    bounds = ([], ["worst zero-one <= 0.2"], ["worst zero-one <= 0.95"], ["mean zero-one <= 0.2"])
    skew = [0.3, 0.2, 0.2, 0.2, 0.1]
    for epsilon, query in product(
        ("0.4", "1.3"), (*_graphs(), *circles, count(1), count(4), count(7), mean(3, 2))
    ):
        for delta, worst in product((0, "0.03", "0.4"), (False, True)):
            options = {"delta": delta, "loss": "zero-one", "worst_case": worst}
            for prior in ("uniform", None):
                yield _case("approximate", question, query, epsilon, prior=prior, **options)
        for bound in (*bounds, ["mean zero-one <= 0"], ["worst zero-one <= 0.2", "mean absolute <= 3"]):
            yield _case("approximate", question, query, epsilon, least="delta", bounds=bound)
        if query.num_truths == len(skew):
            options = {"loss": "zero-one", "prior": skew}
            yield _case("approximate", question, query, epsilon, delta="0.03", **options)
    noise = ModularNoise()
    for epsilon, query in product(("0.4", "1.3"), circles[:3]):
        for delta, worst in product((0, "0.03"), (False, True)):
            options = {"structure": noise, "loss": "error-rate", "worst_case": worst}
            yield _case("approximate", question, query, epsilon, delta=delta, **options)
        yield _case("approximate", question, query, epsilon, delta="0.03", structure=noise, loss="zero-one")
        for bound in ("mean error-rate <= 0.2", "worst error-rate <= 0.2", "mean circular <= 0.2"):
            yield _case(
                "approximate", question, query, epsilon, structure=noise, least="delta", bounds=[bound]
            )
        yield _case("approximate", _least_true_delta, query, epsilon)
    for variance in ("1/2", "1", "2", "3"):
        for without in ([], [1]):
            options = {"variance": variance, "without": without, "unbiased": True}
            yield _case("approximate", p_table, 5, "0.8", **options)
    apart = Query([1, 3, 5, 7], range(1, 12), neighbours=[(0, 1), (1, 2), (2, 3)])
    for bound in ("worst squared <= 1", "worst squared <= 4", "worst squared <= 9"):
        options = {"least": "delta", "properties": ["unbiased"], "bounds": [bound]}
        yield _case("approximate", question, apart, "0.8", **options)
    for loss in ("absolute", "squared"):
        yield _case("approximate", question, count(1), "0.8", delta="0.1", loss=loss, structure=FreeMatrix())
        yield _case("approximate", question, count(4), "0.8", delta="0.1", loss=loss)


def _least_true_delta(query: Query, epsilon: str) -> Problem:
    """Return Kadam's problem (15) under the definition of all sets."""
    problem = kadam_least_delta(query, epsilon, at_most="0.2")
    return replace(problem, privacy=ApproximatePrivacy(epsilon, None))


def _pure(query: Query, epsilon: str) -> Problem:
    """Return the problem without leaks under pure privacy, which is another program."""
    return replace(kadam(query, epsilon), privacy=PurePrivacy(epsilon))
