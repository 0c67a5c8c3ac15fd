"""True answers that a mechanism never releases, a surprising feature of some optima.

For a count 0..20 at epsilon 0.5 the mechanism of least expected error never says 0 or 20; for a mean the
optimum is a comb. A demand of honesty mends it: at least weakly honest, ``M[home(f),f] >= 1/|R|``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.notes import Note, NoteKind
from optmech.base.numbers import as_text
from optmech.base.wording import join_words
from optmech.designs.chain.orbits import WHOLE_TAILS
from optmech.proofs.chain.certificate import NoiseCertificate
from optmech.question.properties import WEAKLY_HONEST, ZERO_STAYS_ZERO

if TYPE_CHECKING:
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.question.problem import Problem

# The largest probability that a repair leaves in place of a zero.
_NEXT_TO_NEVER = 1e-9
_MOST_NAMED = 3


def unreleased_answers(problem: Problem, mechanism: Mechanism) -> tuple[str, ...]:
    """Return the true answers that are responses but are never released.

    >>> import optmech as om
    >>> design = om.design(om.question(om.count(20), "0.5"))
    >>> unreleased_answers(design.problem, design.mechanism)
    ('0', '20')
    """
    query = problem.query
    certificate = mechanism.certificate
    if query.is_large and isinstance(certificate, NoiseCertificate):
        return tuple(as_text(query.truths[place]) for place in _without_room(certificate))
    likeliest = mechanism.matrix.max(axis=1)
    homes = enumerate(query.home.tolist())
    never = [truth for truth, home in homes if home >= 0 and likeliest[home] < _NEXT_TO_NEVER]
    return tuple(query.labels[truth] if query.labels else as_text(query.truths[truth]) for truth in never)


def _without_room(certificate: NoiseCertificate) -> list[int]:
    """Return the responses of noise between whose thresholds no number lies."""
    never, always = certificate.noise.ends(certificate.question.num_truths)
    ends = np.clip([never, *certificate.thresholds, always], never, always)
    places: list[int] = np.flatnonzero(np.diff(ends) == 0).tolist()
    return places


def unreleased_sentence(problem: Problem, answers: tuple[str, ...]) -> str:
    """Return a sentence on the answers that are never released."""
    text = join_words(answers)
    if len(answers) > _MOST_NAMED + 1:  # "1 more" is no shorter than its name
        more = f"{len(answers) - _MOST_NAMED} more of its {problem.query.num_truths} true answers"
        text = f"{', '.join(answers[:_MOST_NAMED])} and {more}"
    return f"the optimum never releases {text}"


def is_mendable(problem: Problem) -> bool:
    """Whether weak honesty can be added, with a price in the loss; zero that stays zero contradicts it."""
    if problem.query.num_truths > WHOLE_TAILS or ZERO_STAYS_ZERO in problem.properties:
        return False
    every = (problem.query.home >= 0).all()
    return bool(every) and "structure" not in problem.asks and problem.least_loss is not None


def unreleased_note(problem: Problem, mechanism: Mechanism) -> Note | None:
    """Return a note on true answers that are never released, with the remedy; ``None`` if there are none."""
    answers = unreleased_answers(problem, mechanism)
    if not answers:
        return None
    text = unreleased_sentence(problem, answers)
    if is_mendable(problem):
        mends = f"the property {WEAKLY_HONEST} mends it"
        text = f"{text}; {mends}, and `prices` of the question with it says its price"
    elif problem.query.kind == "count" and not problem.properties:
        text += "; noise without ends, by `--unbounded`, releases every count"
    return Note(NoteKind.INFORMATION, text)
