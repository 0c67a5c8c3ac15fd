"""Noise for counts with a given probability of zero, bounded width and mean zero.

Model
-----
    min   delta
    s.t.  M[y,n] <= e^epsilon M[y,m] + delta     privacy    counts n, m one apart, released y    (10)-(11)
          M made from the alphas, which sum to one for each count                                (12)-(13)

`sadeghi` lets the noise differ from count to count (Proposition 2), `sadeghi_symmetric` does not
(Proposition 3). Privacy is asked of single outcomes: delta is *not* that of (epsilon, delta)-differential
privacy, which sums over outcomes; `Mechanism.hockey_stick_delta` gives that one.

Source: Sadeghi, Asoodeh, Calmon 2020, Propositions 2 to 4.
Algebra: formulations/sadeghi.mod, sadeghi_symmetric.mod, sadeghi_symmetric_paper.mod.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError, broken_rule
from optmech.question.epsilon import one_epsilon
from optmech.question.kinds import Count
from optmech.question.losses import LeastDelta
from optmech.question.privacy import PerOutcomePrivacy, SymmetricRows
from optmech.question.problem import Problem
from optmech.question.query import Query
from optmech.question.structures import SymmetricNoise, ZeroBiasNoise

if TYPE_CHECKING:
    from optmech.base.numbers import Number

_MOST_NUMBERS = 200_000


def sadeghi(
    epsilon: Number | None = None,
    accuracy: Number | None = None,
    half_width: int | None = None,
    counts: tuple[int, int] | None = None,
    *,
    exp_epsilon: Number | None = None,
) -> Problem:
    """Ask for the zero-bias noise of least per-outcome delta, count by count.

    Parameters
    ----------
    epsilon : str, int, float or Fraction
        Privacy, zero or more; ``"ln 2"`` is the natural logarithm of 2, exactly.
    accuracy : str, int, float or Fraction
        Probability of releasing the true count, strictly between 0 and 1.
    half_width : int
        The noise stays within this distance, at least 1; released numbers are never negative.
    counts : (int, int)
        Smallest and largest true count, from 1 on. At 0 no zero-bias noise exists.
    exp_epsilon : str, int, float or Fraction
        ``e^epsilon``, in place of `epsilon`. All else must be given.

    Raises
    ------
    ProblemError
        If an argument breaks its rule.

    Examples
    --------
    >>> problem = sadeghi(1, "0.5", 2, counts=(1, 3))
    >>> problem.query.num_truths, problem.query.num_responses
    (3, 6)
    """
    smallest, largest = _range_of(counts)
    if smallest < 1:
        message = (
            f"`counts` must start at 1 or above; got {smallest}. "
            "Noise added to 0 cannot fall below it, so its mean is zero only without noise."
        )
        raise ProblemError(message)
    structure = ZeroBiasNoise(half_width, accuracy)  # type: ignore[arg-type]
    privacy = PerOutcomePrivacy(one_epsilon(epsilon, exp_epsilon))
    return _least_delta("sadeghi", privacy, structure, smallest, largest)


def sadeghi_symmetric(
    epsilon: Number | None = None,
    accuracy: Number | None = None,
    half_width: int | None = None,
    *,
    counts: tuple[int, int] | None = None,
    rows: str = SymmetricRows.ALL,
    exp_epsilon: Number | None = None,
) -> Problem:
    """Ask for the symmetric noise of least per-outcome delta, the same for every count.

    Parameters
    ----------
    epsilon, accuracy, half_width
        As in `sadeghi`.
    counts : (int, int), optional
        Smallest and largest true count, from `half_width` on; by default `half_width` to twice that, as in
        the paper's (16). The noise does not depend on it.
    rows : {"all", "paper"}
        ``"all"`` holds the noise to every row of (9). ``"paper"`` keeps the printed rows (17)-(19), whose
        optimum breaks (9) when the accuracy is small: a model to reproduce the paper with, `assemble` and
        ``design(raw=True)``, of which nothing is proved.
    exp_epsilon : str, int, float or Fraction
        ``e^epsilon``, in place of `epsilon`.

    Raises
    ------
    ProblemError
        If an argument breaks its rule.

    Examples
    --------
    >>> print(sadeghi_symmetric("2.18", "0.8", 6))  # doctest: +NORMALIZE_WHITESPACE
    sadeghi-symmetric: count 6..12; symmetric noise within 6, truth with probability 0.8;
    epsilon = 2.18, least delta for each outcome; no further property; least delta
    """
    structure = SymmetricNoise(half_width, accuracy)  # type: ignore[arg-type]
    width = structure.half_width
    smallest, largest = _range_of((width, 2 * width) if counts is None else counts)
    if smallest < width or smallest == largest:
        message = (
            f"`counts` must be two or more counts from the half-width {width} on; "
            f"got {smallest}..{largest}. For smaller counts use `sadeghi`."
        )
        raise ProblemError(message)
    privacy = PerOutcomePrivacy(one_epsilon(epsilon, exp_epsilon), rows=rows)  # type: ignore[arg-type]
    return _least_delta("sadeghi-symmetric", privacy, structure, smallest, largest)


def _least_delta(
    name: str,
    privacy: PerOutcomePrivacy,
    structure: SymmetricNoise | ZeroBiasNoise,
    smallest: int,
    largest: int,
) -> Problem:
    query = noisy_counts(smallest, largest, structure.half_width)
    return Problem(
        name=name,
        query=query,
        structure=structure,
        privacy=privacy,
        properties=frozenset(),
        objective=LeastDelta(),
    )


def noisy_counts(smallest: int, largest: int, width: int) -> Query:
    """Return the query of a count, with every number within `width` of one as a response, from 0 on."""
    if largest - smallest + 2 * width >= _MOST_NUMBERS:
        message = (
            f"at most {_MOST_NUMBERS:,} released numbers can be designed for; "
            f"got {largest - smallest + 2 * width + 1:,}. Ask for fewer counts or a smaller half-width."
        )
        raise ProblemError(message)
    return Query(
        range(smallest, largest + 1),
        range(max(0, smallest - width), largest + width + 1),
        neighbours=1,
        kind=Count(smallest, largest),
    )


def _range_of(counts: tuple[int, int] | None) -> tuple[int, int]:
    try:
        smallest, largest = (end.__index__() for end in counts or () if not isinstance(end, bool))
    except (TypeError, ValueError, AttributeError):
        raise broken_rule("counts", "be the smallest and the largest count", repr(counts)) from None
    if largest < smallest:
        raise broken_rule("counts", "run from small to large", f"{smallest}.", f"{largest}.")
    return smallest, largest
