"""A mechanism on whole numbers in a row that is held as a distribution, not as a matrix.

Distribution
------------
    at truth f the noise Z goes to the place  period f + Z
    response j is released where  limits[j] < period f + Z <= limits[j + 1]

A limit of `FAR`, or of minus that, is infinite: beyond it the noise does not go.
"""

from __future__ import annotations

import os
from abc import abstractmethod
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import an_instance, brief, flag, function, takes
from optmech.base.errors import NotAcceptedError, broken_rule
from optmech.mechanisms.mechanism import Mechanism
from optmech.mechanisms.release import checked_size
from optmech.mechanisms.sampling import dyadic_weights
from optmech.mechanisms.sampling.words import seeded_bytes
from optmech.proofs.enclosure import enclose_exponential
from optmech.question.query import Query

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from optmech.base.arrays import Floats, Integers
    from optmech.base.logarithm import Logarithm
    from optmech.mechanisms.sampling.words import RandomBytes, Seed
    from optmech.proofs.distribution_certificate import DistributionCertificate

    Columns = tuple[list[int], list[int]]

_MOST_ENTRIES, _FACTOR_BITS = 100_000_000, 64
FAR = 1 << 62
"""Beyond any place of the noise, and far from the ends of 64 bits."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Distribution(Mechanism):
    """A mechanism that is read like any `Mechanism`, and has no matrix in memory.

    Its `matrix` is computed whenever somebody asks for it, in doubles, and refused where it would have more
    than a hundred million entries.

    Attributes
    ----------
    certificate : DistributionCertificate
        What its parts are taken from.
    limits : ndarray, shape (num_responses + 1,)
        The places of the noise between which each response is released.
    period : int
        How many places one truth is from the next.

    Raises
    ------
    NotAcceptedError
        If the matrix is asked for, and is too large.
    """

    certificate: DistributionCertificate
    matrix: Floats = field(init=False)
    responses: tuple[Fraction, ...] = field(init=False)
    truths: tuple[Fraction, ...] = field(init=False)
    limits: Integers = field(init=False)
    period: int = field(init=False)

    def _set(self, *, limits: Integers, period: int, **further: Any) -> None:  # noqa: ANN401 - own fields of each
        query = self.certificate.problem.query
        if not query.is_run:
            message = (
                "a distribution must be of whole numbers in a row that are released as they are; got "
                f"{query.title}. {query.if_too_large}"
            )
            raise NotAcceptedError(message)
        truths = query.truths
        values = {"responses": truths, "truths": truths, "limits": limits, "period": period, **further}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep the certificate, which makes all of it again."""
        return partial(type(self), certificate=self.certificate), ()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - the matrix alone
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

    @property
    def first_drawn(self) -> int:
        """The number that positions of draws are counted from; NotAcceptedError beyond 64 bits."""
        if max(abs(self.truths[0]), abs(self.truths[-1])) >= 1 << 63:
            title = self.certificate.problem.query.title
            message = f"what is drawn must be whole numbers of 64 bits; got {title}. Shift them."
            raise NotAcceptedError(message)
        return self._first

    def column(self, truth: int) -> Floats:
        """Return the probability of each response at a truth as doubles, shape (num_responses,)."""
        return self._between(self.limits[:-1], self.limits[1:], np.array(self._place(truth, "truth")))

    def row(self, response: int) -> Floats:
        """Return the probability of a response at each truth as doubles, shape (num_truths,)."""
        low, high = self.limits[self._place(response, "response") :][:2]
        return self._between(low, high, np.arange(len(self.truths)))

    def tails(self, places: Integers, truths: Integers) -> tuple[Floats, Floats]:
        """Return the probabilities of releasing at most a response, and more than it, as doubles.

        Neither is one less the other, so that a small one keeps its digits. Positions of responses, -1 for
        what is before them all, and of truths broadcast.
        """
        return self._shares(self.limits[places + 1] - self.period * truths)

    def _between(self, low: Integers, high: Integers, truths: Integers) -> Floats:
        """Return the probabilities between two limits, taken from whichever side the numbers are smaller."""
        (below, above), (below_high, above_high) = (
            self._shares(limit - self.period * truths) for limit in (low, high)
        )
        between: Floats = np.where(below_high < 0.5, below_high - below, above - above_high)  # noqa: PLR2004
        return between

    @abstractmethod
    def _shares(self, places: Integers) -> tuple[Floats, Floats]:
        """Return the probabilities of noise up to places, and beyond them, as doubles."""

    @abstractmethod
    def _share(self, place: int) -> Fraction:
        """Return the probability of noise up to a place, exactly."""

    def shift_delta(self, epsilon: Fraction | Logarithm) -> float:
        """Return the delta that the noise spends from one truth to the next; no neighbours spend more."""
        return float(self._shift_delta(enclose_exponential(epsilon, _FACTOR_BITS).lower))

    @abstractmethod
    def _shift_delta(self, factor: Fraction) -> Fraction:
        """Return that delta at a rational in place of e^epsilon, exactly."""

    @abstractmethod
    def neighbour_columns(self, query: Query, most: int) -> tuple[list[Columns], Integers]:
        """Return the pairs of columns of neighbours that differ, and which of them each truth has.

        They are those of a truth and of the next one, in whole numbers over the sum of each; responses that
        are as much likelier under one as others are are put together. Which they are is told for each truth
        but the last. A query with other truths is refused with a ProblemError; with a NotAcceptedError more
        than so many entries of all of them.
        """

    def weights(self, truth: int) -> list[int]:
        """Return the probability of each response at a truth in whole numbers, over their sum.

        Of noise without tails they are the certified ones; what lies in tails is rounded.
        """
        whole: list[int] = dyadic_weights(self.column(truth)[:, None])[:, 0].tolist()
        return whole

    def probability(self, response: int, truth: int) -> Fraction:
        """Return the probability of a response at a truth, exactly.

        The rational has as many bits for each step between them as one probability of the noise: beyond some
        thousand steps, which takes a second, `column` has the double.
        """
        place, shift = self._place(response, "response"), self.period * self._place(truth, "truth")
        below, until = (
            Fraction(limit > 0) if abs(limit) == FAR else self._share(limit - shift)
            for limit in self.limits[place : place + 2].tolist()
        )
        return until - below

    def draw(self, places: Integers, random_bytes: RandomBytes) -> Integers:
        """Draw the position of a response for each position of a truth, from bytes as `os.urandom` gives."""
        function(random_bytes, "random_bytes")
        places = np.asarray(places)
        if places.dtype.kind not in "iu":
            raise broken_rule("places", "be whole numbers", brief(places))
        return self._responses_at(places, random_bytes)

    @abstractmethod
    def _responses_at(self, places: Integers, random_bytes: RandomBytes) -> Integers:
        """Draw for positions that are whole numbers."""

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
        >>> drawn = om.design(om.croft(om.count(10_000), 1)).mechanism.sample([0, 5_000, 10_000])
        >>> bool(abs(drawn - [0, 5_000, 10_000]).max() < 1000)
        True
        """
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
        places = counts.astype(np.int64) - first
        if size is not None:
            places = np.broadcast_to(places, checked_size(size) + places.shape)
        responses = self.draw(places, os.urandom if seed is None else seeded_bytes(seed)) + first
        return responses.item() if responses.ndim == 0 else responses

    def _place(self, value: Any, name: str) -> int:  # noqa: ANN401 - whatever was given
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


def too_many_columns(most: int) -> NotAcceptedError:
    """Return what says that neighbouring columns differ in too many ways."""
    return NotAcceptedError(
        f"neighbouring columns that differ must have at most {most:,} entries; these have more. "
        "Ask for a coarser range, or for a prior that is flat between its ends."
    )
