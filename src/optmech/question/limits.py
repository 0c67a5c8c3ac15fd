"""Limits on single probabilities: how often the truth is told, and what is never released."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import items
from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text, exact
from optmech.question.properties import Property

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from optmech.question.query import Query

__all__ = ["Accuracy", "Limit", "Within", "Without", "entry_limits"]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The response that holds the truth has at least a given probability, or exactly that one.

    Sadeghi et al. 2020, P2, is the exact one.
    """

    probability: Fraction
    exactly: bool = False

    def __post_init__(self) -> None:
        """Keep the probability exactly as given."""
        probability = exact(self.probability, "accuracy")
        if not 0 <= probability <= 1:
            message = f"`accuracy` must lie between 0 and 1; got {as_text(probability)}. It is a probability."
            raise ProblemError(message)
        object.__setattr__(self, "probability", probability)

    def __str__(self) -> str:
        return f"accuracy {'=' if self.exactly else '>='} {as_text(self.probability)}"


@dataclass(frozen=True, slots=True)
class Within:
    """Every response lies within a distance of the truth: bounded support, Sadeghi et al. 2020, P1."""

    distance: Fraction

    def __post_init__(self) -> None:
        """Keep the distance exactly as given."""
        distance = exact(self.distance, "within")
        if distance < 0:
            message = f"`within` must be zero or more; got {as_text(distance)}. It is a distance."
            raise ProblemError(message)
        object.__setattr__(self, "distance", distance)

    def __str__(self) -> str:
        return f"within {as_text(self.distance)}"


@dataclass(frozen=True, slots=True)
class Without:
    """Some responses are never released: those whose number, or midpoint, is among the given ones."""

    responses: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        """Keep the responses exactly as given, in order."""
        given = self.responses
        listed = [given] if isinstance(given, (str, int, float, Fraction)) else items(given, "without")
        responses = tuple(sorted({exact(value, "without") for value in listed}))
        object.__setattr__(self, "responses", responses)

    def __str__(self) -> str:
        return f"without {' '.join(map(as_text, self.responses))}"


Limit = Accuracy | Within | Without
"""A property with a number in it."""


def entry_limits(
    limits: Iterable[Limit], properties: Iterable[Property], query: Query
) -> tuple[NDArray[Any], NDArray[Any]] | None:
    """Return the least and the largest value that each entry may take, or ``None`` where nothing says so.

    Returns
    -------
    least, most : ndarray of Fraction, shape (num_responses, num_truths)

    Raises
    ------
    ProblemError
        If a limit speaks of the response that holds a truth and some truth has none, or of a response that
        the query does not have.

    Examples
    --------
    >>> from optmech.question.queries import count
    >>> least, most = entry_limits([Accuracy("1/2"), Within(1)], [], count(2))
    >>> least[0].astype(float).tolist(), most[0].astype(float).tolist()
    ([0.5, 0.0, 0.0], [1.0, 1.0, 0.0])
    """
    wanted = list(limits)
    if Property.WEAKLY_HONEST in properties:
        wanted.append(Accuracy(Fraction(1, query.num_responses)))
    if not wanted:
        return None
    least = np.full((query.num_responses, query.num_truths), Fraction(0), dtype=object)
    most = np.full(least.shape, Fraction(1), dtype=object)
    midpoints = [response.midpoint for response in query.responses]
    for limit in wanted:
        match limit:
            case Accuracy(probability=probability, exactly=exactly):
                at = need_homes(query, str(limit)), np.arange(query.num_truths)
                least[at] = [max(known, probability) for known in least[at]]
                if exactly:
                    most[at] = [min(known, probability) for known in most[at]]
            case Within(distance=distance):
                far = [[abs(point - truth) > distance for truth in query.truths] for point in midpoints]
                most[np.array(far)] = Fraction(0)
            case Without(responses=responses):
                for value in responses:
                    if value not in midpoints:
                        message = (
                            f"`without` must name responses of the query; {as_text(value)} is none of "
                            f"{as_text(midpoints[0])}..{as_text(midpoints[-1])}."
                        )
                        raise ProblemError(message)
                    most[midpoints.index(value)] = Fraction(0)
    return least, most


def need_homes(query: Query, wanted: str) -> NDArray[np.int64]:
    """Return the response that holds each truth, for what speaks of it.

    Raises
    ------
    ProblemError
        If some truth is in no response.
    """
    if (query.home < 0).any():
        truth = query.truths[int(np.argmax(query.home < 0))]
        message = (
            f"{wanted} needs every truth inside a response; {as_text(truth)} is in none. "
            "Widen the responses until they cover the truths."
        )
        raise ProblemError(message)
    return query.home
