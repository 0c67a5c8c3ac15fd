"""As private as a noise: at most its whole trade-off curve between true answers one apart.

Model
-----
    y <= K(x),   x = P_(f+1)(S), y = P_f(S), for every set S of responses and every f
    K            the polygon through the points (F(i-1), F(i)), F(i) = P(noise <= i); of the continuous
                 Gaussian the curve through (F(y-1), F(y)) of all y

K is concave, since the noise is log-concave. For one epsilon it implies the delta of the noise,

    delta(epsilon) = max over both ways of sum_i max(0, P(i) - e^epsilon P(i-1)).

Source: Dong, Roth, Su 2022 (trade-off curves); `docs/theory/chain.md`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from optmech.base.arguments import brief
from optmech.base.errors import NotAcceptedError, ProblemError, broken_rule
from optmech.base.number_format import decimal_above
from optmech.base.numbers import as_text
from optmech.question.epsilon import exponential
from optmech.question.keys import EPSILON, Key, KeyForm, need_table, needed
from optmech.question.privacy.guarantee import Promise, amount_text
from optmech.question.privacy.loss import Worst, largest_hockey_stick
from optmech.question.privacy.noise_law import NoiseLaw
from optmech.question.privacy.noise_laws import NOISE_LAWS, noise_law, noise_law_of
from optmech.question.privacy.privacy import Privacy, valid_epsilon

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats, Integers
    from optmech.base.blocks import Choice, Ratio
    from optmech.base.logarithm import Logarithm
    from optmech.base.numbers import Number
    from optmech.question.query import Query
    from optmech.question.structures import Structure


# Sums of doubles are rounded up by this much, so that statements on the noise are true.
_ABOVE = 1 + 1e-9
_SMALLEST_DELTA = Fraction(1, 10**300)
_USUAL_DELTA = 1e-6
_LARGEST_EPSILON = 100.0
_DIGITS = 3
_ROUNDING = 1e-9


def _law_of(table: object, name: str) -> NoiseLaw:
    """Return the law of a table of its word and its one parameter."""
    content = dict(need_table(table, name, "a `law` and its parameter"))
    return noise_law(content.pop("law", None), **content)


_NOISE = KeyForm(
    words='a table of a law and its parameter, such as {law = "discrete-gaussian", sigma = "2"}',
    read=_law_of,
    write=lambda law: law.content,
    schema={
        "type": "object",
        "required": ["law"],
        "properties": {"law": {"enum": list(NOISE_LAWS)}},
        "maxProperties": 2,
    },
)


@dataclass(frozen=True, slots=True)
class NoisePrivacy(Privacy):
    """At least as private as a noise between true answers one apart, for every set of responses.

    Made by `as_private_as`. Any function of an answer, or of any number of answers, is as private as the same
    function of the true answers plus that noise.

    Attributes
    ----------
    noise : NoiseLaw
        The law, exactly.
    epsilon : Fraction
        The epsilon at which texts show the curve as a pair (epsilon, delta). It changes nothing else.
    delta : Fraction
        The delta of the noise there, rounded up.
    """

    noise: NoiseLaw
    epsilon: Fraction | Logarithm
    delta: Fraction = field(init=False)

    word = "as-private-as"
    keys = (
        needed("noise", _NOISE, "the noise that the mechanism is as private as"),
        Key(name="epsilon", form=EPSILON, about="where its curve is told as a pair of epsilon and delta"),
    )
    no_rows = "it knows pairs of epsilon and delta, and no whole curve"
    criterion_of_delta = "as private as the noise"
    is_pure = False
    rounding = _ROUNDING

    def __post_init__(self) -> None:
        epsilon = self._stated_epsilon() if self.epsilon is None else self.epsilon
        object.__setattr__(self, "epsilon", valid_epsilon(epsilon, zero_allowed=True))
        object.__setattr__(self, "delta", self.delta_at(self.epsilon))

    def __str__(self) -> str:
        return f"as private as {self.noise}"

    @property
    def curve(self) -> NoiseLaw:
        """The noise."""
        return self.noise

    @property
    def remark(self) -> str:
        """A pair that follows."""
        return f"for instance epsilon = {as_text(self.epsilon)}, delta = {as_text(self.delta)}"

    def at(self, epsilon: Fraction | Logarithm) -> Self:  # noqa: ARG002
        """Refuse: there is no epsilon to change."""
        message = f"`privacy` must have an epsilon of its own to change it; got {self}. Ask of another noise."
        raise NotAcceptedError(message)

    def spending(self, delta: Fraction | None) -> Self:  # noqa: ARG002
        """Refuse: there is no delta to change."""
        message = f"`privacy` must have a delta of its own to change it; got {self}. Ask of another noise."
        raise NotAcceptedError(message)

    def delta_at(self, epsilon: Number | Logarithm) -> Fraction:
        """Return the least delta with which the noise is (epsilon, delta) private, rounded up.

        Examples
        --------
        >>> privacy = as_private_as("discrete-gaussian", sigma="2")
        >>> [float(privacy.delta_at(epsilon)) for epsilon in (0, "0.5", 1)]
        [0.199472, 0.0540073, 0.00724878]
        """
        return _rounded_up(self.noise.delta(exponential(valid_epsilon(epsilon, zero_allowed=True))))

    def _stated_epsilon(self) -> Fraction:
        """Return the least epsilon, of few digits, at which delta is 1e-6 or as small as it gets."""
        wish = max(_USUAL_DELTA, self.noise.delta(math.exp(_LARGEST_EPSILON)) * _ABOVE)
        low, high = 0.0, _LARGEST_EPSILON
        while high - low > 1e-6 * high:
            middle = (low + high) / 2
            low, high = (low, middle) if self.noise.delta(math.exp(middle)) <= wish else (middle, high)
        return Fraction(decimal_above(high, _DIGITS))

    def measure(self, matrix: Floats, pairs: Integers, weights: Integers) -> Worst:
        """Return the delta at epsilon; if a set breaks the curve, the delta of the noise plus the excess.

        For two columns the sets of likelihood ratio above a number are the worst ones (Neyman, Pearson 1933).
        """
        delta = largest_hockey_stick(matrix, pairs, self.factors(weights))
        worst = Worst(value=0.0)
        for first, second in {(min(pair), max(pair)) for pair in pairs.tolist()}:
            y, x = matrix[:, first], matrix[:, second]
            with np.errstate(divide="ignore", invalid="ignore"):
                order = np.argsort(-np.where((x == 0) & (y == 0), 0.0, y / x), kind="stable")
            excess = np.cumsum(y[order]) - self.noise.above(np.minimum(np.cumsum(x[order]), 1.0))
            if excess.max() > worst.value:
                worst = Worst(value=float(excess.max()), truth=first, neighbour=second)
        if worst.value <= _ROUNDING:
            return delta
        return Worst(value=float(self.delta) + worst.value, truth=worst.truth, neighbour=worst.neighbour)

    def promise(self, times: str, delta: Fraction | None, *, both_ways: bool) -> Promise:  # noqa: ARG002
        """Return the promise in sentences."""
        return Promise(
            f"as private as {self.noise}",
            "No set of answers tells neighbouring true answers apart better than they are told apart after "
            f"{self.noise} is added. For instance, the probability that the answer falls into any set is at "
            f"most {times} what it is under a neighbouring true answer, plus a delta {amount_text(delta)}.",
        )

    @property
    def content(self) -> dict[str, Any]:
        """The privacy as values of JSON."""
        return {
            "kind": self.word,
            "printed": False,
            "epsilon": as_text(self.epsilon),
            "delta": as_text(self.delta),
            "noise": self.noise.content,
        }

    @classmethod
    def read(cls, content: dict[str, Any]) -> Self:
        """Return the privacy that `content` states; its delta is computed again."""
        noise = dict(content["noise"])
        privacy = cls(noise_law(noise.pop("law"), **noise), content["epsilon"])
        if content["delta"] != as_text(privacy.delta):
            message = (
                f"`delta` must be {as_text(privacy.delta)} at epsilon {as_text(privacy.epsilon)} "
                f"of {privacy.noise}; got {brief(content['delta'])}."
            )
            raise ProblemError(message)
        return privacy

    def blocks(self, query: Query, structure: Structure) -> Iterator[Ratio | Choice]:  # noqa: ARG002
        """Refuse: a curve is no row of a program."""
        message = (
            f"`privacy` must be pairs of epsilon and delta for a program; got {self}, a whole curve. The "
            "engine chain designs for it: expected loss, true answers in a row, no further demands. Else ask "
            "for pairs that it keeps, as its `delta_at` says them."
        )
        raise NotAcceptedError(message)


def as_private_as(noise: str | NoiseLaw, *, epsilon: Number | None = None, **parameters: Any) -> NoisePrivacy:  # noqa: ANN401
    """Ask for the whole trade-off curve of a noise, instead of epsilon and delta.

    Parameters
    ----------
    noise : {"discrete-gaussian", "skellam", "binomial", "weights", "gaussian"}
        With `sigma` (weights ``exp(-z^2 / (2 sigma^2))``), `rate` (the difference of two Poisson variables of
        that mean), `trials` (fair coins), `weights` (any log-concave law as whole numbers), or of the
        continuous Gaussian `sigma` again, which is Gaussian differential privacy of parameter 1 / sigma.
    epsilon : str, int, float or Fraction, optional
        The epsilon at which texts show (epsilon, delta); by default where delta is 1e-6, or the least.
    **parameters
        The one number, kept exactly as given, or the list.

    Returns
    -------
    NoisePrivacy
        For ``question(..., privacy=...)``.

    Raises
    ------
    ProblemError
        If there is no such noise, or it is not log-concave.

    Examples
    --------
    >>> import optmech as om
    >>> privacy = om.as_private_as("discrete-gaussian", sigma="2")
    >>> result = om.design(om.question(om.count(10), privacy=privacy))
    >>> result.engine, round(result.objective, 6)
    ('chain', 1.2595)
    """
    law = noise if isinstance(noise, NoiseLaw) else noise_law(noise, **parameters)
    return NoisePrivacy(law, epsilon)  # type: ignore[arg-type]


def noise_privacy_of(argument: object, name: str) -> NoisePrivacy:
    """Return the privacy of a noise, given as itself or as a text such as ``"skellam:3"``; ProblemError."""
    if isinstance(argument, str):
        return as_private_as(noise_law_of(argument))
    if not isinstance(argument, NoisePrivacy):
        rule = "be a text such as discrete-gaussian:2, or from `as_private_as`"
        raise broken_rule(name, rule, repr(argument))
    return argument


def _rounded_up(delta: float) -> Fraction:
    return min(Fraction(decimal_above(max(Fraction(delta * _ABOVE), _SMALLEST_DELTA), 6)), Fraction(1))
