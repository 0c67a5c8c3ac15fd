"""Widths and colour schemes that a page is looked at in."""

import pytest

in_each_look = pytest.mark.parametrize(
    ("width", "scheme"),
    [
        pytest.param(390, "dark", marks=pytest.mark.slow),
        pytest.param(1280, "light", marks=pytest.mark.long),
        pytest.param(1280, "dark", marks=pytest.mark.long),
        pytest.param(390, "light", marks=pytest.mark.long),
    ],
)
