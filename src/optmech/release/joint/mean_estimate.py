"""Estimate mean, people and total from released sums of records, with limits that hold."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import need_path, optional, takes
from optmech.base.errors import FileFormatError
from optmech.mechanisms.tables.sum_limits import SumLimits
from optmech.release.estimates.estimate import level_of
from optmech.release.estimates.released import LoggedFacts
from optmech.release.joint.joint_released import categories_in, proved_table, released_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from optmech.base.numbers import Number
    from optmech.question.tables.record_sums import RecordSums


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearEstimate:
    """People or a total: without bias, with its standard error and limits."""

    estimate: float
    standard_error: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioEstimate:
    """A mean, its standard error of first order, and limits.

    There is no estimate where any mean could be, and there are no limits where none in the range fits.
    """

    estimate: float | None = None
    standard_error: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanEstimate:
    """The numbers of one group of people.

    Attributes
    ----------
    group : str
        The group, or the empty text.
    mean : RatioEstimate, optional
        With limits of the clipped records of these people; it is not cut to the range, which would bias it.
    people : LinearEstimate, optional
        Records, where a person has several.
    total : LinearEstimate
        Without bias.
    deviation : float, optional
        The standard deviation, biased where people are few; zero below the resolution of the noise.
    """

    group: str
    total: LinearEstimate
    mean: RatioEstimate | None = None
    people: LinearEstimate | None = None
    deviation: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return asdict(self)


def is_of_means(table: str | PathLike[str]) -> bool:
    """Whether a released table is of sums of records, by its log."""
    return bool(LoggedFacts.beside(table).mechanisms[0].get("of_records"))


@takes(table=need_path, mechanism=optional(need_path))
def estimate_means(
    table: str | PathLike[str],
    *,
    level: Number = "0.95",
    mechanism: str | PathLike[str] | None = None,
) -> tuple[MeanEstimate, ...]:
    r"""Return mean, people and total of each group, with limits that hold for each number at the level.

    Parameters
    ----------
    table : path
        What `release_joint_table` wrote of `sums_of_people`, with its log beside it.
    level : number
        With which limits hold, for each number.
    mechanism : path, optional
        The certificate, where it is not beside the log.

    Raises
    ------
    FileFormatError
        If a file was changed, cannot be read, or is of another kind.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import optmech as om
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "people.csv").write_text("age\n" + "40\n60\n" * 500)
    >>> noise = om.design(om.sums_of_people("0:100", epsilon=1)).certificate
    >>> om.write_certificate(noise, folder / "mean.json")
    >>> people, released = folder / "people.csv", folder / "out.csv"
    >>> _ = om.release_joint_table(folder / "mean.json", people, released, column="age")
    >>> (found,) = estimate_means(released)
    >>> found.mean.low < found.mean.estimate < found.mean.high
    True
    """
    facts = LoggedFacts.beside(table)
    certificate = proved_table(table, facts, mechanism)
    categories = categories_in(facts, certificate)
    sums = certificate.problem.records
    if sums is None:
        message = f"`{table}` must be released sums of records; it is another table. Ask for sums."
        raise FileFormatError(message)
    names = [*categories]
    every = frozenset(range(len(names)))
    numbers = released_numbers(table, facts, categories, [every])[every].reshape(-1, max(1, len(sums.parts)))
    groups = product(*(categories[name] for name in (names[:-1] if sums.parts else names)))
    limits = SumLimits(certificate.noise, float(1 - level_of(level)))
    return tuple(
        _estimate(", ".join(map("=".join, zip(names, group, strict=False))), own, sums, limits)
        for group, own in zip(groups, numbers.tolist(), strict=True)
    )


def _estimate(group: str, own: list[int], sums: RecordSums, limits: SumLimits) -> MeanEstimate:
    """Return the numbers of one group from its sums."""
    if not sums.parts:
        return MeanEstimate(group=group, total=_linear(own, [sums.unit], limits))
    places, weight, reach = sums.places, sums.weight, sums.high - sums.low
    total = sum(own)
    people = _linear(own, [Fraction(1, weight)] * len(own), limits)
    totals = _linear(own, [(sums.low + place * reach) / weight for place in places], limits)
    found = limits.of_place(own, [float(place) for place in places])
    if found == (0.0, 1.0):  # any mean could be: the places say so, for ends in doubles may differ
        whole = RatioEstimate(low=float(sums.low), high=float(sums.high))
        return MeanEstimate(group=group, total=totals, people=people, mean=whole)
    low, high = (None, None) if found is None else (float(sums.low) + float(reach) * end for end in found)
    middle = sum(place * each for place, each in zip(places, own, strict=True)) / total
    error = sqrt(limits.variance * sum((place - middle) ** 2 for place in places)) * float(reach) / total
    deviation = None
    if len(own) == 3:  # noqa: PLR2004 - the squares are asked for
        square = own[0] / total - float(middle) ** 2
        deviation = float(reach) * sqrt(max(square, 0.0))
    mean = RatioEstimate(estimate=float(sums.low + reach * middle), standard_error=error, low=low, high=high)
    return MeanEstimate(group=group, mean=mean, people=people, total=totals, deviation=deviation)


def _linear(own: Sequence[int], weights: Sequence[Fraction], limits: SumLimits) -> LinearEstimate:
    """Return a sum of the released sums."""
    value = float(sum(weight * each for weight, each in zip(weights, own, strict=True)))
    error = sqrt(limits.variance * sum(weight**2 for weight in weights))
    reach = limits.of_sum([float(weight) for weight in weights])
    return LinearEstimate(estimate=value, standard_error=error, low=value - reach, high=value + reach)
