"""Draw responses, as an array, for true answers as a user gives them."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import brief
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, exact

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from optmech.base.arrays import Integers
    from optmech.mechanisms.sampling import Sampler
    from optmech.mechanisms.sampling.words import Seed

# Every integer up to here is a double.
_LARGEST_WHOLE_DOUBLE = 2**53
# A larger batch does not fit into memory.
_MOST_DRAWS = 2**40


class Release:
    """A sampler with the increasing numbers, or labels, of its columns and rows."""

    def __init__(
        self,
        sampler: Sampler,
        responses: Sequence[Fraction],
        truths: Sequence[Fraction],
        labels: Sequence[str] = (),
    ) -> None:
        self._sampler = sampler
        self._truths, self._labels = truths, {label: position for position, label in enumerate(labels)}
        whole = all(response.denominator == 1 for response in responses)
        fit = max(abs(responses[0]), abs(responses[-1])) < 2**63
        self._responses = np.array(
            [int(response) if whole and fit else float(response) for response in responses],
            dtype=np.int64 if whole and fit else np.float64,
        )
        self._grid = np.array([float(truth) for truth in truths])
        # Doubles distinguish these truths; otherwise only exact numbers do.
        self._has_grid = bool(
            (np.diff(self._grid) > 0).all() and np.abs(self._grid).max() <= _LARGEST_WHOLE_DOUBLE
        )

    def sample(
        self,
        truths: Any,  # noqa: ANN401 - a number, an array, or anything that holds numbers
        size: int | tuple[int, ...] | None,
        *,
        constant_time: bool,
        seed: Seed | None,
    ) -> Any:  # noqa: ANN401 - a number for a number, else an array
        """Draw as described in `Mechanism.sample`."""
        labelled = self._positions_of_labels(truths)
        positions = self._positions(truths, constant_time=constant_time) if labelled is None else labelled
        if size is not None:
            positions = np.broadcast_to(positions, checked_size(size) + positions.shape)
        draw = self._sampler.draw_constant_time if constant_time else self._sampler.draw
        names = self._responses if labelled is None else np.array([*self._labels])
        responses = names[draw(positions, seed=seed)]
        return responses.item() if responses.ndim == 0 else responses

    def _positions_of_labels(self, truths: Any) -> Integers | None:  # noqa: ANN401 - as above
        """Return the columns of truths by their labels, ``None`` where there are none."""
        if not self._labels:
            return None
        labels = np.array(truths, dtype=object)
        if not all(isinstance(label, str) for label in labels.flat):
            remedy = "A number stands for no label."
            raise broken_rule("truths", "be labels of this mechanism, as text", brief(truths), remedy)
        for label in labels.flat:
            if label not in self._labels:
                raise broken_rule(
                    "truths", f"be among {', '.join(self._labels)[:60]} of this mechanism", repr(label)
                )
        return np.array([self._labels[label] for label in labels.flat], dtype=np.int64).reshape(labels.shape)

    def _positions(self, truths: Any, *, constant_time: bool) -> Integers:  # noqa: ANN401 - as above
        """Return the column of each true answer."""
        if isinstance(truths, Iterable) and not isinstance(truths, str) and not hasattr(truths, "__array__"):
            truths = list(truths)
        try:
            numbers = np.asarray(truths)
        except ValueError:
            message = "`truths` must be a number or numbers in equal rows; got rows of different lengths."
            raise ProblemError(message) from None
        flat = numbers.ravel()
        if not self._has_grid or not _are_doubles(flat):
            columns = {truth: position for position, truth in enumerate(self._truths)}
            found_columns = [columns.get(exact(value, "truths"), -1) for value in list(flat)]
            positions = np.array(found_columns, dtype=np.int64)
            matches = positions >= 0
        elif constant_time:
            # In constant time every truth of the grid is compared with every number.
            doubles = flat.astype(float)
            positions, count = np.zeros((2, flat.size), np.int64)
            for position, truth in enumerate(self._grid):
                same = doubles == truth
                positions += position * same
                count += same
            matches = count == 1
        else:
            doubles = flat.astype(float)
            positions = self._grid.searchsorted(doubles)
            np.minimum(positions, len(self._grid) - 1, out=positions)
            matches = self._grid[positions] == doubles
        if not matches.all():
            message = (
                f"`truths` must be among {as_text(self._truths[0])}..{as_text(self._truths[-1])} of this "
                f"mechanism; got {flat[matches.argmin()]}. Round or clamp it first."
            )
            raise ProblemError(message)
        return positions.reshape(numbers.shape)


def _are_doubles(numbers: NDArray[Any]) -> bool:
    """Say whether the numbers are doubles, or whole numbers that doubles hold."""
    if numbers.dtype.kind == "f":
        return numbers.dtype.itemsize == np.dtype(float).itemsize
    if numbers.dtype.kind not in "iu":
        return False
    return not numbers.size or max(-int(numbers.min()), int(numbers.max())) <= _LARGEST_WHOLE_DOUBLE


def checked_size(size: int | tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape of an array of draws."""
    try:
        sizes = tuple(map(index, size)) if isinstance(size, tuple) else (index(size),)
    except TypeError:
        sizes = (-1,)
    if min(sizes, default=0) < 0 or prod(sizes) > _MOST_DRAWS:
        raise broken_rule("size", "be a whole number, zero or more, or a tuple of them", brief(size))
    return sizes
