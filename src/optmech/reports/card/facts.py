"""The facts of a card, besides words and errors: privacy, person, matrix, proof, sampling, provenance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from optmech.question.losses.expected import MEAN_OVER_TRUTHS

if TYPE_CHECKING:
    from optmech.reports.card.number import Number


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyFacts:
    """The privacy that the mechanism spends.

    `epsilon` is that of the question, exactly as typed; proved: the mechanism keeps it, with `delta`. By
    `odds`, ``e^epsilon``, a probability may grow between neighbours of weight 1. `delta` is the delta of the
    question's definition, measured on the matrix, 0 for pure privacy; `delta_required` is what was typed,
    empty for pure privacy and where the least is sought.

    *Both* ways between neighbours, `delta_of_sets` is the least delta of (epsilon, delta)-differential
    privacy, over all sets of answers at the weights of the question: what holds in the usual sense; and
    `effective_epsilon` the least epsilon of pure privacy, infinite where an answer is possible under one true
    answer only. `pairs` is the number of ordered pairs of neighbours, the `heaviest` of that weight in
    multiples of epsilon; `both_ways` says whether each of two is protected against the other. Whether the
    mechanism `keeps` the privacy that was asked, and whether everything asked of it `holds`, are the last
    two.
    """

    epsilon: Number
    odds: Number
    delta: Number
    delta_required: str
    delta_of_sets: Number
    effective_epsilon: Number
    pairs: int
    heaviest: int
    both_ways: bool
    keeps: bool
    holds: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonFacts:
    """The spending of one person in all cells of a table of counts, by the bound that stands beside it.

    `epsilon` and `delta` are those of all cells together, `steps` times the epsilon of a cell. A `file`
    reports the `bound`, a sentence; nobody can prove it. `text` says it in full.
    """

    epsilon: Number
    delta: Number
    steps: int
    bound: str
    file: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixFacts:
    """The mechanism itself: the size of its matrix, by which a law without one is told as well.

    All probabilities are whole numbers over `denominator`; `sha256` is of it and the numerators as text, as
    in the certificate. Both are empty where there are only doubles.
    """

    responses: int
    truths: int
    denominator: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofFacts:
    """The quality of the mechanism, and its standing.

    The quantity that is `minimised`, in a word or two, has the value `objective`, and no mechanism of the
    question has less than `bound`; the `gap` is the difference, `relative_gap` its share of the objective. A
    sentence, `how`, says what proves the bound; `multipliers` is the number of those other than zero. Anyone
    can check it without optmech by the command `checker`, empty where there is none. If the objective is a
    plain sum of losses, as a paper prints it, it is one of `truths_summed` true answers; else that is 1.
    """

    minimised: str
    objective: Number
    bound: Number | None
    gap: Number | None
    relative_gap: Number | None
    how: str
    multipliers: int
    checker: str
    truths_summed: int = 1

    @property
    def per_truth(self) -> ProofFacts:
        """The same in the scale of errors: of a sum over truths the mean."""
        if self.truths_summed == 1:
            return self
        number = self.truths_summed
        return replace(
            self,
            minimised=MEAN_OVER_TRUTHS,
            truths_summed=1,
            objective=self.objective.share(number),
            bound=None if self.bound is None else self.bound.share(number),
            gap=None if self.gap is None else self.gap.share(number),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingFacts:
    """The drawing of answers, a sentence each: distribution, randomness, and the information in its time."""

    distribution: str
    randomness: str
    timing: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where the mechanism and this card come from. The words of the maker are reported.

    `optmech` is the version that wrote this card, `certificate_sha256` of the certificate's text as
    `write_certificate` writes it, empty without one. As in the certificate: who it is `made_by`, what the
    `repair` did to a solver's answer, what that answer was, `raw`, and what solvers claim of the bound where
    nothing is proved.
    """

    optmech: str
    certificate_sha256: str
    made_by: dict[str, str]
    repair: dict[str, str]
    raw: dict[str, str]
    claimed_bounds: dict[str, str]
