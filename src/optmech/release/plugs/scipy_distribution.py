"""Columns and noise as frozen distributions in the manner of ``scipy.stats``.

Points are numbers, masses whole numbers over one total. All results are computed exactly and rounded once,
except entropies and expectations of functions, which are sums of doubles.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import function, numbers, of_form
from optmech.base.errors import NotAcceptedError, ProblemError, broken_rule
from optmech.base.numbers import as_text, exact
from optmech.mechanisms.certificates.certificate_source import certificate_of
from optmech.mechanisms.release import checked_size
from optmech.mechanisms.sampling import Sampler
from optmech.mechanisms.source import source_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from optmech.base.arrays import Floats
    from optmech.base.numbers import Number
    from optmech.mechanisms.certificates.certificate_source import CertificateSource
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.mechanisms.source import MechanismSource


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ScipyDistribution:
    """A distribution on finitely many numbers, with the methods of frozen ones in ``scipy.stats``.

    Attributes
    ----------
    points : tuple of Fraction
        Increasing, each of positive probability.
    weights : tuple of int
        Positive; the probability of a point is its weight over their sum.

    Examples
    --------
    >>> coin = ScipyDistribution(points=(Fraction(0), Fraction(1)), weights=(1, 3))
    >>> coin
    <ScipyDistribution: 2 points from 0 to 1, mean 0.75>
    >>> coin.pmf([0, 1, 2]).tolist(), coin.mean(), coin.var(), coin.ppf(0.5)
    ([0.25, 0.75, 0.0], 0.75, 0.1875, 1.0)
    """

    points: tuple[Fraction, ...]
    weights: tuple[int, ...]
    _points: Floats = field(init=False)
    # Masses of each point, of all up to it, and of all beyond it, each rounded once.
    _masses: Floats = field(init=False)
    _below: Floats = field(init=False)
    _above: Floats = field(init=False)

    @of_form("points", "be fractions, with whole numbers as weights")
    def __post_init__(self) -> None:
        increasing = all(low < high for low, high in pairwise(self.points))
        if (
            not increasing
            or not self.weights
            or len(self.points) != len(self.weights)
            or min(self.weights) <= 0
        ):
            message = "`points` must increase and have a positive weight each; they do not."
            raise ProblemError(message)
        sums = list(accumulate(self.weights))
        total = sums[-1]
        for name, values in (
            ("_points", [float(point) for point in self.points]),
            ("_masses", [weight / total for weight in self.weights]),
            ("_below", [part / total for part in sums]),
            ("_above", [(total - part) / total for part in sums]),
        ):
            object.__setattr__(self, name, np.array(values))

    def __repr__(self) -> str:
        ends = f"from {as_text(self.points[0])} to {as_text(self.points[-1])}"
        return f"<ScipyDistribution: {len(self.points)} points {ends}, mean {self.mean():.6g}>"

    @property
    def exact_mean(self) -> Fraction:
        """The mean as a fraction."""
        parts = zip(self.points, self.weights, strict=True)
        return sum((point * weight for point, weight in parts), Fraction(0)) / sum(self.weights)

    @property
    def exact_var(self) -> Fraction:
        """The variance as a fraction."""
        mean, parts = self.exact_mean, zip(self.points, self.weights, strict=True)
        return sum((weight * (point - mean) ** 2 for point, weight in parts), Fraction(0)) / sum(self.weights)

    def pmf(self, k: ArrayLike) -> Any:  # noqa: ANN401 - a number for a number, else an array
        """Return the probability of each number; zero for other numbers."""
        points, index = self._indices(k, "left")
        inside = np.minimum(index, len(self._points) - 1)
        return _like(points, np.where(self._points[inside] == points, self._masses[inside], 0.0))

    def logpmf(self, k: ArrayLike) -> Any:  # noqa: ANN401 - as above
        """Return the natural logarithm of `pmf`, minus infinity for other numbers."""
        with np.errstate(divide="ignore"):
            return _like(numbers(k, "k"), np.log(self.pmf(k)))

    def cdf(self, k: ArrayLike) -> Any:  # noqa: ANN401 - as above
        """Return the probability of at most each number."""
        points, index = self._indices(k, "right")
        return _like(points, np.concatenate([[0.0], self._below])[index])

    def sf(self, k: ArrayLike) -> Any:  # noqa: ANN401 - as above
        """Return the probability of more than each number, not by subtraction of doubles."""
        points, index = self._indices(k, "right")
        return _like(points, np.concatenate([[1.0], self._above])[index])

    def ppf(self, q: ArrayLike) -> Any:  # noqa: ANN401 - as above
        """Return the least point whose `cdf` is at least `q`; one below all points at 0, NaN outside 0..1."""
        levels = numbers(q, "q")
        index = np.minimum(self._below.searchsorted(levels, side="left"), len(self._points) - 1)
        points = np.where(levels == 0, self._points[0] - 1, self._points[index])
        return _like(levels, np.where((levels >= 0) & (levels <= 1), points, np.nan))

    def median(self) -> float:
        """Return the least point with half of the probability at or below it."""
        return float(self.ppf(0.5))

    def interval(self, confidence: float) -> tuple[float, float]:
        """Return the ends of a central range with probability `confidence`."""
        confidence = float(exact(confidence, "confidence"))
        if not 0 <= confidence <= 1:
            raise broken_rule("confidence", "lie between 0 and 1", confidence, "Write 0.95 for 95 %.")
        return float(self.ppf((1 - confidence) / 2)), float(self.ppf((1 + confidence) / 2))

    def rvs(
        self,
        size: int | tuple[int, ...] | None = None,
        random_state: int | np.random.Generator | None = None,
    ) -> Any:  # noqa: ANN401 - as above
        """Draw exactly, with the operating system's randomness.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape of an array of draws; left out, one number.
        random_state : int or numpy.random.Generator, optional
            For experiments: draws that can be repeated. They are **not private**.

        Warns
        -----
        NotPrivateWarning
            If there is a `random_state`.
        """
        shape = () if size is None else checked_size(size)
        indices = Sampler([[weight] for weight in self.weights]).draw(
            np.zeros(shape, dtype=np.int64), seed=random_state
        )
        whole = all(point.denominator == 1 for point in self.points)
        values = self._points.astype(np.int64) if whole else self._points
        return values[indices.item()].item() if size is None else values[indices]

    def mean(self) -> float:
        """Return the mean, rounded once."""
        return float(self.exact_mean)

    def var(self) -> float:
        """Return the variance, rounded once."""
        return float(self.exact_var)

    def std(self) -> float:
        """Return the standard deviation."""
        return float(np.sqrt(self.var()))

    def support(self) -> tuple[float, float]:
        """Return the least and the largest point."""
        return float(self._points[0]), float(self._points[-1])

    def entropy(self) -> float:
        """Return the Shannon entropy, in nats."""
        return float(-(self._masses * np.log(self._masses)).sum())

    def expect(self, func: Callable[[float], float] | None = None) -> float:
        """Return the mean of a function of the number, or of the number itself."""
        if func is None:
            return self.mean()
        function(func, "func")
        values = np.array([func(point) for point in self._points.tolist()], dtype=float)
        return float((values * self._masses).sum())

    def _indices(self, k: ArrayLike, side: str) -> tuple[Floats, NDArray[np.int64]]:
        points = numbers(k, "k")
        index = self._points.searchsorted(points, side="left" if side == "left" else "right")
        return points, np.asarray(index)


def distribution(source: MechanismSource, truth: Number) -> ScipyDistribution:
    """Return the distribution of the responses to one true answer.

    Parameters
    ----------
    source : Design, Certificate or Mechanism
        For a certificate, the result is the certified distribution, with masses in tails of noise rounded; a
        matrix of doubles is used as given.
    truth : number
        One of the truths.

    Raises
    ------
    ProblemError
        If `source` has another type, or `truth` is not one of its truths.
    NotAcceptedError
        If responses have labels: they are no numbers.

    Examples
    --------
    >>> from optmech.mechanisms.matrix_mechanism import MatrixMechanism
    >>> answer = MatrixMechanism(matrix=[[0.75, 0.25], [0.25, 0.75]], responses=(0, 1), truths=(0, 1))
    >>> law = distribution(answer, 1)
    >>> law.mean(), law.cdf(0), law.interval(0.9)
    (0.75, 0.25, (0.0, 1.0))
    """
    mechanism = source_of(source, "source").mechanism
    if mechanism.labels:
        message = (
            "a distribution must be of numbers; these responses are called "
            f"{', '.join(mechanism.labels)[:60]}. Take a column of `mechanism.matrix`."
        )
        raise NotAcceptedError(message)
    exact_truth = need_truth(mechanism, truth, "truth")
    return _distribution_of(mechanism.responses, mechanism.weights(exact_truth))


def need_truth(mechanism: Mechanism, value: Number, name: str, remedy: str = "") -> Fraction:
    """Return a truth of a mechanism, exactly, or raise ProblemError."""
    truth, ends = exact(value, name), (as_text(mechanism.truths[index]) for index in (0, -1))
    if truth not in mechanism.truths:
        raise broken_rule(name, f"be among {'..'.join(ends)} of this mechanism", value, remedy)
    return truth


def noise_distribution(certificate: CertificateSource) -> ScipyDistribution:
    """Return the distribution of the noise of a mechanism that adds the same noise to every truth.

    For modular noise it is the number from 0 to n - 1 that is added modulo n; for symmetric noise the
    difference between response and truth.

    Raises
    ------
    ProblemError
        If nothing is proved of it.
    NotAcceptedError
        If its noise is another one at each truth, or of vectors.

    Examples
    --------
    >>> import optmech as om
    >>> result = om.design(om.kadam(om.residues(5, [1]), "ln 2"))
    >>> noise_distribution(result).support()
    (0.0, 4.0)
    """
    proof = certificate_of(certificate, "`noise_distribution`")
    structure, query = proof.problem.structure, proof.problem.query
    shift = structure.noise_origin(query)
    if shift is None:
        kind = "noise on vectors, for which there is `joint_pmf`" if query.moduli else str(structure)
        message = (
            f"the noise must be one number, the same at every truth; got {kind}. "
            "Use `distribution` for the responses to one truth."
        )
        raise NotAcceptedError(message)
    points = [response.midpoint - shift for response in query.responses]
    return _distribution_of(points, proof.matrix.numerators[:, 0].tolist())


def _distribution_of(points: Sequence[Fraction], weights: list[int]) -> ScipyDistribution:
    atoms = [(point, weight) for point, weight in zip(points, weights, strict=True) if weight]
    return ScipyDistribution(
        points=tuple(point for point, _ in atoms), weights=tuple(weight for _, weight in atoms)
    )


def _like(points: NDArray[Any], values: Floats) -> Any:  # noqa: ANN401 - a number for a number
    values = np.where(np.isnan(points), np.nan, values)
    return values.item() if values.ndim == 0 else values
