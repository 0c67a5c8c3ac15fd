"""Noise of bounded width, with mean zero and a given probability of the truth.

Properties P1 to P3 of Sadeghi et al. 2020, which symmetric and zero-bias noise share.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from optmech.base.arguments import whole_number
from optmech.base.blocks import Limit, Tie
from optmech.base.errors import NotAcceptedError, ProblemError, broken_rule
from optmech.base.numbers import as_text, exact
from optmech.question.homes import mean_errors
from optmech.question.keys import NUMBER, WHOLE, needed
from optmech.question.structures.structure import Gap, Structure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats, Integers
    from optmech.base.blocks import Demand
    from optmech.question.query import Query


@dataclass(frozen=True, slots=True)
class BoundedNoise(Structure):
    """Noise within `half_width` that is zero with probability `accuracy`."""

    half_width: int
    accuracy: Fraction

    of_order = True
    of_kinds = ("count",)
    keys = (
        needed("half_width", WHOLE, "how far the noise reaches"),
        needed("accuracy", NUMBER, "the probability of the true answer"),
    )

    def __post_init__(self) -> None:
        width = whole_number(self.half_width, "half_width")
        if width < 1:
            raise broken_rule("half_width", "be a whole number of at least 1", width)
        accuracy = exact(self.accuracy, "accuracy")
        if not 0 < accuracy < 1:
            message = (
                f"`accuracy` must lie strictly between 0 and 1; got {as_text(accuracy)}. "
                "It is the probability of releasing the truth."
            )
            raise ProblemError(message)
        object.__setattr__(self, "half_width", width)
        object.__setattr__(self, "accuracy", accuracy)

    @classmethod
    def read(cls, content: dict[str, Any]) -> Self:
        """Return the structure that `content` states."""
        return cls(content["half_width"], content["accuracy"])

    @property
    def width(self) -> int:
        """Reach of its noise."""
        return self.half_width

    @property
    def truth_probability(self) -> Fraction:
        """Probability that the truth is released."""
        return self.accuracy

    def of_width(self, width: int) -> Self:
        """Return the same noise within another half-width."""
        return replace(self, half_width=width)

    def of_accuracy(self, accuracy: Fraction) -> Self:
        """Return the same noise with another probability of the truth."""
        return replace(self, accuracy=accuracy)

    def __str__(self) -> str:
        kind = f"{self.word} noise"
        return f"{kind} within {self.half_width}, truth with probability {as_text(self.accuracy)}"

    def alike(self, query: Query) -> Integers:
        """Return a number for each entry; those of one number are equal."""
        raise NotImplementedError

    def blocks(self, query: Query) -> Iterator[Demand]:
        """Yield P1, P2 and P3, and which entries are equal."""
        size = np.abs(noise_of_entries(query)).ravel()
        at, beyond = np.flatnonzero(size == 0), np.flatnonzero(size > self.half_width)
        accuracy, width = self.accuracy, self.half_width
        beyond_width = f"an entry lies beyond {width} from the truth"
        yield Limit(name="support", entries=beyond, most=Fraction(0), violation=beyond_width)  # P1
        violation_text = f"the truth does not have probability {as_text(accuracy)}"
        yield Limit(
            name="accuracy", entries=at, least=accuracy, most=accuracy, violation=violation_text
        )  # P2
        yield replace(mean_errors(query), violation="a column has a mean error other than zero")  # P3
        alike = self.alike(query).ravel()
        _, first, which = np.unique(alike, return_index=True, return_inverse=True)
        entry = np.arange(len(alike))
        yield Tie(
            name=self.word,
            subscripts=np.column_stack(np.divmod(entry, query.num_truths)),
            left=entry,
            right=first[which.ravel()],
            violation="noise of one size differs between sides or counts",
        )

    def gaps(self, matrix: Floats, query: Query) -> Iterator[Gap]:
        """Yield the violations of P1, P2 and P3."""
        noise = query.response_values[:, None] - query.truth_values[None, :]
        outside = float(matrix[np.abs(noise) > self.half_width].max(initial=0.0))
        accuracy_gap = float(np.abs(matrix[noise == 0] - float(self.accuracy)).max())
        bias = float(np.abs((matrix * noise).sum(axis=0)).max())
        yield Gap("support", outside, f"at most {outside:.1e} beyond {self.half_width} from the truth")
        accuracy = as_text(self.accuracy)
        yield Gap("accuracy", accuracy_gap, f"the truth has probability {accuracy} within {accuracy_gap:.1e}")
        yield Gap("zero bias", bias, f"the mean is right within {bias:.1e}")


def noise_of_entries(query: Query) -> Integers:
    """Return the distance of each entry from that of the truth, in responses."""
    noise: Integers = np.arange(query.num_responses)[:, None] - query.home[None, :]
    return noise


def counts_of(query: Query, half_width: int) -> tuple[Integers, Integers]:
    """Return the counts and the released numbers of a query; refuse one that bounded noise does not fit.

    Truths must be a range of counts, neighbours one apart, and responses every number within `half_width`.
    """
    if not holds_noise(query, half_width, query.truths[0]):
        message = (
            f"noise of half-width {half_width} needs counts one apart and every number within "
            f"{half_width} of them, from 0 on, as a response; got {query.title}. Such a query is "
            f"Query(range({half_width}, {half_width + 7}), range({2 * half_width + 7}), 1)."
        )
        raise NotAcceptedError(message)
    counts = np.arange(query.num_truths) + int(query.truths[0])
    return counts, np.arange(max(0, int(counts[0]) - half_width), int(counts[-1]) + half_width + 1)


def holds_noise(query: Query, width: int, first: Fraction | int) -> bool:
    """Whether truths are consecutive integers, and responses all their sums with the noise."""
    truths, responses, pairs = query.truths, query.responses, query.pairs
    least = max(truths[0] - width, Fraction(0))
    return (
        truths[0].denominator == 1
        and truths[0] >= first
        and all(truth == truths[0] + f for f, truth in enumerate(truths))
        and len(responses) == truths[-1] + width - least + 1
        and all(part.lower == part.upper == least + r for r, part in enumerate(responses))
        and len(pairs) == 2 * (len(truths) - 1)
        and bool((np.abs(pairs[:, 0] - pairs[:, 1]) == 1).all())
    )
