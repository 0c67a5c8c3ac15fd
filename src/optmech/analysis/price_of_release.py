"""Price of a mechanism that can release every true answer, where the optimum never releases some."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from optmech.base.errors import OptmechError
from optmech.base.notes import Note
from optmech.base.time_left import time_is_up
from optmech.designs.design import design
from optmech.designs.unreleased_answers import (
    is_mendable,
    unreleased_answers,
    unreleased_note,
    unreleased_sentence,
)
from optmech.question.properties import WEAKLY_HONEST

if TYPE_CHECKING:
    from optmech.designs.design import Design

# With this many answers the second design takes half a second.
_FEW = 21
_SECONDS = 5.0
# Two proved optima differ by their gaps.
_NOTHING = 1e-9


def with_price_of_release(result: Design) -> Design:
    """Return the design with the price of weak honesty in its note on answers that are never released.

    The price is that of a second design, made where it takes no longer than a moment; else the note stays.

    >>> import optmech as om
    >>> print(with_price_of_release(om.design(om.question(om.count(5), "0.5"))).notes[-1])
    the optimum never releases 0 and 5; the property weakly-honest mends it for 2.17 % more loss
    """
    note = unreleased_note(result.problem, result.mechanism) if result.certificate is not None else None
    if note is None or note not in result.notes or not is_mendable(result.problem) or time_is_up():
        return result
    if result.problem.query.num_truths > _FEW or not result.objective > 0:
        return result
    properties = result.problem.properties | {WEAKLY_HONEST}
    sentence = unreleased_sentence(result.problem, unreleased_answers(result.problem, result.mechanism))
    try:
        mended = design(replace(result.problem, properties=properties), time_limit=_SECONDS)
    except OptmechError:  # what else is asked leaves no such mechanism, or no time: that is no remedy
        priced = Note(note.kind, sentence)
    else:
        more = mended.objective / result.objective - 1
        price = f"for {100 * more:.3g} % more loss" if more > _NOTHING else "at no loss"
        priced = Note(note.kind, f"{sentence}; the property {WEAKLY_HONEST} mends it {price}")
    return replace(result, notes=tuple(priced if each == note else each for each in result.notes))
