"""Limits of the guarantee, for the person who approves it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from optmech.base.number_format import at_most, number
from optmech.base.provenance import Provenance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.question.words import Words
    from optmech.reports.card.errors import Errors
    from optmech.reports.card.facts import MatrixFacts, PersonFacts, PrivacyFacts, ProofFacts

# Odds of more than 148 to 1; NIST SP 800-226 calls epsilons above 5 weak, in need of a reason.
_WEAK = 5.0
_LARGEST_EXPONENT = 700.0
# Below this share a gap is rounding.
_WIDE = 1e-6
# Longer exact texts are told as doubles.
_SHORT = 12


def caveats_of(
    words: Words,
    privacy: PrivacyFacts,
    matrix: MatrixFacts,
    errors: Errors,
    proof: ProofFacts,
    *,
    is_certified: bool,
    failures: tuple[str, ...] = (),
    larger: str = "",
) -> tuple[str, ...]:
    """Return the limits of a guarantee; those that cancel it come first.

    If answers beyond the listed ones are possible, `larger` says so.
    """
    return (
        *_undoing(words, privacy, is_certified=is_certified, failures=failures),
        *_of_use(words, privacy, matrix, larger),
        *_of_worth(matrix, errors, proof),
    )


def caveats_of_person(person: PersonFacts) -> tuple[str, ...]:
    """Return the limits of a bound on what one person changes in a table."""
    bias = (
        f"{person.bound} Rows beyond that are in no count: counts are too low by as many, a bias that the "
        "errors here do not include. Their number is a fact about the data that nothing protects."
    )
    if person.steps == 1 or person.epsilon.value <= _WEAK:
        return (bias,)
    odds = at_most(math.exp(person.epsilon.value)) if person.epsilon.value < _LARGEST_EXPONENT else ""
    factor = odds or f"e^{number(person.epsilon.value)}"
    return (
        bias,
        f"Epsilon of a person is large: odds may change by a factor of {factor}. That needs a justification.",
    )


def violation(failure: str) -> str:
    """Return the sentence of a requirement that is violated."""
    return f"A requirement is violated: {failure}."


def _undoing(
    words: Words, privacy: PrivacyFacts, *, is_certified: bool, failures: tuple[str, ...]
) -> Iterator[str]:
    if not is_certified:
        yield "Nothing here is proved: every number is recomputed from doubles."
    for failure in failures:
        yield violation(failure)
    if words.deviation:
        yield words.deviation
        if privacy.delta_of_sets.value > 0:
            yield (
                "Over all sets of answers and both ways between these neighbours, delta is at most "
                f"{privacy.delta_of_sets.at_most(4, _SHORT)} at this epsilon."
            )
    yield from words.gaps


def _of_use(words: Words, privacy: PrivacyFacts, matrix: MatrixFacts, larger: str) -> Iterator[str]:
    yield (
        "Each further release from the same data spends epsilon again: a second draw, another table, another "
        "question, another row that the same person can change. A record that moves from one row of a table "
        "to another changes two. optmech compose computes the total."
    )
    everyone = privacy.pairs == matrix.truths * (matrix.truths - 1)
    further = (
        ""
        if everyone
        else " Somebody who can change the true answer more is protected less: two such steps cost twice the "
        f"epsilon{' and more than twice the delta' if privacy.delta.value else ''}."
    )
    yield f"The unit of protection is an assumption about the data. {words.protected}{further}"
    if larger:
        yield f"Every count may be a true answer. {larger}"
    else:
        yield (
            f"A true answer must be one of the {words.answers.removesuffix('.')}. Other values have to be "
            "clamped, by a range chosen without looking at the data; the bias of clamping is not included in "
            "the errors here."
        )
    yield (
        "The fact that the query was answered, its range and the mechanism are public. A released answer "
        "reveals as much about a person as epsilon allows, and nothing here protects against conclusions "
        "from the statistic itself."
    )
    largest = privacy.heaviest * privacy.epsilon.value
    if largest > _WEAK:
        times = f"e^{number(largest)}" if privacy.heaviest > 1 else at_most(privacy.odds.value)
        yield f"Epsilon is large: odds may change by a factor of {times}. That needs a justification."


def _of_worth(matrix: MatrixFacts, errors: Errors, proof: ProofFacts) -> Iterator[str]:
    if errors.bias is not None and errors.bias.value != 0:
        yield (
            f"The released number is off by {number(errors.bias.value)} on average where "
            f"{errors.biased_truth} is true. Averages of many releases keep such a bias."
        )
    if proof.bound is not None and proof.bound.provenance is Provenance.REPORTED:
        yield "That no mechanism is much better is reported by the file and not proved."
    elif proof.relative_gap is not None and proof.relative_gap.value > _WIDE:
        yield (
            f"A better mechanism may exist: the proved bound is {at_most(100 * proof.relative_gap.value)} % "
            "below the objective."
        )
    if not matrix.denominator:
        return
    yield (
        "A CSV of the matrix holds doubles, the nearest to what is proved. Draw with optmech apply, "
        "mechanism.sample, or another program that draws from the whole numbers."
    )
