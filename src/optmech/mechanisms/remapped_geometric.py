"""Geometric noise, clamped, then remapped: the mechanism of a `GeometricCertificate`, read and drawn from.

Distribution
------------
    P(Z = z) = (1 - a) / (1 + a) a^|z|,   s(k) = P(Z >= k)
    s(k) = a^k / (1 + a) for k >= 0,   1 - a^(1-k) / (1 + a) for k <= 0
    P(f + Z, clamped to 0..n, is in i..j-1) = s(i - f) - s(j - f),   where s is 1 at i = 0 and 0 at j = n + 1

so that the draw j has probability ``w_j a^|j-f|``: the truncated geometric mechanism. The draws with one
answer stand in a row i..j-1, as the remap never decreases.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import an_instance, brief, flag, function, takes
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.mechanisms.geometric_noise import GeometricNoise
from optmech.mechanisms.mechanism import Mechanism
from optmech.mechanisms.release import checked_size
from optmech.mechanisms.sampling.words import seeded_bytes
from optmech.proofs.geometric_certificate import GeometricCertificate
from optmech.proofs.geometric_sums import losses_of_draws, objective_of
from optmech.question.path_question import PathQuestion
from optmech.question.problems.question import question
from optmech.question.query import Query

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from optmech.mechanisms.sampling.words import RandomBytes, Seed
    from optmech.proofs.certificate import Certificate

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = ["RemappedGeometric", "mechanism_of"]

_MOST_ENTRIES = 100_000_000


def mechanism_of(certificate: Certificate) -> Mechanism:
    """Return the mechanism of a certificate: its matrix, or its distribution."""
    if isinstance(certificate, GeometricCertificate):
        return RemappedGeometric(certificate=certificate)
    return Mechanism.certified(certificate)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RemappedGeometric(Mechanism):
    """A mechanism on whole numbers in a row that is held as a distribution, not as a matrix.

    It is read like any `Mechanism`. Its `matrix` is computed whenever somebody asks for it, in doubles, and
    refused where it would have more than a hundred million entries.

    Attributes
    ----------
    certificate : GeometricCertificate
        Its decay and remap are the distribution.

    Raises
    ------
    NotAcceptedError
        If the matrix is asked for, and is too large.
    """

    certificate: GeometricCertificate
    matrix: Floats = field(init=False)
    responses: tuple[Fraction, ...] = field(init=False)
    truths: tuple[Fraction, ...] = field(init=False)
    _starts: Integers = field(init=False)
    _noise: GeometricNoise = field(init=False)

    def __post_init__(self) -> None:
        """Take the distribution from its certificate, which has checked it."""
        remap, query = self.certificate.remap, self.certificate.problem.query
        for name, value in (
            ("responses", query.truths),
            ("truths", query.truths),
            ("_starts", remap.searchsorted(np.arange(len(remap) + 1))),
            ("_noise", GeometricNoise(self.certificate.decay, len(remap) - 1)),
        ):
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """Take apart what its certificate makes again."""
        return mechanism_of, (self.certificate,)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - the matrix alone
        """Compute the matrix."""
        if name != "matrix":
            raise AttributeError(name)
        if len(self.truths) ** 2 > _MOST_ENTRIES:
            message = (
                f"`matrix` must have at most {_MOST_ENTRIES:,} entries; got {len(self.truths):,} truths. "
                "Take `column`, `row` or `probability`."
            )
            raise NotAcceptedError(message)
        return np.column_stack([self.column(int(truth)) for truth in self.truths])

    def _line(self) -> str:
        return f"a distribution for {self.certificate._line()}"  # noqa: SLF001 - its certificate's words

    @property
    def _first(self) -> int:
        return int(self.truths[0])

    def probability(self, response: int, truth: int) -> Fraction:
        """Return the probability of a response at a truth, exactly.

        The rational has `certificate.decay.bits` bits for each step between them: beyond some thousand steps,
        which takes a second, `column` has the double.

        Raises
        ------
        ProblemError
            If one of them is not among the truths.
        """
        place, truth = self._place(response, "response"), self._place(truth, "truth")
        decay = self.certificate.decay.value

        def at_least(draw: int) -> Fraction:
            if not 0 < draw < len(self.truths):
                return Fraction(draw == 0)
            distance = draw - truth
            tail = decay ** (distance if distance > 0 else 1 - distance) / (1 + decay)
            return tail if distance > 0 else 1 - tail

        start, stop = self._starts[place : place + 2].tolist()
        return at_least(start) - at_least(stop)

    def column(self, truth: int) -> Floats:
        """Return the probability of each response at a truth as doubles, shape (num_truths,)."""
        place = self._place(truth, "truth")
        return self._probabilities(self._starts[:-1], self._starts[1:], np.array(place))

    def row(self, response: int) -> Floats:
        """Return the probability of a response at each truth as doubles, shape (num_truths,)."""
        place = self._place(response, "response")
        start, stop = self._starts[place : place + 2]
        return self._probabilities(start, stop, np.arange(len(self.truths)))

    def expected_loss(self, loss: str | ArrayLike, prior: str | ArrayLike | None = "uniform") -> float:
        """Return the average loss for a user with the given prior, in time linear in the number of truths.

        Parameters
        ----------
        loss, prior
            As in `Mechanism.expected_loss`; a loss of the distance alone that nowhere decreases.

        Raises
        ------
        NotAcceptedError
            If it is another loss.

        Examples
        --------
        >>> import optmech as om
        >>> made = om.design(om.croft(om.count(100_000), "0.5", prior="uniform")).mechanism
        >>> round(made.expected_loss("absolute"), 6), round(made.expected_loss("squared"), 6)
        (1.918979, 7.834981)
        """
        problem = self.certificate.problem
        asked = PathQuestion.of(question(problem.query, problem.privacy.epsilon, loss=loss, prior=prior))
        losses = losses_of_draws(asked, self.certificate.decay, self.certificate.remap.tolist())
        return float(objective_of(asked, self.certificate.decay, losses))

    def effective_epsilon(self, query: Query) -> float:
        """Return the epsilon of pure privacy between truths one apart: that of the noise, in doubles.

        That of what is released is the same where two answers in a row are not remapped, and never more.
        """
        self._check(query)
        return -math.log(self.certificate.decay.value)

    @takes(constant_time=flag)
    def sample(
        self,
        truths: ArrayLike,
        size: int | tuple[int, ...] | None = None,
        *,
        constant_time: bool = False,
        seed: Seed | None = None,
    ) -> Any:  # noqa: ANN401 - a number for a number, else an array
        """Draw a response for each true answer, from the distribution itself.

        Parameters
        ----------
        truths : int or array of int, any shape
            Among the truths. The randomness is the operating system's, the arithmetic whole numbers. How
            long a draw takes may depend on what is drawn.
        size, seed
            As in `Mechanism.sample`. With a seed draws are **not private**, and a warning says so.
        constant_time : bool, optional
            Refused.

        Returns
        -------
        int or ndarray of int64, shape ``size + truths.shape``

        Raises
        ------
        NotAcceptedError
            If constant time is asked for.
        ProblemError
            If a truth is none of the whole numbers of this mechanism.

        Examples
        --------
        >>> import optmech as om
        >>> drawn = om.design(om.croft(om.count(100_000), 1)).mechanism.sample([0, 50_000, 100_000])
        >>> bool(abs(drawn - [0, 50_000, 100_000]).max() < 1000)
        True
        """
        if constant_time:
            message = "`constant_time` must be left out: a distribution has no matrix to read in full."
            raise NotAcceptedError(message)
        try:
            counts = np.asarray(truths)
        except ValueError:
            message = f"`truths` must be whole numbers in equal rows; got {brief(truths)}."
            raise ProblemError(message) from None
        if counts.size and counts.dtype.kind not in "iu":
            message = f"`truths` must be whole numbers; got {counts.dtype}. Round them first."
            raise ProblemError(message)
        first, last = self._first, int(self.truths[-1])
        for worst in (counts.min(), counts.max()) if counts.size else ():
            if not first <= worst <= last:
                message = f"`truths` must be in {first}..{last}; got {worst}. Clamp them first."
                raise ProblemError(message)
        places = counts.astype(np.int64) - first
        if size is not None:
            places = np.broadcast_to(places, checked_size(size) + places.shape)
        drawn = self.draw(places, os.urandom if seed is None else seeded_bytes(seed)) + first
        return drawn.item() if drawn.ndim == 0 else drawn

    def draw(self, places: Integers, random_bytes: RandomBytes) -> Integers:
        """Draw the position of a response for each position of a truth, from bytes as `os.urandom` gives."""
        function(random_bytes, "random_bytes")
        places = np.asarray(places)
        if places.dtype.kind not in "iu":
            message = f"`places` must be whole numbers; got {brief(places)}."
            raise ProblemError(message)
        noise = self._noise.draw(places.size, random_bytes).reshape(places.shape)
        drawn: Integers = self.certificate.remap[np.clip(places + noise, 0, len(self.truths) - 1)]
        return drawn

    def _probabilities(self, starts: Integers, stops: Integers, places: Integers) -> Floats:
        """Return the probability of a draw in start..stop-1 as doubles, for arrays that broadcast.

        On one side of the truth it is ``a^near (1 - a^length) / (1 + a)``, without a difference of numbers
        near one; around the truth it is one less both tails.
        """
        decay = self.certificate.decay.value
        logarithm = float(np.log1p(float(decay - 1))) if 2 * decay > 1 else float(np.log(float(decay)))
        first, last = starts == 0, stops >= len(self.truths)

        def power(exponents: Integers) -> Floats:
            raised: Floats = np.exp(logarithm * np.maximum(exponents, 0))
            return raised

        shorter = -np.expm1(logarithm * (stops - starts))
        above = power(starts - places) * np.where(last, 1.0, shorter)
        below = power(places - stops + 1) * np.where(first, 1.0, shorter)
        tails = np.where(last, 0.0, power(stops - places)) + np.where(first, 0.0, power(places - starts + 1))
        around = float(1 + decay) - tails
        inside: Floats = np.where(starts > places, above, np.where(stops <= places, below, around))
        return np.where(stops > starts, inside / float(1 + decay), 0.0)

    def _place(self, value: Any, name: str) -> int:  # noqa: ANN401 - whatever was given
        first, last = self._first, int(self.truths[-1])
        if (
            not isinstance(value, (int, np.integer, Fraction))
            or value.denominator > 1
            or not first <= value <= last
        ):
            message = f"`{name}` must be a whole number in {first}..{last}; got {value!r}."
            raise ProblemError(message)
        return int(value) - first

    def _check(self, query: Query) -> Query:
        an_instance(Query)(query, "query")
        if query.path() != self.truths:
            message = (
                f"`query` must have the truths of {self.certificate.problem.query.title}; got {query.title}."
            )
            raise ProblemError(message)
        return query
