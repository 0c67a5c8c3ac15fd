"""The law of a released cell: the true answers that it speaks of, and what is released for each of them.

A certificate lists finitely many true answers. A perturbation table speaks of all counts: the last listed one
has the noise of all larger ones. Draws, intervals, estimates, cards and pages ask this law, not the list.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.numbers import as_text
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.proofs.matrix import ExactMatrix
from optmech.release.tables.bias import bias_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.analysis.p_tables.table import PTable
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.release.tables.bias import Bias

LARGEST_COUNT = 2**52
"""Each count up to here, with its noise, is a double and an integer of 64 bits."""


@dataclass(frozen=True, kw_only=True)
class CellLaw:
    """The law of a released cell.

    Attributes
    ----------
    answers : sequence of Fraction or range
        All true answers that it speaks of, increasing.
    labels : tuple of str
        Their names where they are no numbers.
    has_ends : bool or None
        Whether numbers beyond the ends may be clamped; ``None`` where unknown.
    reach, mean_reach : int or None
        The change of a count that one epsilon protects, and that of a mean in steps from one mean to the
        next; ``None`` where unknown.
    mechanism : Mechanism or None
        The mechanism of the listed answers; ``None`` where nothing is drawn.
    table : PTable or None
        The noise of each count, where the law speaks of all counts.
    is_unbiased : bool
        Whether a certificate proves that the mean of each released answer is the true one.
    """

    answers: Sequence[Fraction] | range
    labels: tuple[str, ...] = ()
    has_ends: bool | None = None
    reach: int | None = None
    mean_reach: int | None = None
    mechanism: Mechanism | None = None
    table: PTable | None = None
    is_unbiased: bool = False
    is_circular: bool = False

    @property
    def responses(self) -> Sequence[Fraction] | range:
        """All answers that may be released, increasing."""
        assert self.mechanism is not None  # noqa: S101 - nothing is released without one
        return self.mechanism.responses if self.table is None else range(LARGEST_COUNT + self.table.reach + 1)

    @property
    def larger_answers(self) -> str:
        """A sentence on answers beyond the listed ones; empty where the law does not speak of them."""
        if self.table is None:
            return ""
        return f"All counts from {self.table.same_from} on have the same noise, and the same privacy."

    @property
    def beyond_list(self) -> str:
        """A sentence for programs that know the listed answers alone; empty where there are no others."""
        if self.table is None or self.mechanism is None:
            return ""
        last = as_text(self.mechanism.truths[-1])
        return (
            f"A count beyond {last} has the noise of {last}: draw for {last}, and add what the count exceeds "
            "it by."
        )

    @property
    def among(self) -> str:
        """The true answers, as text."""
        if self.labels:
            return ", ".join(self.labels)
        if self.table is not None:
            return f"all counts from {as_text(Fraction(self.answers[0]))} on"
        return "..".join(as_text(Fraction(self.answers[end])) for end in (0, -1))

    @cached_property
    def bias(self) -> Bias | None:
        """The mean of a released answer less the true one; ``None`` where answers have no differences.

        Larger counts than the listed ones have the bias of the last one.
        """
        if self.mechanism is None or self.labels or self.is_circular:
            return None
        return bias_of(self.mechanism, is_unbiased=self.is_unbiased)

    def up_to(self, last: int) -> MatrixMechanism:
        """Return the mechanism of the counts 0 to `last`, of a law of all counts."""
        table = self.table
        assert table is not None  # noqa: S101 - the caller asked
        unit = table.denominator
        numerators = [[0] * (last + 1) for _ in range(last + table.reach + 1)]
        for count in range(last + 1):
            for response, share in table.published(count).items():
                numerators[response][count] = int(share * unit)
        exact = ExactMatrix(numerators=np.array(numerators, object), denominator=unit)
        return MatrixMechanism(
            matrix=exact.nearest(),
            responses=tuple(map(Fraction, range(len(numerators)))),
            truths=tuple(map(Fraction, range(last + 1))),
            exact=exact,
        )
