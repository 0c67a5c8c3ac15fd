"""Epsilon and delta between the true answers of a certified mechanism, for another library.

Model
-----
    P, Q      columns of two truths;  E <= e^epsilon a rational;  k epsilon the length of the shortest path
              of neighbours between the two
    pure      neighbours keep P <= E^k Q, as certified; other truths have the loss  log max P / Q,  exact
    with a delta, all pairs keep  sum max(0, P - E^k Q) <= delta, summed exactly
    without a matrix, k steps on  (k epsilon, delta (1 + E + ... + E^(k-1))),  E >= e^epsilon a rational

The delta is that of (epsilon, delta)-differential privacy over all sets of responses, for any definition in
the design. A per-outcome or probabilistic delta is another number and is never exported. All numbers are
proved, and rounded up as doubles.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.analysis.composition.curve import rounded_up
from optmech.base.errors import NotAcceptedError, warn_caller
from optmech.base.logarithm import Logarithm
from optmech.mechanisms.certificates.certificate_source import certificate_of
from optmech.mechanisms.certificates.certificate_text import certificate_sha256
from optmech.proofs.enclosure import power_below
from optmech.question.answers import Scope
from optmech.question.graphs import path_lengths
from optmech.question.protection import cautions_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Integers
    from optmech.proofs.certificate import Certificate
    from optmech.proofs.matrix import ExactMatrix


@dataclass(frozen=True, eq=False)
class ExportPromise(ABC):
    """Distance between the columns of a certified mechanism."""

    certificate: Certificate

    @abstractmethod
    def told(self, epsilon: float, delta: float) -> float | tuple[float, float]:
        """Return the numbers of such a promise: epsilon, with a delta where there is one."""

    @abstractmethod
    def measure_in(self, opendp: Any) -> Any:  # noqa: ANN401 - OpenDP's own
        """Return OpenDP's measure of it, from its module `prelude`."""

    @abstractmethod
    def _exactly(self, matrix: ExactMatrix, first: Integers, second: Integers) -> tuple[float, float]:
        """Return epsilon and delta of ordered pairs of columns, rounded up."""

    @property
    def one_person(self) -> tuple[float, float]:
        """The epsilon and the delta between neighbours, rounded up; those of the furthest, with weights."""
        pairs = self.certificate.problem.query.pairs
        return self.between(pairs[:, 0], pairs[:, 1])

    def between(self, truths: Integers, others: Integers) -> tuple[float, float]:
        """Return the largest epsilon and delta of pairs of positions in both directions, rounded up.

        They are zero for no pairs; infinite and 1 without a guarantee.
        """
        apart = truths != others
        first = np.concatenate([truths[apart], others[apart]])
        second = np.concatenate([others[apart], truths[apart]])
        if not len(first):
            return 0.0, 0.0
        matrix = self.certificate.exact
        if matrix is None:
            return self._on_a_path(int(np.abs(first - second).max()))
        return self._exactly(matrix, first, second)

    @cached_property
    def steps(self) -> Integers:
        """Multiple of epsilon between two truths along neighbours, -1 where no path leads."""
        lengths = path_lengths(self.certificate.problem.query)  # so small that they are exact as doubles
        return np.where(np.isfinite(lengths), lengths, -1).astype(np.int64)

    def _on_a_path(self, steps: int) -> tuple[float, float]:
        """Return epsilon and delta after a number of steps between neighbours, for any distribution."""
        delta = Fraction(0)
        if self.certificate.delta_of_sets:
            factor, delta = self.certificate.factor.upper, self.certificate.delta_of_sets
            for _ in range(steps - 1):
                delta = self.certificate.delta_of_sets + factor * delta
                if delta >= 1:
                    return math.inf, 1.0
        return rounded_up(self._times(steps)), rounded_up(delta)

    def _times(self, steps: int) -> Fraction | Logarithm:
        epsilon = self.certificate.problem.privacy.epsilon
        return Logarithm(epsilon.of**steps) if isinstance(epsilon, Logarithm) else epsilon * steps


class PurePromise(ExportPromise):
    """An epsilon alone, with the exact losses of truths that are no neighbours."""

    def told(self, epsilon: float, delta: float) -> float:  # noqa: ARG002 - it is zero
        """Return epsilon."""
        return epsilon

    def measure_in(self, opendp: Any) -> Any:  # noqa: ANN401 - OpenDP's own
        """Return the measure of pure privacy."""
        return opendp.max_divergence()

    def _exactly(self, matrix: ExactMatrix, first: Integers, second: Integers) -> tuple[float, float]:
        """Return certified epsilons for neighbours, exact losses for all others."""
        query = self.certificate.problem.query
        table = np.zeros((query.num_truths, query.num_truths), dtype=bool)
        table[query.pairs[:, 0], query.pairs[:, 1]] = True
        are_neighbours = table[first, second]
        epsilon = rounded_up(
            self._times(int(self.steps[first[are_neighbours], second[are_neighbours]].max(initial=0)))
        )
        ratio = largest_ratio(matrix, first[~are_neighbours], second[~are_neighbours])
        loss = math.inf if ratio is None else rounded_up(Logarithm(max(ratio, Fraction(1))))
        return max(epsilon, loss), 0.0


class ApproximatePromise(ExportPromise):
    """An epsilon with a delta, both for the number of steps between two truths."""

    def told(self, epsilon: float, delta: float) -> tuple[float, float]:
        """Return both."""
        return epsilon, delta

    def measure_in(self, opendp: Any) -> Any:  # noqa: ANN401 - OpenDP's own
        """Return the measure of approximate privacy."""
        return opendp.approximate(opendp.max_divergence())

    def _exactly(self, matrix: ExactMatrix, first: Integers, second: Integers) -> tuple[float, float]:
        """Return the exact epsilon and delta for the number of steps between two truths."""
        between = self.steps[first, second]
        if between.min() < 0:
            return math.inf, 1.0
        delta = Fraction(0)
        for steps in np.unique(between).tolist():
            power = power_below(self.certificate.factor.lower, steps)
            pairs = between == steps
            delta = max(delta, largest_excess(matrix, first[pairs], second[pairs], power))
        return rounded_up(self._times(int(between.max()))), rounded_up(delta)


def promise_of(source: object, who: str) -> ExportPromise:
    """Return the promise of a certified mechanism, or raise NotAcceptedError if it is not private."""
    certificate = certificate_of(source, who)
    flaw = flaw_of(certificate)
    if flaw is not None:
        message = f"{who} must have a mechanism that is differentially private; got one that is not: {flaw}."
        raise NotAcceptedError(message)
    kind = PurePromise if certificate.problem.privacy.is_pure else ApproximatePromise
    return kind(certificate)


def digest_of(certificate: Certificate) -> str:
    """Return the SHA-256 of the exact matrix, or of the certificate's text where there is none."""
    return certificate.matrix_sha256 or certificate_sha256(certificate)


def flaw_of(certificate: Certificate) -> str | None:
    """Return why a certified mechanism is not differentially private, ``None`` where it is."""
    query = certificate.problem.query
    if not query.symmetric:
        return "of two neighbours only one is protected (design it again with `symmetric=True`)"
    if query.scope is Scope.GIVEN_TABLE:
        return "it protects near one given table only (ask with `Query.on_domain`)"
    if certificate.delta_of_sets >= 1:
        return "over all sets of responses its delta is 1 (ask for less accuracy, or for more loss)"
    return None


def handed_on(source: object, who: str) -> ExportPromise:
    """Return the promise of a certified mechanism for a library that keeps two numbers and no text.

    A warning states the harm that large numbers allow, and the gaps of the neighbours.
    """
    promise = promise_of(source, who)
    cautions = (promise.certificate.caution, *cautions_of(promise.certificate.problem.query))
    if any(cautions):
        warn_caller(" ".join(filter(None, cautions)))
    return promise


# Doubles of numerators have an error of half a unit; every candidate for the largest lies within far more.
_ROUNDING = 1e-12
# A smaller double has lost digits and is not used.
_SMALLEST = 1e-290
_ENTRIES_AT_ONCE = 2**20


def largest_ratio(matrix: ExactMatrix, truths: Integers, others: Integers) -> Fraction | None:
    """Return the largest ``P(r) / Q(r)`` over pairs of columns and responses, ``None`` if it is infinite.

    Doubles find candidates, and integers decide. Zero over zero is no ratio; the result is zero for no pairs.
    """
    entries, doubles = matrix.numerators, matrix.nearest()
    positive = (entries > 0).astype(bool)
    is_blurred = positive & (doubles < _SMALLEST)
    top, largest = 0.0, Fraction(0)
    for some in _parts(len(truths), len(entries)):
        first, second = truths[some], others[some]
        if (positive[:, first] & ~positive[:, second]).any():
            return None
        above, below = doubles[:, first], doubles[:, second]
        quotients = np.divide(above, below, out=np.zeros(above.shape), where=below >= _SMALLEST)
        top = max(top, float(quotients.max(initial=0)))
        unclear = (is_blurred[:, first] | is_blurred[:, second]) & positive[:, second]
        near = (quotients >= top * (1 - _ROUNDING)) & positive[:, second]
        for row, index in np.argwhere(near | unclear).tolist():
            largest = max(largest, Fraction(entries[row, first[index]], entries[row, second[index]]))
    return largest


def largest_excess(matrix: ExactMatrix, truths: Integers, others: Integers, factor: Fraction) -> Fraction:
    """Return the largest ``sum_r max(0, P(r) - factor Q(r))`` over pairs of columns."""
    entries, most = matrix.numerators, 0
    large, small = entries * factor.denominator, entries * factor.numerator
    for some in _parts(len(truths), len(entries)):
        sums = np.maximum(large[:, truths[some]] - small[:, others[some]], 0).sum(axis=0)
        most = max(most, int(sums.max()))
    return Fraction(most, factor.denominator * matrix.denominator)


def _parts(pairs: int, rows: int) -> Iterator[slice]:
    """Yield some of the pairs at a time, so that no table grows large."""
    step = max(1, _ENTRIES_AT_ONCE // rows)
    yield from (slice(start, start + step) for start in range(0, pairs, step))
