"""Limits of the error of one number of a margin: proved for every table, as `table_sums` has them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.mechanisms.tables.table_sums import TableSum
from optmech.proofs.tables.geometric import rounding

if TYPE_CHECKING:
    from optmech.mechanisms.tables.table_certificate import TableCertificate
    from optmech.question.tables.margins import Axes

_SURE = Fraction(5, 100)


def limit_of(certificate: TableCertificate, margin: Axes) -> int:
    """Return the error that each number of a margin stays within, with a probability of 95 % or more."""
    shape = certificate.problem.shape
    marks = [np.arange(size) < (1 if axis in margin else size) for axis, size in enumerate(shape.sizes)]
    return TableSum(certificate.noise, marks, rounding(shape, margin)).limit(_SURE)
