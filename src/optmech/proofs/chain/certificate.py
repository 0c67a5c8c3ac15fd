"""Noise and thresholds with the proofs of privacy and optimality: a mechanism without a matrix.

Distribution
------------
    release response j with the least j for which period * f + Z <= threshold_j,   f the position of the truth

with Z the noise, and the last response where no threshold is that high. `objective` and `bound` are about
this distribution, in rationals.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import NotAcceptedError, ProblemError, VerificationError
from optmech.proofs.certificate import Certificate, relative_gap
from optmech.proofs.chain.bound import lower_bound
from optmech.proofs.chain.curve import LINE_BITS, line_bits, lines_of_pairs, pairs_around
from optmech.proofs.chain.noise_curve import curve_beside
from optmech.proofs.chain.steps import limited_steps, need_short_numbers, upper_objective
from optmech.proofs.chain.tail_walk import TailWalk
from optmech.proofs.file_limits import MOST_BITS, factor_beyond
from optmech.proofs.matrix import ExactMatrix
from optmech.question.chain_question import ChainQuestion, no_chain_question
from optmech.question.losses import ExpectedLoss
from optmech.rules import compile_rules

if TYPE_CHECKING:
    from optmech.base.arrays import Integers
    from optmech.proofs.chain.noise import Noise
    from optmech.proofs.chain.price_bound import TruthPrices
    from optmech.question.problem import Problem
    from optmech.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class NoiseCertificate(Certificate):
    """A distribution in place of a matrix, with the proof of its claims.

    It is proved when it is made, from parts that need not be trusted.

    Attributes
    ----------
    factor : Enclosure
        Rationals around ``e^epsilon`` of each privacy.
    noise : Noise
        The noise that is added; one shift of it keeps every privacy of the question, proved.
    thresholds : tuple of int
        For each response but the last the highest point at which it, or one before it, is released; they
        never decrease.
    prices : TruthPrices or None
        For noise that consists of tails, the proof of the bound instead of the thresholds.
    matrix : ExactMatrix
        Computed when somebody asks for it.
    question : ChainQuestion
        The problem in whole numbers.
    delta : Fraction
        The exact delta of the noise at the first epsilon; the mechanism has at most that.
    objective : Fraction
        The expected loss of this mechanism is at most this, proved.
    bound : Fraction
        No private mechanism loses less, proved.

    Raises
    ------
    NotAcceptedError
        If the theorem of chains does not apply to the problem, or its matrix is too large.
    VerificationError
        If a part is not a proof.
    """

    noise: Noise
    thresholds: tuple[int, ...]
    prices: TruthPrices | None = None
    bound: Fraction = field(init=False)
    question: ChainQuestion = field(init=False)
    # Computed on first use.
    _matrix: ExactMatrix | None = field(default=None, init=False)
    _rules: Rules | None = field(default=None, init=False)

    law = "Integer noise is drawn and compared with a table of thresholds: exactly the distribution."

    def __post_init__(self) -> None:
        question, noise, thresholds = ChainQuestion.of(self.problem), self.noise, tuple(self.thresholds)
        self._need_factors()
        always = _need_order(question, noise, thresholds)
        walked = noise.is_all_tails and question.has_one_decay
        _need_tails(self.prices, walked=walked)
        if question.unit.bit_length() > MOST_BITS:
            message = (
                f"losses must be whole numbers over a unit of at most {MOST_BITS:,} bits; got "
                f"{question.unit.bit_length():,}. Take losses and weights of fewer digits."
            )
            raise VerificationError(message)
        need_short_numbers(noise, (factor.lower for factor in self.factor.each))
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
            refusal = factor_beyond(privacy.epsilon, factor)
            if refusal is not None:
                message = f"{refusal}. It cannot be certified."
                raise ProblemError(message)
            if not factor.holds(privacy.epsilon):
                message = f"the factor must enclose e^epsilon of {privacy}; it does not."
                raise VerificationError(message)

    def _of_tails(self, question: ChainQuestion, upper: Fraction) -> tuple[Fraction, Fraction]:
        """Return objective and bound of noise that consists of tails."""
        extras = () if self.prices is None else self.prices.extras
        walk = TailWalk(question, self.noise, self.thresholds, upper, extras=extras)
        objective = walk.objective()
        bound = walk.bound() if self.prices is None else walk.price_bound(self.prices)
        return objective, max(bound, Fraction(0))

    def is_about(self, problem: Problem) -> bool:
        """Whether it answers the same question, compared without lists of answers."""
        own = self.problem
        if own is problem:
            return True
        same = (own.query.title, own.privacies, own.properties) == (
            problem.query.title,
            problem.privacies,
            problem.properties,
        )
        return same and no_chain_question(problem) is None and self.question == ChainQuestion.of(problem)

    @property
    def deltas(self) -> tuple[Fraction, ...]:
        """The delta that one shift of the noise spends of each privacy, exact."""
        return tuple(self.noise.delta_spent(factor.lower) for factor in self.factor.each)

    @property
    def delta_of_sets(self) -> Fraction:
        """Delta over all sets of responses, both ways between neighbours: that of the noise."""
        return self.delta

    @property
    def how(self) -> str:
        """The proof of the bound, described in a sentence."""
        return (
            "Lines of the privacy curve, along which weights move to one true answer for each threshold, "
            "prove the bound for every private mechanism of the question."
        )

    @property
    def expected_loss(self) -> ExpectedLoss:
        """The objective of the problem."""
        objective = self.problem.objective
        assert isinstance(objective, ExpectedLoss)  # noqa: S101 - theirs is no other
        return objective

    @property
    def gap(self) -> Fraction:
        """Largest distance of the objective from the optimum."""
        return self.objective - self.bound

    @property
    def relative_gap(self) -> float:
        """The gap as a share of the objective, as a double; infinite where only that is zero."""
        return relative_gap(self.objective, self.bound)

    @property
    def released(self) -> Integers:
        """The positions of the responses that can be released, in order."""
        never, always = self.noise.ends(self.question.num_truths)
        ends = np.array([never, *self.thresholds, always])
        released: Integers = np.flatnonzero(np.diff(ends))
        return released

    @property
    def largest_cost(self) -> Fraction:
        """The sum of all changes of the objective between adjacent responses."""
        return Fraction(self.question.variation, self.question.unit)

    @property
    def exact(self) -> ExactMatrix | None:
        """The matrix in integers where it is small and has no entry in a tail of the noise."""
        if self._matrix is None and self._is_listed:
            numerators = self.noise.matrix(self.thresholds, self.question.num_truths)
            object.__setattr__(
                self, "_matrix", ExactMatrix(numerators=numerators, denominator=self.noise.one)
            )
        return self._matrix

    @property
    def matrix(self) -> ExactMatrix:
        """The mechanism in integers, entry by entry, computed on first use."""
        return self._need_matrix()

    @property
    def rules(self) -> Rules:
        """The question compiled to the rules of its matrix."""
        self._need_matrix()
        if self._rules is None:
            object.__setattr__(self, "_rules", compile_rules(self.problem))
        assert self._rules is not None  # noqa: S101 - made just now
        return self._rules

    def _need_matrix(self) -> ExactMatrix:
        if self.exact is not None:
            return self.exact
        message = (
            f"`certificate` must hold a matrix; that of {self.problem.query.title} is a distribution "
            "without one. Draw from its mechanism, or under pure epsilon and up to 2,000 answers design "
            "the matrix, by `engine='closed-form'`."
        )
        raise NotAcceptedError(message)

    @property
    def _is_listed(self) -> bool:
        noise, number = self.noise, self.question.num_truths
        if noise.is_all_tails or self.problem.query.is_large:
            return False
        never, always = noise.ends(number)
        inside = [point for point in self.thresholds if never < point < always]
        return (
            not noise.tail
            or not inside
            or (inside[-1] <= noise.last and inside[0] - noise.period * (number - 1) >= noise.first)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the parts; they are proved again when they are loaded."""
        names = ("problem", "factor", "noise", "thresholds", "prices")
        return partial(type(self), **{name: getattr(self, name) for name in names}), ()


def _need_order(question: ChainQuestion, noise: Noise, thresholds: tuple[int, ...]) -> int:
    """Return the point above all thresholds; refuse thresholds that are not in order up to it."""
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
