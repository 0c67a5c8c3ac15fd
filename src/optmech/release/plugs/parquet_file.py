"""A certified matrix as Parquet: long, a row for each truth and response, for SQL, pandas, Polars and Arrow.

::

    truth, response    double; text where they have labels
    probability        double, the nearest to its fraction
    numerator          text: decimal digits of any length, over the denominator in the metadata

Long, because a table keeps its columns whatever the range is, joins with the data it is for, and is summed by
``GROUP BY``. Rows stand in order, all responses of the first truth first. The metadata hold truths and
responses as exact text, the denominator, and what `optmech.release.plugs.npz_file` says of the question.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import need_path, takes
from optmech.base.numbers import exact
from optmech.base.whole_files import write_together
from optmech.release.plugs.stated import Stated, mechanism_of, stated, unreadable

if TYPE_CHECKING:
    from os import PathLike

    from optmech.mechanisms.mechanism import Mechanism
    from optmech.proofs.certificate import Certificate

__all__ = ["parquet_bytes", "read_parquet", "write_parquet"]

_KEY = b"optmech"


@takes(path=need_path)
def write_parquet(certificate: Certificate, path: str | PathLike[str]) -> None:
    """Write the matrix of a certificate as Parquet, whole or not at all.

    Raises
    ------
    ProblemError
        If `certificate` is none.
    FileFormatError
        If the path cannot be written.
    """
    write_together({path: parquet_bytes(certificate)})


def parquet_bytes(certificate: Certificate) -> bytes:
    """Return what `write_parquet` writes."""
    told = stated(certificate, "`write_parquet`")
    import pyarrow as pa  # noqa: PLC0415 - it takes a moment to load
    from pyarrow import parquet  # noqa: PLC0415

    num_responses, num_truths = len(told.responses), len(told.truths)
    truths: list[Any] = told.labels or [float(exact(text, "truth")) for text in told.truths]
    responses: list[Any] = told.labels or [float(exact(text, "response")) for text in told.responses]
    table = pa.table(
        {
            "truth": [truth for truth in truths for _ in range(num_responses)],
            "response": responses * num_truths,
            "probability": certificate.matrix.nearest().T.ravel(),
            "numerator": [str(row[truth]) for truth in range(num_truths) for row in told.numerators],
        }
    )
    beside = {
        "denominator": str(told.denominator),
        "truths": told.truths,
        "responses": told.responses,
        "labels": told.labels,
        "about": told.about,
    }
    file = io.BytesIO()
    parquet.write_table(table.replace_schema_metadata({_KEY: json.dumps(beside)}), file)
    return file.getvalue()


@takes(path=need_path)
def read_parquet(path: str | PathLike[str]) -> Mechanism:
    """Return the mechanism of a file that `write_parquet` wrote, with its whole numbers.

    Its numbers are those that were certified, by their SHA-256; privacy is proved by the certificate alone.

    Raises
    ------
    FileFormatError
        If the file cannot be read, or is none that `write_parquet` wrote, unchanged.
    """
    from pyarrow import parquet  # noqa: PLC0415 - as above

    try:
        table = parquet.ParquetFile(io.BytesIO(Path(path).read_bytes())).read()
        beside = json.loads((table.schema.metadata or {})[_KEY])
        shape = len(beside["truths"]), len(beside["responses"])
        numerators = np.array([int(text) for text in table["numerator"].to_pylist()], dtype=object)
        told = Stated(
            numerators=numerators.reshape(shape).T.tolist(),
            denominator=int(beside["denominator"]),
            truths=beside["truths"],
            responses=beside["responses"],
            labels=beside["labels"],
            about=beside["about"],
        )
        return mechanism_of(told, table["probability"].to_numpy().reshape(shape).T)
    except Exception as trouble:  # noqa: BLE001 - whatever a broken file makes its reader say
        raise unreadable(path, trouble) from None
