"""Refuse unbiased questions whose responses do not reach far enough, by a sentence in place of a solver.

Law: let the responses lie between L and H, f and g be neighbours, ``P(S|f) <= E P(S|g) + delta`` for all
sets S of responses, and the mean of each column be its truth t. Then

    t[f] - L  =  sum_r (r - L) P(r|f)
              <=  E sum_r (r - L) P(r|g) + (H - L) delta  =  E (t[g] - L) + (H - L) delta

and the same with H - t in place of t - L. Conversely a mechanism that releases H with probability
``(t - L) / (H - L)``, else L, has no bias, and is private where both hold for all neighbours: without further
demands nothing else makes such a question impossible.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.base.errors import NoSolutionError
from optmech.base.numbers import as_text
from optmech.models.solution import Solution, Status
from optmech.proofs.enclosure import enclose_exponential, power_above
from optmech.question.problem import demand_texts
from optmech.question.properties import UNBIASED

if TYPE_CHECKING:
    from optmech.question.privacy import Privacy
    from optmech.question.problem import Problem
    from optmech.question.query import Query

# Privacy of all sets of responses, with a delta or without one.
_OF_SETS = ("pure", "approximate")
_PRECISION = 128
# Nobody releases numbers so many steps beyond the truths.
_FARTHEST = 1_000_000


class _Missed(NamedTuple):
    """Neighbours whose means cannot both be their truths: with the mean at one, that at the other ends."""

    at: Fraction
    beside: Fraction
    most: Fraction
    """The mean at `beside` lies between `at` and this, at best."""
    is_low: bool


def need_means_in_reach(problem: Problem) -> None:
    """Refuse an unbiased question that no mechanism answers because of its responses.

    The refusal is a `NoSolutionError` that no solver was asked for.
    """
    query = problem.query
    if UNBIASED not in problem.properties or query.no_matrix is not None:
        return
    for privacy in problem.privacies:
        missed = None if privacy.word not in _OF_SETS or privacy.delta is None else _missed(query, privacy)
        if missed is None:
            continue
        side = "below" if missed.is_low else "above"
        end = min(_values(query)) if missed.is_low else max(_values(query))
        message = (
            f"no mechanism for {query.title} with {problem.privacy} and {' + '.join(demand_texts(problem))}: "
            f"unbiased is infeasible with {privacy}. Where the mean at the "
            f"true answer {as_text(missed.at)} is {as_text(missed.at)}, that at its neighbour "
            f"{as_text(missed.beside)} cannot get beyond {_short(missed.most)}, as no response lies {side} "
            f"{as_text(end)}. {_remedy(query, privacy, may_help=missed.at != end)}"
        )
        proof = Solution(
            status=Status.INFEASIBLE, solver="a proof", method="none", seconds=0.0, message="unbiased"
        )
        raise NoSolutionError(message, proof)


def _values(query: Query) -> list[Fraction]:
    return [response.midpoint for response in query.responses]


def _missed(query: Query, privacy: Privacy) -> _Missed | None:
    """Return the neighbours of one privacy that miss most, ``None`` where none does, as exact numbers say."""
    values, factors = _values(query), privacy.factors(query.weights)
    delta, width = privacy.delta or Fraction(0), max(values) - min(values)
    first, second = query.pairs.T
    for is_low, end in ((True, min(values)), (False, max(values))) if len(first) else ():
        distance = np.abs(query.truth_values - float(end))
        most_there = np.multiply(factors, distance[second], where=distance[second] > 0, out=0.0 * factors)
        pair = int(np.argmax(distance[first] - most_there))
        beside, at = (query.truths[index] for index in query.pairs[pair].tolist())
        upper = power_above(enclose_exponential(privacy.epsilon, _PRECISION).upper, int(query.weights[pair]))
        most = upper * abs(at - end) + width * delta
        if abs(beside - end) > most:
            return _Missed(at, beside, end + most if is_low else end - most, is_low)
    return None


def _short(value: Fraction) -> str:
    return as_text(value) if value.denominator == 1 else f"{float(value):.6g}"


def _remedy(query: Query, privacy: Privacy, *, may_help: bool) -> str:
    """Return which responses would do, if they are near enough, and whether a larger epsilon may help."""
    first, second = (query.truth_values[index] for index in query.pairs.T)
    with np.errstate(divide="ignore"):
        beyond = np.abs(first - second) / (privacy.factors(query.weights) - 1)
    low = float(np.min(second - beyond, initial=query.truth_values.min(), where=first > second))
    high = float(np.max(second + beyond, initial=query.truth_values.max(), where=first < second))
    if max(-low, high) > _FARTHEST:
        return "Raise epsilon."
    ends = f"{floor(low)}:{ceil(high)}"
    typed = f" (`--responses {ends}`)" if query.meaning.ranged else ""
    or_raise = ", or raise epsilon" if may_help else ""
    return f"Let the responses reach from {floor(low)} to {ceil(high)}{typed}{or_raise}."
