"""Geometric noise on a path of truths, clamped, then remapped: the mechanism with the proof of what it keeps.

Distribution
------------
    release rho(min(max(f + Z, 0), n)),   P(Z = z) = (1 - a) / (1 + a) a^|z|,   f a position

with a a rational and rho a list of n + 1 answers that never decreases. `objective` and `bound` are about this
distribution, in rationals.

Privacy: the clamped noise is j with probability ``w_j a^|j-f|``, so that from one truth to the next the
probability of each draw changes by the factor a or 1/a, and ``1/a <= e^epsilon``, proved. What is released
is a function of the draw: its probabilities are sums of theirs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from optmech.base.errors import VerificationError
from optmech.proofs.distribution_certificate import DistributionCertificate
from optmech.proofs.geometric_bound import proved_bound
from optmech.proofs.geometric_sums import losses_of_draws, objective_of
from optmech.question.path_question import PathQuestion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.base.arrays import Integers
    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.geometric_bound import Prices
    from optmech.proofs.geometric_sums import Decay

_WORK, _WORK_OF_AN_ANSWER, _WORK_OF_A_NUMBER = 2**33, 2**14, 2**21
_SUMS, _STEP, _SQUARE, _PRODUCT, _SHORT = 5, 512, 1024, 128, 16


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class GeometricCertificate(DistributionCertificate):
    """A distribution in place of a matrix, with the proof of what is claimed of it.

    It proves itself as it is made, from parts that need not be trusted. Whoever asks for its `matrix` is told
    by a NotAcceptedError that there is none.

    Attributes
    ----------
    decay : Decay
        The a of the distribution; ``1/a <= e^epsilon``, proved.
    floor : Decay
        A rational of at most ``e^-epsilon``, proved, at which the bound holds.
    remap : ndarray of int64, shape (num_truths,)
        The position of the answer to each draw; it never decreases.
    prices : Prices
        What proves the bound; `optmech.proofs.geometric_bound` has the law.
    smoothing : int or None
        Where weights differ too much for fixed point, prices are proved for weights that are all larger, as
        `PathQuestion.smooth` says; what this can add to any objective is taken off the bound.
    question : PathQuestion
        The problem in whole numbers.
    objective : Fraction
        The expected loss of this mechanism under the prior, or its sum over truths, is at most this, proved.
    bound : Fraction
        No private mechanism loses less, proved; this one neither.

    Raises
    ------
    NotAcceptedError
        If the problem is none of a path of truths under pure privacy.
    VerificationError
        If a part does not prove what it should.
    """

    factor: Enclosure = field(init=False)
    decay: Decay
    floor: Decay
    remap: Integers
    prices: Prices
    smoothing: int | None = None
    question: PathQuestion = field(init=False)

    law = (
        "Drawn as geometric noise in whole numbers, clamped, then a change of some answers: the "
        "distribution itself."
    )
    how = "Prices of the true answers prove the bound for every private mechanism of the question."
    parts = ("problem", "decay", "floor", "remap", "prices", "smoothing")

    def __post_init__(self) -> None:
        question = PathQuestion.of(self.problem)
        largest, epsilon = question.largest, self.problem.privacy.epsilon
        if not self.decay.proves_privacy(epsilon):
            message = (
                f"the decay must be at least e^-epsilon of {self.problem}; it is not. It is not private."
            )
            raise VerificationError(message)
        if not self.floor.proves_a_bound(epsilon):
            message = f"the floor must be at most e^-epsilon of {self.problem}; it is not. No bound follows."
            raise VerificationError(message)
        remap = np.array(self.remap, dtype=np.int64)
        if remap.shape != (largest + 1,) or remap[0] < 0 or remap[-1] > largest or (np.diff(remap) < 0).any():
            message = (
                f"the remap must have {largest + 1} answers in 0..{largest}, never decreasing; it has not."
            )
            raise VerificationError(message)
        if len(self.prices.extras) != largest + 1:
            message = f"there must be {largest + 1} prices, one for each truth; there are not."
            raise VerificationError(message)
        remap.setflags(write=False)
        answers = remap.tolist()
        need_little_work(question, (self.decay, self.floor), answers, self.prices, self.smoothing)
        priced_question, excess = question, Fraction(0)
        if self.smoothing is not None:
            priced_question = question.smooth(self.smoothing)
            excess = Fraction((largest + 1) * question.loss_at(largest), priced_question.unit)
        bound = proved_bound(priced_question, self.floor, answers, self.prices) - excess
        losses = losses_of_draws(question, self.decay, answers)
        for name, value in (
            ("question", question),
            ("remap", remap),
            ("objective", objective_of(question, self.decay, losses)),
            ("bound", max(Fraction(0), bound)),
            ("delta", Fraction(0)),
        ):
            object.__setattr__(self, name, value)

    @property
    def deltas(self) -> tuple[Fraction, ...]:
        """Nothing is spent: the one privacy is pure."""
        return (self.delta,)

    @property
    def has_matrix(self) -> bool:
        """Nobody has written one out."""
        return False

    @property
    def released(self) -> Integers:
        """The positions of the responses that can be released, in order."""
        answers: Integers = np.unique(self.remap)
        return answers

    @property
    def largest_cost(self) -> Fraction:
        """The most that a response can add to the objective at one truth."""
        return self.question.largest_cost

    def __getattr__(self, name: str) -> NoReturn:
        """Refuse what only a certificate with a matrix has."""
        if name in ("factor", "matrix"):
            raise self.without_matrix()
        raise AttributeError(name)


def need_little_work(
    question: PathQuestion,
    decays: tuple[Decay, Decay],
    remap: Sequence[int],
    prices: Prices,
    smoothing: int | None,
) -> None:
    """Refuse a proof that would take more work than is allowed, told from sizes before anything is summed.

    Objective and bound walk over all draws from each end, or once where both ends look the same. A step
    multiplies numbers of m bits, those of the decay and of what it is multiplied with; a listed loss adds a
    product for each distance at which it rises. That is, in the unit of the work of `check_certificate.py`,

        work = sides (n + 1) (5 (512 + m + m^2 / 1024) + rises (128 + m / 16))

    More is allowed where there are more answers, and where more numbers are written out: who makes others
    wait has to write as much. A million answers at the bits that a design takes are within it for epsilon
    from 1e-30 to 200, and ten million where it is about 1. The decays are those of the distribution and of
    the bound; by `smoothing` bits weights are finer for it.
    """
    decay, floor = decays
    extras = prices.extras
    is_even = question.weights == question.weights[::-1] and all(
        answer + other == question.largest for answer, other in zip(remap, reversed(remap), strict=True)
    )
    work = work_of(question, decay, 0) * (1 if is_even else 2)
    size = max(extras).bit_length() + max(0, floor.bits - prices.bits) - floor.bits
    is_even = is_even and extras == extras[::-1]
    work += work_of(question, floor, max(size, smoothing or 0, 0)) * (1 if is_even else 2)
    most = most_work(question, remap, extras)
    if work > most:
        message = (
            "the numbers of the distribution and of its prices must be so short that their sums take no more "
            f"work than {most:,}; they take {work:,}. Take fewer answers, or an epsilon nearer to 1."
        )
        raise VerificationError(message)


def work_of(question: PathQuestion, decay: Decay, more_bits: int) -> int:
    """Return the work of a walk from one end, of numbers with more bits than losses and weights ask for."""
    heaviest, loss = max(question.weights).bit_length(), question.loss_at(question.largest).bit_length()
    bits = decay.bits + 2 * decay.reach.bit_length() + heaviest + loss + more_bits
    rises = sum(map(bool, question.steps))
    step = _SUMS * (_STEP + bits + bits * bits // _SQUARE) + rises * (_PRODUCT + bits // _SHORT)
    return (question.largest + 1) * step


def most_work(question: PathQuestion, remap: Sequence[int], extras: Sequence[int]) -> int:
    """Return how much work all walks may take."""
    answers = question.largest + 1
    rises = [after - before for before, after in pairwise(remap)]
    num_runs = sum(1 for numbers in (rises, extras, question.weights) for _ in groupby(numbers))
    written = num_runs + len(question.steps)
    return _WORK + _WORK_OF_AN_ANSWER * answers + _WORK_OF_A_NUMBER * written
