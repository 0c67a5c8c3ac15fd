"""A perturbation table of the cell key method, as a question on finitely many counts.

Model
-----
    min   delta                             or a loss at the worst count, at a given delta
    s.t.  M[j,i] = 0                        within         |j - i| > D
          sum_j (j - i)^2 M[j,i] <= V       variance       each count i; of unbiased noise it is that
          M[j+1,i+1] - M[j,i] = 0           same noise     i >= n0, each j; nothing at either end

Counts 0..n0 have noise of their own, and every larger count has the noise of n0. So privacy between n0 and
n0 + 1 is that between any two larger neighbours, and counts 0..n0 + 1 stand for all.

Source: the constraints are those of the R package ptable, by which offices make such tables;
docs/howto/cell-keys.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import flag, items, need_text, takes, whole_number
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, exact
from optmech.question.limits import Accuracy, Within, Without, with_limits_apart
from optmech.question.linear_rule import LinearRule
from optmech.question.problems.question import question
from optmech.question.problems.sadeghi import noisy_counts
from optmech.question.properties import (
    COLUMN_HONEST,
    COLUMN_MONOTONE,
    FAIR,
    UNBIASED,
    ZERO_STAYS_ZERO,
    properties_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import ArrayLike

    from optmech.base.numbers import Number
    from optmech.question.limits import StatedLimit
    from optmech.question.loss import LossName
    from optmech.question.problem import Problem
    from optmech.question.properties import Property
    from optmech.question.query import Query

# Tables of offices are far smaller; of larger ones a program takes minutes.
_MOST_WITHIN, _MOST_OWN = 100, 300
# Each speaks of one count at a time, or of all alike, so that the listed counts stand for all.
_OF_A_COUNT = (COLUMN_MONOTONE, FAIR, COLUMN_HONEST, UNBIASED, ZERO_STAYS_ZERO)


@dataclass(frozen=True, slots=True)
class SameNoiseFrom:
    """Every count from `start` on has the noise of `start`: a property for `question`.

    It is stated by linear rules, which a certificate has and both of its readers prove.

    Parameters
    ----------
    start : int
        The smallest of these counts.

    Examples
    --------
    >>> query = noisy_counts(0, 2, 1)
    >>> for rule in SameNoiseFrom(1).rules(query):
    ...     print(rule.formula(query))
    P(0 | 2) = 0
    P(0 | 1) - P(1 | 2) = 0
    P(1 | 1) - P(2 | 2) = 0
    P(2 | 1) - P(3 | 2) = 0
    P(3 | 1) = 0
    """

    start: int

    def rules(self, query: Query) -> Iterator[LinearRule]:
        """Yield that both of two neighbouring counts have the same noise, as `question` asks for it.

        Raises
        ------
        ProblemError
            If the query is none of counts whose responses are whole numbers in a row, or has no such count.
        """
        counts, places = list(query.truths), [response.midpoint for response in query.responses]
        are_rows = all(
            values == list(range(int(values[0]), int(values[0]) + len(values))) for values in (counts, places)
        )
        if query.labels or not are_rows or self.start not in counts:
            message = (
                f"`start` must be a count of a query whose truths and responses are whole numbers in a row; "
                f"got {self.start} with {query.title}."
            )
            raise ProblemError(message)
        name = f"same noise from {self.start} on"
        for truth in range(counts.index(Fraction(self.start)), len(counts) - 1):
            yield LinearRule(name, {(0, truth + 1): 1}, "=", 0)
            for row in range(len(places) - 1):
                yield LinearRule(name, {(row, truth): 1, (row + 1, truth + 1): -1}, "=", 0)
            yield LinearRule(name, {(len(places) - 1, truth): 1}, "=", 0)


@dataclass(frozen=True, slots=True)
class PositiveStaysPositive:
    """No count above 0 is published as 0: a property for `question`, stated by linear rules as the one above.

    Examples
    --------
    >>> for rule in PositiveStaysPositive().rules(noisy_counts(0, 2, 1)):
    ...     print(rule.formula(noisy_counts(0, 2, 1)))
    P(0 | 1) = 0
    P(0 | 2) = 0
    """

    def rules(self, query: Query) -> Iterator[LinearRule]:
        """Yield that 0 is impossible where the count is above 0, as `question` asks for it.

        Raises
        ------
        ProblemError
            If 0 is no response of the query.
        """
        places = [response.midpoint for response in query.responses]
        if query.labels or 0 not in places:
            message = f"`properties` must ask positive-stays-positive of counts from 0 on; got {query.title}."
            raise ProblemError(message)
        for truth, count in enumerate(query.truths):
            if count > 0:
                yield LinearRule("positive stays positive", {(places.index(Fraction(0)), truth): 1}, "=", 0)


@takes(zero_stays_zero=flag, positive_stays_positive=flag, unbiased=flag)
def p_table(
    within: int,
    epsilon: Number | None = None,
    *,
    variance: Number | None = None,
    without: Iterable[int] = (),
    zero_stays_zero: bool = False,
    positive_stays_positive: bool = False,
    unbiased: bool = False,
    same_noise_from: int | None = None,
    properties: Iterable[str] | str = (),
    delta: Number | None = None,
    loss: LossName | ArrayLike = "squared",
    exp_epsilon: Number | None = None,
) -> Problem:
    """Ask for a perturbation table: the best noise on all counts 0, 1, 2, … under its constraints.

    Parameters
    ----------
    within : int
        The largest distance of a published count from the true one, 1 to 100.
    epsilon : str, int, float or Fraction
        Privacy between counts one apart, kept exactly.
    variance : str, int, float or Fraction, optional
        The largest mean of the squared noise of a count: its variance, where it is `unbiased`.
    without : iterable of int, default ()
        Counts that are never published, such as 1 and 2.
    zero_stays_zero, positive_stays_positive : bool, default False
        Whether 0 is published where the count is 0, and nowhere else. Both together tell 0 from 1 for
        certain, so that delta is 1 and no table is private.
    unbiased : bool, default False
        Whether the mean of the noise is zero.
    same_noise_from : int, optional
        The count whose noise all larger ones have, at least the largest of `without`; by default `within`
        plus the largest of `without` plus 1.
    properties : iterable of str, default ()
        What else must hold of every count: ``"accuracy >= 0.3"`` or ``"accuracy = 0.3"``, the probability
        that a count is published as it is; ``"column-monotone"``, ``"column-honest"``, ``"fair"``.
    delta : str, int, float or Fraction, optional
        With it the loss is least at (epsilon, delta); without it delta is least.
    loss : str, default "squared"
        The loss at the worst count, where it is least: ``"squared"``, ``"absolute"``, ``"zero-one"`` or
        ``"beyond K"``.
    exp_epsilon : str, int, float or Fraction
        ``e^epsilon``, in place of `epsilon`.

    Returns
    -------
    Problem
        On the counts 0 to ``same_noise_from + 1``, the last of which stands for all larger ones.

    Raises
    ------
    ProblemError
        If an argument breaks its rule.

    Examples
    --------
    >>> problem = p_table(5, 1, variance=3, without=[1, 2], zero_stays_zero=True, unbiased=True)
    >>> print(problem)  # doctest: +NORMALIZE_WHITESPACE
    p-table: count 0..9; any matrix; epsilon = 1, least delta; unbiased, zero-stays-zero, within 5,
    without 1 2, worst squared <= 3, rule "same noise from 8 on"; least delta
    """
    if not 1 <= whole_number(within, "within") <= _MOST_WITHIN:
        raise broken_rule("within", f"be a distance from 1 to {_MOST_WITHIN}", within)
    never = sorted(
        {whole_number(count, "without") for count in items(without, "without", "a list of counts")}
    )
    start = within + max(never, default=0) + 1 if same_noise_from is None else same_noise_from
    if not max(never, default=0) <= whole_number(start, "same_noise_from") <= _MOST_OWN:
        rule = f"be a count from {max(never, default=0)} to {_MOST_OWN}"
        remedy = "Counts that are never published must be smaller." if never else ""
        raise broken_rule("same_noise_from", rule, start, remedy)
    demands: list[Any] = [Within(Fraction(within)), SameNoiseFrom(start)]
    demands += [Without(tuple(map(Fraction, never)))] if never else []
    demands += [ZERO_STAYS_ZERO] if zero_stays_zero else []
    demands += [PositiveStaysPositive()] if positive_stays_positive else []
    demands += [UNBIASED] if unbiased else []
    demands += _of_each_count(properties)
    stated = question(
        noisy_counts(0, start + 1, within),
        epsilon,
        exp_epsilon=exp_epsilon,
        delta=0 if delta is None else delta,
        least="delta" if delta is None else "loss",
        loss=loss,
        worst_case=delta is not None,
        properties=demands,
        bounds=[] if variance is None else [f"worst squared <= {as_text(exact(variance, 'variance'))}"],
    )
    return replace(stated, name="p-table")


def _of_each_count(properties: Iterable[str] | str) -> list[Property | StatedLimit]:
    """Return named properties and limits, refused where the listed counts do not stand for larger ones."""
    texts = (
        [properties] if isinstance(properties, str) else items(properties, "properties", "a list of texts")
    )
    for text in texts:
        need_text(text, "properties")
    names, limits = with_limits_apart(texts)
    members = properties_of(names)
    others: list[Any] = [
        *(each for each in limits if not isinstance(each, Accuracy)),
        *(members - {*_OF_A_COUNT}),
    ]
    if others:
        rule = f"speak of each count by itself: accuracy, {', '.join(_OF_A_COUNT)}"
        remedy = "Distances and counts that are never published are `within` and `without`."
        raise broken_rule("properties", rule, ", ".join(sorted(map(str, others))), remedy)
    return [*sorted(members), *limits]
