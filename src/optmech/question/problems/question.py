"""Any combination of query, structure, privacy, properties and objective, beyond those in the papers.

The papers' problems are points of this family; `croft`, `sadeghi` and `kadam` name them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import an_instance, flag, items, one_of, takes
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, brief, exact
from optmech.question.epsilon import one_epsilon
from optmech.question.guarantees import privacies_of
from optmech.question.limits import StatedLimit, limit_of
from optmech.question.linear_rule import Demand, LinearRule
from optmech.question.loss import NOISE_COSTS, loss_matrix, loss_name, usual_loss
from optmech.question.losses import ExpectedLoss, LeastDelta, LossBound, WorstLoss
from optmech.question.privacy import (
    ApproximatePrivacy,
    PerOutcomePrivacy,
    Privacy,
    ProbabilisticPrivacy,
    PurePrivacy,
)
from optmech.question.problem import Problem
from optmech.question.problems.kadam import modular_cost
from optmech.question.properties import Property, properties_of
from optmech.question.query import Query
from optmech.question.structures import FreeMatrix, ModularNoise, Structure

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike

    from optmech.base.numbers import Number
    from optmech.question.guarantees import Guarantees
    from optmech.question.loss import LossName

    PrivacyArgument = Privacy | Guarantees | tuple[Number, Number]

_DEFINITIONS: dict[str, type[ApproximatePrivacy | PerOutcomePrivacy | ProbabilisticPrivacy]] = {
    kind.word: kind for kind in (ApproximatePrivacy, PerOutcomePrivacy, ProbabilisticPrivacy)
}
DEFINITIONS = tuple(_DEFINITIONS)
"""The definitions of privacy with a delta."""

_BOUND = re.compile(r"\s*(mean|worst)\s+(.+?)\s*<=\s*(\S+)\s*")


@takes(query=an_instance(Query), worst_case=flag)
def question(
    query: Query,
    epsilon: Number | None = None,
    *,
    delta: Number | None = 0,
    definition: str = "approximate",
    structure: Structure | None = None,
    properties: Iterable[str | Property | StatedLimit | Demand] | str = (),
    loss: LossName | ArrayLike | None = None,
    prior: str | ArrayLike | None = "uniform",
    worst_case: bool = False,
    least: str = "loss",
    bounds: Iterable[str | LossBound] = (),
    rules: Iterable[LinearRule] | LinearRule = (),
    exp_epsilon: Number | None = None,
    privacy: PrivacyArgument | Iterable[PrivacyArgument] | None = None,
) -> Problem:
    """Ask for the best mechanism of any kind.

    Parameters
    ----------
    query : Query
        The query, with its neighbours.
    epsilon : str, int, float or Fraction
        Privacy, kept exactly as given; ``"ln 2"`` is the natural logarithm of 2, exactly.
    delta : str, int, float, Fraction or None, default 0
        0 asks for pure privacy. With ``least="delta"`` it is sought and must be ``None`` or left out.
    definition : {"approximate", "per-outcome", "probabilistic"}
        The meaning of delta: (epsilon, delta)-differential privacy, Sadeghi's bound on single responses, or
        Kadam's bound on the probability of responses whose ratio is too large.
    structure : Structure, optional
        The matrices that are allowed: ``FreeMatrix()``, the default, ``ModularNoise()``, of vectors
        modulo each coordinate,
        ``SymmetricNoise(half_width, accuracy)`` or ``ZeroBiasNoise(half_width, accuracy)``.
    properties : iterable of str
        Names of `Property`, and limits: ``"accuracy >= 1/2"``, ``"accuracy = 1/2"``, ``"within 3"``,
        ``"without 0 5"``. Or properties of your own: objects whose ``rules(query)`` gives linear rules.
    loss : str or array_like, shape (num_responses, num_truths)
        ``"absolute"``, ``"squared"``, ``"zero-one"``, ``"beyond K"``, which is the probability of an error of
        more than K; with modular noise also ``"error-rate"``, ``"circular"``, ``"wrapped"`` and a cost for
        each noise value. Where answers are categories, ``"zero-one"`` or a matrix. Left out it is absolute,
        of categories zero-one.
    prior : "uniform", None or array_like, shape (num_truths,)
        Over which the loss is averaged; ``None`` sums over the truths, as Croft et al. print it.
    worst_case : bool, default False
        Whether the loss at the worst truth counts, rather than the average. The prior is then not used.
    least : {"loss", "delta"}
        The value to minimise. With ``"delta"`` losses matter only through `bounds`.
    bounds : iterable of str or LossBound
        Further losses and how large they may be: ``"mean absolute <= 1.5"``, ``"worst beyond 2 <= 0.05"``.
    rules : iterable of LinearRule
        Demands without a name: weighted sums of entries that are at most, at least or exactly a number. One
        whose largest coefficient is not between 1/1000 and 1000 is stated in other units, by a power of ten.
    exp_epsilon : str, int, float or Fraction
        ``e^epsilon``, in place of `epsilon`.
    privacy : pair of numbers, Privacy or Guarantees, or several of them
        In place of epsilon, delta and definition: what must all hold, such as
        ``[("0.5", "1e-3"), ("1", "1e-6")]``, which are pairs of epsilon and delta. The one of the smallest
        epsilon names the question.

    Raises
    ------
    ProblemError
        If an argument breaks its rule.

    Examples
    --------
    >>> from optmech.question.queries import count
    >>> print(question(count(50), 1, delta="1e-6", loss="beyond 2", worst_case=True))
    ... # doctest: +NORMALIZE_WHITESPACE
    question: count 0..50; any matrix; epsilon = 1, delta = 0.000001; no further property;
    least expected loss at the worst truth
    """
    if not isinstance(least, str) or least not in ("loss", "delta"):
        raise broken_rule("least", "be loss or delta", repr(least))
    shape = _structure(query, structure)
    chosen = usual_loss(query) if loss is None else loss
    main, *further = _privacies(query, privacy, (epsilon, exp_epsilon), delta, definition, least)
    property_names, limits, demands = _demands(properties)
    own = [rule for demand in demands for rule in _rules(demand.rules(query))]
    stated = (*own, *_rules(rules))
    return Problem(
        name="question",
        query=query,
        structure=shape,
        privacy=main,
        properties=property_names,
        objective=LeastDelta()
        if least == "delta"
        else _loss(query, shape, chosen, prior, worst_case=worst_case),
        limits=limits,
        bounds=tuple(_bound(query, shape, part, prior) for part in _texts(bounds, "bounds")),
        rules=tuple(each.in_usual_units() if isinstance(each, LinearRule) else each for each in stated),
        further_privacy=tuple(further),
    )


@takes(query=an_instance(Query), worst_case=flag)
def bound(
    query: Query,
    loss: LossName | ArrayLike,
    at_most: Number,
    *,
    worst_case: bool = False,
    prior: str | ArrayLike | None = "uniform",
    structure: Structure | None = None,
) -> LossBound:
    """Return a bound on a loss, for `question`.

    Parameters
    ----------
    query, loss, prior, worst_case, structure
        As in `question`.
    at_most : str, int, float or Fraction
        The largest loss allowed, zero or more.

    Raises
    ------
    ProblemError
        If an argument breaks its rule.

    Examples
    --------
    >>> from optmech.question.queries import count
    >>> print(bound(count(50), "beyond 2", "0.05", worst_case=True))
    worst beyond 2 <= 0.05
    """
    limit = exact(at_most, "at_most")
    if limit < 0:
        raise broken_rule("at_most", "be zero or more", as_text(limit), "No loss is below zero.")
    shape = _structure(query, structure)
    name = loss if isinstance(loss, str) else None
    return LossBound(_loss(query, shape, loss, prior, worst_case=worst_case), limit, name)


def _structure(query: Query, structure: Structure | None) -> Structure:
    if structure is None:
        return FreeMatrix()
    if not isinstance(structure, Structure):
        message = (
            "`structure` must be FreeMatrix(), ModularNoise(), SymmetricNoise(half_width, accuracy) or "
            f"ZeroBiasNoise(half_width, accuracy); got {structure!r}."
        )
        raise ProblemError(message)
    return ModularNoise(query.moduli) if structure == ModularNoise() else structure


def _privacies(  # noqa: PLR0917 - as `question` is asked
    query: Query,
    privacy: PrivacyArgument | Iterable[PrivacyArgument] | None,
    epsilons: tuple[Number | None, Number | None],
    delta: Number | None,
    definition: str,
    least: str,
) -> list[Privacy]:
    if privacy is None:
        return [_privacy(one_epsilon(*epsilons), delta, definition, seeks_delta=least == "delta")]
    left_out = delta is not None and np.ndim(delta) == 0 and delta == 0 and definition == "approximate"  # type: ignore[arg-type]
    if any(epsilon is not None for epsilon in epsilons) or not left_out:
        message = "`privacy` must stand alone: it says epsilon, delta and definition; leave those out."
        raise ProblemError(message)
    if least == "delta" and not isinstance(privacy, Privacy):
        message = (
            "`privacy` must be one definition without a delta where the least delta is sought, such as "
            f"ApproximatePrivacy(1); got {brief(privacy)}. Or leave it out and give `epsilon`."
        )
        raise ProblemError(message)
    return privacies_of(privacy, query)


def _privacy(epsilon: Number, delta: Number | None, definition: str, *, seeks_delta: bool) -> Privacy:
    kind = _DEFINITIONS[one_of(definition, DEFINITIONS, "definition")]
    if seeks_delta:
        if delta not in (None, 0):
            raise broken_rule("delta", "be left out where the least one is sought", repr(delta))
        return kind(epsilon, None)  # type: ignore[arg-type]
    if delta is None:
        message = "`delta` must be given, or sought with least='delta'."
        raise ProblemError(message)
    if exact(delta, "delta") == 0:
        return PurePrivacy(epsilon)  # type: ignore[arg-type]
    return kind(epsilon, delta)  # type: ignore[arg-type]


def _loss(
    query: Query,
    structure: Structure,
    loss: LossName | ArrayLike,
    prior: str | ArrayLike | None,
    *,
    worst_case: bool,
) -> ExpectedLoss | WorstLoss:
    if isinstance(structure, ModularNoise) and _is_noise_cost(loss, query):
        objective = modular_cost(query, structure, loss)
        return WorstLoss(objective.loss) if worst_case else objective
    entries, name = loss_matrix(loss, query), loss_name(loss, query)
    if worst_case:
        return WorstLoss(entries, name)
    return ExpectedLoss.under(prior, query, entries, name)


def _is_noise_cost(loss: LossName | ArrayLike, query: Query) -> bool:
    if isinstance(loss, str):
        return loss in NOISE_COSTS
    return np.shape(loss) in {(query.num_truths,), query.moduli} - {()}


def _rules(rules: Iterable[LinearRule] | LinearRule) -> list[LinearRule]:
    return [rules] if isinstance(rules, LinearRule) else items(rules, "rules", "a list of linear rules")


def _demands(
    properties: Iterable[str | Property | StatedLimit | Demand] | str,
) -> tuple[frozenset[Property], frozenset[StatedLimit], list[Demand]]:
    names, limits, demands = [], [], []
    for demand in _texts(properties, "properties"):
        if isinstance(demand, Demand):
            if isinstance(demand, type) or not callable(demand.rules):
                raise broken_rule("properties", "hold objects with a method `rules(query)`", brief(demand))
            demands.append(demand)
            continue
        limit = (
            demand
            if isinstance(demand, StatedLimit)
            else limit_of(demand)
            if isinstance(demand, str)
            else None
        )
        if limit is None:
            names.append(demand)
        else:
            limits.append(limit)
    return properties_of(names), frozenset(limits), demands


def _bound(
    query: Query, structure: Structure, argument: str | LossBound, prior: str | ArrayLike | None
) -> LossBound:
    if isinstance(argument, LossBound):
        return argument
    match = _BOUND.fullmatch(argument) if isinstance(argument, str) else None
    if match is None:
        raise broken_rule(
            "bounds", "be such as 'mean absolute <= 1.5' or 'worst beyond 2 <= 0.05'", repr(argument)
        )
    worst = match[1] == "worst"
    return bound(query, match[2], match[3], worst_case=worst, prior=prior, structure=structure)


def _texts(argument: Iterable[Any] | str, name: str) -> list[Any]:
    return [argument] if isinstance(argument, str) else items(argument, name, "a list of texts")
