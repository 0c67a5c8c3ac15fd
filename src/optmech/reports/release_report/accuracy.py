"""The errors of released numbers: sentences where there is one mechanism, and a row for each of several."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.number_format import at_most, number

if TYPE_CHECKING:
    from optmech.reports.card import Card
    from optmech.reports.release_report.facts import ReleaseFacts, UsedMechanism

_DIGITS, _FEW_DIGITS = 6, 4
_PERCENT = 95
_ALIKE = "Over all true answers alike"


def accuracy_sentences(facts: ReleaseFacts) -> list[str]:
    """Return sentences on errors and intervals; without intervals, and of several mechanisms, fewer."""
    sentences = []
    if len(facts.mechanisms) == 1 and (card := facts.mechanisms[0].card) is not None:
        is_clamped = any(one.log["beyond_the_range"] != "refused" for one in facts.files)
        sentences += _sentences(card, is_clamped=is_clamped)
    levels = {one.published.level for one in facts.files if one.published is not None}
    one_in = [1 / (1 - level) for level in levels if level is not None]
    if len(one_in) == 1 and one_in[0].denominator == 1:
        sentences.append(f"On average at most 1 of {one_in[0]} intervals misses its true number.")
    return sentences


def _sentences(card: Card, *, is_clamped: bool) -> list[str]:
    errors, within = card.errors, _within(card)
    sentences = []
    if within:
        limits = "after it was taken into the range" if is_clamped else "whatever it is"
        sentences.append(f"{_PERCENT} % of all drawn numbers are within {within} of the true one, {limits}.")
    if is_clamped:
        sentences.append("A true number beyond the range may be off by as much more as it lies beyond it.")
    if errors.mean is not None:
        sentences.append(f"{_ALIKE}, a number is off by {errors.mean.value:.3g} on average.")
    elif errors.truth_probability is not None:
        sentences.append(f"{_ALIKE}, {errors.truth_probability.percent} of all draws are the true one.")
    return sentences + _bias_sentences(card)


def _bias_sentences(card: Card) -> list[str]:
    """Return the bias of released numbers, which their sums keep."""
    bias = card.errors.bias
    if bias is None:
        return []
    if not bias.value:
        return ["Released numbers are the true ones on average, whatever these are, and so are their sums."]
    where = (
        f"where {card.errors.biased_truth} is true: sums and averages of released numbers keep such a bias."
    )
    return [
        f"A released number is off by {number(bias.value)} on average {where}",
        "`optmech estimate` has sums without bias, and says where there are none.",
    ]


def error_row(one: UsedMechanism) -> tuple[str, ...]:
    """Return the name of a mechanism, its epsilon and delta, and its errors."""
    name = one.log_entry.get("query") or one.file or "a matrix without certificate"
    if one.card is None:
        return name, *_told_privacy(one), "", "", ""
    errors = one.card.errors
    mean = "" if errors.mean is None else f"{errors.mean.value:.4g}"
    truth = "" if errors.truth_probability is None else errors.truth_probability.percent
    return name, *_told_privacy(one), mean, _within(one.card), truth


def _within(card: Card) -> str:
    """Return the error that 95 % of all draws do not exceed; nothing where answers have no distance."""
    within = next((one.error for one in card.errors.quantiles if one.percent == _PERCENT), None)
    return "" if within is None else at_most(within.value, _FEW_DIGITS)


def _told_privacy(one: UsedMechanism) -> tuple[str, str]:
    delta = one.log_entry.get("delta_of_sets", one.log_entry.get("delta"))
    spent = "unknown" if delta is None else at_most(Fraction(delta), _DIGITS)
    return str(one.log_entry.get("epsilon", "unknown")), spent
