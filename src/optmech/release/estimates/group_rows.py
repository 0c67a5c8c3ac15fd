"""The rows of estimates of a table: its cells, and the sums, shares and differences of its groups."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text
from optmech.base.wording import shorten
from optmech.release.estimates.numbers import NumberEstimator
from optmech.release.estimates.rows import EstimateKind, EstimateRow
from optmech.release.estimates.shares import ShareEstimate, ShareEstimator
from optmech.release.estimates.sums import Addend, GroupSum, share_of, sum_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from optmech.release.estimates.all_counts import AllCountsEstimator
    from optmech.release.estimates.large import LargeEstimator
    from optmech.release.estimates.likelihoods import Likelihoods
    from optmech.release.estimates.numbers import NumberEstimate

    AnyEstimator = NumberEstimator | LargeEstimator | AllCountsEstimator
    Numbers = Counter[tuple[int, tuple[int, ...]]]

# Posteriors of more truths are for Python: `NumberEstimator.estimate` has them.
_MOST_LISTED = 101


@dataclass(frozen=True, kw_only=True)
class GroupRows:
    """The names and groups of the rows of a table, and what is asked of them.

    Attributes
    ----------
    names, groups : list of str
    is_grouped : bool
        Whether groups were asked for.
    differences : tuple of pairs of str
    level : Fraction
    clamped : bool
        Whether numbers beyond the range were taken for its ends, so that ends are open.
    """

    names: list[str]
    groups: list[str]
    is_grouped: bool
    differences: tuple[tuple[str, str], ...]
    level: Fraction
    clamped: bool

    def need(self, known: Mapping[str, object]) -> None:
        """Refuse a difference of groups that are not there: ProblemError."""
        for pair in self.differences:
            for name in pair:
                if name not in known:
                    message = f"`difference` must be of groups among {shorten(list(known))}; got {name!r}."
                    raise ProblemError(message)


def number_rows(
    estimators: Sequence[AnyEstimator], positions: Sequence[tuple[int, ...]], rows: GroupRows
) -> tuple[list[EstimateRow], list[str], dict[str, dict[str, Fraction]]]:
    """Return the rows of numbers, notes on them, and the posterior for each released number."""
    known: dict[tuple[int, tuple[int, ...]], NumberEstimate] = {}
    result: list[EstimateRow] = []
    posteriors: dict[str, dict[str, Fraction]] = {}
    is_one = len({id(estimator) for estimator in estimators}) == 1
    for estimator, responses, name, group in zip(estimators, positions, rows.names, rows.groups, strict=True):
        key = id(estimator), responses
        released = _released(estimator, responses)
        if key not in known:
            known[key] = estimator.estimate(responses, rows.level)
            if is_one and len(estimator.truths) <= _MOST_LISTED:
                shares = zip(estimator.truths, known[key].posterior, strict=True)
                posteriors[released] = {as_text(truth): share for truth, share in shares}
        row = _cell_row(known[key], estimator, clamped=rows.clamped)
        result.append(replace(row, group=group, name=name, released=released))
    numbers = _numbers(estimators, positions, rows.groups)
    by_id = {id(estimator): estimator for estimator in estimators}
    addends = {group: _addends(counted, by_id) for group, counted in numbers.items()}
    rows.need(addends)
    everything: Numbers = sum(numbers.values(), Counter())
    if len(estimators) > 1:
        result.append(_sum_row(EstimateKind.SUM, "", sum_of(_addends(everything, by_id), rows.level)))
    for group, counted in numbers.items() if rows.is_grouped else ():
        result.append(_sum_row(EstimateKind.SUM, group, sum_of(addends[group], rows.level)))
        rest = _addends(everything - counted, by_id)
        share = share_of(addends[group], rest, rows.level) if rest else None
        if share is not None:
            result.append(_sum_row(EstimateKind.SHARE_OF_TOTAL, group, share))
    for first, second in rows.differences:
        less = [replace(addend, coefficient=-1) for addend in addends[second]]
        found = sum_of([*addends[first], *less], rows.level)
        result.append(_sum_row(EstimateKind.DIFFERENCE, f"{first} - {second}", found))
    reasons = [one.reason for one in estimators if one.reason]
    wide = max(estimator.truths[-1] - estimator.truths[0] for estimator in estimators) if estimators else 0
    return result, list(dict.fromkeys([*reasons, *_of_no_use(result, wide)])), posteriors


def share_rows(
    likelihoods: Likelihoods,
    prior: Sequence[Fraction],
    positions: Sequence[int],
    rows: GroupRows,
    *,
    sampled: bool,
) -> tuple[list[EstimateRow], list[str]]:
    """Return the rows of shares, with the mean where answers are numbers, and notes on them."""
    if not positions:
        message = "shares must be of at least one row; got none."
        raise ProblemError(message)
    never = [position for position in positions if position not in likelihoods.possible]
    if never:
        text = (likelihoods.labels or tuple(map(as_text, likelihoods.responses)))[never[0]]
        raise broken_rule("released", "hold what some true answer can lead to", text)
    estimator = ShareEstimator(likelihoods, prior)
    names = likelihoods.labels or tuple(map(as_text, likelihoods.truths))
    numbers = None if likelihoods.labels or sampled else NumberEstimator([likelihoods], prior)
    by_group = {group: [0] * len(likelihoods.responses) for group in dict.fromkeys(rows.groups)}
    for group, position in zip(rows.groups, positions, strict=True):
        by_group[group][position] += 1
    rows.need(by_group)
    by_group = by_group if rows.is_grouped else {"": next(iter(by_group.values()))}
    result = []
    for group, counts in by_group.items():
        for share in estimator.shares(counts, rows.level, sampled=sampled):
            released, name = _number_released(likelihoods, counts, share.answer), names[share.answer]
            row = _share_row(share)
            result.append(replace(row, group=group, name=name, released=released, cells=sum(counts)))
        if numbers is not None:
            result.append(_mean_row(group, numbers, counts, rows.level))
    half = 1 - (1 - rows.level) / 2
    for first, second in rows.differences:
        pairs = zip(
            estimator.shares(by_group[first], half, sampled=sampled),
            estimator.shares(by_group[second], half, sampled=sampled),
            strict=True,
        )
        result += [_difference_row(f"{first} - {second}", names[one.answer], one, two) for one, two in pairs]
    reasons = dict.fromkeys(
        f"share of {names[share.answer]}: {share.reason}"
        for share in estimator.shares(next(iter(by_group.values())), rows.level)
        if share.reason
    )
    return result, [*reasons, *_of_no_use(result, 1)]


def _of_no_use(rows: Sequence[EstimateRow], wide: Fraction | int) -> list[str]:
    """Return a remark where an unbiased estimate errs by more than the whole range."""
    kinds = EstimateKind.CELL, EstimateKind.SHARE
    largest = max((row.standard_error or 0 for row in rows if row.kind in kinds), default=0)
    if largest <= wide:
        return []
    text = f"unbiased estimates exist, but have standard errors up to {largest:.3g}"
    return [f"{text}: the mechanism hardly tells these answers apart"]


def _cell_row(found: NumberEstimate, estimator: AnyEstimator, *, clamped: bool) -> EstimateRow:
    ends = estimator.truths[0], estimator.truths[-1]
    return EstimateRow(
        kind=EstimateKind.CELL,
        estimate=found.unbiased,
        standard_error=found.standard_error,
        most_likely=found.most_likely,
        posterior_mean=float(found.posterior_mean),
        posterior_sd=found.posterior_sd,
        low=None if clamped and found.low == ends[0] else found.low,
        high=None if clamped and found.high == ends[1] else found.high,
    )


def _sum_row(kind: EstimateKind, group: str, found: GroupSum) -> EstimateRow:
    return EstimateRow(
        kind=kind,
        group=group,
        name=group or "all",
        cells=found.cells,
        estimate=found.estimate,
        ratio=found.ratio,
        standard_error=found.standard_error,
        low=found.low,
        high=found.high,
    )


def _share_row(share: ShareEstimate) -> EstimateRow:
    return EstimateRow(
        kind=EstimateKind.SHARE,
        estimate=share.estimate,
        standard_error=share.standard_error,
        low=share.low,
        high=share.high,
    )


def _mean_row(group: str, numbers: NumberEstimator, counts: Sequence[int], level: Fraction) -> EstimateRow:
    """Return the mean of people's numbers: their sum over how many they are."""
    people = sum(counts)
    of_response: dict[tuple[int, ...], int] = {
        (response,): number for response, number in enumerate(counts) if number
    }
    found = sum_of([Addend(estimator=numbers, numbers=of_response)], level)
    return EstimateRow(
        kind=EstimateKind.MEAN,
        group=group,
        name="mean",
        cells=people,
        estimate=None if found.estimate is None else found.estimate / people,
        standard_error=None if found.standard_error is None else found.standard_error / people,
        low=found.low / people,
        high=found.high / people,
    )


def _difference_row(group: str, name: str, one: ShareEstimate, two: ShareEstimate) -> EstimateRow:
    errors = one.standard_error, two.standard_error
    return EstimateRow(
        kind=EstimateKind.DIFFERENCE,
        group=group,
        name=name,
        estimate=None if one.estimate is None or two.estimate is None else one.estimate - two.estimate,
        standard_error=None if None in errors else sqrt(sum(error**2 for error in errors if error)),
        low=one.low - two.high,
        high=one.high - two.low,
    )


def _numbers(
    estimators: Sequence[AnyEstimator], positions: Sequence[tuple[int, ...]], groups: Sequence[str]
) -> dict[str, Numbers]:
    """Return how often each estimator has each response, in each group."""
    numbers: dict[str, Numbers] = {group: Counter() for group in dict.fromkeys(groups)}
    for estimator, responses, group in zip(estimators, positions, groups, strict=True):
        numbers[group][id(estimator), responses] += 1
    return numbers


def _addends(numbers: Numbers, estimators: Mapping[int, AnyEstimator]) -> list[Addend]:
    """Return the numbers by their estimators."""
    of_estimator: dict[int, dict[tuple[int, ...], int]] = {}
    for (key, responses), number in numbers.items():
        of_estimator.setdefault(key, {})[responses] = number
    return [Addend(estimator=estimators[key], numbers=counted) for key, counted in of_estimator.items()]


def _released(estimator: AnyEstimator, responses: tuple[int, ...]) -> str:
    return ", ".join(map(as_text, estimator.released(responses)))


def _number_released(likelihoods: Likelihoods, counts: Sequence[int], answer: int) -> str:
    """Return how many released an answer, empty where that is no response."""
    truth = likelihoods.truths[answer]
    return str(counts[likelihoods.responses.index(truth)]) if truth in likelihoods.responses else ""
