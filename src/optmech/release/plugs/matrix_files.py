"""A certified matrix as a NumPy archive or as Parquet: doubles to look at and whole numbers to draw from.

The archive::

    probabilities    double, [response, truth], each the nearest to its fraction
    numerators       decimal digits as bytes, [response, truth]; over `denominator`, of any length
    truths, responses, labels      text: decimals or ratios; labels where there are any
    about            JSON: the question, epsilon and delta, the SHA-256 of the matrix in whole numbers

Parquet, long, a row for each truth and response, for SQL, pandas, Polars and Arrow::

    truth, response    double; text where they have labels
    probability        double, the nearest to its fraction
    numerator          text: decimal digits of any length, over the denominator in the metadata

Long, because a table keeps its columns whatever the range is, joins with the data it is for, and is summed by
``GROUP BY``. Rows stand in order, all responses of the first truth first. The metadata hold the rest of what
stands in the archive. Nothing in either is a pickle. Reading holds the numbers to the SHA-256.
"""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import need_path, takes
from optmech.base.numbers import exact
from optmech.base.whole_files import write_together
from optmech.mechanisms.certificates.certificate_source import certificate_of
from optmech.release.plugs.matrix_statement import NAMES, MatrixStatement, read_statement, statement_of

if TYPE_CHECKING:
    from os import PathLike

    from optmech.base.arrays import Floats
    from optmech.mechanisms.certificates.certificate_source import CertificateSource
    from optmech.mechanisms.mechanism import Mechanism


_KEY = b"optmech"


@takes(path=need_path)
def write_npz(certificate: CertificateSource, path: str | PathLike[str]) -> None:
    """Write the matrix of a certificate or design as ``.npz``, whole or not at all.

    Raises
    ------
    ProblemError
        If nothing is proved of it.
    FileFormatError
        If the path cannot be written.
    """
    write_together({path: npz_bytes(certificate)})


@takes(path=need_path)
def write_parquet(certificate: CertificateSource, path: str | PathLike[str]) -> None:
    """Write the matrix of a certificate or design as Parquet, whole or not at all; raises as `write_npz`."""
    write_together({path: parquet_bytes(certificate)})


@takes(path=need_path)
def read_npz(path: str | PathLike[str]) -> Mechanism:
    """Return the mechanism of a file that `write_npz` wrote, with its whole numbers.

    Its numbers are those that were certified, by their SHA-256; privacy is proved by the certificate alone.

    Raises
    ------
    FileFormatError
        If the file cannot be read, or is none that `write_npz` wrote, unchanged.
    """
    return read_statement(path, _from_npz)


@takes(path=need_path)
def read_parquet(path: str | PathLike[str]) -> Mechanism:
    """Return the mechanism of a file that `write_parquet` wrote, as `read_npz` does."""
    return read_statement(path, _from_parquet)


def npz_bytes(certificate: CertificateSource) -> bytes:
    """Return what `write_npz` writes."""
    proof = certificate_of(certificate, "`write_npz`")
    statement = statement_of(proof)
    lists: dict[str, Any] = {name: np.array(statement.names[name], dtype=np.str_) for name in NAMES}
    file = io.BytesIO()
    np.savez_compressed(
        file,
        probabilities=proof.matrix.nearest(),
        numerators=np.array([[str(value) for value in row] for row in statement.numerators], dtype="S"),
        denominator=np.array(str(statement.denominator), dtype="S"),
        about=np.array(statement.about),
        **lists,
    )
    return file.getvalue()


def parquet_bytes(certificate: CertificateSource) -> bytes:
    """Return what `write_parquet` writes."""
    proof = certificate_of(certificate, "`write_parquet`")
    statement = statement_of(proof)
    import pyarrow as pa  # noqa: PLC0415 - it takes a moment to load
    from pyarrow import parquet  # noqa: PLC0415

    truths: list[Any] = statement.names["labels"] or [
        float(exact(text, "truth")) for text in statement.names["truths"]
    ]
    responses: list[Any] = statement.names["labels"] or [
        float(exact(text, "response")) for text in statement.names["responses"]
    ]
    table = pa.table(
        {
            "truth": [truth for truth in truths for _ in responses],
            "response": responses * len(truths),
            "probability": proof.matrix.nearest().T.ravel(),
            "numerator": [str(row[truth]) for truth in range(len(truths)) for row in statement.numerators],
        }
    )
    beside = {"denominator": str(statement.denominator), **statement.names, "about": statement.about}
    file = io.BytesIO()
    parquet.write_table(table.replace_schema_metadata({_KEY: json.dumps(beside)}), file)
    return file.getvalue()


def _from_npz(file: io.BytesIO) -> tuple[MatrixStatement, Floats]:
    with np.load(file, allow_pickle=False) as archive:
        numerators, denominator, about = (
            archive[name].tolist() for name in ("numerators", "denominator", "about")
        )
        statement = MatrixStatement(
            numerators=[[int(value) for value in row] for row in numerators],
            denominator=int(denominator),
            names={name: archive[name].tolist() for name in NAMES},
            about=about,
        )
        return statement, archive["probabilities"]


def _from_parquet(file: io.BytesIO) -> tuple[MatrixStatement, Floats]:
    from pyarrow import parquet  # noqa: PLC0415 - as above

    table = parquet.ParquetFile(file).read()
    beside = json.loads((table.schema.metadata or {})[_KEY])
    shape = len(beside["truths"]), len(beside["responses"])
    numerators = np.array([int(text) for text in table["numerator"].to_pylist()], dtype=object)
    statement = MatrixStatement(
        numerators=numerators.reshape(shape).T.tolist(),
        denominator=int(beside["denominator"]),
        names={name: beside[name] for name in NAMES},
        about=beside["about"],
    )
    return statement, table["probability"].to_numpy().reshape(shape).T
