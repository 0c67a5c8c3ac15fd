"""The same program in units in which all its numbers are alike.

Entries of a good mechanism fall off like e^(-epsilon d) with the distance d of a truth from the one that the
response answers. A solver keeps rows within an absolute tolerance, so far entries would be noise: measured in
units of e^(-epsilon d) each is about as large as the probability of the truth, and a row of privacy between
neighbours reads ``z <= z'``.

Model
-----
    x = s z                          column scale s
    k (A s) z <= k b                 row scale k: the largest coefficient of a row is one

The matrix is that of the unscaled program; so are multipliers, once a row's dual is multiplied by its scale.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers
    from optmech.models.formulations.assemble import Formulation


# e^-300 is far below what counts and far above what doubles can hold.
_LARGEST_EXPONENT = 300.0
# The e^epsilon of a row and that of two units are rounded apart: what is one in truth differs by so much.
_ROUNDING = 1e-12


def decay_of(epsilon: float, distance: Integers) -> Floats:
    """Return ``e^(-epsilon distance)``, as far as doubles hold it well.

    >>> decay_of(1.0, np.array([0, 1, 10_000])).tolist() == [1.0, np.exp(-1.0), np.exp(-300.0)]
    True
    """
    exponents: Floats = np.exp(-np.minimum(epsilon * distance, _LARGEST_EXPONENT))
    return exponents


def scale_columns(formulation: Formulation, unit: Floats) -> Formulation:
    """Return the program with column j in units of ``unit[j]``, each row of a largest coefficient of one."""
    model, layout = formulation.model, formulation.layout
    units = sparse.diags_array(unit, format="csr")
    matrix = sparse.csr_array(model.matrix @ units)
    largest = abs(matrix).max(axis=1).toarray().ravel()
    scale = 1.0 / np.where(largest > 0, largest, 1.0)
    numbers = matrix.data * np.repeat(scale, np.diff(matrix.indptr))
    one = np.abs(np.abs(numbers) - 1.0) <= _ROUNDING
    numbers[one] = np.sign(numbers[one])
    own = unit[: layout.num_columns]
    return replace(
        formulation,
        model=replace(
            model,
            cost=model.cost * unit,
            matrix=sparse.csr_array((numbers, matrix.indices, matrix.indptr), shape=matrix.shape),
            row_lower=model.row_lower * scale,
            row_upper=model.row_upper * scale,
            column_lower=model.column_lower / unit,
            column_upper=model.column_upper / unit,
        ),
        layout=replace(
            layout,
            entries=sparse.csr_array(layout.entries @ sparse.diags_array(own, format="csr")),
            rows=tuple(
                replace(part, matrix=sparse.csr_array(part.matrix @ sparse.diags_array(own, format="csr")))
                for part in layout.rows
            ),
        ),
        row_scale=scale,
    )
