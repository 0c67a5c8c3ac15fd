"""From a budget for everything to the epsilon of each use."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optmech.analysis.composition.compose import Composition, Queries, compose
from optmech.analysis.composition.curve import checked_epsilon
from optmech.base.arguments import function, takes, whole_number
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, exact, exact_delta

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.analysis.composition.pairs import Source
    from optmech.base.numbers import Number

# Beyond it no mechanism can be asked for.
_LARGEST_EPSILON = 700
_LARGEST_TOTAL = 10**300
_LEAST_STEP = Fraction(1, 10**9)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EpsilonPerQuery:
    """The privacy that each use must have.

    Attributes
    ----------
    epsilon : Fraction
        For each use, a whole number of steps.
    mechanism : Design, Certificate or (Mechanism, Query)
        The result of `make` at this epsilon.
    composition : Composition
        The composition of all uses: it keeps the budget.
    next_epsilon : Fraction
        One step more.
    next_composition : Composition
        The composition of all uses at that epsilon: it is not shown to keep the budget.
    """

    epsilon: Fraction
    mechanism: Source
    composition: Composition
    next_epsilon: Fraction
    next_composition: Composition
    _total: tuple[Number, Fraction]

    @property
    def is_largest(self) -> bool:
        """Whether one step more breaks the budget for sure, for some data and some queries.

        If not, the bounds of `next_composition` leave it open; more `cells` or a larger step decide.
        """
        epsilon, delta = self._total
        return self.next_composition.attained.delta_at_least(epsilon) > delta


def _total(value: Any, name: str) -> None:  # noqa: ANN401 - any argument
    if checked_epsilon(value) > _LARGEST_TOTAL:
        raise broken_rule(name, "be at most 1e300", "a larger one", "Such a budget forbids nothing.")


@takes(total_epsilon=_total, uses=whole_number, make=function)
def epsilon_per_query(
    total_epsilon: Number,
    total_delta: Number,
    uses: int,
    make: Callable[[Fraction], Source],
    *,
    step: Number = "0.001",
    queries: str = Queries.ADAPTIVE,
) -> EpsilonPerQuery:
    """Return the largest epsilon for each of several uses that keeps a total (epsilon, delta).

    By bisection over whole numbers of steps, on the assumption that more epsilon spends more. The result does
    not rest on it: one composition keeps the budget, the next one does not.

    Parameters
    ----------
    total_epsilon, total_delta : str, int, float or Fraction
        The budget of all uses.
    uses : int
        Number of uses.
    make : callable
        Makes the mechanism of an epsilon: a design or a certificate for what is proved, or a mechanism and
        its query.
    step : str, int, float or Fraction
        The epsilon is a multiple of this.
    queries : {"adaptive", "fixed", "repeated"}
        As of `compose`.

    Raises
    ------
    ProblemError
        If an argument breaks its rule, not even one step keeps the budget, or any epsilon does.

    Examples
    --------
    >>> from optmech.mechanisms.matrix_mechanism import MatrixMechanism
    >>> from optmech.question.queries import count
    >>> from math import exp
    >>> def coin(epsilon):
    ...     told = 1 / (1 + exp(-epsilon))
    ...     matrix = [[told, 1 - told], [1 - told, told]]
    ...     return MatrixMechanism(matrix=matrix, responses=(0, 1), truths=(0, 1)), count(1)
    >>> share = epsilon_per_query(1, "1e-6", 10, coin, step="0.01")
    >>> print(share.epsilon, share.next_epsilon, share.is_largest)
    1/10 11/100 True
    """
    total, delta, unit = checked_epsilon(total_epsilon), exact_delta(total_delta), exact(step, "step")
    if unit <= 0:
        raise broken_rule("step", "be positive", as_text(unit), "The answer is a multiple of it.")
    if uses < 1:
        raise broken_rule("uses", "be at least 1", uses)
    if unit < _LEAST_STEP:
        raise broken_rule("step", f"be at least {as_text(_LEAST_STEP)}", "a smaller one")
    compositions: dict[int, tuple[Source, Composition]] = {}

    def keeps(steps: int) -> bool:
        if steps not in compositions:
            mechanism = make(steps * unit)
            compositions[steps] = mechanism, compose(mechanism, uses, queries=queries)
        return compositions[steps][1].delta(total) <= delta

    most = _LARGEST_EPSILON if total > _LARGEST_EPSILON else float(total)
    low, high = 0, max(1, int(Fraction(most) / unit) // uses)
    while keeps(high):
        low, high = high, 2 * high
        if high * unit > _LARGEST_EPSILON:
            message = (
                f"the budget must run out below an epsilon of {_LARGEST_EPSILON} for each use; it does not. "
                "A delta this large allows any mechanism."
            )
            raise ProblemError(message)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if keeps(middle) else (low, middle)
    if not low:
        message = (
            f"`step` must be small enough that {uses} uses keep the budget; got {as_text(unit)}. "
            "Take a smaller step, fewer uses or a larger budget."
        )
        raise ProblemError(message)
    return EpsilonPerQuery(
        epsilon=low * unit,
        mechanism=compositions[low][0],
        composition=compositions[low][1],
        next_epsilon=high * unit,
        next_composition=compositions[high][1],
        _total=(total, delta),
    )
