"""A question: query, structure, privacy, properties and objective, five choices in one object."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import ProblemError, broken_rule
from optmech.base.rendering import Renderable
from optmech.question.guarantees import smallest_first
from optmech.question.losses import ExpectedLoss, LeastDelta, LossBound
from optmech.question.notions import need_known
from optmech.question.properties import VARIANT_2
from optmech.question.table import parts_of, table_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.base.arrays import Floats
    from optmech.question.limits import StatedLimit
    from optmech.question.linear_rule import LinearRule
    from optmech.question.losses import Loss, Objective
    from optmech.question.privacy import Privacy
    from optmech.question.properties import Property
    from optmech.question.query import Query
    from optmech.question.structures import Structure

# Each definition is checked by itself; this many from a file take seconds.
_MOST_FURTHER = 20


def demand_texts(problem: Problem) -> list[str]:
    """Return the texts of the demands besides the first privacy."""
    demands = [*sorted(problem.properties), *sorted(map(str, problem.limits)), *map(str, problem.bounds)]
    demands += sorted(set(map(str, problem.rules)))
    return [*demands, *(f"also {privacy}" for privacy in problem.further_privacy)]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Problem(Renderable):
    """A question: the mechanism that is wanted. It knows privacy, and no linear programming.

    Attributes
    ----------
    name : str
        The formulation it came from, such as ``"croft"``.
    query : Query
        The query, with its neighbours.
    structure : Structure
        The matrices that are allowed.
    privacy : PurePrivacy, ApproximatePrivacy, PerOutcomePrivacy or ProbabilisticPrivacy
        The privacy between neighbours.
    properties : frozenset of Property
        Further properties that must hold.
    objective : ExpectedLoss, WorstLoss or LeastDelta
        The value to minimise.
    limits : frozenset of Limit
        Properties with a number in them: bounds on single probabilities.
    bounds : tuple of LossBound
        Further losses, and how large each may be.
    rules : tuple of LinearRule
        Demands without a name: weighted sums of entries.
    further_privacy : tuple of Privacy
        Further privacy between neighbours, each at its epsilon and delta.

    Raises
    ------
    ProblemError
        If a part has an unknown type, if delta is both given and minimised or neither, or if a demand needs
        an order that the answers do not have.
    """

    name: str
    query: Query
    structure: Structure
    privacy: Privacy
    properties: frozenset[Property]
    objective: Objective
    limits: frozenset[StatedLimit] = frozenset()
    bounds: tuple[LossBound, ...] = ()
    rules: tuple[LinearRule, ...] = ()
    further_privacy: tuple[Privacy, ...] = ()

    def __post_init__(self) -> None:
        for name in ("properties", "limits"):
            if type(getattr(self, name)) is set:
                object.__setattr__(self, name, frozenset(getattr(self, name)))
        need_known(self)
        seeks_delta = self.objective.as_loss is None
        if not self.privacy.has_delta:
            if seeks_delta:
                message = "`privacy` must have a delta to make it least; pure privacy has none."
                raise ProblemError(message)
        elif seeks_delta != (self.privacy.delta is None):
            message = "`delta` must be either given or sought; the objective and the privacy disagree."
            raise ProblemError(message)
        for rule in self.rules:
            rule.fits(self.query)
        for demand in self.properties:
            demand.fits(self.query)
        self._need_further()
        if self.query.labels:
            self._need_no_order()

    def to_dict(self) -> dict[str, Any]:
        """Return the question as one nested table of values of JSON, exact numbers as text.

        It is the ``[question]`` of a file and the same for everybody who asks the same. The name of the
        formulation is no part of it.

        Examples
        --------
        >>> from optmech.question.problems.croft import croft
        >>> from optmech.question.queries import count
        >>> for part, table in croft(count(5), "0.50", properties=["fair"]).to_dict().items():
        ...     print(part, table)
        query {'kind': 'count', 'smallest': 0, 'largest': 5}
        privacy {'kind': 'pure', 'epsilon': '0.5'}
        properties ['fair']
        objective {'loss': 'absolute', 'prior': 'sum'}
        """
        return table_of(self)

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> Problem:
        """Return the question that a table states, as `to_dict` returns it and files hold it.

        Parameters
        ----------
        table : dict
            ``query`` and ``privacy``, and further parts. A number may be a number, a decimal or a ratio.

        Raises
        ------
        ProblemError
            If a key is unknown or missing, or a value breaks its rule: the message names the key and its
            possible values.

        Examples
        --------
        >>> table = {"query": {"kind": "count", "largest": 5}, "privacy": {"kind": "pure", "epsilon": 1}}
        >>> Problem.from_dict(table)
        Traceback (most recent call last):
        ...
        optmech.base.errors.ProblemError: `question.query.smallest` must be given for count: a whole number, \
the smallest count, zero or more.
        >>> table["query"]["smallest"] = 0
        >>> print(Problem.from_dict(table))
        question: count 0..5; any matrix; epsilon = 1; no further property; least expected loss
        """
        return cls(name="question", **parts_of(table))

    def __eq__(self, other: object) -> bool:
        """Whether both ask the same, as `to_dict` states it."""
        if not isinstance(other, Problem):
            return NotImplemented
        return self is other or (hash(self) == hash(other) and self.to_dict() == other.to_dict())

    def __hash__(self) -> int:
        # What is quickly read of the table; caches look a question up by it.
        query = self.query
        epsilons = tuple(privacy.epsilon for privacy in self.privacies)
        demands = frozenset(map(str, self.properties))
        return hash((query.kind, query.num_truths, query.num_responses, epsilons, demands))

    def __deepcopy__(self, memo: dict[int, Any]) -> Problem:
        # It never changes, and the losses of a million answers are a table that nobody could hold.
        return self

    def _need_further(self) -> None:
        """Refuse further privacies that cannot be combined."""
        if len(self.further_privacy) > _MOST_FURTHER:
            message = f"at most {_MOST_FURTHER} further privacies can hold; got {len(self.further_privacy)}."
            raise ProblemError(message)
        if self.further_privacy and any(privacy.curve is not None for privacy in self.privacies):
            message = (
                f"`privacy` must stand alone where it is that of a noise; got {len(self.privacies)} at once. "
                "Ask for pairs of epsilon and delta, which may hold together."
            )
            raise ProblemError(message)
        for also in self.further_privacy:
            if also.delta is None or also.has_choices:
                rule = (
                    "hold one probabilistic definition at most, and a delta for each where there are several"
                )
                raise broken_rule("privacy", rule, also)

    def _need_no_order(self) -> None:
        demands: tuple[Property | StatedLimit | Structure, ...]
        demands = (*sorted(self.properties), *self.limits, self.structure)
        of_order = [str(demand) for demand in demands if demand.of_order]
        if of_order:
            message = (
                f"`properties` and `structure` must not depend on order or distance: the answers of "
                f"{self.query.title} are no numbers; got {', '.join(of_order)}. Fair and the honest "
                "properties need no order."
            )
            raise ProblemError(message)

    @property
    def loss(self) -> ExpectedLoss | None:
        """The expected loss of this problem: its objective, or the loss bounded for the least delta."""
        objective = self.objective
        if isinstance(objective, LeastDelta):
            return objective.cost
        return objective if isinstance(objective, ExpectedLoss) else None

    @property
    def by_definition(self) -> Problem:
        """The question with the definition of privacy in place of a printed program; else itself."""
        return self if self.privacy.as_printed is None else replace(self, privacy=self.privacy.by_definition)

    def need_definition(self) -> None:
        """Raise `ProblemError` for a program that a paper prints: it has no proof."""
        for privacy in self.privacies:
            if privacy.as_printed is not None:
                raise privacy.as_printed

    def value(self, matrix: Floats) -> float:
        """Return the objective of a mechanism matrix, recomputed: its loss, or the delta that it spends."""
        loss, query = self.objective.as_loss, self.query
        if loss is not None:
            return loss.value(matrix)
        return self.privacy.measure(matrix, query.pairs, query.weights).value

    def with_losses(self, change: Callable[[Loss], Loss], **others: Any) -> Problem:  # noqa: ANN401 - any part
        """Return the same question with every loss in it changed, and perhaps other parts.

        Parameters
        ----------
        change : callable
            Returns the loss that replaces a given one.
        others : dict
            Further parts of the question by name, such as ``query``.

        Raises
        ------
        ProblemError
            If the parts do not go together.
        """
        return replace(
            self,
            objective=self.objective.with_losses(change),
            bounds=tuple(replace(bound, loss=change(bound.loss)) for bound in self.bounds),
            **others,
        )

    @property
    def least_loss(self) -> Loss | None:
        """The minimised loss, ``None`` where delta is minimised."""
        return self.objective.as_loss

    @property
    def costs(self) -> Floats:
        """The cost of each entry under the minimised expected loss, zero where there is none."""
        if not isinstance(self.objective, ExpectedLoss):
            return np.zeros((self.query.num_responses, self.query.num_truths))
        costs: Floats = self.objective.loss * self.objective.weights[None, :]
        return costs

    @property
    def bounded_cost(self) -> LossBound | None:
        """The loss bounded in the search for the least delta, Kadam et al. 2024 (15), else ``None``."""
        return next((LossBound(*demand) for demand in self.objective.demands), None)

    @property
    def privacies(self) -> tuple[Privacy, ...]:
        """Every privacy between neighbours, first the one in the name of the question."""
        return (self.privacy, *self.further_privacy)

    def with_privacy(self, privacy: Privacy) -> Problem:
        """Return the question with its first privacy replaced, ordered by epsilon."""
        first, *further = smallest_first((privacy, *self.further_privacy))
        return replace(self, privacy=first, further_privacy=tuple(further))

    @property
    def demands(self) -> frozenset[str]:
        """The demands that most theorems and fast methods do not accept.

        They are ``limits`` on single probabilities, ``bounds`` on further losses, ``rules``,
        ``further_privacy``, ``properties`` other than those of Croft et al., ``moduli`` of noise on vectors,
        and ``weights``, several epsilon between neighbours.
        """
        return _demands(self)

    @property
    def is_plain(self) -> bool:
        """Whether the question has none of these demands."""
        return not _demands(self)

    @property
    def asks(self) -> frozenset[str]:
        """Every demand beyond a matrix of least expected loss under pure privacy.

        These are its `demands` and properties, ``structure``, ``delta`` if given or sought, and ``objective``
        where the objective is no expected loss.

        >>> from optmech.question.problems.question import question
        >>> from optmech.question.queries import count
        >>> sorted(question(count(3), 1, delta="0.1", worst_case=True).asks)
        ['delta', 'objective']
        """
        return _asks(self)

    def __str__(self) -> str:
        return f"{self.name}: {self.statement}"

    @property
    def statement(self) -> str:
        """A short statement of the question, without the name of the formulation."""
        text = ", ".join(demand_texts(self)) or "no further property"
        return f"{self.query.title}; {self.structure}; {self.privacy}; {text}; {self.objective}"

    @property
    def brief(self) -> str:
        """All that is asked, without the answers to what was not asked.

        >>> import optmech as om
        >>> om.question(om.count(5), 1).brief
        'question: count 0..5; epsilon = 1; least expected loss'
        """
        asked = [
            "" if self.structure.is_free else str(self.structure),
            str(self.privacy),
            ", ".join(demand_texts(self)),
        ]
        return f"{self.name}: {'; '.join([self.query.title, *filter(None, asked), str(self.objective)])}"


@lru_cache(maxsize=4)  # many theorems read those of one problem
def _demands(problem: Problem) -> frozenset[str]:
    demands = {
        "limits": problem.limits,
        "bounds": problem.bounds,
        "rules": problem.rules,
        "further_privacy": problem.further_privacy,
        "properties": problem.properties - VARIANT_2,
        "moduli": problem.structure.moduli,
        "weights": problem.query.is_weighted,
    }
    return frozenset(name for name, demand in demands.items() if demand)


@lru_cache(maxsize=4)
def _asks(problem: Problem) -> frozenset[str]:
    asked = {
        "properties": problem.properties,
        "structure": not problem.structure.is_free,
        "delta": problem.privacy.has_delta,
        "objective": not isinstance(problem.objective, ExpectedLoss),
    }
    return _demands(problem) | {name for name, is_asked in asked.items() if is_asked}
