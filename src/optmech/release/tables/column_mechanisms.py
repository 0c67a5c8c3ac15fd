"""A mechanism applied to a column: from positions of truths to responses of the column's type."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from optmech.base import events
from optmech.base.errors import NotAcceptedError
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.question.protection import limited_unit
from optmech.release.tables.acceptance import ends_of_distribution, ends_of_matrix, regions_of_noise
from optmech.release.tables.truths import is_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from optmech.mechanisms.mechanism import Mechanism
    from optmech.mechanisms.noise_mechanism import NoiseMechanism
    from optmech.mechanisms.sampling import Sampler
    from optmech.mechanisms.sampling.words import RandomBytes
    from optmech.release.tables.cell_law import CellLaw

    Positions = NDArray[np.int64]
    Ends = Callable[[pa.Array], tuple[Positions, Positions]]
    Laws = Mapping[str | None, "ColumnMechanism"]
    """The mechanism of each group; under ``None`` that of all other groups, or of all rows."""

_SPENT = ("epsilon", "delta")


@dataclass(frozen=True, kw_only=True)
class ColumnMechanism:
    """A mechanism for columns of a table; the base class draws nothing.

    Its `law` says of which true answers it speaks. `description` is for the release log.
    """

    law: CellLaw
    description: dict[str, Any] = field(default_factory=dict)
    random_bytes: RandomBytes = os.urandom

    @property
    def is_of_counts(self) -> bool:
        """Whether each true answer is a count."""
        return self.description.get("kind") == "count"

    def holds(self, kind: pa.DataType) -> bool:  # noqa: ARG002 - there is no response
        """Whether each response is a value of this type."""
        return True

    def draw(self, positions: Positions, kind: pa.DataType) -> pa.Array:
        """Draw a response for each truth."""
        return pa.nulls(len(positions), kind)

    def draw_by_key(self, positions: Positions, keys: Positions, kind: pa.DataType) -> pa.Array:
        """Return the response for each truth that its cell key picks, if it is one of `with_keys`."""
        return self.with_keys(1).draw_by_key(positions, keys, kind)

    def with_keys(self, number: int) -> ColumnMechanism:  # noqa: ARG002 - it has none
        """Return a perturbation table drawn by cell keys 0..number - 1; NotAcceptedError for others."""
        message = (
            "`cell_key` must come with a certified perturbation table, which has noise for each key; this is "
            "none. Design one: optmech design p-table --keys 256 --zero-stays-zero."
        )
        raise NotAcceptedError(message)

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
        assert isinstance(self.mechanism, MatrixMechanism)  # noqa: S101 - others have columns of their own
        return self.mechanism.sampler(self.random_bytes)

    def holds(self, kind: pa.DataType) -> bool:
        """Whether each response is a value of this type."""
        return is_text(kind) if self.law.labels else typed_column(self.mechanism.responses, kind) is not None

    def draw(self, positions: Positions, kind: pa.DataType) -> pa.Array:
        """Draw a response for each truth, as a label where there are labels."""
        names = self._arrays.get(kind)
        if names is None:
            numbers = self.mechanism.responses
            labels = self.law.labels
            names = pa.array(labels, kind) if labels else need_typed_column(numbers, kind)
            self._arrays[kind] = names
        return names.take(pa.array(self._indices(positions)))

    def _indices(self, positions: Positions) -> Positions:
        """Draw the index of a response for each truth."""
        draw = self._sampler.draw_constant_time if self.constant_time else self._sampler.draw
        return draw(positions)

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
        first, last = (int(self.law.answers[index]) for index in self.mechanism.certificate.released[[0, -1]])
        return holds_run(first, last, kind)

    def draw(self, positions: Positions, kind: pa.DataType) -> pa.Array:
        """Draw a response for each truth."""
        counts = pa.array(self.mechanism.draw(positions, self.random_bytes) + self.mechanism.first_drawn)
        return counts.cast(kind, safe=False)  # `holds` was asked; doubles are rounded beyond 2**53

    def interval_ends(self, level: Fraction, *, shown_only: bool) -> Ends:
        """Return a function from responses to the positions of the ends of the interval of each."""
        regions = regions_of_noise(self.mechanism, level, shown_only=shown_only)
        first = int(self.law.answers[0])

        def ends(responses: pa.Array) -> tuple[Positions, Positions]:
            counts = [int(Fraction(str(value))) - first for value in responses.to_pylist()]
            return ends_of_distribution(self.mechanism, regions, np.array(counts, np.int64))

        return ends


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


def limited_unit_of(description: Mapping[str, Any]) -> str:
    """Return the unit of epsilon where a mechanism in a log does not protect each person."""
    if "epsilon" not in description:
        return ""
    return limited_unit(str(description.get("scope")), str(description.get("directions")))


def tell_release(laws: Laws, *, column: str, output: str, data: str, is_seeded: bool = False) -> None:
    """Tell the logger of a release: which mechanisms, and what each row of theirs spends."""
    spent = [
        ", ".join(f"{name} = {law.description[name]}" for name in _SPENT if name in law.description)
        for law in laws.values()
    ]
    events.released(column=column, output=output, data=data, mechanisms=spent, is_private=not is_seeded)
