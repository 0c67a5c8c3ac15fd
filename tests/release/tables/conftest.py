"""Certificates to apply, and what a table is held to after it was released."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

import optmech as om


@pytest.fixture(scope="session")
def five():
    """Certify a count 0..5 at epsilon 0.5."""
    return om.design(om.croft(om.count(5), epsilon="0.5")).certificate


@pytest.fixture(scope="session")
def colours():
    """Certify three categories at epsilon 1."""
    query = om.categories(["red", "green, dark", "blue"])
    return om.design(om.question(query, epsilon="1", loss="zero-one")).certificate


@pytest.fixture(scope="session")
def halves():
    """Certify a mean of two records with values 0..2 at epsilon 1: truths 0, 0.5, .., 2."""
    return om.design(om.croft(om.mean(2, 2), epsilon="1")).certificate


@pytest.fixture(scope="session")
def large():
    """Prove a count 0..30000 without a matrix."""
    return om.design(om.croft(om.count(30_000), "0.1")).mechanism


@pytest.fixture(scope="session")
def fits():
    """Return the least probability, over all true values, of counts so far from the law of a matrix."""

    def least(drawn, truths, matrix):
        results, (wide, number) = [], matrix.shape
        assert 0 <= drawn.min() <= drawn.max() < wide
        pairs = np.bincount(np.asarray(truths, np.int64) * wide + drawn, minlength=number * wide)
        for truth, drawn_there in enumerate(pairs.reshape(number, wide)):
            if not drawn_there.any():
                continue
            counts, expected = drawn_there, matrix[:, truth] * drawn_there.sum()
            rare = expected < 10  # too few for the distribution of chi-square; taken together they count once
            counts = np.append(counts[~rare], counts[rare].sum())
            expected = np.append(expected[~rare], expected[rare].sum())
            some = expected > 0
            if counts[~some].any():
                return 0.0
            distance = ((counts - expected)[some] ** 2 / expected[some]).sum()
            results.append(chi2.sf(distance, max(1, some.sum() - 1)))
        return min(results)

    return least
