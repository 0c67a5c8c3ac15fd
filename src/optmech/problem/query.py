"""What is asked of the data: its possible answers, what may be released, and who is whose neighbour."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from optmech.errors import ProblemError
from optmech.problem.numbers import Number, exact

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = ["Category", "Query", "within"]


# Beyond this a list of pairs takes minutes to build, and no program could use it.
_MOST_PAIRS = 5_000_000
_PAIR = 2


class Category(NamedTuple):
    """A response category: every number from `lower` up to `upper`, or a single point."""

    lower: Fraction
    upper: Fraction

    @property
    def midpoint(self) -> Fraction:
        """The number that stands for the category."""
        return (self.lower + self.upper) / 2

    def holds(self, truth: Fraction) -> bool:
        """Whether `truth` falls here: the upper end belongs to the next category."""
        return self.lower <= truth < self.upper or self.lower == truth == self.upper


def within(reach: int, number: int) -> Integers:
    """Return all unordered pairs of `number` positions that are at most `reach` steps apart.

    Examples
    --------
    >>> within(1, 3).tolist()
    [[0, 1], [1, 2]]
    """
    reach = min(reach, number - 1)
    if number * reach > _MOST_PAIRS:
        message = (
            f"a query must have at most {_MOST_PAIRS:,} pairs of neighbours; got about {number * reach:,}. "
            "Ask for a smaller or coarser range."
        )
        raise ProblemError(message)
    steps = [np.arange(number - step) for step in range(1, reach + 1)]
    left = np.concatenate([np.empty(0, dtype=np.int64), *steps])
    right = np.concatenate([np.empty(0, dtype=np.int64), *(low + k for k, low in enumerate(steps, 1))])
    return np.column_stack([left, right])


@dataclass(frozen=True, slots=True, eq=False, init=False)
class Query:
    """A question with finitely many answers.

    Parameters
    ----------
    truths : sequence of numbers
        The possible true answers, increasing.
    responses : sequence of numbers or of (lower, upper) pairs, optional
        What may be released, increasing: points, or categories that do not overlap. A category holds
        its lower end and not its upper one, except that the last one is closed. Loss is measured to
        midpoints. Left out, the responses are the truths.
    neighbours : iterable of (int, int) or (int, int, int), int or "all"
        Positions in `truths` of answers that one person can turn into each other. A whole number
        stands for all pairs within so many steps. A third number is a weight: so many times epsilon
        between the two, as on the edges of a weighted graph. Of several weights the least counts.
    symmetric : bool, default True
        Whether each pair is to be protected both ways. ``False`` protects the first of a pair against the
        second only, which is *not* differential privacy for both; it exists to reproduce printed results.
    name : str, optional
        How reports call this query.
    labels : sequence of str, optional
        How each truth is shown where it is no number, such as a category or a vector: one for each truth.
        The responses must then be the truths.

    Attributes
    ----------
    pairs : ndarray of int, shape (num_pairs, 2)
        Ordered pairs ``(f, g)``: the column of `f` may exceed that of `g` by the factor ``e^epsilon``.
        A symmetric query lists both directions. Sorted, without repetition.
    weights : ndarray of int, shape (num_pairs,)
        How many times epsilon lie between the two truths of each pair, one if nothing else was said.
    symmetric : bool
        Whether every pair *is* listed both ways, with the same weight.
    home : ndarray of int, shape (num_truths,)
        Position of the response that holds each truth, -1 where none does.

    Raises
    ------
    ProblemError
        If an argument breaks one of these rules.

    Examples
    --------
    Five answers reported in two coarse categories:

    >>> query = Query([0, 1, 2, 3, 4], [(0, 2), (2, 4)], 1)
    >>> query.home.tolist(), query.response_values.tolist(), len(query.pairs)
    ([0, 0, 1, 1, 1], [1.0, 3.0], 8)
    """

    truths: tuple[Fraction, ...]
    responses: tuple[Category, ...]
    pairs: Integers
    home: Integers
    symmetric: bool
    name: str
    weights: Integers
    labels: tuple[str, ...]

    def __init__(
        self,
        truths: Iterable[Number],
        responses: Iterable[Number | tuple[Number, Number]] | None = None,
        neighbours: Iterable[tuple[int, ...]] | int | str = 1,
        *,
        symmetric: bool = True,
        name: str = "query",
        labels: Iterable[str] = (),
    ) -> None:
        answers = tuple(exact(truth, "truths") for truth in _listed(truths, "truths"))
        if not answers or any(low >= high for low, high in pairwise(answers)):
            message = (
                f"`truths` must be one or more increasing numbers; got {_brief(list(map(str, answers)))}."
            )
            raise ProblemError(message)
        categories = _categories(answers if responses is None else _listed(responses, "responses"))
        home = np.array([_holder(categories, truth) for truth in answers], dtype=np.int64)
        home.flags.writeable = False
        if not isinstance(symmetric, bool):
            message = f"`symmetric` must be true or false; got {symmetric!r}."
            raise ProblemError(message)
        pairs, weights = _ordered_pairs(neighbours, len(answers), symmetric=symmetric)
        shown = tuple(map(str, labels))
        if shown and (len(set(shown)) != len(answers) or len(shown) != len(answers) or responses is not None):
            message = (
                f"`labels` must be different texts, one for each of {len(answers)} truths that are also the "
                f"responses; got {_brief(shown)}."
            )
            raise ProblemError(message)
        for field, value in (
            ("truths", answers),
            ("responses", categories),
            ("pairs", pairs),
            ("home", home),
            ("symmetric", _both_ways(np.column_stack([pairs, weights]))),
            ("name", name),
            ("weights", weights),
            ("labels", shown),
        ):
            object.__setattr__(self, field, value)

    @property
    def num_truths(self) -> int:
        """Number of possible true answers."""
        return len(self.truths)

    @property
    def num_responses(self) -> int:
        """Number of responses that may be released."""
        return len(self.responses)

    @property
    def is_weighted(self) -> bool:
        """Whether some neighbours are further apart than one epsilon."""
        return bool((self.weights != 1).any())

    def distances(self, noise: Integers) -> tuple[Integers, Integers] | None:
        """Return how far neighbours are apart, ``None`` where it does not look the same from every truth.

        Parameters
        ----------
        noise : ndarray of int, shape (num_truths, num_truths)
            Which noise turns a truth, as column, into another: the table of `ModularNoise.noise`.

        Returns
        -------
        distances, weights : ndarray of int, shape (num_distances,)
            The noise between a truth and its neighbour, and how many times epsilon lie there.

        Examples
        --------
        >>> turn = np.array([[0, 2, 1], [1, 0, 2], [2, 1, 0]])
        >>> Query(range(3), neighbours=[(0, 1), (1, 2), (2, 0)]).distances(turn)[0].tolist()
        [1, 2]
        >>> Query(range(3), neighbours=1).distances(turn) is None
        True
        """
        size = self.num_truths
        if size != self.num_responses or (self.home != np.arange(size)).any():
            return None
        between = noise[self.pairs[:, 0], self.pairs[:, 1]]
        # Pairs are listed once each, at most one from each truth at each distance.
        found, members = np.unique(np.column_stack([between, self.weights]), axis=0, return_counts=True)
        return (found[:, 0], found[:, 1]) if (members == size).all() else None

    @property
    def truth_values(self) -> Floats:
        """The truths as floats, shape (num_truths,)."""
        return np.array([float(truth) for truth in self.truths])

    @property
    def response_values(self) -> Floats:
        """The midpoints of the responses as floats, shape (num_responses,)."""
        return np.array([float(category.midpoint) for category in self.responses])


def _categories(responses: tuple[Number | tuple[Number, Number], ...]) -> tuple[Category, ...]:
    categories = []
    for response in responses:
        ends = response if isinstance(response, (tuple, list)) else (response, response)
        if len(ends) != 2:  # noqa: PLR2004 - a lower and an upper end
            message = f"`responses` must be numbers or (lower, upper) pairs; got {response!r}."
            raise ProblemError(message)
        lower, upper = (exact(end, "responses") for end in ends)
        categories.append(Category(lower, upper))
    ordered = all(category.lower <= category.upper for category in categories) and all(
        low.upper <= high.lower and low.midpoint < high.midpoint for low, high in pairwise(categories)
    )
    if not categories or not ordered:
        message = (
            f"`responses` must be one or more increasing numbers or intervals that do not overlap; "
            f"got {_brief(responses)}."
        )
        raise ProblemError(message)
    return tuple(categories)


def _holder(categories: tuple[Category, ...], truth: Fraction) -> int:
    # A point may sit at the start of an interval, so two categories can begin at or before the truth.
    last = bisect_right(categories, truth, key=lambda category: category.lower) - 1
    for position in (last, last - 1):
        if position >= 0 and categories[position].holds(truth):
            return position
    return len(categories) - 1 if truth == categories[-1].upper else -1


def _ordered_pairs(
    neighbours: Iterable[tuple[int, ...]] | int | str, number: int, *, symmetric: bool
) -> tuple[Integers, Integers]:
    """Return the ordered pairs, sorted and once each, and their weights."""
    if isinstance(neighbours, str):
        if neighbours != "all":
            message = f"`neighbours` must be pairs of positions, a reach or 'all'; got {neighbours!r}."
            raise ProblemError(message)
        listed = within(number, number)
    elif isinstance(neighbours, (int, np.integer)):
        if neighbours < 1 or isinstance(neighbours, bool):
            message = f"`neighbours` must reach at least 1 step; got {neighbours}."
            raise ProblemError(message)
        listed = within(int(neighbours), number)
    else:
        listed = _listed_pairs(neighbours, number)
    if listed.shape[1] == _PAIR:
        listed = np.column_stack([listed, np.ones(len(listed), dtype=np.int64)])
    if symmetric:
        listed = np.concatenate([listed, listed[:, [1, 0, 2]]])
    listed = np.unique(listed, axis=0)  # sorted by weight last: the first of equal pairs has the least
    _, first = np.unique(listed[:, :2], axis=0, return_index=True)
    pairs, weights = np.ascontiguousarray(listed[first, :2]), np.ascontiguousarray(listed[first, 2])
    pairs.flags.writeable = weights.flags.writeable = False
    return pairs, weights


def _listed_pairs(neighbours: Iterable[tuple[int, ...]], number: int) -> Integers:
    """Return pairs of positions, with a third column where there are weights."""
    try:
        listed = np.array([tuple(pair) for pair in neighbours])
        sound = listed.size == 0 or (
            listed.ndim == 2  # noqa: PLR2004 - a table of pairs
            and listed.shape[1] in (_PAIR, _PAIR + 1)
            and np.issubdtype(listed.dtype, np.integer)
        )
    except (TypeError, ValueError):
        sound = False
    if not sound:
        message = f"`neighbours` must be pairs of positions in `truths`; got {_brief(neighbours)}."
        raise ProblemError(message)
    listed = listed.reshape(-1, listed.shape[1] if listed.size else _PAIR).astype(np.int64)
    if (listed[:, _PAIR:] < 1).any():
        worst = int(listed[:, _PAIR].min())
        message = f"`neighbours` must have whole weights of at least 1; got {worst}. Give epsilon per unit."
        raise ProblemError(message)
    listed, weights = listed[:, :_PAIR], listed[:, _PAIR:]
    outside = (listed < 0) | (listed >= number)
    if outside.any():
        pair = tuple(listed[outside.any(axis=1)][0].tolist())
        message = f"`neighbours` must be positions from 0 to {number - 1}; got {pair}."
        raise ProblemError(message)
    if (listed[:, 0] == listed[:, 1]).any():
        message = f"`neighbours` must join two different truths; got {listed[0].tolist()}."
        raise ProblemError(message)
    return np.hstack([listed, weights])


def _both_ways(listed: Integers) -> bool:
    """Whether every pair is listed in both directions with one weight, whoever asked for it."""
    return np.array_equal(np.unique(listed[:, [1, 0, 2]], axis=0), listed)


def _listed(values: Iterable[Any], name: str) -> tuple[Any, ...]:
    try:
        return tuple(values)
    except TypeError:
        message = f"`{name}` must be a list of numbers; got {_brief(values)}."
        raise ProblemError(message) from None


def _brief(values: object) -> str:
    text = repr(values)
    limit = 60
    return text if len(text) <= limit else text[: limit - 1] + "…"
