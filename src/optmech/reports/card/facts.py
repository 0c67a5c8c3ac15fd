"""The facts of a card, besides its words and its errors: privacy, matrix, proof, sampling, provenance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from optmech.reports.card.number import Number


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyFacts:
    """What the mechanism spends.

    Attributes
    ----------
    epsilon : Number
        Of the question, exactly as typed. Proved: the mechanism keeps it, with `delta`.
    odds : Number
        ``e^epsilon``: by how much a probability may grow between neighbours of weight 1.
    delta : Number
        What the definition of the question spends, measured on the matrix; 0 for pure privacy.
    delta_required : str
        The delta of the question, exactly as typed; empty for pure privacy and where the least is sought.
    delta_of_sets : Number
        The least delta of (epsilon, delta)-differential privacy, over all sets of answers and *both* ways
        between neighbours, at the weights of the question: what holds in the usual sense.
    effective_epsilon : Number
        The least epsilon of pure privacy, *both* ways between neighbours; infinite where an answer is
        possible under one true answer only.
    pairs, heaviest : int
        How many ordered pairs of neighbours there are, and their largest weight in multiples of epsilon.
    both_ways : bool
        Whether each of two neighbours is protected against the other.
    keeps : bool
        Whether the mechanism keeps the privacy that was asked.
    holds : bool
        Whether everything asked of it holds, privacy and all else.
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
class MatrixFacts:
    """The mechanism itself.

    Attributes
    ----------
    responses, truths : int
        The size of its matrix, by which a law without a matrix is told as well.
    denominator : str
        All probabilities are whole numbers over it; empty where there are only doubles.
    sha256 : str
        Of denominator and numerators as text, as in the certificate; empty likewise.
    """

    responses: int
    truths: int
    denominator: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofFacts:
    """How good the mechanism is, and how that is known.

    Attributes
    ----------
    minimised : str
        What is minimised, in a word or two.
    objective : Number
        Its value at this mechanism.
    bound, gap : Number or None
        No mechanism of the question has less than the bound; the gap is the objective less that.
    relative_gap : Number or None
        The gap as a share of the objective.
    how : str
        What proves the bound, a sentence.
    multipliers : int
        How many numbers other than zero the proof has.
    checker : str
        The command by which anyone can check it, without optmech; empty where there is none.
    """

    minimised: str
    objective: Number
    bound: Number | None
    gap: Number | None
    relative_gap: Number | None
    how: str
    multipliers: int
    checker: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingFacts:
    """How answers are drawn, a sentence each: the distribution, the randomness, and what its time reveals."""

    distribution: str
    randomness: str
    timing: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where the mechanism and this card come from. What the maker wrote down is reported.

    Attributes
    ----------
    optmech : str
        The version that wrote this card.
    certificate_sha256 : str
        Of the certificate's text as `write_certificate` writes it; empty without one.
    made_by, repair, raw : dict of str
        As in the certificate: who made it, what was done to a solver's answer, what that answer was.
    claimed_bounds : dict of str
        What solvers claim of the bound, where nothing is proved.
    """

    optmech: str
    certificate_sha256: str
    made_by: dict[str, str]
    repair: dict[str, str]
    raw: dict[str, str]
    claimed_bounds: dict[str, str]
