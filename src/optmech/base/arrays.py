"""Arrays by what they hold."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Booleans", "Exact", "Floats", "Integers"]

Booleans = NDArray[np.bool_]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Exact = NDArray[Any]
"""Python's integers or fractions; also numbers of which it does not matter how they are stored."""
