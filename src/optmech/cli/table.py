"""What commands that print long tables share: lists on the command line, and the table as CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from _typeshed import DataclassInstance

__all__ = ["csv_text", "listed"]


def listed(given: str) -> tuple[str, ...]:
    """Return the parts of a list with commas.

    Examples
    --------
    >>> listed("0.5, ln 2,")
    ('0.5', 'ln 2')
    """
    return tuple(part.strip() for part in given.split(",") if part.strip())


def csv_text(rows: Sequence[DataclassInstance]) -> str:
    """Return rows of one class as CSV, the fields' names first; without rows there are no fields to name."""
    text = io.StringIO()
    table = [asdict(row) for row in rows]
    writer = csv.DictWriter(text, list(table[0]) if table else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return text.getvalue()
