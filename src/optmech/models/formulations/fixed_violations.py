"""The program of probabilistic privacy once it is known which ratios are violated: no integers are left."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from optmech.base.arrays import Booleans
    from optmech.models.formulations.assemble import Formulation
    from optmech.models.linear_model import LinearModel

__all__ = ["fix_violations"]


def fix_violations(formulation: Formulation, violations: Booleans) -> LinearModel:
    """Return the model with its indicators ``u`` fixed to `violations`, in the order of its columns."""
    model = formulation.model
    place = model.columns_of("u")
    lower, upper = model.column_lower.copy(), model.column_upper.copy()
    lower[place] = upper[place] = violations
    return replace(
        model, column_lower=lower, column_upper=upper, integer=np.zeros(model.num_columns, dtype=bool)
    )
