"""Limits on single probabilities: those of the truth, and responses that are never released."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from optmech.base.arguments import flag, items
from optmech.base.blocks import Limit
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.number_format import exactly as spelled
from optmech.base.numbers import as_text, exact
from optmech.base.wording import plural, shorten
from optmech.question.homes import is_beyond, need_homes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from optmech.base.arrays import Floats
    from optmech.question.query import Query


LIMIT_EXAMPLES = "'accuracy >= 1/2', 'within 3', 'without 0'"
"""Limits as they are typed."""
_LIMIT = re.compile(r"\s*(accuracy\s*(?:>=|=)|within|without)\s*(.+?)\s*")


class StatedLimit(ABC):
    """A property with a number in it: bounds on single probabilities."""

    __slots__ = ()

    of_order: ClassVar[bool] = False
    """Whether it means nothing where answers are categories or vectors."""
    of_truth: ClassVar[bool] = False
    """Whether it limits the probability of the truth."""
    of_responses: ClassVar[bool] = False
    """Whether it names responses, so that it means another thing for other ones."""

    @property
    @abstractmethod
    def sentence(self) -> str:
        """Its meaning, for people."""

    @property
    def reach(self) -> Fraction | None:
        """Largest distance of a response from the truth, ``None`` where it sets none."""
        return None

    @abstractmethod
    def gap(self, matrix: Floats, query: Query) -> float:
        """Return the violation by a matrix, from the definition; zero where the limit holds."""

    @abstractmethod
    def blocks(self, query: Query) -> Iterator[Limit]:
        """Yield its constraints on the entries of a matrix of `query`; refuse a query it does not fit."""


@dataclass(frozen=True, slots=True)
class Accuracy(StatedLimit):
    """The response that holds the truth has at least a given probability, or exactly that one.

    Sadeghi et al. 2020, P2, is the exact one.
    """

    probability: Fraction
    exactly: bool = False

    of_truth = True

    def __post_init__(self) -> None:
        probability = exact(self.probability, "accuracy")
        if not 0 <= probability <= 1:
            raise broken_rule("accuracy", "lie between 0 and 1", as_text(probability), "It is a probability.")
        object.__setattr__(self, "probability", probability)
        object.__setattr__(self, "exactly", flag(self.exactly, "exactly"))

    def __str__(self) -> str:
        return f"accuracy {'=' if self.exactly else '>='} {as_text(self.probability)}"

    @property
    def sentence(self) -> str:
        """Its meaning, for people."""
        relation = "exactly" if self.exactly else "at least"
        return f"The true answer is released with probability {relation} {spelled(self.probability)}."

    def gap(self, matrix: Floats, query: Query) -> float:
        """Return the distance of the probability of the truth from its limit."""
        accuracy = matrix[need_homes(query, str(self)), np.arange(query.num_truths)]
        missing = float(self.probability) - accuracy
        return float((np.abs(missing) if self.exactly else missing).max(initial=0.0))

    def blocks(self, query: Query) -> Iterator[Limit]:
        """Yield the limit of the truth's entries."""
        entries = need_homes(query, str(self)) * query.num_truths + np.arange(query.num_truths)
        most = self.probability if self.exactly else Fraction(1)
        yield Limit(name=str(self), entries=entries, least=self.probability, most=most)


@dataclass(frozen=True, slots=True)
class Within(StatedLimit):
    """Every response lies within a distance of the truth: bounded support, Sadeghi et al. 2020, P1."""

    distance: Fraction

    of_order = True

    def __post_init__(self) -> None:
        distance = exact(self.distance, "within")
        if distance < 0:
            raise broken_rule("within", "be zero or more", as_text(distance), "It is a distance.")
        object.__setattr__(self, "distance", distance)

    def __str__(self) -> str:
        return f"within {as_text(self.distance)}"

    @property
    def sentence(self) -> str:
        """Its meaning, for people."""
        return f"The released answer is never more than {spelled(self.distance)} from the true answer."

    @property
    def reach(self) -> Fraction:
        """Largest distance of a response from the truth."""
        return self.distance

    def gap(self, matrix: Floats, query: Query) -> float:
        """Return the largest probability of a response farther off."""
        return float(matrix[is_beyond(query, self.distance)].max(initial=0.0))

    def blocks(self, query: Query) -> Iterator[Limit]:
        """Yield that entries farther off are zero."""
        yield Limit(name=str(self), entries=np.flatnonzero(is_beyond(query, self.distance)), most=Fraction(0))


@dataclass(frozen=True, slots=True)
class Without(StatedLimit):
    """Some responses are never released: those whose number, or midpoint, is among the given ones."""

    responses: tuple[Fraction, ...]

    of_responses = True

    def __post_init__(self) -> None:
        own = self.responses
        values = [own] if isinstance(own, (str, int, float, Fraction)) else items(own, "without")
        responses = tuple(sorted({exact(value, "without") for value in values}))
        object.__setattr__(self, "responses", responses)

    def __str__(self) -> str:
        return f"without {' '.join(map(as_text, self.responses))}"

    @property
    def sentence(self) -> str:
        """Its meaning, for people."""
        never = shorten(list(map(as_text, self.responses)))
        return f"{plural(len(self.responses), 'answer is', 'answers are')} never released: {never}."

    def gap(self, matrix: Floats, query: Query) -> float:
        """Return the largest probability of one of them."""
        return float(matrix[self._rows(query)].max(initial=0.0))

    def _rows(self, query: Query) -> list[int]:
        midpoints = [response.midpoint for response in query.responses]
        for value in self.responses:
            if value not in midpoints:
                message = (
                    f"`without` must name responses of the query; {as_text(value)} is none of "
                    f"{as_text(midpoints[0])}..{as_text(midpoints[-1])}."
                )
                raise ProblemError(message)
        return list(map(midpoints.index, self.responses))

    def blocks(self, query: Query) -> Iterator[Limit]:
        """Yield that the rows of these responses are zero."""
        for row in self._rows(query):
            entries = row * query.num_truths + np.arange(query.num_truths)
            yield Limit(name=str(self), entries=entries, most=Fraction(0))


def with_limits_apart(texts: Iterable[str]) -> tuple[list[str], frozenset[StatedLimit]]:
    """Return the texts that are no limits, in order, and the limits that the others state.

    >>> names, limits = with_limits_apart(["fair", "within 3"])
    >>> names, [str(limit) for limit in limits]
    (['fair'], ['within 3'])
    """
    limits = {text: limit_of(text) for text in texts}
    names = [text for text, limit in limits.items() if limit is None]
    return names, frozenset(limit for limit in limits.values() if limit is not None)


def limit_of(text: str) -> StatedLimit | None:
    """Return the limit that a text such as ``"within 3"`` asks for, ``None`` where it asks for none."""
    match = _LIMIT.fullmatch(text)
    if match is None:
        return None
    kind, number = match[1], match[2]
    if kind == "within":
        return Within(exact(number, "within"))
    if kind == "without":
        return Without(tuple(exact(part, "without") for part in number.split()))
    return Accuracy(exact(number, "accuracy"), exactly=">" not in kind)
