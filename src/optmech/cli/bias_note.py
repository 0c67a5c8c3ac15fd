"""The largest bias of the mechanism of a count, among the first lines of its design."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.notes import Note, NoteKind
from optmech.base.number_format import number
from optmech.base.numbers import as_text
from optmech.mechanisms.noise_errors import reach
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.question.properties import UNBIASED

if TYPE_CHECKING:
    from optmech.designs.design import Design

# All truths at once take a moment up to so many sums; beyond, the bias of the smallest truth is a bound.
_MOST_SUMS = 2_000_000


def with_bias(result: Design) -> Design:
    """Return the design of a count with a note on its largest bias; others, and those without, as they are.

    >>> import optmech as om
    >>> print(with_bias(om.design(om.question(om.count(5), "0.5"))).notes[0])
    largest bias 1.452, at 0; sums keep it, and `--unbounded` has none
    """
    problem, mechanism = result.problem, result.mechanism
    if problem.query.kind != "count" or UNBIASED in problem.properties or result.certificate is None:
        return result
    text = "largest bias "
    if isinstance(mechanism, NoiseMechanism) and reach(mechanism) * len(mechanism.truths) > _MOST_SUMS:
        largest, truth = _at_smallest(mechanism), mechanism.truths[0]
        text += "at least "
    else:
        from optmech.release.tables.bias import bias_of  # noqa: PLC0415 - Arrow takes a moment to load

        found = bias_of(mechanism)
        if found is None or found.is_none:
            return result
        largest, truth = abs(found.largest), found.truth
    text += f"{number(float(largest))}, at {as_text(truth)}; sums keep it"
    further = "" if problem.properties else ", and `--unbounded` has none"
    note = Note(NoteKind.INFORMATION, f"{text}{further}")
    return replace(result, notes=(note, *result.notes))


def _at_smallest(mechanism: NoiseMechanism) -> Fraction:
    """Return the mean of a released count where the smallest is true, less it."""
    size = min(reach(mechanism), len(mechanism.truths) - 1)
    beyond = mechanism.tails(np.arange(size), np.zeros(size, dtype=np.int64))[1]
    return Fraction(float(beyond.sum()))
