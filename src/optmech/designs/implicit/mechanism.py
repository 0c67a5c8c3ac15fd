"""The optimal mechanism of a count 0..n without its matrix: geometric noise, clamped, then a remap.

Law
---
    release rho(min(max(f + Z, 0), n)),   P(Z = z) = (1 - a) / (1 + a) a^|z|

with a a rational and rho a list of n + 1 answers that never decreases. This law, in rationals, is what
`sample` draws from, what `entry` gives and `column` and `row` round, and what `objective` and `bound` are
about.

Privacy: the clamped noise is j with probability ``w_j a^|j-f|``, so that from one truth to the next the
probability of each draw changes by the factor a or 1/a, and ``1/a <= e^epsilon``, proved. What is released
is a function of the draw: its probabilities are sums of theirs.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import brief, function
from optmech.base.errors import ProblemError, VerificationError
from optmech.base.rendering import Renderable
from optmech.designs.implicit.law import probabilities, probability
from optmech.designs.implicit.noise import GeometricNoise
from optmech.designs.implicit.proof import proved_bound
from optmech.designs.implicit.sums import losses_of_draws, objective_of
from optmech.mechanisms.sampling.words import seeded_bytes
from optmech.question.caution import caution_at

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from optmech.designs.implicit.decay import Decay
    from optmech.designs.implicit.proof import Prices
    from optmech.designs.implicit.question import ImplicitCount
    from optmech.mechanisms.sampling.words import RandomBytes, Seed

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = ["ImplicitMechanism"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ImplicitMechanism(Renderable):
    """A mechanism of a count 0..n with the proof of what is claimed of it; made by `implicit_count`.

    It proves itself as it is made, from parts that need not be trusted.

    Attributes
    ----------
    question : ImplicitCount
        What is asked.
    decay : Decay
        The a of the law; ``1/a <= e^epsilon``, proved.
    floor : Decay
        A rational of at most ``e^-epsilon``, proved, at which the bound holds.
    remap : ndarray of int64, shape (n + 1,)
        The answer to each draw; it never decreases.
    prices : Prices
        What proves the bound; `optmech.designs.implicit.proof` has the law.
    smoothing : int or None
        Where weights differ too much for fixed point, prices are proved for weights that are all larger, as
        `ImplicitCount.smoothed` says; what this can add to any objective is taken off the bound.
    objective : Fraction
        The expected loss of this mechanism under the prior, or its sum over truths, is at most this, proved.
    bound : Fraction
        No private mechanism loses less, proved; this one neither.

    Raises
    ------
    VerificationError
        If a part does not prove what it should.
    """

    question: ImplicitCount
    decay: Decay
    floor: Decay
    remap: Integers
    prices: Prices
    smoothing: int | None = None
    objective: Fraction = field(init=False)
    bound: Fraction = field(init=False)
    _starts: Integers = field(init=False, repr=False)
    _noise: GeometricNoise = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Prove everything, or fail."""
        question, largest = self.question, self.question.largest
        if not self.decay.proves_privacy(question.epsilon):
            message = f"the decay must be at least e^-epsilon of {question}; it is not. It is not private."
            raise VerificationError(message)
        if not self.floor.proves_a_bound(question.epsilon):
            message = f"the floor must be at most e^-epsilon of {question}; it is not. No bound follows."
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
        losses = losses_of_draws(question, self.decay, answers)
        starts = remap.searchsorted(np.arange(largest + 2))
        priced, excess = question, Fraction(0)
        if self.smoothing is not None:
            priced = question.smoothed(self.smoothing)
            excess = Fraction((largest + 1) * question.loss_at(largest), priced.unit)
        bound = proved_bound(priced, self.floor, answers, self.prices) - excess
        for name, value in (
            ("remap", remap),
            ("objective", objective_of(question, self.decay, losses)),
            ("bound", max(Fraction(0), bound)),
            ("_starts", starts),
            ("_noise", GeometricNoise(self.decay, largest)),
        ):
            object.__setattr__(self, name, value)

    @property
    def caution(self) -> str | None:
        """In words what epsilon allows where that is much, ``None`` where it is not."""
        return caution_at(self.question.epsilon, 0)

    @property
    def relative_gap(self) -> float:
        """How far the objective may be from the least one, as a share of it."""
        gap = self.objective - self.bound
        if self.objective == 0:
            return 0.0 if gap == 0 else inf
        return float(gap / self.objective)

    def entry(self, response: int, truth: int) -> Fraction:
        """Return the probability of a response at a truth, exactly.

        The rational has `decay.bits` bits for each step between them: beyond some thousand steps, which takes
        a second, `column` has the double.

        Raises
        ------
        ProblemError
            If one of them is not in 0..n.
        """
        response, truth = self._place(response, "response"), self._place(truth, "truth")
        start, stop = self._starts[response : response + 2].tolist()
        return probability(self.decay.value, self.question.largest, start, stop, truth)

    def column(self, truth: int) -> Floats:
        """Return the probability of each response at a truth as doubles, shape (n + 1,)."""
        truth = self._place(truth, "truth")
        largest, starts = self.question.largest, self._starts
        return probabilities(self.decay.value, largest, starts[:-1], starts[1:], np.array(truth))

    def row(self, response: int) -> Floats:
        """Return the probability of a response at each truth as doubles, shape (n + 1,)."""
        response = self._place(response, "response")
        largest, (start, stop) = self.question.largest, self._starts[response : response + 2]
        return probabilities(self.decay.value, largest, start, stop, np.arange(largest + 1))

    def expected_loss(self, truth: int) -> float:
        """Return the average loss where `truth` is true, in floating point."""
        question = self.question
        column = self.column(truth)
        distances = np.abs(np.arange(question.largest + 1) - truth)
        if question.loss == "absolute":
            losses = distances.astype(float)
        elif question.loss == "squared":
            losses = distances.astype(float) ** 2
        else:
            listed = [0, 1] if question.loss == "zero-one" else list(map(float, question.loss))
            losses = np.array(listed, dtype=float)[np.minimum(distances, len(listed) - 1)]
        return float(column @ losses)

    def sample(self, truths: ArrayLike, *, seed: Seed | None = None) -> Any:  # noqa: ANN401 - as `truths`
        """Draw a response for each true count, from the law itself.

        Parameters
        ----------
        truths : int or array of int, any shape
            In 0..n. The randomness is the operating system's, the arithmetic whole numbers. How long a draw
            takes may depend on what is drawn.
        seed : int or numpy.random.Generator, optional
            Makes draws that can be repeated. They are **not private**, and a warning says so.

        Returns
        -------
        int or ndarray of int64
            Responses, of the same shape.

        Raises
        ------
        ProblemError
            If a truth is no whole number in 0..n.

        Examples
        --------
        >>> from optmech.designs.implicit import implicit_count
        >>> drawn = implicit_count(100_000, "1").sample([0, 50_000, 100_000])
        >>> bool(abs(drawn - [0, 50_000, 100_000]).max() < 1000)
        True
        """
        try:
            counts = np.asarray(truths)
        except ValueError:
            message = f"`truths` must be whole numbers in equal rows; got {brief(truths)}."
            raise ProblemError(message) from None
        largest = self.question.largest
        if counts.size and counts.dtype.kind not in "iu":
            message = f"`truths` must be whole numbers; got {counts.dtype}. Round them first."
            raise ProblemError(message)
        for worst in (counts.min(), counts.max()) if counts.size else ():
            if not 0 <= worst <= largest:
                message = f"`truths` must be in 0..{largest}; got {worst}. Clamp them first."
                raise ProblemError(message)
        drawn = self.draw(counts.astype(np.int64), os.urandom if seed is None else seeded_bytes(seed))
        return drawn.item() if drawn.ndim == 0 else drawn

    def draw(self, counts: Integers, random_bytes: RandomBytes) -> Integers:
        """Draw a response for each of `counts`, all in 0..n, from bytes as `os.urandom` gives them."""
        function(random_bytes, "random_bytes")
        counts = np.asarray(counts)
        if counts.dtype.kind not in "iu":
            message = f"`counts` must be whole numbers; got {brief(counts)}."
            raise ProblemError(message)
        noise = self._noise.draw(counts.size, random_bytes).reshape(counts.shape)
        drawn: Integers = self.remap[np.clip(counts + noise, 0, self.question.largest)]
        return drawn

    def __str__(self) -> str:
        return f"implicit mechanism of a {self.question}"

    def _line(self) -> str:
        numbers = f"objective {float(self.objective):.10g}, lower bound {float(self.bound):.10g} [proved]"
        return f"{self.question}; {numbers}"

    def _place(self, value: int, name: str) -> int:
        if not isinstance(value, (int, np.integer)) or not 0 <= value <= self.question.largest:
            message = f"`{name}` must be a whole number in 0..{self.question.largest}; got {value!r}."
            raise ProblemError(message)
        return int(value)
