"""A mechanism of noise and thresholds on consecutive integers, without a matrix in memory.

Distribution
------------
    at truth f the noise Z goes to the point  period f + Z
    response j is released where  limits[j] < period f + Z <= limits[j + 1]

Limits of `FAR` and minus `FAR` are infinite: the noise stays between them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import an_instance, brief, function
from optmech.base.errors import NotAcceptedError, broken_rule
from optmech.mechanisms import noise_errors
from optmech.mechanisms.mechanism import ColumnsOfPairs, Mechanism
from optmech.mechanisms.noise_columns import different_columns
from optmech.mechanisms.noise_draws import NoiseDraws
from optmech.mechanisms.noise_matrix import nearest_matrix
from optmech.mechanisms.noise_shares import FAR, NoiseShares
from optmech.mechanisms.release import checked_size
from optmech.mechanisms.sampling.words import seeded_bytes
from optmech.proofs.chain.steps import steps_of, upper_objective
from optmech.proofs.chain.tail_walk import TailWalk
from optmech.proofs.enclosure import enclose_exponential
from optmech.question.chain_question import ChainQuestion, no_chain_question
from optmech.question.grid import LARGEST_MATRIX
from optmech.question.privacy.loss import Worst, log_ratio
from optmech.question.problems.question import question
from optmech.question.query import Query

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike

    from optmech.base.arrays import Floats, Integers
    from optmech.base.logarithm import Logarithm
    from optmech.mechanisms.noise_columns import Columns
    from optmech.mechanisms.sampling.words import RandomBytes, Seed
    from optmech.proofs.certificate import Certificate
    from optmech.proofs.chain.certificate import NoiseCertificate
    from optmech.question.loss import LossName

_MOST_ENTRIES, _FACTOR_BITS = 100_000_000, 64


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class NoiseMechanism(Mechanism):
    """Noise on consecutive integers, then thresholds that never decrease.

    It has no matrix in memory. Its `matrix` is computed on demand in doubles, and refused above a hundred
    million entries.

    Attributes
    ----------
    certificate : NoiseCertificate
        The proof, with the noise and thresholds of the distribution.
    limits : ndarray, shape (num_responses + 1,)
        The lattice points of the noise between which each response is released.
    period : int
        Number of lattice points from one truth to the next.

    Raises
    ------
    NotAcceptedError
        If the matrix is read and is too large.
    """

    certificate: NoiseCertificate = field()
    responses: tuple[Fraction, ...] = field(init=False)
    truths: tuple[Fraction, ...] = field(init=False)
    labels: tuple[str, ...] = field(default=(), init=False)
    exact: None = field(default=None, init=False)
    limits: Integers = field(init=False)
    period: int = field(init=False)
    _shares: NoiseShares = field(init=False)
    _draws: NoiseDraws = field(init=False)

    def __post_init__(self) -> None:
        query, noise = self.certificate.problem.query, self.certificate.noise
        if not query.is_run:
            message = (
                "a distribution must be of whole numbers in a row that are released as they are; got "
                f"{query.title}. {query.if_too_large}"
            )
            raise NotAcceptedError(message)
        never, always = noise.ends(len(query.truths))
        thresholds = np.array([never, *self.certificate.thresholds, always], dtype=np.int64)
        limits = np.where(thresholds <= never, -FAR, np.where(thresholds >= always, FAR, thresholds))
        values = {"responses": query.truths, "truths": query.truths, "limits": limits, "period": noise.period}
        parts = {"_shares": NoiseShares(noise), "_draws": NoiseDraws(noise, len(query.truths))}
        for name, value in (values | parts).items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the certificate, from which all else is made."""
        return partial(type(self), certificate=self.certificate), ()

    @property
    def matrix(self) -> Floats:
        """The probabilities in doubles, the nearest where it is small, shape (num_responses, num_truths)."""
        number = len(self.truths)
        if number**2 <= LARGEST_MATRIX:
            return nearest_matrix(self.certificate.noise, self.limits, number)
        if number**2 > _MOST_ENTRIES:
            message = (
                f"`matrix` must have at most {_MOST_ENTRIES:,} entries; got {number:,} truths. "
                "Take `column`, `row` or `probability`."
            )
            raise NotAcceptedError(message)
        return np.column_stack([self.column(int(truth)) for truth in self.truths])

    def _line(self) -> str:
        return f"a distribution for {self.certificate._line()}"  # noqa: SLF001 - its certificate's words

    def is_proved_by(self, certificate: Certificate) -> bool:
        """Whether a certificate is the one of this mechanism."""
        return certificate is self.certificate

    def provenance_line(self, certificate: Certificate, file: str) -> str:  # noqa: ARG002 - the protocol's
        """Return the line of a matrix file: the matrix holds doubles, for reading."""
        return f"the distribution that {file} certifies, in doubles: below 5e-324 they are 0, and it is not"

    @property
    def first_drawn(self) -> int:
        """The number that positions of draws are counted from; NotAcceptedError beyond 64 bits."""
        if max(abs(self.truths[0]), abs(self.truths[-1])) >= 1 << 63:
            title = self.certificate.problem.query.title
            message = f"what is drawn must be whole numbers of 64 bits; got {title}. Shift them."
            raise NotAcceptedError(message)
        return self._first

    @property
    def _first(self) -> int:
        return int(self.truths[0])

    def column(self, truth: int) -> Floats:
        """Return the probability of each response at a truth as doubles, shape (num_responses,)."""
        shift = self.period * np.array(self._index_of(truth, "truth"))
        return self._shares.between(self.limits[:-1] - shift, self.limits[1:] - shift)

    def row(self, response: int) -> Floats:
        """Return the probability of a response at each truth as doubles, shape (num_truths,)."""
        low, high = self.limits[self._index_of(response, "response") :][:2]
        shifts = self.period * np.arange(len(self.truths))
        return self._shares.between(low - shifts, high - shifts)

    def tails(self, responses: Integers, truths: Integers) -> tuple[Floats, Floats]:
        """Return the probabilities of releasing at most a response, and more than it, as doubles.

        Each is computed directly, so a small one keeps its digits. Positions of responses, -1 for before the
        first, and of truths broadcast.
        """
        return self._shares.sides(self.limits[responses + 1] - self.period * truths)

    def shift_delta(self, epsilon: Fraction | Logarithm) -> float:
        """Return the delta that the noise spends from one truth to the next; no neighbours spend more."""
        factor = enclose_exponential(epsilon, _FACTOR_BITS).lower
        return float(self.certificate.noise.delta_spent(factor))

    def neighbour_columns(self, query: Query, most: int) -> tuple[list[Columns], Integers]:
        """Return the different pairs of neighbouring columns, and the index of the pair at each truth.

        They are those of a truth and of the next one, in whole numbers over the sum of each; responses with
        the same likelihood ratio are merged. The second value has one index for each truth but the last. A
        query with other truths is refused with a ProblemError; more than `most` entries of all columns with a
        NotAcceptedError.
        """
        self._check(query)
        return different_columns(self.certificate.noise, self.limits, len(self.truths), most)

    @property
    def is_certified(self) -> bool:
        """Always true: the certificate proves the noise."""
        return True

    def columns_of_pairs(self, query: Query, most: int) -> ColumnsOfPairs:
        """Return the columns of neighbours, upward and then downward, without duplicates."""
        columns, indices = self.neighbour_columns(query, most)
        both = [*columns, *((after, truth) for truth, after in columns)]
        return ColumnsOfPairs(
            both,
            [
                int(indices[min(truth, neighbour)]) + (0 if truth < neighbour else len(columns))
                for truth, neighbour in query.pairs.tolist()
            ],
        )

    def weights(self, truth: int) -> list[int]:
        """Return the probability of each response at a truth in whole numbers, over their sum.

        For noise without tails they are the certified integers; masses in tails are rounded.
        """
        noise, shift = self.certificate.noise, self.period * self._index_of(truth, "truth")
        below = [
            noise.one * (limit > 0) if abs(limit) == FAR else noise.below(limit - shift)[0]
            for limit in self.limits.tolist()
        ]
        return [after - before for before, after in pairwise(below)]

    def probability(self, response: int, truth: int) -> Fraction:
        """Return the probability of a response at a truth, exactly.

        Each step between them adds the bits of one probability of the noise. Beyond some thousand steps,
        which take a second, `column` has the double.
        """
        index, shift = self._index_of(response, "response"), self.period * self._index_of(truth, "truth")
        below, until = (
            Fraction(limit > 0) if abs(limit) == FAR else self.certificate.noise.share(limit - shift)
            for limit in self.limits[index : index + 2].tolist()
        )
        return until - below

    def draw(self, positions: ArrayLike, random_bytes: RandomBytes) -> Integers:
        """Draw the position of a response for each position of a truth, from bytes such as `os.urandom`'s."""
        function(random_bytes, "random_bytes")
        positions = np.asarray(positions)
        if positions.dtype.kind not in "iu":
            raise broken_rule("positions", "be whole numbers", brief(positions))
        noise = self._draws.draw(positions.size, random_bytes).reshape(positions.shape)
        responses: Integers = self.limits[1:-1].searchsorted(positions * self.period + noise)
        return responses

    def position_sampler(self, random_bytes: RandomBytes) -> Callable[[ArrayLike], Integers]:
        """Return a function from positions of truths to drawn positions of responses."""
        return partial(self.draw, random_bytes=random_bytes)

    def _sample(
        self,
        truths: Any,  # noqa: ANN401 - a whole number, or an array of them
        size: int | tuple[int, ...] | None,
        *,
        constant_time: bool,
        seed: Seed | None,
    ) -> Any:  # noqa: ANN401 - a number for a number, else an array
        if constant_time:
            message = (
                "`constant_time` must be left out: a distribution has no matrix to read in full. "
                "Export it to C or Rust, which draw in constant time."
            )
            raise NotAcceptedError(message)
        first, last = self.first_drawn, int(self.truths[-1])
        try:
            counts = np.asarray(truths)
        except ValueError:
            raise broken_rule("truths", "be whole numbers in equal rows", brief(truths)) from None
        is_whole = counts.dtype.kind in "iu" or (
            counts.dtype == object and all(getattr(each, "denominator", 0) == 1 for each in counts.flat)
        )
        if counts.size and not is_whole:
            raise broken_rule("truths", "be whole numbers", counts.dtype, "Round them first.")
        for worst in (counts.min(), counts.max()) if counts.size else ():
            if not first <= worst <= last:
                raise broken_rule("truths", f"be in {first}..{last}", worst, "Clamp them first.")
        positions = counts.astype(np.int64) - first
        if size is not None:
            positions = np.broadcast_to(positions, checked_size(size) + positions.shape)
        responses = self.draw(positions, os.urandom if seed is None else seeded_bytes(seed)) + first
        return responses.item() if responses.ndim == 0 else responses

    def moments(self) -> tuple[Floats, Floats, Floats]:
        """Return for each truth the mean of the error, its variance and the mean of its size."""
        bias, square, mean = noise_errors.moments(self)
        return bias, np.maximum(square - bias**2, 0), mean

    def error_quantiles(self, levels: Sequence[float], *, signed: bool) -> Floats:
        """Return the quantiles of the absolute error for each level and truth."""
        of_level = noise_errors.signed_errors if signed else noise_errors.distances
        return np.array([of_level(self, level) for level in levels], dtype=float)

    def probability_within(self, distance: Fraction) -> Floats:
        """Return for each truth the probability of a response within a distance."""
        return 1 - self.probability_beyond(distance)

    def probability_beyond(self, distance: Fraction) -> Floats:
        """Return for each truth the probability of a response beyond a distance."""
        return noise_errors.beyond(self, min(int(distance), len(self.truths) - 1))

    def loss_by_truth(self, losses: Floats) -> Floats:
        """Return for each truth the mean loss, from losses at the distances 0, 1, ... and the tails."""
        return noise_errors.loss_by_truth(self, losses)

    def expected_loss(self, loss: LossName | ArrayLike, prior: str | ArrayLike | None = "uniform") -> float:
        """Return the average of a loss of the distance alone that never decreases, in linear time.

        Raises
        ------
        NotAcceptedError
            If the loss is of another kind.

        Examples
        --------
        >>> import optmech as om
        >>> mechanism = om.design(om.question(om.count(5000), 1, delta="1e-6")).mechanism
        >>> round(mechanism.expected_loss("absolute"), 6), round(mechanism.expected_loss("squared"), 6)
        (0.850633, 1.840205)
        """
        problem = self.certificate.problem
        privacy = [problem.privacy, *problem.further_privacy]
        problem_of_loss = question(problem.query, privacy=privacy, loss=loss, prior=prior)
        reason = no_chain_question(problem_of_loss)
        if reason is not None:
            message = f"`loss` must be one of the distance alone that nowhere decreases; {reason}."
            raise NotAcceptedError(message)
        certificate, whole = self.certificate, ChainQuestion.of(problem_of_loss)
        if certificate.noise.is_all_tails and whole.has_one_decay:
            upper = certificate.factor.upper
            noise, thresholds = certificate.noise, certificate.thresholds
            return float(TailWalk(whole, noise, thresholds, upper, is_limited=False).objective())
        steps = steps_of(whole, certificate.noise, certificate.thresholds)
        return float(upper_objective(whole, certificate.noise, steps))

    def privacy_loss(self, query: Query) -> Worst:
        """Return the privacy loss between truths one apart: that of the noise.

        It is infinite where the noise has no tails: then some answer is possible at one truth only.
        """
        self._check(query)
        noise = self.certificate.noise
        pairs = [pair for pair in noise.step_pairs[0] if any(pair)]
        if not (noise.tail and all(map(all, pairs))):
            return Worst(value=inf, truth=0, neighbour=1)
        losses = [log_ratio(max(pair), min(pair)) for pair in pairs]
        return Worst(value=max([*losses, log_ratio(noise.one, noise.tail)]), truth=0, neighbour=1)

    def _index_of(self, value: Any, name: str) -> int:  # noqa: ANN401 - any argument
        first, last = self._first, int(self.truths[-1])
        is_whole = isinstance(value, (int, np.integer, Fraction)) and value.denominator == 1
        if not is_whole or not first <= value <= last:
            raise broken_rule(name, f"be a whole number in {first}..{last}", repr(value))
        return int(value) - first

    def _check(self, query: Query) -> Query:
        an_instance(Query)(query, "query")
        if query.path() != self.truths:
            own = self.certificate.problem.query.title
            raise broken_rule("query", f"have the truths of {own}", query.title)
        return query
