"""Tables are Markdown, and their numbers the same on every machine."""

from __future__ import annotations

import pytest

from benchmarks.table import Table, figure, markdown
from tests.each import each


@each(
    ("value", "text"),
    [
        (1.0605371965144281, "1.06054"),
        (1.0605371965199999, "1.06054"),
        (12345678.9, "1.23457e+07"),
        (0.0, "0"),
        (-0.0, "0"),
        (float("inf"), "inf"),
        (float("nan"), "nan"),
    ],
)
def test_a_figure_has_six_digits(value, text):
    assert figure(value) == text


def test_a_table_is_aligned_and_keeps_its_notes():
    table = Table(title="Sizes", header=("n", "rows"), rows=(("5", "66"), ("100", "1")), notes=("All.",))
    assert markdown(table).splitlines() == [
        "### Sizes",
        "",
        "| n   | rows |",
        "|-----|------|",
        "| 5   | 66   |",
        "| 100 | 1    |",
        "",
        "All.",
    ]


def test_a_row_of_another_length_is_refused():
    with pytest.raises(ValueError, match="2 cells"):
        Table(title="Sizes", header=("n", "rows"), rows=(("5",),))
