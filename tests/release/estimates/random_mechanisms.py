"""Two hundred mechanisms of random whole numbers, of every rank, and what they can release."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

from optmech.release.estimates.likelihoods import Likelihoods


def random_likelihoods(seed, most=6):
    """Return a mechanism of 2 to `most` truths and responses: every third one has columns that depend."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    truths, responses = rng.randint(2, most), rng.randint(2, most)
    columns = []
    while len(columns) < truths:
        column = [rng.choice((0, 0, 1, 2, 3, 5, 8, 13)) for _ in range(responses)]
        if any(column):
            columns.append(tuple(column))
    if seed % 3 == 0 and truths > 2:
        columns[1] = tuple(a + b for a, b in zip(columns[0], columns[2], strict=True))
    grid = sorted(rng.sample(range(-5, 15), truths)), sorted(rng.sample(range(-5, 15), responses))
    return Likelihoods(
        truths=tuple(map(Fraction, grid[0])), responses=tuple(map(Fraction, grid[1])), weights=tuple(columns)
    )


def uniform(likelihoods):
    """Return the prior that weighs all truths the same."""
    number = len(likelihoods.truths)
    return [Fraction(1, number)] * number


def rank(rows):
    """Return the rank of a matrix of fractions, by elimination."""
    rows = [list(map(Fraction, row)) for row in rows]
    found = 0
    for column in range(len(rows[0])):
        pivot = next((at for at in range(found, len(rows)) if rows[at][column]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for at in range(found + 1, len(rows)):
            factor = rows[at][column] / rows[found][column]
            rows[at] = [a - factor * b for a, b in zip(rows[at], rows[found], strict=True)]
        found += 1
        if found == len(rows):
            break
    return found


def draws(likelihoods, truths):
    """Yield each tuple of responses that these truths, by position, can lead to, and its probability."""
    for responses in itertools.product(range(len(likelihoods.responses)), repeat=len(truths)):
        share = Fraction(1)
        for response, truth in zip(responses, truths, strict=True):
            share *= Fraction(likelihoods.weights[truth][response], sum(likelihoods.weights[truth]))
            if not share:
                break
        if share:
            yield responses, share


def datasets(likelihoods, size):
    """Return all data sets of as many records, without their order."""
    return list(itertools.combinations_with_replacement(range(len(likelihoods.truths)), size))
