"""The public call: estimates from a released table and the mechanism that it was drawn from.

All of it is a function of what was released and of a public mechanism, so that it spends no epsilon: that is
post-processing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import flag, items, need_text, optional, takes
from optmech.base.errors import FileFormatError, ProblemError, broken_rule
from optmech.base.numbers import Number, as_text, exact
from optmech.base.whole_files import resolved
from optmech.question.prior import exact_prior, truth_weights
from optmech.question.query import Query
from optmech.release.estimates.all_counts import AllCountsEstimator
from optmech.release.estimates.group_rows import GroupRows, number_rows, share_rows
from optmech.release.estimates.large import LargeEstimator
from optmech.release.estimates.likelihoods import MOST_ENTRIES, Likelihoods
from optmech.release.estimates.numbers import NumberEstimator
from optmech.release.estimates.released import LoggedFacts, ReleasedAnswers, read_released
from optmech.release.estimates.rows import Estimates
from optmech.release.tables.p_table_column import PTableColumn
from optmech.release.tables.table import laws_of
from optmech.release.tables.truths import Truths, UnfitAnswerError, check_type

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from optmech.release.estimates.group_rows import AnyEstimator
    from optmech.release.tables.column_mechanisms import ColumnMechanism

_FREE = (
    "Estimates are functions of what was released and of the public mechanism: they spend nothing, however "
    "many are made."
)
_FIXED = "Standard errors and limits are of the mechanism's draws alone: the true answers are fixed."
_SAMPLED = (
    "Standard errors and limits are those of a larger population, from which people were drawn at random."
)
_CLAMPED = (
    "Numbers beyond the range were taken for its nearest end: estimates are of the numbers after that, and "
    "an empty limit is an open end."
)
_SHOWN = (
    "Rows released as 0 were left out: all of it is given that a row is shown, and sums are of shown rows."
)
_COUNTED = "The true number is the one in the table, without the rows beyond the bound of their person."
_CHANGED = "The log beside the table is of other bytes: the file was changed after it was released."
_OTHER_TRUTHS = "`mechanism` must have the same truths for all releases that are averaged; it has not."
_PERCENT = 100


@takes(column=optional(need_text), shares=optional(flag), sampled=flag)
def estimate(
    released: Any,  # noqa: ANN401 - a file, a frame or values
    mechanism: Any = None,  # noqa: ANN401 - a source, a file, a mapping of these, or a list for several releases
    *,
    column: str | None = None,
    group: str | Sequence[str] = (),
    level: Number = "0.95",
    prior: str | ArrayLike = "uniform",
    difference: Sequence[tuple[str, str]] = (),
    shares: bool | None = None,
    sampled: bool = False,
    further: Sequence[Any] = (),
) -> Estimates:
    """Return what released answers say about the true ones; it spends nothing.

    Numbers, such as counts and means, have an unbiased estimate where one exists, the likeliest value, a
    posterior mean and an interval; sums of them an unbiased estimate and an interval. Categories have
    unbiased shares with limits that hold for all of them together.

    Parameters
    ----------
    released : path, frame, or sequence
        A file that `release_table` or ``optmech apply`` wrote, a frame that `release_frame` returned, or
        released values. The log beside a file is read where there is one.
    mechanism : design, certificate, mechanism or path, optional
        The mechanism that the answers were drawn from, or a mapping of it from each group to its own. By
        default the certificates that the log names, in its folder. With `further` a list, one for each.
    column : str, optional
        The released column; by default the one in the log.
    group : str or sequence of str, optional
        Columns: sums, shares and differences are of their groups.
    level : number, optional
        The probability that limits hold at least, such as ``"0.95"``, or ``95`` per cent.
    prior : "uniform" or sequence of numbers, optional
        The probability of each truth, for posteriors. Among several unbiased estimators the one of least
        expected variance under it is taken.
    difference : sequence of pairs of str, optional
        Groups whose sums, or shares, are compared.
    shares : bool, optional
        Whether each row is one person, so that shares of the answers are sought; by default for categories.
    sampled : bool, optional
        Whether shares are those of a larger population, from which the people were drawn independently.
    further : sequence, optional
        Further releases of the same true answers, with the same rows: all are averaged.

    Returns
    -------
    Estimates

    Raises
    ------
    FileFormatError
        If a file cannot be read, or holds something that is not released by the mechanism.
    ProblemError
        If an argument breaks its rule, or the mechanism is not the one that the log names.

    Examples
    --------
    >>> import optmech as om
    >>> colour = om.design(om.question(om.categories(["red", "blue"]), "ln 3", loss="zero-one"))
    >>> for row in estimate(["red"] * 70 + ["blue"] * 30, colour).rows:
    ...     print(row.name, round(float(row.estimate), 3), round(row.standard_error, 3), row.low, row.high)
    red 0.9 0.087 73/100 1
    blue 0.1 0.087 0 27/100
    """
    by = (group,) if isinstance(group, str) else tuple(items(group, "group", "a column or several"))
    for name in by:
        need_text(name, "group")
    probability = level_of(level)
    tables = [released, *items(further, "further", "a list of releases")]
    facts = [LoggedFacts.beside(table) for table in tables]
    _check_different(tables, facts)
    releases = [
        _release(table, one, fact, column, by)
        for table, one, fact in zip(tables, _mechanisms(mechanism, len(tables)), facts, strict=True)
    ]
    first = releases[0]
    for other in releases[1:]:
        if (other.rows.names, other.rows.groups) != (first.rows.names, first.rows.groups):
            message = (
                f"{other.rows.source} must have the same rows as {first.rows.source}, in the same order, to "
                "be averaged with it; it has not."
            )
            raise ProblemError(message)
    makers = _Makers(prior=prior, shown_only=any(fact.shown_only for fact in facts))
    rows = GroupRows(
        names=first.rows.names,
        groups=[", ".join(cells) for cells in first.rows.groups],
        is_grouped=bool(by),
        differences=tuple(_pair(pair, by) for pair in difference),
        level=probability,
        clamped=any(fact.clamped for fact in facts),
    )
    labelled = bool(first.laws and next(iter(first.laws.values())).law.labels)
    of_people = labelled if shares is None else shares
    if of_people or labelled:
        if len(releases) > 1 or len(set(map(id, first.laws.values()))) > 1:
            message = "shares must be of one release by one mechanism; got several. Estimate each by itself."
            raise ProblemError(message)
        law = next(iter(first.laws.values()))
        found, notes = share_rows(
            makers.likelihoods(law), makers.prior_of(law), first.positions, rows, sampled=sampled
        )
        posteriors: dict[str, dict[str, Fraction]] = {}
    else:
        if sampled:
            message = (
                "`sampled` must be left out: it is for shares of people, each with an answer of their own."
            )
            raise ProblemError(message)
        positions = list(zip(*(release.positions for release in releases), strict=True))
        laws = list(zip(*(release.row_laws for release in releases), strict=True))
        found, notes, posteriors = number_rows(list(map(makers.estimator, laws)), positions, rows)
    remarks = (*notes, *_notes_of(tables, facts))
    return Estimates(
        column=column or facts[0].column or "released",
        level=probability,
        prior=prior if isinstance(prior, str) else "as given",
        rows=tuple(found),
        remarks=remarks,
        notes=(_FREE, _SAMPLED if sampled else _FIXED, *remarks),
        posteriors=posteriors,
    )


@dataclass(frozen=True, kw_only=True)
class _Release:
    """A release: its rows, the position of each response, and the mechanism of each row."""

    rows: ReleasedAnswers
    laws: Mapping[str | None, ColumnMechanism]
    row_laws: list[ColumnMechanism]
    positions: list[int]


def _check_different(tables: Sequence[Any], facts: Sequence[LoggedFacts]) -> None:
    """Refuse one release twice: its average with itself would look as if it were of two."""
    paths = [resolved(table) for table in tables if isinstance(table, (str, os.PathLike))]
    twice = next((path.name for path in paths if paths.count(path) > 1), None)
    draws = [str(fact.content["id"]) for fact in facts if "id" in fact.content]
    twice = twice or next((f"the draw {draw}" for draw in draws if draws.count(draw) > 1), None)
    if twice is not None:
        message = f"`further` must be other releases of the same answers; got {twice} twice."
        raise ProblemError(message)


def _mechanisms(mechanism: Any, number: int) -> list[Any]:  # noqa: ANN401 - as `estimate`
    """Return the mechanism of each release."""
    if not isinstance(mechanism, (list, tuple)):
        return [mechanism] * number
    if len(mechanism) == 1:
        return [*mechanism] * number
    if len(mechanism) != number:
        message = (
            f"`mechanism` must be one for all releases, or one for each of {number}; got {len(mechanism)}."
        )
        raise ProblemError(message)
    return list(mechanism)


def _release(
    table: Any,  # noqa: ANN401 - as `estimate`
    mechanism: Any,  # noqa: ANN401
    facts: LoggedFacts,
    column: str | None,
    group: tuple[str, ...],
) -> _Release:
    if mechanism is None:
        paths = facts.certificates()
        mechanism = paths if facts.by is not None else paths.get(None)
        if mechanism is None:
            message = (
                f"`{facts.path}` must name a certificate for the table; it does not. Give the mechanism."
            )
            raise FileFormatError(message)
    by = (facts.by or next(iter(group), None)) if isinstance(mechanism, Mapping) else None
    if isinstance(mechanism, Mapping) and by is None:
        message = "`group` must name the column of the groups where each group has a mechanism."
        raise ProblemError(message)
    laws = laws_of(mechanism, by=by)
    _check_digests(laws, facts)
    rows = read_released(table, column or facts.column, (*group, *([by] if by is not None else [])))
    if by is None:
        row_laws = [laws[None]] * len(rows.names)
        positions = _positions(rows, laws[None], column or facts.column)
    else:
        keys = [cells[-1] for cells in rows.groups]
        row_laws = [_law_of(laws, key, rows, by) for key in keys]
        positions = [-1] * len(keys)
        for law in {id(law): law for law in row_laws}.values():
            own = [at for at, one in enumerate(row_laws) if one is law]
            part = ReleasedAnswers(
                source=rows.source,
                answers=rows.answers.take(own),
                groups=[],
                names=[rows.names[at] for at in own],
            )
            for at, position in zip(own, _positions(part, law, column or facts.column), strict=True):
                positions[at] = position
        groups = [cells[:-1] for cells in rows.groups]
        rows = ReleasedAnswers(source=rows.source, answers=rows.answers, groups=groups, names=rows.names)
    return _Release(rows=rows, laws=laws, row_laws=row_laws, positions=positions)


def _law_of(
    laws: Mapping[str | None, ColumnMechanism], key: str, rows: ReleasedAnswers, by: str
) -> ColumnMechanism:
    law = laws.get(key, laws.get(None))
    if law is None:
        message = f"`{rows.source}` must have groups with a mechanism in column {by}; got {key!r}."
        raise FileFormatError(message)
    return law


def _check_digests(laws: Mapping[str | None, ColumnMechanism], facts: LoggedFacts) -> None:
    """Refuse a mechanism that is not the one in the log: its estimates would be of something else."""
    own = {group: str(law.description.get("certificate_sha256")) for group, law in laws.items()}
    if any(own.get(group) != digest for group, digest in facts.digests.items()):
        each = "" if facts.by is None else f" for each group in column {facts.by}"
        message = (
            f"`mechanism` must be the one that {facts.path} names{each}, by the digest of its certificate; "
            "it is another one. Take what `apply` drew from, or leave it out."
        )
        raise ProblemError(message)


def _positions(rows: ReleasedAnswers, law: ColumnMechanism, column: str | None) -> list[int]:
    """Return the position of each released answer among the responses."""
    if len(rows.answers):  # otherwise a column may have no type
        check_type(rows.answers.type)
    responses = Truths(law.law.responses, law.law.labels)
    try:
        found: list[int] = responses.need_positions(rows.answers).positions.tolist()
    except UnfitAnswerError as unfit:
        where = f" in column {column}" if column else ""
        message = (
            f"`{rows.source}` must hold what the mechanism releases, {unfit.among},{where}; got {unfit.got} "
            f"in row {unfit.row + 1}. Give the column and the mechanism of the release."
        )
        raise FileFormatError(message) from None
    return found


class _Makers:
    """Estimators by mechanism, each made once."""

    def __init__(self, *, prior: str | ArrayLike, shown_only: bool) -> None:
        self._prior, self._shown_only = prior, shown_only
        self._likelihoods: dict[int, Likelihoods] = {}
        self._estimators: dict[tuple[int, ...], AnyEstimator] = {}

    def estimator(self, laws: Sequence[Any]) -> AnyEstimator:
        """Return the estimator of the mechanisms of all releases of a row."""
        key = tuple(map(id, laws))
        if key not in self._estimators:
            self._estimators[key] = self._made(laws)
        return self._estimators[key]

    def likelihoods(self, law: Any) -> Likelihoods:  # noqa: ANN401 - it has a mechanism
        """Return the exact columns of a mechanism."""
        if law.law.table is not None:
            message = (
                "`mechanism` must list the true answers for shares; got a perturbation table, which is of "
                f"{law.law.among}. Leave `shares` out."
            )
            raise ProblemError(message)
        if _is_wide(law):
            message = (
                f"`mechanism` must have at most {MOST_ENTRIES:,} probabilities for shares, and for averages "
                f"of several releases; got {len(law.law.answers):,} truths. Estimate each release by itself."
            )
            raise ProblemError(message)
        key = id(law.mechanism)  # of several releases one mechanism may have several columns
        if key not in self._likelihoods:
            self._likelihoods[key] = Likelihoods.of(law.mechanism, shown_only=self._shown_only)
        return self._likelihoods[key]

    def prior_of(self, law: Any) -> list[Fraction]:  # noqa: ANN401 - as above
        """Return the prior of the truths that can be shown, exactly."""
        query = Query(law.mechanism.truths, law.mechanism.responses, neighbours=())
        weights = truth_weights(self._prior, query).tolist()  # refuses what is none
        if isinstance(self._prior, str):
            whole = [Fraction(1)] * len(weights)
        else:
            whole = exact_prior(self._prior) or [exact(weight, "prior") for weight in weights]
        truths = set(self.likelihoods(law).truths)
        kept = [weight for weight, truth in zip(whole, law.mechanism.truths, strict=True) if truth in truths]
        total = sum(kept)
        if not total:
            raise broken_rule("prior", "give some probability to a truth that can be shown", "none")
        return [weight / total for weight in kept]

    def _prior_of_all_counts(self, law: Any) -> list[Fraction] | None:  # noqa: ANN401 - as above
        """Return the prior of the first counts, as many as are given; ``None`` where all weigh the same."""
        prior: Any = self._prior
        if isinstance(prior, str):
            truth_weights(prior, Query(law.mechanism.truths, neighbours=()))  # refuses what is none
            return None
        weights = exact_prior(prior) or [exact(weight, "prior") for weight in items(prior, "prior")]
        as_given: Any = weights
        truth_weights(as_given, Query(range(len(weights)), neighbours=()))
        return [weight / sum(weights) for weight in weights]

    def _made(self, laws: Sequence[Any]) -> AnyEstimator:
        if all(isinstance(law, PTableColumn) for law in laws):
            prior = self._prior_of_all_counts(laws[0])
            return AllCountsEstimator(laws, prior, shown_only=self._shown_only)
        if len(laws) == 1 and _is_wide(laws[0]):
            mechanism = laws[0].mechanism
            query = Query(mechanism.truths, mechanism.responses, neighbours=())
            return LargeEstimator(mechanism, truth_weights(self._prior, query), shown_only=self._shown_only)
        if any(law.law.table is not None for law in laws):
            raise ProblemError(_OTHER_TRUTHS)
        releases = [self.likelihoods(law) for law in laws]
        if any(release.truths != releases[0].truths for release in releases):
            raise ProblemError(_OTHER_TRUTHS)
        return NumberEstimator(releases, self.prior_of(laws[0]))


def _is_wide(law: Any) -> bool:  # noqa: ANN401 - it has a mechanism
    """Whether a mechanism is too large for exact columns."""
    return len(law.mechanism.responses) * len(law.mechanism.truths) > MOST_ENTRIES


def level_of(level: Number) -> Fraction:
    """Return a level as a probability: one from 1 to 100 is in per cent."""
    number = exact(level, "level")
    probability = number / _PERCENT if number >= 1 else number
    if not 0 < probability < 1:
        raise broken_rule(
            "level", "be a probability such as 0.95, or a percentage such as 95", as_text(number)
        )
    return probability


def _pair(pair: Sequence[str], by: tuple[str, ...]) -> tuple[str, str]:
    if not by:
        message = "`difference` must be left out without `group`: it compares two groups."
        raise ProblemError(message)
    if isinstance(pair, str) or len(pair) != 2:  # noqa: PLR2004 - two groups
        raise broken_rule("difference", "be pairs of groups", repr(pair))
    return str(pair[0]), str(pair[1])


def _notes_of(tables: Sequence[Any], facts: Sequence[LoggedFacts]) -> list[str]:
    """Return the sentences that follow from the logs."""
    notes = {
        _CLAMPED: any(fact.clamped for fact in facts),
        _SHOWN: any(fact.shown_only for fact in facts),
        _COUNTED: any(fact.content.get("person") is not None for fact in facts),
        _CHANGED: any(
            fact.path is not None and isinstance(table, (str, os.PathLike)) and not fact.is_of(table)
            for table, fact in zip(tables, facts, strict=True)
        ),
    }
    return [note for note, applies in notes.items() if applies]
