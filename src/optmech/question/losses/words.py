"""Losses in words, and as values of JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.numbers import as_text
from optmech.question.costs import exact_losses
from optmech.question.loss import beyond, noise_cost

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.question.losses.objective import Loss
    from optmech.question.query import Query
    from optmech.question.structures import Structure

_LOSSES = {
    "absolute": "distance between released and true answer",
    "squared": "squared distance between released and true answer",
    "zero-one": "probability of releasing another answer than the true one",
}

_NOISE_COSTS = {
    "error-rate": "probability of releasing another answer than the true one",
    "squared": "squared noise, counted from 0 to the modulus less 1",
    "circular": "squared distance on the circle between released and true answer",
    "wrapped": "squared error over true answers that are all as likely, noise that wraps around included",
}


def loss_words(name: str | None) -> str:
    """Return a phrase on the quantity that a loss measures.

    >>> loss_words("beyond 2"), loss_words(None)
    ('probability of an error of more than 2', 'loss, given for each answer and true answer')
    """
    if name in _LOSSES:
        return _LOSSES[name]
    limit = None if name is None else beyond(name)
    if limit is not None:
        return f"probability of an error of more than {as_text(limit)}"
    return f"loss, {'given for each answer and true answer' if name is None else name}"


def loss_sentence(loss: Loss, structure: Structure, name: str | None = None) -> str:
    """Return a phrase on the quantity that a loss measures and its true answers."""
    costs = structure.noise_costs(loss.loss) if np.isclose(loss.total, 1.0) else None
    if costs is not None:  # the same at every truth
        return f"{_noise_words(costs, structure)}, at every true answer"
    return f"{loss_words(loss.loss_name or name)}, {loss.truths}"


def _noise_words(costs: Floats, structure: Structure) -> str:
    for name, words in _NOISE_COSTS.items():
        if np.array_equal(noise_cost(name, structure.moduli or len(costs)), costs):
            return words
    return "cost of the noise, given for each of its values"


def loss_content(loss: Loss, query: Query, structure: Structure) -> dict[str, Any]:
    """Return a loss as its name, as costs of noise values, or entry by entry."""
    entries: Any = loss.loss_name
    if entries is None:
        losses = exact_losses(loss, query)
        # Costs that do not wrap around with the noise cannot be listed by noise value.
        noise = structure.noise_costs(losses)
        if noise is None:
            entries = {"matrix": [list(map(as_text, row)) for row in losses]}
        else:
            entries = {"noise": list(map(as_text, noise))}
    return {"loss": entries}
