"""Names of arrays for annotations; shapes and units stand where the arrays do."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Marks = NDArray[np.bool_]
Whole = NDArray[Any]
"""Python's whole numbers, or its fractions, of any size."""
