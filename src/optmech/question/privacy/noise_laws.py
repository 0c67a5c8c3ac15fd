"""Distributions of noise that a question can name, to ask for as much privacy as the noise gives.

Model
-----
    Gaussian of sigma               the density exp(-y^2 / (2 sigma^2)), of all numbers y
    discrete Gaussian of sigma      P(z) in proportion to exp(-z^2 / (2 sigma^2))
    Skellam of rate mu              the difference of two Poisson variables of mean mu,
                                    P(z) = e^(-2 mu) I_z(2 mu)
    binomial of m fair coins        P(z) = (m choose z + floor(m/2)) / 2^m
    weights w_0, ..., w_k           P(z) in proportion to w_(z + floor(k/2)), positive whole numbers

Each is log-concave, ``P(z)^2 >= P(z-1) P(z+1)``, as the theorem of chains requires. The first four are by
their formulas; weights are checked.

Source: Canonne, Kamath, Steinke 2020 (discrete Gaussian); Agarwal, Kairouz, Liu 2021 (Skellam); Dwork et al.
2006 (binomial).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from optmech.base.arguments import brief, items, need_text
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, exact
from optmech.base.wording import join_words
from optmech.question.privacy.noise_law import NoiseLaw, number_between
from optmech.question.privacy.smooth_laws import DiscreteGaussian, Gaussian, Skellam

_MOST_VALUES = 10_000


class _FiniteLaw(NoiseLaw):
    """A law of finitely many values."""

    @property
    def spread(self) -> float:
        """The standard deviation."""
        masses = self.floats
        indices = np.arange(len(masses))
        return float(np.sqrt(masses @ (indices - masses @ indices) ** 2))


@dataclass(frozen=True)
class Binomial(_FiniteLaw):
    """The number of heads of fair coins, less half of them, rounded down."""

    trials: int

    word, parameter = "binomial", "trials"

    def __post_init__(self) -> None:
        trials = number_between(self.trials, "trials", 1, _MOST_VALUES)
        if trials.denominator != 1:
            raise broken_rule("trials", "be a whole number", as_text(trials), "It counts coins.")
        object.__setattr__(self, "trials", int(trials))
        object.__setattr__(self, "first", -(int(trials) // 2))

    def __str__(self) -> str:
        return f"binomial noise of {self.trials} fair coins"

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """Pascal's numbers."""
        row, last = [1], 1
        for k in range(self.trials):
            last = last * (self.trials - k) // (k + 1)
            row.append(last)
        return tuple(row)


@dataclass(frozen=True)
class Weights(_FiniteLaw):
    """Probabilities in proportion to whole numbers."""

    listed: tuple[int, ...]

    word, parameter = "weights", "weights"

    def __post_init__(self) -> None:
        weights = self.listed.split(",") if isinstance(self.listed, str) else self.listed
        numbers = [
            exact(weight, "weights") for weight in items(weights, "weights", "a list of whole numbers")
        ]
        if not 1 < len(numbers) <= _MOST_VALUES or any(n <= 0 or n.denominator != 1 for n in numbers):
            message = (
                f"`weights` must be 2 to {_MOST_VALUES:,} positive whole numbers, in proportion to "
                f"probabilities; got {brief(weights)}."
            )
            raise ProblemError(message)
        whole = tuple(map(int, numbers))
        for index in range(1, len(whole) - 1):
            low, middle, high = whole[index - 1 : index + 2]
            if middle * middle < low * high:
                message = (
                    f"`weights` must be log-concave: the square of each at least the product of its two "
                    f"neighbours, as the theorem of chains asks; got {low}, {middle}, {high} in a row. Ask "
                    "for pairs of epsilon and delta that this noise keeps, in place of the noise."
                )
                raise ProblemError(message)
        object.__setattr__(self, "listed", whole)
        object.__setattr__(self, "first", -((len(whole) - 1) // 2))

    def __str__(self) -> str:
        text = ", ".join(map(str, self.listed[:9])) + (", …" if len(self.listed) > 9 else "")  # noqa: PLR2004
        return f"noise of {len(self.listed)} values with weights {text}"

    @property
    def weights(self) -> tuple[int, ...]:
        """The weights."""
        return self.listed


NOISE_LAWS: dict[str, type[NoiseLaw]] = {
    law.word: law for law in (DiscreteGaussian, Skellam, Binomial, Weights, Gaussian)
}
"""All that have a name."""


def noise_law(name: str, **parameters: Any) -> NoiseLaw:  # noqa: ANN401 - a number, or a list
    """Return a law by its name and its one parameter."""
    if not isinstance(name, str) or name not in NOISE_LAWS:
        raise broken_rule("noise", f"be {join_words(NOISE_LAWS, 'or')}", brief(name))
    law = NOISE_LAWS[name]
    if set(parameters) != {law.parameter}:
        names = join_words(parameters, "and") if parameters else "nothing"
        raise broken_rule(name, f"have `{law.parameter}`, and nothing else", names)
    return law(parameters[law.parameter])  # type: ignore[call-arg]


TYPED_LAWS = tuple(f"{law.word}:{law.parameter.upper()}" for law in NOISE_LAWS.values())
"""Each as it is typed."""


def noise_law_of(text: str) -> NoiseLaw:
    """Return the law that is typed as name and parameter."""
    need_text(text, "noise")
    name, colon, value = text.partition(":")
    if not colon or name not in NOISE_LAWS:
        raise broken_rule(
            "noise", f"be {join_words(TYPED_LAWS, 'or')}, such as discrete-gaussian:2", brief(text)
        )
    return noise_law(name, **{NOISE_LAWS[name].parameter: value})
