"""The loss of one person by all releases together, in a sentence with a person in it.

Model
-----
    before     two neighbouring data sets are equally likely to somebody who knows all else but record keys
    after      with E = e^epsilon and delta = 0, either has at most the probability  E / (1 + E);
               with a delta, a guess is right with probability at most  (E + delta) / (1 + E)
    two steps  (2 epsilon, (1 + E) delta), by group privacy: a record that becomes another where records come
               and go;  with releases of one step  (2 a + b, (1 + e^a) delta_a + delta_b), by composition

All roundings are upwards.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.analysis.composition.curve import epsilon_of_steps, rational_above, rounded_up
from optmech.base.number_format import percent_at_most
from optmech.question.epsilon import LARGEST_EPSILON
from optmech.question.privacy.guarantee import certainty, factor_above
from optmech.release.tables.spending import Spending

if TYPE_CHECKING:
    from optmech.base.logarithm import Logarithm
    from optmech.release.tables.account import Account

_RECORDS = "which of two records a certain person has in the data"
_TWO_STEPS = "A record that becomes another one is up to two such steps, one out and one in."


def spent_sentence(account: Account) -> str:
    """Return the sentence on what all releases of an account tell of one person.

    It is empty where the spending is unknown.
    """
    if account.unknown or account.broken:
        return ""
    if _is_of_presence(account) or not _is_of_change(account):
        return _sentence(account, _doubt(account), certainty(_factor(account), account.delta))
    return _sentence(account, _RECORDS, _certainty_of_change(account))


def change_sentence(account: Account) -> str:
    """Return the sentence on a person whose records become others, where that is more than one step.

    It is empty where `spent_sentence` is of that already, or the steps are unknown.
    """
    if account.unknown or account.broken or not (_is_of_presence(account) and _is_of_change(account)):
        return ""
    return f"{_TWO_STEPS} {_sentence(account, _RECORDS, _certainty_of_change(account))}"


def _sentence(account: Account, doubt: str, most: Fraction) -> str:
    share = percent_at_most(most)
    before = f"Someone who thinks it is 50:50 {doubt}, and knows {_rest(account)},"
    if account.delta:
        return (
            f"{before} and then guesses from all that is published here, is right with a probability of at "
            f"most {share}."
        )
    return f"{before} is at most {share} sure after seeing all that is published here."


def _is_of_presence(account: Account) -> bool:
    """Whether one step in every release is that a person is there or not."""
    return not account.limited and all(draw.change.comes_and_goes for draw in account.draws)


def _is_of_change(account: Account) -> bool:
    """Whether it is known how many steps a changed record takes in every release."""
    return not account.limited and all(draw.change.steps is not None for draw in account.draws)


def _doubt(account: Account) -> str:
    """Return the two cases of one step that somebody cannot decide between."""
    if not _is_of_presence(account):
        return "which of two neighbouring true answers is the right one"
    # Without a bound on a person's rows the promise is one of a row.
    return f"whether a certain person is in {'one row of ' if account.counts_rows else ''}the data"


def _certainty_of_change(account: Account) -> Fraction:
    """Return the largest probability of a right guess between two records of a person.

    In each part of the data it is that of its releases; see the top of this file.
    """
    if all(draw.change.steps == 1 for draw in account.draws):
        return certainty(_factor(account), account.delta)
    if _is_of_presence(account):
        factor = _factor(account)
        return _certainty(factor, account.delta, math.inf if factor == math.inf else factor * factor)
    return max(_certainty_of_sums(part) for part in account.by_part)


def _certainty_of_sums(part: Spending) -> Fraction:
    """Return the same from the sums of epsilons and deltas, of releases of one step and of two."""
    once, twice = (
        Spending(draws=tuple(draw for draw in part.draws if (draw.change.steps == 1) == is_one)).total
        for is_one in (True, False)
    )
    epsilon = rational_above(once.epsilon) + 2 * rational_above(twice.epsilon)
    if epsilon > LARGEST_EPSILON:
        return Fraction(1)
    delta = Fraction(once.delta) + (1 + Fraction(factor_above(rational_above(twice.epsilon)))) * twice.delta
    return certainty(factor_above(epsilon), delta)


def _certainty(factor: Fraction | float, delta: Fraction, twice: Fraction | float) -> Fraction:
    """Return the largest probability of a right guess after two steps of one factor and delta."""
    if twice == math.inf:
        return Fraction(1)
    return certainty(twice, (1 + Fraction(factor)) * delta)


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
