"""A mechanism applied to a column: from positions of truths to responses of the column's type."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, singledispatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from optmech.base.errors import NotAcceptedError
from optmech.base.notes import Note, NoteKind
from optmech.base.numbers import as_text
from optmech.base.whole_files import read_text
from optmech.mechanisms.certificates.certificate_text import certificate_sha256, read_certificate_text
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.mechanisms.sampling import Sampler, whole_weights
from optmech.mechanisms.source import MechanismSource, source_of
from optmech.proofs.privacy import short_delta
from optmech.question.protection import cautions_of, limited_unit, neighbours_of
from optmech.question.step_weights import unit_reach
from optmech.question.words import words_of
from optmech.release.tables.acceptance import ends_of_distribution, ends_of_matrix, regions_of_noise
from optmech.release.tables.truths import is_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from optmech.mechanisms.mechanism import Mechanism
    from optmech.mechanisms.sampling.words import RandomBytes
    from optmech.proofs.certificate import Certificate
    from optmech.question.query import Query

    Positions = NDArray[np.int64]
    Ends = Callable[[pa.Array], tuple[Positions, Positions]]
    Laws = Mapping[str | None, "ColumnMechanism"]
    """The mechanism of each group; under ``None`` that of all other groups, or of all rows."""


@dataclass(frozen=True, kw_only=True)
class ColumnMechanism:
    """A mechanism for columns of a table; the base class draws nothing.

    Its truths are `values`, increasing, with `labels` where they are not numbers. `has_ends`: whether numbers
    beyond the ends may be clamped. `reach`: the change of a count that one epsilon protects. Both are
    ``None`` where unknown. `description` is for the release log.
    """

    values: Sequence[Fraction] | range
    description: dict[str, Any] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    has_ends: bool | None = None
    reach: int | None = None
    random_bytes: RandomBytes = os.urandom

    def holds(self, kind: pa.DataType) -> bool:  # noqa: ARG002 - there is no response
        """Whether each response is a value of this type."""
        return True

    def draw(self, positions: Positions, kind: pa.DataType) -> pa.Array:
        """Draw a response for each truth."""
        return pa.nulls(len(positions), kind)

    def in_constant_time(self) -> ColumnMechanism:
        """Return the same, drawn in constant time: NotAcceptedError where there is no matrix for it."""
        message = (
            "`constant_time` must be left out: a distribution has no matrix to read in full. "
            "Export it to C or Rust, which draw in constant time."
        )
        raise NotAcceptedError(message)

    def interval_ends(self, level: Fraction, *, shown_only: bool) -> Ends:  # noqa: ARG002 - no response has any
        """Return a function from responses to the positions of the least and the largest truth of each.

        The truths between hold the true answer with probability `level` at least, with `shown_only` given
        that the response is not 0.
        """
        return lambda responses: (np.zeros(len(responses), np.int64), np.zeros(len(responses), np.int64))


@dataclass(frozen=True, kw_only=True)
class MatrixColumn(ColumnMechanism):
    """A mechanism with a matrix."""

    mechanism: Mechanism
    constant_time: bool = False
    _arrays: dict[pa.DataType, pa.Array] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def _sampler(self) -> Sampler:
        weights = whole_weights(self.mechanism.matrix, self.mechanism.exact)
        return Sampler(weights, random_bytes=self.random_bytes)

    def holds(self, kind: pa.DataType) -> bool:
        """Whether each response is a value of this type."""
        return is_text(kind) if self.labels else typed_column(self.mechanism.responses, kind) is not None

    def draw(self, positions: Positions, kind: pa.DataType) -> pa.Array:
        """Draw a response for each truth, as a label where there are labels."""
        names = self._arrays.get(kind)
        if names is None:
            numbers = self.mechanism.responses
            names = pa.array(self.labels, kind) if self.labels else need_typed_column(numbers, kind)
            self._arrays[kind] = names
        draw = self._sampler.draw_constant_time if self.constant_time else self._sampler.draw
        return names.take(pa.array(draw(positions)))

    def in_constant_time(self) -> MatrixColumn:
        """Return the same, drawn in constant time."""
        return replace(self, constant_time=True)

    def interval_ends(self, level: Fraction, *, shown_only: bool) -> Ends:
        """Return a function from responses to the positions of the ends of the interval of each."""
        low, high = ends_of_matrix(self.mechanism, level, shown_only=shown_only)

        def ends(responses: pa.Array) -> tuple[Positions, Positions]:
            names = typed_column(self.mechanism.responses, responses.type)
            indices = pc.index_in(responses, names).to_numpy()
            return low[indices], high[indices]

        return ends


@dataclass(frozen=True, kw_only=True)
class NoiseColumn(ColumnMechanism):
    """A mechanism with a distribution on integers."""

    mechanism: NoiseMechanism

    def __dask_tokenize__(self) -> str:
        """Return its identity for Dask, without the matrix."""
        return str(self.description["certificate_sha256"])

    def holds(self, kind: pa.DataType) -> bool:
        """Whether each response is a value of this type."""
        first, last = (int(self.values[index]) for index in self.mechanism.certificate.released[[0, -1]])
        return holds_run(first, last, kind)

    def draw(self, positions: Positions, kind: pa.DataType) -> pa.Array:
        """Draw a response for each truth."""
        counts = pa.array(self.mechanism.draw(positions, self.random_bytes) + self.mechanism.first_drawn)
        return counts.cast(kind, safe=False)  # `holds` was asked; doubles are rounded beyond 2**53

    def interval_ends(self, level: Fraction, *, shown_only: bool) -> Ends:
        """Return a function from responses to the positions of the ends of the interval of each."""
        regions = regions_of_noise(self.mechanism, level, shown_only=shown_only)
        first = int(self.values[0])

        def ends(responses: pa.Array) -> tuple[Positions, Positions]:
            counts = [int(Fraction(str(value))) - first for value in responses.to_pylist()]
            return ends_of_distribution(self.mechanism, regions, np.array(counts, np.int64))

        return ends


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


def _is_a_scale(pairs: Positions) -> bool:
    """Whether the neighbours are all truths within a distance, also after clamping."""
    for way in (pairs, pairs[:, ::-1]):
        first, second = way[way[:, 0] < way[:, 1]].T
        counts = np.bincount(first)
        farthest = np.zeros(counts.size, np.int64)
        np.maximum.at(farthest, first, second - first)
        if (counts != farthest).any():
            return False
    return True


def typed_column(values: Sequence[Fraction], kind: pa.DataType) -> pa.Array | None:
    """Return the numbers as an array of text, doubles or integers; ``None`` where integers cannot hold them.

    Text and doubles hold every number as `Mechanism.sample` gives it: whole if all are, else as doubles.
    """
    whole = all(value.denominator == 1 and abs(value) < 2**63 for value in values)
    if pa.types.is_integer(kind):
        return pa.array([int(value) for value in values], kind) if whole else None
    numbers: list[int] | list[float] = list(map(int if whole and is_text(kind) else float, values))
    return pa.array([f"{number}" for number in numbers] if is_text(kind) else numbers, kind)


def holds_run(first: int, last: int, kind: pa.DataType) -> bool:
    """Whether a type holds all whole numbers from the first to the last."""
    return typed_column([Fraction(first), Fraction(last)], kind) is not None


def need_typed_column(values: Sequence[Fraction], kind: pa.DataType) -> pa.Array:
    """Return the numbers as an array of a type that is known to hold them."""
    column = typed_column(values, kind)
    assert column is not None  # noqa: S101 - `holds` was asked before
    return column


def _source_mechanism(mechanism: Any, file: str | None) -> ColumnMechanism:  # noqa: ANN401 - any argument
    source = source_of(mechanism, "mechanism")
    own, certificate = source.mechanism, source.certificate
    if certificate is None:
        description = {"file": file, "provenance": "nothing is proved: there is no certificate"}
        return MatrixColumn(mechanism=own, values=own.truths, labels=own.labels, description=description)
    query = certificate.problem.query
    facts: dict[str, Any] = {"description": _of_certificate(certificate, file), "reach": unit_reach(query)}
    return _certified_column(own, query, facts)


@singledispatch
def _certified_column(mechanism: Mechanism, query: Query, facts: dict[str, Any]) -> ColumnMechanism:
    has_ends, labels = _is_a_scale(query.pairs), mechanism.labels
    return MatrixColumn(
        mechanism=mechanism, values=mechanism.truths, labels=labels, has_ends=has_ends, **facts
    )


@_certified_column.register(NoiseMechanism)
def _(mechanism: NoiseMechanism, query: Query, facts: dict[str, Any]) -> ColumnMechanism:  # noqa: ARG001 - as above
    values = range(int(mechanism.truths[0]), int(mechanism.truths[-1]) + 1)
    return NoiseColumn(mechanism=mechanism, values=values, has_ends=True, **facts)


def limited_unit_of(description: Mapping[str, Any]) -> str:
    """Return the unit of epsilon where a mechanism in a log does not protect each person."""
    if "epsilon" not in description:
        return ""
    return limited_unit(str(description.get("scope")), str(description.get("directions")))


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
