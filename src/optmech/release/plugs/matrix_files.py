"""A certified matrix as Parquet: doubles for reading and integers for draws.

The table is long, a row for each truth and response, for SQL, pandas, Polars and Arrow::

    truth, response    double; text where they have labels
    probability        double, the nearest to its fraction
    numerator          text: decimal digits of any length, over the denominator in the metadata

The long form has the same columns for every range, joins with the data, and is summed by ``GROUP BY``. Rows
are in order, all responses of the first truth first. The metadata hold::

    denominator      text: decimal digits of any length
    truths, responses, labels      text: decimals or ratios; labels where there are any
    about            JSON: the question, epsilon and delta, the SHA-256 of the matrix in whole numbers

The reader checks the numbers against the SHA-256.
"""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import need_path, takes
from optmech.base.errors import FileFormatError, unreadable
from optmech.base.numbers import as_text, exact
from optmech.base.version import __version__
from optmech.base.whole_files import write_together
from optmech.mechanisms.certificates.certificate_source import certificate_of
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.proofs.matrix import ExactMatrix
from optmech.question.protection import cautions_of, neighbours_of
from optmech.release.plugs.promise import flaw_of, promise_of

if TYPE_CHECKING:
    from os import PathLike

    from optmech.base.arrays import Floats
    from optmech.mechanisms.certificates.certificate_source import CertificateSource
    from optmech.mechanisms.mechanism import Mechanism

_FORMAT, _KEY = "optmech-matrix 1", b"optmech"
_NAMES = ("truths", "responses", "labels")
# Messages of other libraries about a broken file may be pages long.
_LONGEST = 120


@takes(path=need_path)
def write_parquet(certificate: CertificateSource, path: str | PathLike[str]) -> None:
    """Write the matrix of a certificate or design as Parquet, completely or not at all.

    Raises
    ------
    ProblemError
        If it has no proof.
    FileFormatError
        If the path cannot be written.
    """
    write_together({path: parquet_bytes(certificate)})


@takes(path=need_path)
def read_parquet(path: str | PathLike[str]) -> Mechanism:
    """Return the exact mechanism of a file that `write_parquet` wrote.

    The SHA-256 confirms that its numbers are the certified ones; only the certificate proves privacy.

    Raises
    ------
    FileFormatError
        If the file cannot be read, or is not an unchanged file of `write_parquet`.
    """
    try:
        return _from_parquet(io.BytesIO(Path(path).read_bytes()))
    except OSError as error:
        raise unreadable(path, error) from None
    except Exception as error:  # noqa: BLE001 - any error of the reader of a broken file
        reason = " ".join(str(error).split())[:_LONGEST] or type(error).__name__
        message = f"`{path}` must be a file of a certified mechanism, unchanged; got: {reason}."
        raise FileFormatError(message) from None


def parquet_bytes(certificate: CertificateSource) -> bytes:
    """Return the bytes that `write_parquet` writes."""
    matrix, names, about = _content_of(certificate, "`write_parquet`")
    import pyarrow as pa  # noqa: PLC0415 - it takes a moment to load
    from pyarrow import parquet  # noqa: PLC0415

    truths, responses = (
        names["labels"] or [float(exact(text, name)) for text in names[name]]
        for name in ("truths", "responses")
    )
    table = pa.table(
        {
            "truth": [truth for truth in truths for _ in responses],
            "response": [*responses] * len(truths),
            "probability": matrix.nearest().T.ravel(),
            "numerator": [str(numerator) for numerator in matrix.numerators.T.flat],
        }
    )
    beside = {"denominator": str(matrix.denominator), **names, "about": about}
    file = io.BytesIO()
    parquet.write_table(table.replace_schema_metadata({_KEY: json.dumps(beside)}), file)
    return file.getvalue()


def _content_of(source: CertificateSource, who: str) -> tuple[ExactMatrix, dict[str, list[Any]], str]:
    """Return the matrix, the lists of `_NAMES` as text that reads back, and the description as JSON."""
    certificate = certificate_of(source, who)
    query = certificate.problem.query
    names = {
        "truths": [as_text(truth) for truth in query.truths],
        "responses": [as_text(response.midpoint) for response in query.responses],
        "labels": list(query.labels),
    }
    reason, caution = flaw_of(certificate), certificate.caution
    about: dict[str, Any] = {
        "format": _FORMAT,
        **({"caution": caution} if caution else {}),
        "written_by": f"optmech {__version__}",
        "problem": str(certificate.problem),
        "kind": query.kind,
        "parameters": query.parameters,
        "scope": str(query.scope),
        "neighbours": neighbours_of(query),
        "cautions": list(cautions_of(query)),
        "sha256": certificate.matrix.sha256(),
        "sha256_of_grid": _digest(names),
        "differential_privacy": reason is None,
    }
    if reason is None:
        epsilon, delta = promise_of(certificate, "a file").one_person
        about |= {"epsilon": epsilon, "delta": delta, "provenance": "proved between neighbours, rounded up"}
    else:
        about["why_not"] = reason
    return certificate.matrix, names, json.dumps(about, allow_nan=False)


def _from_parquet(file: io.BytesIO) -> Mechanism:
    from pyarrow import parquet  # noqa: PLC0415 - as there

    table = parquet.ParquetFile(file).read()
    beside = json.loads((table.schema.metadata or {})[_KEY])
    names = {name: beside[name] for name in _NAMES}
    numerators, probabilities = (
        table[column].to_numpy().reshape(len(names["truths"]), len(names["responses"])).T
        for column in ("numerator", "probability")
    )
    return _mechanism(numerators.tolist(), beside["denominator"], beside["about"], names, probabilities)


def _mechanism(
    numerators: list[list[Any]],
    denominator: str,
    about: str,
    names: dict[str, list[str]],
    probabilities: Floats,
) -> Mechanism:
    """Return the mechanism of digits after checking the SHA-256 and the doubles."""
    rows = [[int(digits) for digits in row] for row in numerators]
    matrix = ExactMatrix(numerators=np.array(rows, dtype=object), denominator=int(denominator))
    description = json.loads(about)
    if not isinstance(description, dict) or description.get("format") != _FORMAT:
        message = f"a file of another format than {_FORMAT!r}"
        raise FileFormatError(message)
    digests = {"sha256": matrix.sha256(), "sha256_of_grid": _digest(names)}
    for name, what in (("sha256", "numbers"), ("sha256_of_grid", "truths or responses")):
        if description.get(name) != digests[name]:
            message = f"{what} with another SHA-256 than the one it states"
            raise FileFormatError(message)
    if not np.array_equal(matrix.nearest(), probabilities):
        message = "probabilities that are not the doubles nearest to its whole numbers"
        raise FileFormatError(message)
    return MatrixMechanism(
        matrix=matrix.nearest(),
        responses=tuple(exact(text, "responses") for text in names["responses"]),
        truths=tuple(exact(text, "truths") for text in names["truths"]),
        exact=matrix,
        labels=tuple(names["labels"]),
    )


def _digest(names: dict[str, list[str]]) -> str:
    return hashlib.sha256(json.dumps([names[name] for name in _NAMES]).encode()).hexdigest()
