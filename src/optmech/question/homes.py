"""The response that holds each truth, for what speaks of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text

if TYPE_CHECKING:
    from optmech.base.arrays import Integers
    from optmech.question.query import Query

__all__ = ["need_homes"]


def need_homes(query: Query, demand: str) -> Integers:
    """Return the response that holds each truth, and refuse a truth that none holds."""
    if (query.home < 0).any():
        truth = query.truths[int(np.argmax(query.home < 0))]
        message = (
            f"{demand} needs every truth inside a response; {as_text(truth)} is in none. "
            "Widen the responses until they cover the truths."
        )
        raise ProblemError(message)
    return query.home
