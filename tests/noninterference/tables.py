"""Tables that are the same to the public, and every form that one may come in.

They have the same rows that are written. They differ in the true answers, in the rows that are left out, and
in their forms: types, categories, metadata, row groups, ends of lines, and whatever else is no declared value
of a row that is written.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

if TYPE_CHECKING:
    from random import Random

COLUMNS = ("key", "n", "note", "group")
KEYS = ("alpha", "beta, quoted", 'gamma "g"', "δ", "epsilon")
NOTES = ("x", "a long note, to fill a buffer", "", None)
GROUPS = ("a", "b")
# Each draws its responses from a queue of its own, told apart by how many truths they have.
TRUTHS = {"a": 6, "b": 4}


@dataclass(frozen=True)
class Row:
    """A row with its draw, 0 for those that are left out."""

    key: str
    note: str | None
    group: str
    truth: int
    draw: int


@dataclass
class Side:
    """One of the tables, and the form that it comes in."""

    rows: list[Row]
    form: dict = field(default_factory=dict)

    def draws(self, *, grouped: bool) -> dict[int, list[int]]:
        """Return the responses to draw, by the number of truths of the mechanism."""
        queues = {number: [] for number in TRUTHS.values()}
        for row in self.rows:
            queues[TRUTHS[row.group if grouped else "a"]].append(row.draw)
        return queues


@dataclass(frozen=True)
class Alike:
    """Tables that are the same to the public, and what is asked of their release."""

    sides: list[Side]
    drop_zero: bool
    clamp: bool
    grouped: bool


ARROW_TYPES = {
    "int8": pa.int8(),
    "int16": pa.int16(),
    "int64": pa.int64(),
    "float16": pa.float16(),
    "float32": pa.float32(),
    "float64": pa.float64(),
    "decimal": pa.decimal128(7, 2),
    "text": pa.string(),
    "large text": pa.large_string(),
    "categories": pa.dictionary(pa.int8(), pa.int64()),
    "text categories": pa.dictionary(pa.int32(), pa.string()),
}
FORMS = {
    "answers": sorted(ARROW_TYPES),
    "keys": ["plain", "categories", "more categories"],
    "metadata": [{}, {"rows": "12"}, {"pandas": json.dumps({"columns": [], "rows": 9})}],
    "field metadata": [{}, {"unit": "people"}],
    "nullable": [True, False],
    "pieces": [1, 2, 3],
    "row group": [1, 2, 9],
    "compression": ["snappy", "zstd", "none", "gzip"],
    "line end": ["\n", "\r\n"],
    "head end": ["\n", "\r\n"],
    "mark": [True, False],
    "closed": [True, False],
    "empty lines": [0, 1, 2],
    "written": ["{}", "{}.0", '"{}"', " {}"],
    "missing": [None, float("nan"), pd.NA],
    "attributes": [{}, {"rows": 3}],
}


def tables_alike(dice: Random, number: int, *, may_drop_zero: bool = True) -> Alike:
    """Make so many tables."""
    drop_zero, clamp, grouped = (
        dice.random() < 0.5 and may_drop_zero,
        dice.random() < 0.5,
        dice.random() < 0.5,
    )

    def public():
        return dice.choice(KEYS), dice.choice(NOTES), dice.choice(GROUPS)

    def truth():
        return dice.randint(0, 12) if clamp else dice.randint(0, 3)

    seen = [(public(), dice.randint(1 if drop_zero else 0, 3)) for _ in range(dice.randint(0, 5))]
    sides = []
    for _ in range(number):
        rows = [Row(*cells, truth(), response) for cells, response in seen]
        for _ in range(dice.randint(0, 3) if drop_zero else 0):
            rows.insert(dice.randint(0, 5), Row(*public(), truth(), 0))
        sides.append(Side(rows, {name: dice.choice(values) for name, values in FORMS.items()}))
    return Alike(sides, drop_zero, clamp, grouped)


def answers_of(side: Side) -> pa.Array:
    """Return the true answers in the type of the form."""
    kind = ARROW_TYPES[side.form["answers"]]
    truths = [row.truth for row in side.rows]
    if pa.types.is_dictionary(kind):
        values = pa.array(truths, pa.int64()).cast(kind.value_type)
        encoded = values.dictionary_encode().cast(kind)
        more = pa.concat_arrays([encoded.dictionary, pa.array([77]).cast(kind.value_type)])
        return pa.DictionaryArray.from_arrays(encoded.indices, more)
    if pa.types.is_decimal(kind):
        return pa.array([Decimal(truth) for truth in truths], kind)
    return pa.array(truths, pa.int64()).cast(kind)


def keys_of(side: Side) -> pa.Array:
    """Return the keys, plain or in a dictionary which may have more of them."""
    keys = pa.array([row.key for row in side.rows], pa.string())
    if side.form["keys"] == "plain":
        return keys
    encoded = keys.dictionary_encode()
    if side.form["keys"] == "categories":
        return encoded
    more = pa.concat_arrays([encoded.dictionary, pa.array(["somebody else"])])
    return pa.DictionaryArray.from_arrays(encoded.indices, more)


def arrow_table(side: Side) -> pa.Table:
    """Return a table of PyArrow."""
    notes, groups = (
        pa.array([getattr(row, name) for row in side.rows], pa.string()) for name in ("note", "group")
    )
    columns = [keys_of(side), answers_of(side), notes, groups]
    fields = [pa.field(name, array.type) for name, array in zip(COLUMNS, columns, strict=True)]
    fields[1] = pa.field(
        "n", columns[1].type, side.form["nullable"], metadata=side.form["field metadata"] or None
    )
    table = pa.Table.from_arrays(columns, schema=pa.schema(fields, metadata=side.form["metadata"] or None))
    step = -(-max(1, len(table)) // side.form["pieces"])
    return pa.concat_tables([table.slice(start, step) for start in range(0, max(1, len(table)), step)])


def arrow_batch(side: Side) -> pa.RecordBatch:
    """Return a batch of PyArrow, a part of a longer one."""
    batch = arrow_table(side).combine_chunks().to_batches()
    return batch[0] if batch else pa.RecordBatch.from_pylist([], arrow_table(side).schema)


PANDAS_TYPES = {
    "int8": "int8", "int16": "int16", "int64": "int64", "float16": "float32", "float32": "float32",
    "float64": "float64", "decimal": "Int8", "text": "str", "large text": "object", "categories": "category",
    "text categories": "category",
}  # fmt: skip


def pandas_frame(side: Side) -> pd.DataFrame:
    """Return a frame of pandas."""
    missing = side.form["missing"]
    notes = pd.Series([missing if row.note is None else row.note for row in side.rows], dtype=object)
    truths = pd.Series([row.truth for row in side.rows], dtype="int64")
    kind = side.form["answers"]
    if kind == "large text":
        truths = pd.Series([str(row.truth) for row in side.rows], dtype=object)
    elif kind == "text categories":
        truths = truths.astype(str)
    keys = pd.Series([row.key for row in side.rows], dtype=object)
    more = [] if side.form["keys"] == "plain" else ["somebody else"]
    keys = keys.astype(pd.CategoricalDtype(sorted({*KEYS, *more})))
    frame = pd.DataFrame(
        {
            "key": keys,
            "n": truths.astype(PANDAS_TYPES[kind]),
            "note": notes,
            "group": pd.Series([row.group for row in side.rows], dtype="str"),
        }
    )
    frame.attrs = dict(side.form["attributes"])
    return frame


def polars_frame(side: Side):
    """Return a frame of Polars."""
    table = arrow_table(side)
    answers = table["n"].cast(pa.float32()) if pa.types.is_float16(table["n"].type) else table["n"]
    pl = pytest.importorskip("polars")
    frame = pl.from_arrow(table.set_column(1, "n", answers), rechunk=False)
    return frame if side.form["keys"] == "plain" else frame.with_columns(pl.col("key").cast(pl.Categorical))


def write_parquet(side: Side, path) -> None:
    """Write the table as Parquet."""
    table = arrow_table(side)
    pq.write_table(table, path, row_group_size=side.form["row group"], compression=side.form["compression"])


def write_csv(side: Side, path) -> None:
    """Write the table as CSV."""
    form = side.form
    lines = [",".join(COLUMNS) + form["head end"]]
    for row in side.rows:
        text = io.StringIO()
        cells = [row.key, "@", row.note or "", row.group]
        csv.writer(text, lineterminator=form["line end"]).writerow(cells)
        lines.append(text.getvalue().replace(",@,", f",{form['written'].format(row.truth)},"))
        lines += [form["line end"]] * form["empty lines"]
    text = "".join(lines)
    if not form["closed"]:
        text = text.rstrip("\r\n")
    content = ("\ufeff" * form["mark"] + text).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
