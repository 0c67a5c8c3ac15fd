"""A question in plain words, for a decision maker who knows no linear programming.

`words_of` needs no mechanism. With the delta that a mechanism spends, its sentences state that number where a
question seeks the least. No text here is escaped: names and labels come from users.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import an_instance, optional, takes
from optmech.base.numbers import as_text, exact
from optmech.base.wording import plural, shorten
from optmech.question.answers import Scope, are_points
from optmech.question.caution import caution_of, protects_nothing
from optmech.question.linear_rule import by_name, sentence_of
from optmech.question.problem import Problem
from optmech.question.protection import cautions_of, gaps_of, neighbours_of

if TYPE_CHECKING:
    from optmech.question.privacy import Privacy
    from optmech.question.query import Query

_FEW = 6
_NOTHING = "Over all sets of answers delta is 1: this is not privacy of any kind."


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A question in sentences. Each ends with a full stop or a question mark; none holds markup.

    Attributes
    ----------
    question : str
        The question.
    answers, released : str
        The possible true answers, and the answers that can be released.
    protected : str
        The unit of privacy: the protected person and the changes they may make. An assumption about the data.
    neighbours : str
        The neighbours among the true answers, as the proof takes them.
    definition : str
        Name of the definition of privacy, and further ones with their epsilon and delta; no sentence.
    privacy_name : str
        The name of the first definition alone, without the letters of its parameters.
    further : tuple of str
        Each further definition with its epsilon and delta.
    guarantee : str
        The meaning of epsilon and delta between neighbours.
    odds : str
        The consequence for an attacker; empty where no short statement is true.
    is_differential_privacy : bool
        Whether (epsilon, delta)-differential privacy holds at the stated numbers, between all neighbours.
    deviation : str
        The difference from (epsilon, delta)-differential privacy; empty where there is none.
    structure : str
        The mechanisms that are allowed.
    properties : tuple of str
        Further requirements, a sentence each.
    objective : str
        The value that is minimised.
    cautions : tuple of str
        The truths that scope and neighbours leave unprotected, a sentence each, to stand beside the verdict.
    gaps : tuple of str
        The cautions that `deviation` does not state.
    allows : str
        The harm that a large epsilon or delta allows; empty where both are small.

    Examples
    --------
    >>> from optmech.question.problems.croft import croft
    >>> from optmech.question.queries import count
    >>> words = words_of(croft(count(5), "0.5", variant=2))
    >>> print(words.question, words.neighbours)
    How many? A count from 0 to 5. True answers at most 1 apart are neighbours.
    >>> print(words.guarantee)
    The probability of any result is at most 1.649 times what it is under a neighbouring true answer.
    """

    question: str
    answers: str
    released: str
    protected: str
    neighbours: str
    definition: str
    privacy_name: str
    further: tuple[str, ...]
    guarantee: str
    odds: str
    is_differential_privacy: bool
    deviation: str
    structure: str
    properties: tuple[str, ...]
    objective: str
    cautions: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    allows: str = ""


def _fraction(value: Any, name: str) -> None:  # noqa: ANN401 - any argument
    an_instance(Fraction, float)(value, name)
    exact(value, name)


@takes(
    question=an_instance(Problem),
    spent=optional(an_instance(Fraction)),
    whole=optional(_fraction),
)
def words_of(
    question: Problem, spent: Fraction | None = None, whole: Fraction | float | None = None
) -> Words:
    """Return a question in plain words.

    Parameters
    ----------
    question : Problem
        The question.
    spent : Fraction, optional
        The delta that a mechanism spends, for a question that seeks the least one.
    whole : Fraction or float, optional
        The delta that a mechanism spends over all sets of responses and both ways between neighbours.
    """
    query, structure = question.query, question.structure
    guarantee, *others = (
        privacy.guarantee(heaviest=query.heaviest, both_ways=query.symmetric, spent=spent)
        for privacy in question.privacies
    )
    further = tuple(
        f"{each.name} at {_numbers(privacy)}"
        for each, privacy in zip(others, question.further_privacy, strict=True)
    )
    near_data = query.scope is Scope.GIVEN_TABLE
    near = "near one table only: " if near_data else ""
    most = spent if whole is None else whole
    caution = caution_of(question.privacy, heaviest=query.heaviest, spent=most)
    nothing = protects_nothing(question.privacy, most)
    unlike = (_NOTHING if nothing else "", query.scope.caution, guarantee.deviation)
    return Words(
        question=query.meaning.question(query),
        answers=f"{_answers(query)}.",
        released=_responses(query),
        protected=query.meaning.protection(query),
        neighbours=neighbours_of(query),
        definition=near + "; also ".join([guarantee.definition, *further]),
        privacy_name=near + guarantee.name,
        further=further,
        guarantee=" Also: ".join(each.promise for each in (guarantee, *others)),
        odds=guarantee.odds,
        is_differential_privacy=guarantee.is_differential_privacy and not near_data and not nothing,
        deviation=" ".join(filter(None, unlike)),
        structure=structure.sentence,
        properties=(
            *(property_of_question.sentence for property_of_question in sorted(question.properties)),
            *(limit.sentence for limit in sorted(question.limits, key=str)),
            *(bound.sentence(structure) for bound in question.bounds),
            *(sentence_of(rules, query) for rules in by_name(question.rules).values()),
        ),
        objective=question.objective.sentence(structure),
        cautions=cautions_of(query),
        gaps=tuple(gaps_of(query)),
        allows=caution or "",
    )


def _numbers(privacy: Privacy) -> str:
    delta = f", δ = {as_text(privacy.delta)}" if privacy.delta else ""
    return f"ε = {as_text(privacy.epsilon)}{delta}"


def _answers(query: Query) -> str:
    """Return a sentence on the number and range of the true answers."""
    number = query.num_truths
    # A long list is shown by its ends; a million truths are never listed.
    indices = range(number) if number <= _FEW else (0, 1, number - 1)
    texts = [query.labels[index] if query.labels else as_text(query.truths[index]) for index in indices]
    return f"{plural(number, 'possible true answer')}: {shorten(texts, _FEW if number <= _FEW else 2)}"


def _responses(query: Query) -> str:
    if query.path() is not None or are_points(query.responses, query.truths):
        return "Every released answer is among the possible true answers."
    names = [
        as_text(part.lower) if part.lower == part.upper else f"{as_text(part.lower)} to {as_text(part.upper)}"
        for part in query.responses
    ]
    has_ranges = any(part.lower < part.upper for part in query.responses)
    number = plural(len(names), "category", "categories") if has_ranges else plural(len(names), "answer")
    return f"{number} can be released: {shorten(names)}."
