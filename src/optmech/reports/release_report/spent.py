"""The loss of one person by all releases together, in a sentence with a person in it.

Model
-----
    before     two neighbouring data sets are equally likely to somebody who knows all else but record keys
    after      with E = e^epsilon and delta = 0, either has at most the probability  E / (1 + E);
               with a delta, a guess is right with probability at most  (E + delta) / (1 + E)

All roundings are upwards.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.analysis.composition.curve import epsilon_of_steps, rounded_up
from optmech.base.number_format import percent_at_most
from optmech.question.epsilon import LARGEST_EPSILON
from optmech.question.privacy.guarantee import certainty, factor_above

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optmech.base.logarithm import Logarithm
    from optmech.release.tables.account import Account

_COUNT = "count"


def spent_sentence(account: Account, kinds: Iterable[str]) -> str:
    """Return the sentence on what all releases of an account tell of one person.

    `kinds` are the kinds of the questions that were released, as their logs have them.

    It is empty where the spending is unknown.
    """
    if account.unknown or account.broken:
        return ""
    share = percent_at_most(certainty(_factor(account), account.delta))
    before = f"Someone who thinks it is 50:50 {_doubt(account, kinds)}, and knows {_rest(account)},"
    if account.delta:
        return (
            f"{before} and then guesses from all that is published here, is right with a probability of at "
            f"most {share}."
        )
    return f"{before} is at most {share} sure after seeing all that is published here."


def _doubt(account: Account, kinds: Iterable[str]) -> str:
    """Return the two cases that somebody cannot decide between."""
    if account.limited:
        return "which of two neighbouring true answers is the right one"
    if set(kinds) == {_COUNT}:
        # Without a bound on a person's rows the promise is one of a row.
        return f"whether a certain person is in {'one row of ' if account.counts_rows else ''}the data"
    return "which of two records a certain person has in the data"


def _rest(account: Account) -> str:
    """Return what somebody knows besides: with the record keys they could subtract the noise."""
    return "everything else but the record keys" if account.conditions else "everything else"


def _factor(account: Account) -> Fraction | float:
    """Return ``e^epsilon``, rounded up."""
    return math.inf if account.epsilon > LARGEST_EPSILON else factor_above(_epsilon(account))


def _epsilon(account: Account) -> Fraction | Logarithm:
    """Return the epsilon of an account, exactly as typed where it is that of one draw, else rounded up."""
    if len(account.draws) == 1:
        (draw,) = account.draws
        exact = epsilon_of_steps(draw.guarantee.epsilon, draw.uses)
        if rounded_up(exact) == account.epsilon:
            return exact
    return Fraction(account.epsilon)
