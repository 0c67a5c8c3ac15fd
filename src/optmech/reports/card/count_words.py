"""A question in plain words, be it a count without a matrix."""

from __future__ import annotations

from fractions import Fraction

from optmech.base.arguments import an_instance, optional, takes
from optmech.designs.implicit.question import ImplicitCount
from optmech.question.caution import caution_of
from optmech.question.losses.words import loss_words
from optmech.question.privacy import PurePrivacy
from optmech.question.problem import Problem
from optmech.question.words import Words
from optmech.question.words import words_of as words_of_problem

__all__ = ["words_of"]


@takes(question=an_instance(Problem, ImplicitCount), spent=optional(an_instance(Fraction)))
def words_of(
    question: Problem | ImplicitCount, spent: Fraction | None = None, whole: Fraction | float | None = None
) -> Words:
    """Return a question in plain words.

    Parameters
    ----------
    question : Problem or ImplicitCount
        Any question there is.
    spent, whole
        As `optmech.question.words.words_of` takes them.
    """
    if isinstance(question, Problem):
        return words_of_problem(question, spent, whole)
    privacy = PurePrivacy(question.epsilon)
    promised = privacy.guarantee()
    loss = question.loss if isinstance(question.loss, str) else None
    over = {"sum": "summed over the true answers", "uniform": "averaged over all true answers alike"}
    prior = question.prior if isinstance(question.prior, str) else ""
    return Words(
        asked=f"How many? A count from 0 to {question.largest:,}.",
        answers=f"{question.largest + 1:,} possible true answers: 0, 1, …, {question.largest}.",
        released="What can be released is among the possible true answers.",
        protected="One person with one record, who changes the count by at most 1: whether the record is "
        "there, and what it says.",
        neighbours="True answers at most 1 apart are neighbours.",
        definition=promised.definition,
        guarantee=promised.promise,
        odds=promised.odds,
        is_differential_privacy=promised.is_differential_privacy,
        unlike_usual=promised.unlike_usual,
        structure="Any mechanism was allowed; the best one is noise and a change of some answers.",
        properties=(),
        objective=f"The mechanism of least {loss_words(loss)}, "
        f"{over.get(prior, 'averaged over the true answers with given weights')}.",
        allows=caution_of(privacy) or "",
    )
