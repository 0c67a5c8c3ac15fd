"""Every baseline that answers a query, held to the optimum of one problem, proved from both sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.analysis.baselines.baseline import measure_baseline
from optmech.analysis.baselines.discrete_gaussian import calibrated_gaussian
from optmech.analysis.baselines.registry import BASELINES
from optmech.analysis.baselines.thresholded import THRESHOLDED
from optmech.analysis.comparison.large_counts import need_large_count, rows_of_noise
from optmech.analysis.comparison.row import ComparisonRow, measured_row
from optmech.base.arguments import an_instance, function, optional, takes
from optmech.base.errors import NotAcceptedError, ProblemError, broken_rule
from optmech.base.numbers import as_text, exact, exact_delta
from optmech.base.provenance import Provenance
from optmech.base.rendering import Renderable
from optmech.designs.design import Design, design
from optmech.mechanisms.source import source_of
from optmech.question.problem import Problem
from optmech.question.properties import ZERO_STAYS_ZERO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from optmech.analysis.baselines.baseline import Baseline
    from optmech.base.arrays import Floats
    from optmech.base.numbers import Number
    from optmech.mechanisms.source import MechanismSource
    from optmech.question.losses import Loss

DELTA = "1e-6"
"""The delta of baselines that need one, where the problem has none."""

# Baselines that no epsilon alone makes.
_NEED_DELTA = {"clamped-gaussian": calibrated_gaussian}
# Two matrices that differ by less are one mechanism, computed in two ways.
_SAME = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Comparison(Renderable):
    """The loss of the mechanisms in use on one question.

    Attributes
    ----------
    problem : Problem
        The question.
    design : Design
        The optimum, with its proof.
    optimum : ComparisonRow
        Its row.
    rows : tuple of ComparisonRow
        The baselines, those of least objective first. Not all of them are private: see `Row.answers`.
    refused : dict of str
        Baselines that do not fit the query, and why.
    beyond : Fraction or None
        The distance of the errors that `Row.beyond` counts.
    delta : Fraction
        The delta given to baselines that need one.
    """

    problem: Problem
    design: Design
    optimum: ComparisonRow
    rows: tuple[ComparisonRow, ...]
    refused: dict[str, str]
    beyond: Fraction | None
    delta: Fraction

    @property
    def defaults(self) -> tuple[ComparisonRow, ...]:
        """The rows that some library has."""
        return tuple(row for row in self.rows if row.libraries)

    def _line(self) -> str:
        return f"{self.problem}; {len(self.rows)} mechanisms beside the optimum"


@takes(problem=an_instance(Problem), others=optional(an_instance(Mapping)), designer=function)
def compare(
    problem: Problem,
    *,
    beyond: Number | None = None,
    delta: Number | None = None,
    others: Mapping[str, MechanismSource] | None = None,
    designer: Callable[[Problem], Design] = design,
) -> Comparison:
    """Measure what each mechanism in use costs on this question, against the proved optimum.

    Parameters
    ----------
    problem : Problem
        The question; its objective is a loss. All its choices count: loss, prior, privacy, properties.
    beyond : str, int, float or Fraction, optional
        A distance in units of the answer: ask also how probable an error larger than that is.
    delta : str, int, float or Fraction, optional
        Given to baselines that need one, strictly between 0 and 1. Left out it is the problem's own, or 1e-6.
    others : mapping of str to Design, Certificate or Mechanism, optional
        Further mechanisms by name, such as the one in use now.
    designer : callable, optional
        A function that finds the optimum: `design`, or one that calls it with further settings.

    Returns
    -------
    Comparison

    Raises
    ------
    ProblemError
        If the objective is no loss, an argument breaks its rule, or the design is of another question.
    NoSolutionError, VerificationError
        If there is no optimum to compare with; see `design`.

    Examples
    --------
    >>> from optmech.question.problems.croft import croft
    >>> from optmech.question.queries import count
    >>> comparison = compare(croft(count(5), "0.5", prior="uniform"), beyond=2)
    >>> comparison.optimum.provenance, round(comparison.optimum.average, 4)
    ('proved', 1.0605)
    >>> row = next(row for row in comparison.rows if row.key == "truncated-geometric")
    >>> row.private, f"{row.loses_at_least:.1%}", str(row.libraries[0])
    (True, '8.1%', 'OpenDP make_geometric')
    """
    objective = problem.objective.as_loss
    if objective is None:
        message = (
            "`problem` must ask for the least loss to compare losses; this one asks for the least delta. "
            "Ask `croft` at the epsilon you want."
        )
        raise ProblemError(message)
    if problem.privacy.curve is not None:
        message = (
            f"`problem` must ask for epsilon and delta, which baselines are made for; got {problem.privacy}. "
            "`optmech improve` says what that noise itself loses."
        )
        raise NotAcceptedError(message)
    rows_of = _rows_of_matrices
    if problem.query.is_large:
        rows_of = _rows_of_noise
        need_large_count(problem)
        _need_no_others(problem, others)
    distance = None if beyond is None else exact(beyond, "beyond")
    if distance is not None and distance < 0:
        raise broken_rule("beyond", "be zero or more", as_text(distance), "It is a distance from the truth.")
    share = _delta(problem, delta)
    given_rows = {
        f"given: {name}": _on(problem, name, mechanism) for name, mechanism in (others or {}).items()
    }
    optimum = designer(problem)
    an_instance(Design)(optimum, "designer")
    if optimum.problem is not problem:
        message = (
            f"`designer` must design the problem that is compared, {problem}; got {optimum.problem}. "
            "Leave it out to have it designed."
        )
        raise ProblemError(message)
    best, rows, refused = rows_of(problem, objective, optimum, given_rows, beyond=distance, delta=share)
    return Comparison(
        problem=problem,
        design=optimum,
        optimum=best,
        rows=tuple(sorted(rows, key=lambda row: row.objective)),
        refused=refused,
        beyond=distance,
        delta=share,
    )


def _need_no_others(problem: Problem, others: Mapping[str, Any] | None) -> None:
    if others:
        message = (
            f"`others` must be left out for {problem.query.title}, which is compared without matrices; "
            f"got {', '.join(others)}. Compare them on a range up to 0..1999."
        )
        raise NotAcceptedError(message)


def _rows_of_noise(
    problem: Problem,
    objective: Loss,  # noqa: ARG001
    optimum: Design,
    given_rows: dict[str, Baseline],  # noqa: ARG001 - there are none
    *,
    beyond: Fraction | None,
    delta: Fraction,
) -> tuple[ComparisonRow, list[ComparisonRow], dict[str, str]]:
    """Return the same of a count without a matrix."""
    return rows_of_noise(problem, optimum, beyond, delta)


def _rows_of_matrices(
    problem: Problem,
    objective: Loss,
    optimum: Design,
    given_rows: dict[str, Baseline],
    *,
    beyond: Fraction | None,
    delta: Fraction,
) -> tuple[ComparisonRow, list[ComparisonRow], dict[str, str]]:
    """Return the row of the optimum, those of all others, and why some baselines have none."""
    best = optimum.lower_bound, optimum.objective
    refusals: dict[str, str] = {}
    baselines = [*given_rows.items(), *_baselines(problem, delta, refusals)]
    rows = [
        measured_row(
            problem,
            objective,
            baseline,
            key=key,
            best=best,
            beyond=beyond,
            made_for_delta=delta if key in _NEED_DELTA or key in THRESHOLDED else None,
        )
        for key, baseline in baselines
    ]
    own = measured_row(
        problem,
        objective,
        _on(problem, "the optimum", optimum),
        key="optimum",
        best=best,
        beyond=beyond,
        certificate=optimum.certificate,
        proved_objective=optimum.objective if optimum.objective_standing is Provenance.PROVED else None,
    )
    return own, _merge(rows, [baseline.matrix for _, baseline in baselines]), refusals


def _baselines(problem: Problem, delta: Fraction, refusals: dict[str, str]) -> Iterator[tuple[str, Baseline]]:
    """Yield each baseline that fits the query; the others are noted in `refusals`."""
    query, epsilon = problem.query, problem.privacy.epsilon
    need_delta = _NEED_DELTA | (THRESHOLDED if ZERO_STAYS_ZERO in problem.properties else {})
    builders = {key: partial(build, query, epsilon) for key, build in BASELINES.items()}
    builders |= {key: partial(build, query, epsilon, delta) for key, build in need_delta.items()}
    for key, build in builders.items():
        try:
            yield key, build()
        except NotAcceptedError as no:
            refusals[key] = str(no)


def _delta(problem: Problem, argument: Number | None) -> Fraction:
    own = problem.privacy.delta
    delta = exact_delta(argument if argument is not None else own or DELTA)
    if not delta:
        message = (
            f"`delta` must lie strictly between 0 and 1; got {as_text(delta)}. "
            "It is a probability, and much less than one over the number of persons."
        )
        raise ProblemError(message)
    return delta


def _on(problem: Problem, name: str, source: MechanismSource) -> Baseline:
    query, epsilon = problem.query, problem.privacy.epsilon
    parts = source_of(source, "others")
    mechanism = parts.mechanism
    if (mechanism.responses, mechanism.truths) != (
        tuple(response.midpoint for response in query.responses),
        query.truths,
    ):
        message = (
            f"{name} must have the responses and truths of {query.title}; got {len(mechanism.responses)} "
            f"responses and {len(mechanism.truths)} truths, or other ones. Compare it on its own range."
        )
        raise ProblemError(message)
    return measure_baseline(
        name=name,
        source="",
        says="was given as a matrix",
        matrix=mechanism,
        query=query,
        epsilon=epsilon,
    )


def _merge(rows: list[ComparisonRow], matrices: list[Floats]) -> list[ComparisonRow]:
    """Return the rows without those whose matrix stood before; its row names them."""
    by_place: dict[int, ComparisonRow] = {}
    for index, row in enumerate(rows):
        twin = next((first for first in by_place if _are_one(matrices[first], matrices[index])), None)
        if twin is None:
            by_place[index] = row
        else:
            first = by_place[twin]
            by_place[twin] = replace(
                first, also=(*first.also, row.name), libraries=(*first.libraries, *row.libraries)
            )
    return list(by_place.values())


def _are_one(matrix: Floats, other: Floats) -> bool:
    # Nearly all differ in the first row.
    return bool(all(np.abs(one - two).max() < _SAME for one, two in ((matrix[0], other[0]), (matrix, other))))
