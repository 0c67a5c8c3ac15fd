"""The contents of a file of a certified matrix, whichever format it has."""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import FileFormatError, unreadable
from optmech.base.numbers import as_text, exact
from optmech.base.version import __version__
from optmech.mechanisms.mechanism import Mechanism
from optmech.proofs.matrix import ExactMatrix
from optmech.question.protection import cautions_of, neighbours_of
from optmech.release.plugs.promise import flaw_of, promise_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from numpy.typing import NDArray

    from optmech.proofs.certificate import Certificate

    Read = Callable[[io.BytesIO], tuple["MatrixStatement", NDArray[np.float64]]]

NAMES = ("truths", "responses", "labels")
"""The lists of `MatrixStatement.names`."""

_FORMAT = "optmech-matrix 1"
# What other libraries say of a broken file may be pages.
_LONGEST = 120


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MatrixStatement:
    """A matrix in whole numbers over a common denominator, [response, truth], and its description.

    `names` holds the lists of `NAMES` as text that reads back; `about` is JSON.
    """

    numerators: list[list[int]]
    denominator: int
    names: dict[str, list[str]]
    about: str


def statement_of(certificate: Certificate) -> MatrixStatement:
    """Return the contents of a file of a certificate."""
    query = certificate.problem.query
    names = {
        "truths": [as_text(truth) for truth in query.truths],
        "responses": [as_text(response.midpoint) for response in query.responses],
        "labels": list(query.labels),
    }
    trouble, caution = flaw_of(certificate), certificate.caution
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
        "differential_privacy": trouble is None,
    }
    if trouble is None:
        epsilon, delta = promise_of(certificate, "a file").one_person
        about |= {"epsilon": epsilon, "delta": delta, "provenance": "proved between neighbours, rounded up"}
    else:
        about["why_not"] = trouble
    return MatrixStatement(
        numerators=certificate.matrix.numerators.tolist(),
        denominator=certificate.matrix.denominator,
        names=names,
        about=json.dumps(about, allow_nan=False),
    )


def read_statement(path: str | PathLike[str], read: Read) -> Mechanism:
    """Return the mechanism of a file, from what `read` makes of it and of its doubles: FileFormatError."""
    try:
        return _mechanism(*read(io.BytesIO(Path(path).read_bytes())))
    except OSError as trouble:
        raise unreadable(path, trouble) from None
    except Exception as trouble:  # noqa: BLE001 - whatever a broken file makes its reader say
        reason = " ".join(str(trouble).split())[:_LONGEST] or type(trouble).__name__
        message = f"`{path}` must be a file of a certified mechanism, unchanged; got: {reason}."
        raise FileFormatError(message) from None


def _mechanism(statement: MatrixStatement, probabilities: NDArray[np.float64]) -> Mechanism:
    """Return the mechanism, held to the SHA-256 and to its doubles."""
    matrix = ExactMatrix(
        numerators=np.array(statement.numerators, dtype=object), denominator=statement.denominator
    )
    about = json.loads(statement.about)
    if not isinstance(about, dict) or about.get("format") != _FORMAT:
        message = f"a file of another format than {_FORMAT!r}"
        raise FileFormatError(message)
    if about.get("sha256") != matrix.sha256():
        message = "numbers with another SHA-256 than the one it states"
        raise FileFormatError(message)
    if about.get("sha256_of_grid") != _digest(statement.names):
        message = "truths or responses with another SHA-256 than the one it states"
        raise FileFormatError(message)
    if not np.array_equal(matrix.nearest(), probabilities):
        message = "probabilities that are not the doubles nearest to its whole numbers"
        raise FileFormatError(message)
    return Mechanism(
        matrix=matrix.nearest(),
        responses=tuple(exact(text, "responses") for text in statement.names["responses"]),
        truths=tuple(exact(text, "truths") for text in statement.names["truths"]),
        exact=matrix,
        labels=tuple(statement.names["labels"]),
    )


def _digest(names: dict[str, list[str]]) -> str:
    return hashlib.sha256(json.dumps([names[name] for name in NAMES]).encode()).hexdigest()
