"""Schemas of tables in which released columns stand in the place of the true answers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Mapping

_PANDAS = b"pandas"


def released_schema(schema: pa.Schema, column: int, kinds: Mapping[str, pa.DataType]) -> pa.Schema:
    """Return a schema with columns of these types in the place of one, whose name the first one keeps."""
    first, *further = kinds.items()
    new_schema = schema.set(column, schema.field(column).with_type(first[1]))
    for place, field in enumerate(further, column + 1):
        new_schema = new_schema.insert(place, pa.field(*field))
    return new_schema.with_metadata(_released_metadata(schema, schema.field(column), first[1]))


def _released_metadata(schema: pa.Schema, field: pa.Field, kind: pa.DataType) -> dict[bytes, bytes] | None:
    """Return metadata that describe a column of this type to pandas.

    Those of the true answers count their categories, which is how many different ones there are, and make
    pandas cast what is released to their type, in which it may wrap around.
    """
    if not schema.metadata or _PANDAS not in schema.metadata:
        metadata: dict[bytes, bytes] | None = schema.metadata
        return metadata
    others = {name: text for name, text in schema.metadata.items() if name != _PANDAS}
    try:
        content = json.loads(schema.metadata[_PANDAS])
        for entry in content.get("columns", ()):
            is_of_answers = entry.get("field_name", entry["name"]) == field.name
            if is_of_answers and (field.type != kind or entry["pandas_type"] == "categorical"):
                entry.update(_described(kind))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):  # pandas did not write this
        return others
    return {**others, _PANDAS: json.dumps(content).encode()}


def _described(kind: pa.DataType) -> dict[str, Any]:
    name = np.dtype(kind.to_pandas_dtype()).name
    return {"pandas_type": name, "numpy_type": name, "metadata": None}
