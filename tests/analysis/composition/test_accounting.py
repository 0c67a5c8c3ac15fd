"""Google's dp-accounting, whose numbers are rounded losses on a grid, has the exact curve in between."""

from __future__ import annotations

import pytest

from optmech import count, croft, design, sadeghi_symmetric
from optmech.analysis.composition import compose
from tests.analysis.composition.numerical import numerical_delta

# Its own sums of doubles.
ROUNDING = 1e-9
INTERVAL = 1e-4


@pytest.fixture(scope="module")
def sources():
    pytest.importorskip("dp_accounting")
    return [
        design(croft(count(4), epsilon="0.5")).certificate,
        design(sadeghi_symmetric("1", "0.5", 2)).certificate,
    ]


@pytest.mark.slow
@pytest.mark.parametrize("uses", [1, 3, 8])
def test_the_exact_curve_lies_between_its_bounds(sources, uses):
    for source in sources:
        spent = compose(source, uses, queries="repeated")
        for epsilon in (0.0, 0.4, 1.0, 2.3):
            low, high = (
                numerical_delta(source, uses, epsilon, interval=INTERVAL, pessimistic=up)
                for up in (False, True)
            )
            assert low - ROUNDING <= float(spent.delta(epsilon)) <= high + ROUNDING
            assert high - low <= 4 * uses * INTERVAL
