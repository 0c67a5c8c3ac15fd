"""Laws of noise in whole numbers that a question can name: it asks for as much privacy as such noise gives.

Model
-----
    Gaussian of sigma               the density exp(-y^2 / (2 sigma^2)), of all numbers y
    discrete Gaussian of sigma      P(z) in proportion to exp(-z^2 / (2 sigma^2))
    Skellam of rate mu              the difference of two Poisson variables of mean mu,
                                    P(z) = e^(-2 mu) I_z(2 mu)
    binomial of m fair coins        P(z) = (m choose z + floor(m/2)) / 2^m
    weights w_0, ..., w_k           P(z) in proportion to w_(z + floor(k/2)), positive whole numbers

Each is log-concave, ``P(z)^2 >= P(z-1) P(z+1)``, which the theorem of chains asks for: the first three are so
by their formula, weights are checked.

Source: Canonne, Kamath, Steinke 2020 (discrete Gaussian); Agarwal, Kairouz, Liu 2021 (Skellam); Dwork et al.
2006 (binomial).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.base.arguments import brief
from optmech.base.errors import ProblemError
from optmech.base.wording import join_words
from optmech.question.privacy.finite_laws import Binomial, Weights
from optmech.question.privacy.gaussian_law import Gaussian
from optmech.question.privacy.smooth_laws import DiscreteGaussian, Skellam

if TYPE_CHECKING:
    from optmech.question.privacy.noise_law import NoiseLaw

__all__ = ["NOISE_LAWS", "noise_law", "noise_law_of"]

NOISE_LAWS: dict[str, type[NoiseLaw]] = {
    law.word: law for law in (DiscreteGaussian, Skellam, Binomial, Weights, Gaussian)
}
"""All that have a name."""


def noise_law(name: str, **parameters: Any) -> NoiseLaw:  # noqa: ANN401 - a number, or a list
    """Return a law by its name and its one parameter."""
    if not isinstance(name, str) or name not in NOISE_LAWS:
        message = f"`noise` must be {join_words(NOISE_LAWS, 'or')}; got {brief(name)}."
        raise ProblemError(message)
    law = NOISE_LAWS[name]
    if set(parameters) != {law.parameter}:
        names = join_words(parameters, "and") if parameters else "nothing"
        message = f"`{name}` must have `{law.parameter}`, and nothing else; got {names}."
        raise ProblemError(message)
    return law(parameters[law.parameter])  # type: ignore[call-arg]


def noise_law_of(text: str) -> NoiseLaw:
    """Return the law that is typed as name and parameter."""
    name, colon, value = text.partition(":")
    if not colon or name not in NOISE_LAWS:
        names = (f"{law.word}:{law.parameter.upper()}" for law in NOISE_LAWS.values())
        message = (
            f"`noise` must be {join_words(names, 'or')}, such as discrete-gaussian:2; got {brief(text)}."
        )
        raise ProblemError(message)
    return noise_law(name, **{NOISE_LAWS[name].parameter: value})
