"""A question: query, structure, privacy, properties and objective, five choices in one object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optmech.errors import ProblemError
from optmech.problem.objective import ExpectedLoss, LeastDelta
from optmech.problem.privacy import PurePrivacy

if TYPE_CHECKING:
    from optmech.problem.objective import Objective
    from optmech.problem.privacy import Privacy
    from optmech.problem.properties import Property
    from optmech.problem.query import Query
    from optmech.problem.structure import Structure

__all__ = ["Problem"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Problem:
    """Which mechanism is wanted. It knows privacy, and no linear programming.

    Attributes
    ----------
    name : str
        The formulation it came from, such as ``"croft"``.
    query : Query
        What is asked, and who is whose neighbour.
    structure : Structure
        Which matrices are allowed.
    privacy : PurePrivacy, PerOutcomePrivacy or ProbabilisticPrivacy
        What must hold between neighbours.
    properties : frozenset of Property
        What else must hold.
    objective : ExpectedLoss or LeastDelta
        What is to be least.

    Raises
    ------
    ProblemError
        If delta is sought and given, or neither.
    """

    name: str
    query: Query
    structure: Structure
    privacy: Privacy
    properties: frozenset[Property]
    objective: Objective

    def __post_init__(self) -> None:
        """Hold the choices to each other."""
        sought = isinstance(self.objective, LeastDelta)
        if isinstance(self.privacy, PurePrivacy):
            if sought:
                message = "`privacy` must have a delta to make it least; pure privacy has none."
                raise ProblemError(message)
        elif sought != (self.privacy.delta is None):
            message = "`delta` must be either given or sought; the objective and the privacy disagree."
            raise ProblemError(message)

    @property
    def loss(self) -> ExpectedLoss | None:
        """The expected loss this problem speaks of, as objective or as bound."""
        return self.objective if isinstance(self.objective, ExpectedLoss) else self.objective.cost

    def __str__(self) -> str:
        wanted = ", ".join(sorted(self.properties)) or "no further property"
        return f"{self.name}: {self.query.name}; {self.structure}; {self.privacy}; {wanted}; {self.objective}"
