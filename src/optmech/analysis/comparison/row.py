"""One mechanism compared with a problem: its cost, and the promises that it keeps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optmech.analysis.comparison.libraries import LIBRARIES
from optmech.base.number_format import decimal_above
from optmech.base.numbers import as_text, exact
from optmech.base.provenance import Provenance
from optmech.question.loss import loss_matrix
from optmech.question.privacy.loss import largest_hockey_stick
from optmech.verify import verify

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.analysis.baselines.baseline import Baseline
    from optmech.analysis.comparison.libraries import LibraryCall
    from optmech.base.arrays import Floats
    from optmech.base.numbers import Number
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.proofs.certificate import Certificate
    from optmech.question.losses import Loss
    from optmech.question.privacy import Privacy
    from optmech.question.problem import Problem
    from optmech.question.query import Query


# With a larger delta a mechanism may tell the truth of one person in a thousand, which is not private.
_LARGEST_USUAL_DELTA = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRow:
    """The loss of one mechanism on the question, and its promise.

    Its `key` is as in `BASELINES`, or ``"optimum"`` for the design. The `objective` is as the problem states
    it: a sum over truths where there is no prior; `average` is the same over the weights of all truths, and
    `worst_loss` the expected loss at the truth that fares worst. By the weights of the truths, `beyond` is
    the probability of an error larger than the distance that was asked for, if one was.

    The excess over the optimum, as a share of it, is `loses_at_least` by the design's objective and
    `loses_at_most` by the lower bound. It is below zero where a mechanism lacks what the optimum has. The
    privacy loss is *recomputed*: the smallest epsilon of pure privacy, infinite where a zero lies beside a
    positive entry, and the smallest delta over all sets of responses at the epsilon `spent_delta_at`, zero
    where pure privacy holds. That is the problem's epsilon, or of several the first at which its privacy is
    not kept.

    Whether it keeps the privacy that the problem asks is `private`, and `privacy` says in words what it
    keeps, such as ``"(1, 1e-6)-private, not pure"``; `lacks` is what else the problem asks and this has not,
    `properties` what it has, asked for or not; unknown for a count without a matrix. It was calibrated
    for the delta `made_for_delta`, if it needs one; `libraries` have it, and the baselines in `also` have
    the same matrix.
    """

    key: str
    name: str
    says: str
    objective: float
    average: float
    worst_loss: float
    beyond: float | None
    loses_at_least: float
    loses_at_most: float
    spent_epsilon: float
    spent_delta: float
    spent_delta_at: str
    private: bool
    privacy: str
    provenance: Provenance
    lacks: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    made_for_delta: Fraction | None = None
    libraries: tuple[LibraryCall, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def keeps_delta(self) -> bool:
        """Whether it keeps another privacy than was asked, with a delta that is called private."""
        return not self.private and 0 < self.spent_delta <= _LARGEST_USUAL_DELTA

    @property
    def answers(self) -> bool:
        """Whether it meets the whole problem, so that it cannot cost less than the optimum."""
        return self.private and not self.lacks


def measured_row(
    problem: Problem,
    objective: Loss,
    baseline: Baseline,
    *,
    key: str,
    best: tuple[float, float],
    beyond: Number | None,
    made_for_delta: Fraction | None = None,
    proved_objective: float | None = None,
    certificate: Certificate | None = None,
) -> ComparisonRow:
    """Return the row of a mechanism, measured at the problem's epsilon.

    Errors beyond a distance of `beyond` are looked at; the optimum's lower bound and objective are `best`.
    The objective is recomputed from the matrix unless `proved_objective` is given, and so is which promises
    are kept, unless there is a `certificate` that all are.
    """
    query = problem.query
    mechanism = baseline.mechanism(query)
    broken, lacks = ((), ()) if certificate is not None else promises_missed(mechanism, problem)
    privacy = broken[0] if broken else problem.privacy
    spent_delta = baseline.spent_delta
    if privacy is not problem.privacy:
        spent_delta = largest_hockey_stick(baseline.matrix, query.pairs, privacy.factors(query.weights)).value
    return row_of(
        objective,
        (objective.loss * baseline.matrix).sum(axis=0),
        None if beyond is None else _beyond(query, beyond, baseline.matrix),
        best,
        key=key,
        value=objective.value(baseline.matrix) if proved_objective is None else proved_objective,
        provenance=Provenance.RECOMPUTED if proved_objective is None else Provenance.PROVED,
        name=baseline.name,
        says=baseline.says,
        spent_epsilon=baseline.spent_epsilon,
        spent_delta=spent_delta,
        spent_delta_at=as_text(privacy.epsilon),
        private=not broken,
        privacy=privacy_instead(privacy, spent_delta) if broken else "private",
        lacks=lacks,
        properties=tuple(sorted(map(str, mechanism.properties(query)))),
        made_for_delta=made_for_delta,
    )


def promises_missed(mechanism: Mechanism, problem: Problem) -> tuple[tuple[Privacy, ...], tuple[str, ...]]:
    """Return the requested privacy that a mechanism breaks, and its other violations, recomputed."""
    report = verify(mechanism, problem, theorems=False)
    criteria = {privacy.criterion for privacy in problem.privacies}
    # Those of privacy come first, in order; what is said besides may have the same name.
    checks = [check for check in report.checks if check.name in criteria]
    broken = [
        privacy for privacy, check in zip(problem.privacies, checks, strict=False) if check.holds is False
    ]
    return tuple(broken), tuple(check.name for check in report.failures if check.name not in criteria)


def row_of(
    objective: Loss,
    mean: Floats,
    far: Floats | None,
    best: tuple[float, float],
    *,
    key: str,
    value: float,
    provenance: Provenance = Provenance.RECOMPUTED,
    **promises: Any,  # noqa: ANN401 - the other fields of a row
) -> ComparisonRow:
    """Return the row of a mechanism by the means of its losses, and the probabilities of large errors.

    Both are of each truth, shape (num_truths,). The optimum's lower bound and objective are `best`; `value`
    is the mechanism's own.
    """
    weights, (bound, best_value) = objective.weights, best
    return ComparisonRow(
        key=key,
        objective=value,
        average=value / objective.total,
        worst_loss=float(mean.max()),
        beyond=None if far is None else float(far @ weights / weights.sum()),
        loses_at_least=excess_of(value, best_value),
        loses_at_most=excess_of(value, bound),
        provenance=provenance,
        libraries=LIBRARIES.get(key, ()),
        **promises,
    )


def privacy_instead(privacy: Privacy, delta: float) -> str:
    """Return the delta over sets of a mechanism that breaks the requested privacy, rounded up."""
    epsilon = as_text(privacy.epsilon)
    delta_above = decimal_above(delta, 2).normalize()
    if not 0 < delta <= _LARGEST_USUAL_DELTA:
        return (
            f"not private: δ = {delta_above:g} at ε = {epsilon}" if delta else f"not private at ε = {epsilon}"
        )
    return f"({epsilon}, {delta_above:e})-private, {privacy.shortfall}"


def _beyond(query: Query, distance: Number, matrix: Floats) -> Floats:
    """Return for each truth the probability of an error of more than `distance`; of vectors errors add up."""
    far: Floats = (loss_matrix(f"beyond {as_text(exact(distance, 'beyond'))}", query) * matrix).sum(axis=0)
    return far


def excess_of(value: float, least: float) -> float:
    """Return the relative excess of `value` over `least`, infinite where `least` is zero."""
    if value == least:
        return 0.0
    return (value - least) / least if least > 0 else math.inf
