"""The column mechanism of a design, a certificate or a file, and its description for a release log."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import singledispatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.notes import Note, NoteKind
from optmech.base.numbers import as_text
from optmech.base.whole_files import read_text
from optmech.mechanisms.certificates.certificate_text import certificate_sha256, read_certificate_text
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.mechanisms.source import MechanismSource, source_of
from optmech.proofs.privacy import short_delta
from optmech.question.protection import cautions_of, neighbours_of
from optmech.question.words import words_of
from optmech.release.tables.column_mechanisms import ColumnMechanism, MatrixColumn, NoiseColumn
from optmech.release.tables.law_of_source import law_of
from optmech.release.tables.p_table_column import PTableColumn

if TYPE_CHECKING:
    from os import PathLike

    from optmech.mechanisms.mechanism import Mechanism
    from optmech.mechanisms.sampling.words import RandomBytes
    from optmech.proofs.certificate import Certificate


def column_mechanism(
    mechanism: ColumnMechanism | MechanismSource | str | PathLike[str],
    *,
    file: str | None = None,
    constant_time: bool = False,
    random_bytes: RandomBytes = os.urandom,
) -> ColumnMechanism:
    """Return the column mechanism of a source; the file of a certificate is proved again.

    `file` is its origin, for the log. `constant_time` covers only the draw itself, and a mechanism without a
    matrix refuses it.
    """
    if isinstance(mechanism, (str, os.PathLike)):
        file, text = file or Path(mechanism).name, read_text(mechanism)
        mechanism = read_certificate_text(text, str(mechanism))
    column = mechanism if isinstance(mechanism, ColumnMechanism) else _source_mechanism(mechanism, file)
    column = replace(column, random_bytes=random_bytes)
    return column.in_constant_time() if constant_time else column


def _source_mechanism(mechanism: Any, file: str | None) -> ColumnMechanism:  # noqa: ANN401 - any argument
    source = source_of(mechanism, "mechanism")
    own, certificate = source.mechanism, source.certificate
    law = law_of(own, certificate)
    if certificate is None:
        description = {"file": file, "provenance": "nothing is proved: there is no certificate"}
        return MatrixColumn(mechanism=own, law=law, description=description)
    larger = {"larger_counts": law.larger_answers} if law.table is not None else {}
    facts: dict[str, Any] = {"law": law, "description": {**_of_certificate(certificate, file), **larger}}
    if law.table is not None:
        return PTableColumn(mechanism=own, **facts)
    return _certified_column(own, facts)


@singledispatch
def _certified_column(mechanism: Mechanism, facts: dict[str, Any]) -> ColumnMechanism:
    return MatrixColumn(mechanism=mechanism, **facts)


@_certified_column.register(NoiseMechanism)
def _(mechanism: NoiseMechanism, facts: dict[str, Any]) -> ColumnMechanism:
    return NoiseColumn(mechanism=mechanism, **facts)


def _further(certificate: Certificate) -> list[dict[str, str]]:
    """Return the further privacies of a question with several."""
    further = zip(certificate.problem.further_privacy, certificate.deltas[1:], strict=True)
    return [
        {
            "epsilon": as_text(privacy.epsilon),
            "delta": as_text(short_delta(delta, privacy.delta)),
            "definition": str(privacy),
        }
        for privacy, delta in further
    ]


def _of_certificate(certificate: Certificate, file: str | None) -> dict[str, Any]:
    problem, whole = certificate.problem, certificate.delta_of_sets
    description = {
        **({"allows": certificate.caution} if certificate.caution else {}),
        "file": file,
        "provenance": "proved in exact arithmetic",
        "certificate_sha256": certificate_sha256(certificate),
        "question": str(problem),
        "epsilon": as_text(problem.privacy.epsilon),
        "delta": as_text(short_delta(certificate.delta, problem.privacy.delta)),  # exact in the certificate
        "definition": str(problem.privacy),
        **({"further_privacy": _further(certificate)} if problem.further_privacy else {}),
        "properties": sorted(map(str, problem.properties)),
        **({"matrix_sha256": certificate.matrix_sha256} if certificate.matrix_sha256 else {}),
        "query": problem.query.title,
        "kind": problem.query.kind,
        "parameters": problem.query.parameters,
        "scope": str(problem.query.scope),
        "directions": problem.query.directions,
        "neighbours": neighbours_of(problem.query),
        **({"largest_weight": problem.query.heaviest} if problem.query.heaviest > 1 else {}),
        "unprotected": list(cautions_of(problem.query)),
    }
    words = words_of(problem, certificate.delta, whole)
    if not words.is_differential_privacy:
        description["delta_of_sets"] = as_text(short_delta(whole))
        text = f"not differential privacy at this epsilon and delta: {words.deviation}"
        description["caution"] = Note(NoteKind.PRIVACY, text)
    return description
