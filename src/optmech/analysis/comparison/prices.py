"""Price of each choice in a question: the question without it, designed and proved as well.

A shadow price says what an infinitesimal change is worth. A user asks what a whole change is worth: the
question without fairness, with a tenth more epsilon, with answers beyond the range. Each is a separate
question. Its optimum is proved from both sides, and so is the difference of two optima: it lies between what
the bounds allow. The shadow price of epsilon stands beside it, read off the multipliers of the proof:

    d optimum / d epsilon = - sum over multipliers y of (r, f, g):  y w e^(w epsilon) M[r,g]

with w the weight of the neighbours f and g (the envelope theorem; *recomputed*, and of one of several optimal
proofs where there are more).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.arguments import an_instance, function, takes
from optmech.base.errors import NoSolutionError, NotAcceptedError, ProblemError, VerificationError
from optmech.base.logarithm import Logarithm
from optmech.base.notes import TextLine
from optmech.base.numbers import as_text
from optmech.base.provenance import Provenance, weakest
from optmech.base.wrapping import wrapped
from optmech.designs.choice import engine_of_matrix
from optmech.designs.design import Design, design
from optmech.proofs.multipliers import Leaf
from optmech.proofs.privacy_multipliers import privacy_multipliers
from optmech.question.linear_rule import by_name
from optmech.question.problem import Problem
from optmech.question.structures import FreeMatrix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    # A choice, what the other question is in words, and the other question.
    _Other = tuple[str, str, Callable[[], Problem]]

# The factor by which epsilon and delta grow in the changed questions.
_MORE = Fraction(11, 10)
# Differences below what two proofs leave open are none.
_NOTHING = 1e-9
# Noise is proved without multipliers; of this many true answers a matrix with them is designed in a second.
_MOST_OF_MATRIX = 401


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """The cost of one choice, such as ``"fair"``, ``"epsilon"`` or ``"the range"``.

    The other question is in words in `change`, its optimum is `objective`. The least and the most that the
    choice adds to the objective, negative where the change makes the question harder, are its `costs`;
    `share` is the least as a share of the question's own objective. Where the other question has no answer,
    `trouble` says why, and the numbers are NaN. `saves` says that the other question asks for less privacy,
    so that it saves as much as the choice costs. The provenance is the weaker one of the two lower bounds.
    """

    choice: str
    change: str
    objective: float = nan
    costs: tuple[float, float] = (nan, nan)
    share: float = nan
    trouble: str = ""
    saves: bool = False
    provenance: Provenance = Provenance.PROVED

    @property
    def line(self) -> TextLine:
        """The price as a line of text."""
        if self.trouble:
            return TextLine(f"{self.choice}: {self.change} there is no answer ({self.trouble})")
        least, most = self.costs
        amount = f"{least:.6g}, or {self.share:.1%}"
        if most <= _NOTHING * max(abs(self.objective), 1e-300) or most == 0:
            text = f"costs nothing; {self.change} the objective is the same"
        elif least <= 0:
            text = f"costs at most {most:.3g}; {self.change} it is {self.objective:.6g}"
        elif self.saves:
            text = f"{self.change} it saves {amount}; the objective is {self.objective:.6g}"
        else:
            text = f"costs {amount}; {self.change} the objective is {self.objective:.6g}"
        return TextLine(f"{self.choice}: {text} (", self.provenance, ")")

    def __str__(self) -> str:
        return self.line


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prices:
    """The costs of the choices of a question.

    Attributes
    ----------
    design : Design
        The question's own optimum.
    rows : tuple of Price
        A row for each choice.
    rate : float or None
        The shadow price of epsilon: by how much the objective falls for one more unit, at this epsilon.
        Recomputed from the multipliers of the proof; ``None`` where these are none of a linear program.
    """

    design: Design
    rows: tuple[Price, ...]
    rate: float | None

    @property
    def lines(self) -> list[str]:
        """The objective, the shadow price of epsilon and each price, a line each."""
        objective = f"the objective is {self.design.objective:.6g} ("
        lines: list[str] = [TextLine(objective, self.design.objective_standing, ")")]
        if self.rate is not None:
            lines.append(
                f"epsilon: a little more is worth {self.rate:.6g} a unit, so that 0.01 more saves about "
                f"{self.rate / 100:.3g} (recomputed from the proof's multipliers)"
            )
        return [*lines, *(row.line for row in self.rows)]

    def __str__(self) -> str:
        return "\n".join(wrapped(self.lines))


@takes(problem=an_instance(Problem), designer=function)
def prices(problem: Problem, *, designer: Callable[[Problem], Design] = design) -> Prices:
    """Return the cost of each choice of a question, by a design without it.

    Parameters
    ----------
    problem : Problem
        The question.
    designer : callable, optional
        A function that finds each optimum: `design`, or one that calls it with further settings.

    Returns
    -------
    Prices

    Raises
    ------
    NoSolutionError, VerificationError
        If the question itself has no mechanism; see `design`.

    Examples
    --------
    >>> import optmech as om
    >>> costs = prices(om.croft(om.count(5), 1, properties=["fair"]))
    >>> [row.choice for row in costs.rows]
    ['epsilon', 'fair', 'the range']
    >>> print(costs.rows[1])
    fair: costs 0.311379, or 7.6%; without it the objective is 3.76271 (proved)
    """
    own = designer(problem)
    an_instance(Design)(own, "designer")
    rows = []
    for (choice, change, other), saves in _asked(problem):
        try:
            best = designer(other())
        except (NoSolutionError, VerificationError, NotAcceptedError, ProblemError) as trouble:
            reason = str(trouble).split(". ")[0].rstrip(".")
            rows.append(Price(choice=choice, change=change, trouble=reason, saves=saves))
            continue
        least, most = own.lower_bound - best.objective, own.objective - best.lower_bound
        rows.append(
            Price(
                choice=choice,
                change=change,
                objective=best.objective,
                costs=(least, most),
                share=least / own.objective if own.objective else 0.0,
                saves=saves,
                provenance=weakest(own.lower_bound_standing, best.lower_bound_standing),
            )
        )
    return Prices(design=own, rows=tuple(rows), rate=_rate(own))


def _asked(problem: Problem) -> Iterator[tuple[_Other, bool]]:
    """Yield the other questions, those of less privacy first, and whether they are."""
    yield from ((other, True) for other in _less_private(problem))
    yield from ((other, False) for other in _others(problem))


def _less_private(problem: Problem) -> Iterator[_Other]:
    """Yield epsilon and delta, their increase in words, and the question with it."""
    privacy = problem.privacy
    epsilon = privacy.epsilon
    more = _MORE * (Fraction(f"{float(epsilon):.12g}") if isinstance(epsilon, Logarithm) else epsilon)
    yield "epsilon", f"with {as_text(more)}", partial(problem.with_privacy, privacy.at(more))
    delta = privacy.delta
    if delta and delta * _MORE < 1:
        larger = delta * _MORE
        yield "delta", f"with {as_text(larger)}", partial(problem.with_privacy, privacy.spending(larger))


def _others(problem: Problem) -> Iterator[_Other]:
    """Yield each other choice, the question without it in words, and that question."""
    for also in problem.further_privacy:
        others = tuple(other for other in problem.further_privacy if other is not also)
        yield str(also), "without it", partial(replace, problem, further_privacy=others)
    for demand in sorted(problem.properties):
        yield str(demand), "without it", partial(replace, problem, properties=problem.properties - {demand})
    for limit in sorted(problem.limits, key=str):
        yield str(limit), "without it", partial(replace, problem, limits=problem.limits - {limit})
    for bound in problem.bounds:
        bounds = tuple(other for other in problem.bounds if other is not bound)
        yield str(bound), "without it", partial(replace, problem, bounds=bounds)
    for name in by_name(problem.rules):
        kept = tuple(rule for rule in problem.rules if str(rule) != name)
        yield name, "without it", partial(replace, problem, rules=kept)
    if not problem.structure.is_free:
        # A program with an indicator for each ratio of any matrix does not end.
        if not problem.privacy.has_choices:
            yield str(problem.structure), "allowing any matrix", partial(_any_matrix, problem)
    elif _has_a_range(problem):
        yield "the range", "allowing answers beyond it", partial(_beyond_the_range, problem)


def _any_matrix(problem: Problem) -> Problem:
    """Return the question without its structure; the loss of modular noise is then averaged over truths."""
    structure = problem.structure
    return problem.with_losses(lambda loss: loss.freed_of(structure), structure=FreeMatrix())


def _has_a_range(problem: Problem) -> bool:
    """Whether truths and responses are the same numbers in even steps, with a loss that has a name."""
    query, steps = problem.query, {high - low for low, high in pairwise(problem.query.truths)}
    points = tuple(response.midpoint for response in query.responses)
    losses = [problem.objective.as_loss, *(bound.loss for bound in problem.bounds)]
    has_names = all(loss is not None and loss.loss_name is not None for loss in losses)
    plain = all(response.lower == response.upper for response in query.responses)
    # Rules refer to responses by position, which responses in front of them would shift.
    return (
        not problem.rules
        and has_names
        and plain
        and points == query.truths
        and len(steps) == 1
        and not query.labels
    )


def _beyond_the_range(problem: Problem) -> Problem:
    """Return the question with as many responses again, half of them below and half of them above."""
    query = problem.query
    step, number = query.truths[1] - query.truths[0], query.num_truths
    below = [query.truths[0] - step * k for k in range(number // 2, 0, -1)]
    above = [query.truths[-1] + step * k for k in range(1, number // 2 + 1)]
    wider = query.variant(responses=[*below, *query.truths, *above])
    return problem.with_losses(lambda loss: loss.at(wider), query=wider)


def _rate(answer: Design) -> float | None:
    certificate = answer.certificate
    if certificate is not None and certificate.lacks_multipliers:
        engine = engine_of_matrix(certificate.problem)
        if engine == "auto" or certificate.problem.query.num_truths > _MOST_OF_MATRIX:
            return None
        answer = design(certificate.problem, engine=engine)
        certificate = answer.certificate
    if certificate is None or not isinstance(certificate.proof, Leaf):
        return None
    rule = privacy_multipliers(certificate.rules, certificate.proof, certificate.factor)
    problem = certificate.problem
    row, truth, other = rule.places.T
    weight = certificate.rules.weights_between(truth, other)
    factor = problem.privacy.factors(weight)
    weights = np.array([float(Fraction(int(y), certificate.proof.denominator)) for y in rule.weights])
    return float((weights * weight * factor * answer.mechanism.matrix[row, other]).sum())
