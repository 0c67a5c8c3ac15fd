"""A certified matrix as a NumPy archive: doubles to look at and whole numbers to draw from.

::

    probabilities    double, [response, truth], each the nearest to its fraction
    numerators       decimal digits as bytes, [response, truth]; over `denominator`, of any length
    truths, responses, labels      text: decimals or ratios; labels where there are any
    about            JSON: the question, epsilon and delta, the SHA-256 of the matrix in whole numbers

Nothing in it is a pickle. Reading holds the numbers to the SHA-256.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import need_path, takes
from optmech.base.whole_files import write_together
from optmech.release.plugs.stated import Stated, mechanism_of, stated, unreadable

if TYPE_CHECKING:
    from os import PathLike

    from optmech.mechanisms.mechanism import Mechanism
    from optmech.proofs.certificate import Certificate

__all__ = ["npz_bytes", "read_npz", "write_npz"]

_FIELDS = ("numerators", "denominator", "truths", "responses", "labels", "about")


@takes(path=need_path)
def write_npz(certificate: Certificate, path: str | PathLike[str]) -> None:
    """Write the matrix of a certificate as ``.npz``, whole or not at all.

    Raises
    ------
    ProblemError
        If `certificate` is none.
    FileFormatError
        If the path cannot be written.
    """
    write_together({path: npz_bytes(certificate)})


def npz_bytes(certificate: Certificate) -> bytes:
    """Return what `write_npz` writes."""
    told = stated(certificate, "`write_npz`")
    file = io.BytesIO()
    np.savez_compressed(
        file,
        probabilities=certificate.matrix.nearest(),
        numerators=np.array([[str(value) for value in row] for row in told.numerators], dtype="S"),
        denominator=np.array(str(told.denominator), dtype="S"),
        truths=np.array(told.truths),
        responses=np.array(told.responses),
        labels=np.array(told.labels, dtype=np.str_),
        about=np.array(told.about),
    )
    return file.getvalue()


@takes(path=need_path)
def read_npz(path: str | PathLike[str]) -> Mechanism:
    """Return the mechanism of a file that `write_npz` wrote, with its whole numbers.

    Its numbers are those that were certified, by their SHA-256; privacy is proved by the certificate alone.

    Raises
    ------
    FileFormatError
        If the file cannot be read, or is none that `write_npz` wrote, unchanged.
    """
    try:
        with np.load(io.BytesIO(Path(path).read_bytes()), allow_pickle=False) as archive:
            held: dict[str, Any] = {name: archive[name].tolist() for name in _FIELDS}
            probabilities = archive["probabilities"]
        told = Stated(
            numerators=[[int(value) for value in row] for row in held["numerators"]],
            denominator=int(held["denominator"]),
            truths=held["truths"],
            responses=held["responses"],
            labels=held["labels"],
            about=held["about"],
        )
        return mechanism_of(told, probabilities)
    except Exception as trouble:  # noqa: BLE001 - whatever a broken file makes its reader say
        raise unreadable(path, trouble) from None
