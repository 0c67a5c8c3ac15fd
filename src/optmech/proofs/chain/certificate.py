"""Noise and thresholds, with the proof of what they keep and how good they are: a mechanism without a matrix.

Distribution
------------
    release response j with the least j for which period * f + Z <= threshold_j,   f the position of the truth

with Z the noise, and the last response where there is none. `objective` and `bound` are about this
distribution, in rationals.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import VerificationError
from optmech.proofs.chain.bound import lower_bound
from optmech.proofs.chain.curve import LINE_BITS, line_bits, lines_of_pairs, pairs_around
from optmech.proofs.chain.noise_curve import curve_beside
from optmech.proofs.chain.steps import limited_steps, upper_objective
from optmech.proofs.chain.tail_walk import TailWalk, is_walked
from optmech.proofs.distribution_certificate import DistributionCertificate
from optmech.proofs.file_limits import MOST_BITS
from optmech.proofs.matrix import ExactMatrix
from optmech.question.chain_question import ChainQuestion
from optmech.rules import compile_rules

if TYPE_CHECKING:
    from optmech.base.arrays import Integers
    from optmech.proofs.chain.noise import Noise
    from optmech.proofs.chain.price_bound import TruthPrices


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class NoiseCertificate(DistributionCertificate):
    """A distribution in place of a matrix, with the proof of what is claimed of it.

    It proves itself as it is made, from parts that need not be trusted.

    Attributes
    ----------
    factor : Enclosure
        Rationals around ``e^epsilon`` of each privacy.
    noise : Noise
        What is added; one shift of it keeps every privacy of the question, proved.
    thresholds : tuple of int
        For each response but the last the highest place at which it, or one before it, is released; they
        never decrease.
    prices : TruthPrices or None
        Of noise that is all tails, what proves the bound in place of the thresholds themselves.
    matrix : ExactMatrix
        Computed when somebody asks for it.
    question : ChainQuestion
        The problem in whole numbers.
    delta : Fraction
        What is spent at the first epsilon, exact, of the noise; of what is released it is no more.
    objective : Fraction
        The expected loss of this mechanism is at most this, proved.
    bound : Fraction
        No private mechanism loses less, proved.

    Raises
    ------
    NotAcceptedError
        If the problem is none that the theorem of chains speaks of, or its matrix is too large.
    VerificationError
        If a part does not prove what it should.
    """

    noise: Noise
    thresholds: tuple[int, ...]
    prices: TruthPrices | None = None
    question: ChainQuestion = field(init=False)

    law = "Drawn as noise in whole numbers and compared with a table of thresholds: the distribution itself."
    how = (
        "Lines of the privacy curve, along which weights move to one true answer for each threshold, prove "
        "the bound for every private mechanism of the question."
    )
    parts = ("problem", "factor", "noise", "thresholds", "prices")

    def __post_init__(self) -> None:
        question, noise, thresholds = ChainQuestion.of(self.problem), self.noise, tuple(self.thresholds)
        self._need_factors()
        always = _need_places(question, noise, thresholds)
        walked = is_walked(question, noise, self.problem.privacies)
        _need_tails(self.prices, walked=walked)
        if question.unit.bit_length() > MOST_BITS:
            message = (
                f"losses must be whole numbers over a unit of at most {MOST_BITS:,} bits; got "
                f"{question.unit.bit_length():,}. Take losses and weights of fewer digits."
            )
            raise VerificationError(message)
        inner, outer = pairs_around(self.factor, self.problem.privacies)
        law = self.problem.privacy.curve
        bits = line_bits(outer) if law is None else LINE_BITS
        steps = [] if walked else limited_steps(question, noise, thresholds, bits)
        curve = None if law is None else curve_beside(law, noise, inner[0][1])
        deltas = [noise.delta_spent(factor) for factor, _ in inner]
        private = all(spent_delta <= delta for spent_delta, (_, delta) in zip(deltas, inner, strict=True))
        if not private or not (curve is None or curve.keeps(noise)):
            message = f"one shift of the noise must keep the privacy of {self.problem}; it does not."
            raise VerificationError(message)
        if question.keeps_zero and thresholds[0] < (always if noise.tail else noise.last):
            message = "where 0 stays 0 the first response must be certain at the first truth; it is not."
            raise VerificationError(message)
        if walked:
            objective, bound = self._of_tails(question, outer[0][0])
        else:
            objective = upper_objective(question, noise, steps)
            lines = lines_of_pairs(outer) if curve is None else curve.lines(noise)
            bound = lower_bound(question, noise, lines, steps)
        if bound > objective:
            message = "the bound must not exceed the objective; one of them is not of this problem."
            raise VerificationError(message)
        for name, value in (
            ("question", question),
            ("thresholds", thresholds),
            ("objective", objective),
            ("bound", bound),
            ("delta", deltas[0]),
        ):
            object.__setattr__(self, name, value)

    def _need_factors(self) -> None:
        if len(self.factor.each) != len(self.problem.privacies):
            message = f"each privacy must have its factor; got {len(self.factor.each)}."
            raise VerificationError(message)
        for privacy, factor in zip(self.problem.privacies, self.factor.each, strict=True):
            if not factor.holds(privacy.epsilon) or factor.lower < 1:
                message = f"the factor must enclose e^epsilon of {privacy}; it does not."
                raise VerificationError(message)

    def _of_tails(self, question: ChainQuestion, upper: Fraction) -> tuple[Fraction, Fraction]:
        """Return objective and bound of noise that is all tails."""
        extras = () if self.prices is None else self.prices.extras
        walk = TailWalk(question, self.noise, self.thresholds, upper, extras=extras)
        objective = walk.objective()
        bound = walk.bound() if self.prices is None else walk.price_bound(self.prices)
        return objective, max(bound, Fraction(0))

    @property
    def deltas(self) -> tuple[Fraction, ...]:
        """The delta that one shift of the noise spends of each privacy, exact."""
        return tuple(self.noise.delta_spent(factor.lower) for factor in self.factor.each)

    @property
    def has_matrix(self) -> bool:
        """Whether its matrix can be written out: it is small, and no entry in a tail of the noise."""
        noise, number = self.noise, self.question.num_truths
        never, always = noise.ends(number)
        inside = [place for place in self.thresholds if never < place < always]
        is_listed = not noise.tail or not inside
        is_listed = is_listed or (
            inside[-1] <= noise.last and inside[0] - noise.period * (number - 1) >= noise.first
        )
        return is_listed and not (noise.is_all_tails or self.problem.query.is_large)

    @property
    def released(self) -> Integers:
        """The positions of the responses that can be released, in order."""
        never, always = self.noise.ends(self.question.num_truths)
        ends = np.array([never, *self.thresholds, always])
        released: Integers = np.flatnonzero(np.diff(ends))
        return released

    @property
    def largest_cost(self) -> Fraction:
        """All that responses can add to the objective, one after the other."""
        return Fraction(self.question.variation, self.question.unit)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - the matrix, or the rules
        if name not in ("matrix", "rules"):
            raise AttributeError(name)
        if not self.has_matrix:
            raise self.without_matrix()
        value = compile_rules(self.problem) if name == "rules" else self._matrix()
        object.__setattr__(self, name, value)
        return value

    def _matrix(self) -> ExactMatrix:
        numerators = self.noise.matrix(self.thresholds, self.question.num_truths)
        return ExactMatrix(numerators=numerators, denominator=self.noise.one)


def _need_places(question: ChainQuestion, noise: Noise, thresholds: tuple[int, ...]) -> int:
    """Return the place that everything is below; refuse thresholds that are not in order up to it."""
    never, always = noise.ends(question.num_truths)
    right = len(thresholds) == question.num_steps
    right = right and never <= thresholds[0] and thresholds[-1] <= always
    if not right or any(after < before for before, after in pairwise(thresholds)):
        message = (
            f"there must be {question.num_steps} thresholds from {never} to {always}, never decreasing; "
            "there are not."
        )
        raise VerificationError(message)
    return always


def _need_tails(prices: TruthPrices | None, *, walked: bool) -> None:
    if prices is not None and not walked:
        message = "prices must be of noise that is all tails, under one pure privacy; this is another one."
        raise VerificationError(message)
