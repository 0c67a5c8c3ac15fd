"""Prior probabilities of the truths."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.arguments import finite_numbers, items
from optmech.base.errors import broken_rule
from optmech.base.numbers import exact

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import ArrayLike

    from optmech.base.arrays import Floats
    from optmech.question.query import Query


# A prior typed as decimals sums to one only up to their rounding.
_PRIOR_ROUNDING = 1e-9


def truth_weights(prior: str | ArrayLike | None, query: Query) -> Floats:
    """Return the weight of each truth in the objective, shape (num_truths,).

    ``None`` gives every truth weight one: the objective is then the plain sum over truths, as Croft et al.
    2020 state it. ``"uniform"`` divides that by the number of truths. An array is a probability for each
    truth: doubles, fractions, or texts such as ``"1/3"``.
    """
    if prior is None:
        return np.ones(query.num_truths)
    if isinstance(prior, str):
        if prior != "uniform":
            raise broken_rule("prior", "be 'uniform' or one probability for each truth", repr(prior))
        return np.full(query.num_truths, 1.0 / query.num_truths)
    exact_weights = exact_prior(prior)
    weights = finite_numbers(prior if exact_weights is None else list(map(_double, exact_weights)), "prior")
    if weights.shape != (query.num_truths,):
        raise broken_rule(
            "prior", f"have {query.num_truths} entries, one for each truth", f"shape {weights.shape}"
        )
    if (weights < 0).any():
        worst = int(np.argmin(weights))
        raise broken_rule("prior", "be zero or more", f"{weights[worst]} at truth {worst}")
    with np.errstate(over="ignore"):
        total = float(weights.sum())
    if abs(total - 1) > _PRIOR_ROUNDING:
        raise broken_rule("prior", "sum to one", repr(total), "Divide each entry by the sum.")
    return weights


def exact_prior(prior: str | ArrayLike | None) -> list[Fraction] | None:
    """Return a prior that was given as texts or fractions, without rounding; ``None`` for any other.

    >>> exact_prior(["1/3", "2/3"]), exact_prior([0.5, 0.5])
    ([Fraction(1, 3), Fraction(2, 3)], None)
    """
    if prior is None or isinstance(prior, (str, Mapping)) or not np.iterable(prior):
        return None
    if isinstance(prior, np.ndarray) and prior.dtype.kind not in "OU":
        return None
    values = items(prior, "prior")
    if all(isinstance(value, (float, int, np.number, np.ndarray, list, tuple)) for value in values):
        return None
    if all(type(value) is str for value in values):
        once = {value: exact(value, "prior") for value in dict.fromkeys(values)}
        return [once[value] for value in values]
    return [exact(value, "prior") for value in values]


def _double(value: Fraction) -> float:
    """Return the nearest double, infinite beyond the largest."""
    try:
        return float(value)
    except OverflowError:
        return inf
