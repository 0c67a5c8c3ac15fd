"""The rules of a mechanism, decided anew with fractions, one pair at a time; and problems to try."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import lcm

import numpy as np
from hypothesis import strategies as st

import optmech as om
from optmech.base.logarithm import Logarithm
from optmech.proofs.enclosure import enclose_exponential

EPSILONS = ("0.01", "0.1", "1/3", "0.5", "1", "ln 2", "ln 3/2", "2", "5", "10", "11")
PROPERTIES = ("column-monotone", "row-monotone", "symmetric", "fair")
# A repair is given more bits of e^epsilon than it can notice; so is the series below.
BITS = 240


def factor_of(problem):
    return enclose_exponential(problem.privacy.epsilon, BITS)


def below_exponential(epsilon):
    """Return a rational at most e^epsilon, by less than 2**-80 of it: terms of the series are positive."""
    if isinstance(epsilon, Logarithm):
        return epsilon.of
    term = total = Fraction(1)
    n = 0
    while n < 2 * epsilon or term * 2**82 > total:
        n += 1
        # Rounded down to multiples of 2**-300: shorter, and smaller.
        term = Fraction(int(term * epsilon / n * 2**300), 2**300)
        total += term
    return total


def fractions_of(matrix):
    return [[Fraction(int(entry), matrix.denominator) for entry in row] for row in matrix.numerators.tolist()]


def home_of(query, truth):
    """Return the response that holds a truth: the upper one at a common end, the last one at its own end."""
    for r in reversed(range(query.num_responses)):
        low, high = query.responses[r]
        if low <= truth < high or low == truth == high or (r == query.num_responses - 1 and truth == high):
            return r
    return -1


def broken_rule(problem, entries):  # noqa: PLR0911 - a return for each rule
    """Return a rule that the fractions break, or None: pure privacy, sums, and properties."""
    query = problem.query
    number, truths = query.num_responses, query.num_truths
    below = below_exponential(problem.privacy.epsilon)
    home = [home_of(query, truth) for truth in query.truths]
    for f in range(truths):
        if sum(entries[r][f] for r in range(number)) != 1 or min(entries[r][f] for r in range(number)) < 0:
            return f"column {f} is no distribution"
    for f, g in query.pairs.tolist():
        for r in range(number):
            if entries[r][f] > below * entries[r][g]:
                return f"privacy at response {r} of {f} against {g}"
    for expected in problem.properties:
        for r in range(number):
            for f in range(truths):
                here = entries[r][f]
                if expected == "symmetric" and here != entries[number - 1 - r][truths - 1 - f]:
                    return f"symmetric at {r}, {f}"
                if expected == "column-monotone" and r + 1 < number:
                    low, high = (r, r + 1) if r < home[f] else (r + 1, r)
                    if entries[low][f] > entries[high][f]:
                        return f"column-monotone at {r}, {f}"
                if expected == "row-monotone" and f + 1 < truths:
                    start, after = query.responses[r].lower, entries[r][f + 1]
                    if (query.truths[f + 1] < start or home[f + 1] == r) and here > after:
                        return f"row-monotone at {r}, {f}: falls on the way there"
                    if query.truths[f] >= start and here < after:
                        return f"row-monotone at {r}, {f}: rises on the way on"
        if expected == "fair" and len({entries[home[f]][f] for f in range(truths)}) != 1:
            return "fair"
    return None


def cost_of(problem, entries):
    """Return the expected loss, with losses from the grid where they have a name."""
    query, objective = problem.query, problem.objective
    total = Fraction(0)
    for f, truth in enumerate(query.truths):
        weight = {
            "sum": Fraction(1),
            "uniform": Fraction(1, query.num_truths),
            None: Fraction(repr(float(objective.weights[f]))),
        }[objective.weights_name]
        for r, (low, high) in enumerate(query.responses):
            distance = abs((low + high) / 2 - truth)
            loss = {
                "absolute": distance,
                "squared": distance**2,
                "zero-one": Fraction(home_of(query, truth) != r),
                None: Fraction(repr(float(objective.loss[r, f]))),
            }[objective.loss_name]
            total += weight * loss * entries[r][f]
    return total


@st.composite
def queries(draw):  # noqa: PLR0911 - a return for each kind
    """Counts, means, extremes, uneven grids, graphs, categories; more or fewer responses than truths."""
    kind = draw(
        st.sampled_from(["count", "mean", "extremum", "uneven", "graph", "cells", "points", "reach", "ends"])
    )
    if kind == "count":
        return om.count(draw(st.integers(1, 8)))
    if kind == "mean":
        return om.mean(draw(st.integers(1, 3)), draw(st.integers(1, 3)))
    if kind == "extremum":
        return om.extremum(0, draw(st.integers(1, 6)))
    if kind == "ends":  # a point at the common end of two cells
        return om.Query([0, 1, 2, 3, 4], [(0, 2), 2, (2, 4)], draw(st.sampled_from([1, 2, "all"])))
    truths = sorted(draw(st.sets(st.integers(0, 24), min_size=2, max_size=5)))
    if kind == "reach":
        return om.Query(range(len(truths) + 2), neighbours=draw(st.integers(2, 3)))
    if kind == "graph":
        size = len(truths)
        pairs = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)).filter(lambda p: p[0] != p[1])
        listed = draw(st.lists(pairs, min_size=1, max_size=6))
        return om.Query(truths, neighbours=listed, symmetric=draw(st.booleans()))
    reach = draw(st.sampled_from([1, 2, "all"]))
    if kind == "uneven":
        return om.Query(truths, neighbours=reach)
    if kind == "points":
        more = draw(st.sets(st.integers(-5, 30), max_size=3))
        return om.Query(truths, sorted(set(truths) | more), reach)
    cuts = sorted({-1, 25} | draw(st.sets(st.integers(0, 24), max_size=3)))
    return om.Query(truths, list(pairwise(cuts)), reach)


@st.composite
def problems(draw, kinds=None):
    """Return a problem of Croft's with random loss, prior, epsilon and properties."""
    query = draw(kinds or queries())
    shape = query.num_responses, query.num_truths
    loss = draw(st.sampled_from(["absolute", "squared", "zero-one", "typed"]))
    if loss == "typed":
        cells = draw(st.lists(st.integers(0, 9), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]))
        loss = np.reshape(np.array(cells, float) / 8, shape)
    prior = draw(st.sampled_from([None, "uniform", "typed"]))
    if prior == "typed":
        counts = np.array(draw(st.lists(st.integers(0, 5), min_size=shape[1], max_size=shape[1])), float)
        counts[0] += 1
        prior = counts / counts.sum()
    expected = draw(st.sets(st.sampled_from(PROPERTIES)))
    return om.croft(query, draw(st.sampled_from(EPSILONS)), loss=loss, prior=prior, properties=expected)


def random_private_matrix(problem, rng):
    """Return a random matrix, mixed with the even one until it is private, exactly."""
    query = problem.query
    number, truths = query.num_responses, query.num_truths
    below = below_exponential(problem.privacy.epsilon)
    weights = [[Fraction(rng.randint(0, 9)) for _ in range(truths)] for _ in range(number)]
    weights[rng.randrange(number)] = [Fraction(1)] * truths
    sums = [sum(weights[r][f] for r in range(number)) for f in range(truths)]
    drawn = [[weights[r][f] / sums[f] for f in range(truths)] for r in range(number)]
    even = Fraction(1, number)
    share = Fraction(0)  # of the even matrix: P (1-s) + s e <= E (Q (1-s) + s e) for all
    for f, g in query.pairs.tolist():
        for row in drawn:
            excess = row[f] - below * row[g]
            if excess > 0 and below > 1:
                share = max(share, excess / (excess + (below - 1) * even))
    return [[entry * (1 - share) + share * even for entry in row] for row in drawn]


def over_one_denominator(entries):
    """Return whole numbers and their denominator."""
    scale = lcm(*(entry.denominator for row in entries for entry in row))
    return [[int(entry * scale) for entry in row] for row in entries], scale
