"""Rows released as 0 left out, so that a group with nobody in it and one that is not seen look alike.

What is written then must follow from the rows that are seen alone. Besides rows, a file tells of those that
are left out by a dictionary that still lists their keys, by metadata that counts rows, by row groups that end
where those read did, and by whether its last line is closed: none of these is taken over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import pyarrow as pa

from optmech.base.errors import NotAcceptedError
from optmech.question.properties import ZERO_STAYS_ZERO

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from optmech.release.tables.column_mechanisms import Laws

Rows = TypeVar("Rows", pa.RecordBatch, pa.Table)

LEFT_OUT = (
    "Rows with the answer 0 are left out: a group that nobody is in and one that is not seen look alike, and "
    "which groups are seen is protected as answers are. All other columns of theirs, and their order, are "
    "released as they are, without protection."
)
SEEN_ROWS = (
    "0 is certain for groups that nobody is in, but rows with the answer 0 are written, so that it is seen "
    "which groups are in the table. Leave them out with --drop-zero, unless all that could be are listed."
)
_WITHOUT_VIEWS = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}


def keeps_zero(laws: Laws) -> bool:
    """Whether it is proved of every mechanism that 0 is certain at 0."""
    return all(str(ZERO_STAYS_ZERO) in law.description.get("properties", ()) for law in laws.values())


def check_keeps_zero(laws: Laws) -> None:
    """Refuse to leave rows out where a group that nobody is in might be seen: NotAcceptedError."""
    if not keeps_zero(laws):
        message = (
            "`drop_zero` must come with certificates that say zero-stays-zero: by another mechanism it shows "
            "whether a group is in the table. Design with --property zero-stays-zero and a delta."
        )
        raise NotAcceptedError(message)


def is_seen(responses: pa.Array) -> NDArray[np.bool_]:
    """Return which answers, be they text or numbers, are not 0."""
    mask: NDArray[np.bool_] = responses.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False) != 0
    return mask


def plain_rows(rows: Rows, mask: NDArray[np.bool_]) -> Rows:
    """Return the rows that are seen, dictionaries written out."""
    schema = plain_schema(rows.schema)
    columns = [column.cast(kind) for column, kind in zip(rows.columns, schema.types, strict=True)]
    return type(rows).from_arrays(columns, schema=schema).filter(pa.array(mask))


def plain_schema(schema: pa.Schema) -> pa.Schema:
    """Return a schema without metadata, dictionaries and views of a text that others have a part in.

    Nested columns, in which dictionaries may lie, are refused by NotAcceptedError.
    """
    fields = []
    for field in schema:
        if pa.types.is_nested(field.type):
            message = (
                f"`drop_zero` must come with columns of plain values; got {field.type} in column "
                f"{field.name}. Leave it out."
            )
            raise NotAcceptedError(message)
        kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        fields.append((field.name, _WITHOUT_VIEWS.get(kind, kind)))
    return pa.schema(fields)
