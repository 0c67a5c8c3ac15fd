"""A release by cell keys: its conditions, its entry in a log, and its place in a ledger.

Model
-----
    r[i]     secret record keys, uniform on 0..K - 1 and independent;  k[c] = sum of r[i] in cell c, modulo K
    N[c]     the noise of a cell, a function of its count and of k[c]

In one table cells have no record in common, and each that is not empty has a record: all k[c] are independent
and uniform. So a table by keys has the distribution of one by fresh draws, with its epsilon and delta. The
same table again gives the same bytes, which tell nothing new.

The same bytes alone do not show that it was the same table: the counts of two tables may be published alike,
and that they are depends on the counts. So `tabulate` draws a random name for each table, and a release is
known by that name, by its mechanism and bound, and by its bytes.

Two tables have no such product. Let cell c have the records of cell b and one person. Without that person b
and c are the same cell, and both are published as the same number for certain. With that person k[b] and k[c]
are independent, and the numbers differ with probability  1 - sum_x P(x | n) P(x | n + 1),  near one. No sum
of the epsilons and deltas of cells bounds that, so that a ledger calls it unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.release.tables.public_view import CELL_KEY
from optmech.release.tabulate.cell_keys import NUM_KEYS

if TYPE_CHECKING:
    from optmech.release.tables.column_mechanisms import Laws
    from optmech.release.tabulate.bound import PersonBound

KEYED = "the secret record keys of the data"
LINKED = (
    "several tables were drawn by the same record keys (one that was tabulated twice counts as two): where "
    "two of their cells differ by one person, the difference of their noise reveals that person, and no sum "
    "bounds it"
)
CONDITIONS = (
    "the record keys are secret, uniform on all keys and independent of each other and of the data, and one "
    "table alone is released by them"
)
"""The conditions of a guarantee by cell keys, as a clause."""
NO_BOUND = (
    "no file beside the table bounds the rows of one person: what a person spends is unknown. That keys are "
    "uniform on 0..{last}, independent and secret, and each is the sum of its records' keys, is your claim"
)
"""The warning on a table with keys that `tabulate` did not make."""
_NEEDS = (
    "Noise is picked by the sum of the record keys in a cell, modulo {0}. Epsilon and delta hold if each row "
    "has a key of its own, uniform on 0..{1} and independent of all else, and nobody sees keys. This "
    "table released again, as it was tabulated, has the same noise and spends nothing more. They hold for "
    "this table alone: cells of another table by the same keys may differ from cells of this one by one "
    "person, whom the difference reveals."
)


def number_of_keys(
    cell_key: str | None,
    bound: PersonBound | None,
    *,
    by: str | None,
    data: str | None,
    **others: object,
) -> int | None:
    """Return the number of keys of a table that is released by the cell keys in a column, else ``None``.

    A table that others made, without a bound beside it, has the usual number of keys.

    Raises
    ------
    ProblemError
        If keys would be released, the table has none, or other arguments contradict them.
    """
    number = None if bound is None else bound.num_keys
    if cell_key is None:
        if number is not None:
            message = (
                "`cell_key` must be given, as --cell-key cell_key: the table has secret keys in that column, "
                "which would be released. For fresh draws tabulate without --record-key."
            )
            raise ProblemError(message)
        return None
    if cell_key != CELL_KEY:
        message = (
            f"`cell_key` must be {CELL_KEY}, the column that `tabulate --record-key` writes; got {cell_key}."
        )
        raise ProblemError(message)
    if bound is not None and number is None:
        message = (
            "`cell_key` must be left out: the file beside the table says that it has no keys. "
            "`optmech tabulate --record-key` makes them."
        )
        raise ProblemError(message)
    if bound is not None and not bound.table_id.strip():
        message = (
            "`table` must have a name in the file beside it, by which a ledger tells tables of the same "
            "record keys apart; it has none. Run `optmech tabulate` again."
        )
        raise ProblemError(message)
    if bound is not None and data is None:
        message = (
            "`data` must be named with `cell_key`: tables by the same record keys depend on each other, and "
            "a ledger has to see that they are of the same data. Pass --data NAME."
        )
        raise ProblemError(message)
    drawn = [name for name, value in {**others, "by": by}.items() if value not in (None, False)]
    if drawn:
        message = f"`{drawn[0]}` must be left out with `cell_key`: keys pick the noise, nothing draws it."
        raise ProblemError(message)
    return NUM_KEYS if number is None else number


def with_keys(laws: Laws, number: int | None) -> Laws:
    """Return the mechanisms drawn by cell keys, or as they are where there are none."""
    return laws if number is None else {name: law.with_keys(number) for name, law in laws.items()}


def keys_in_log(number: int, table_id: str, cells: str) -> dict[str, Any]:
    """Return the entry of a log on keys; `cells` is the SHA-256 of the released rows in any format."""
    return {
        "keys": number,
        "table": table_id,
        "cells": cells,
        "needs": _NEEDS.format(number, number - 1),
    }
