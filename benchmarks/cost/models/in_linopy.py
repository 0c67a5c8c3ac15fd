"""linopy: labelled arrays and whole-array expressions, up to the matrices that a solver is given.

Neighbouring truths are slices that are given the same labels; a ``shift`` would leave absent entries.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from benchmarks.cost.machine import peer

__all__ = ["HOW", "build", "model", "optimum"]

HOW = "vectorised, up to model.matrices"


def build(size: int, epsilon: str) -> Any:  # noqa: ANN401 - a type of a library without types here
    """Return the model, with its matrix made."""
    program = model(size, epsilon)
    matrices = program.matrices
    return program, matrices.A, matrices.b, matrices.c


def model(size: int, epsilon: str) -> Any:  # noqa: ANN401 - as above
    """Return the model alone, ready to be written."""
    linopy, xarray = peer("linopy"), peer("xarray")
    factor, numbers = math.exp(float(epsilon)), np.arange(size + 1)
    axes = {"response": numbers, "truth": numbers}
    loss = xarray.DataArray(np.abs(numbers[:, None] - numbers[None, :]) / (size + 1), axes)
    program = linopy.Model()
    entries = program.add_variables(0, 1, coords=list(axes.items()), name="M")
    program.add_constraints(entries.sum("response") == 1, name="total")
    here = entries.isel(truth=slice(None, -1))
    there = entries.isel(truth=slice(1, None)).assign_coords(truth=numbers[:-1])
    program.add_constraints(1 * here - factor * there <= 0, name="up")
    program.add_constraints(1 * there - factor * here <= 0, name="down")
    program.add_objective((loss * entries).sum())
    return program


def optimum(built: Any) -> float:  # noqa: ANN401 - as above
    """Return its least objective, as HiGHS claims it."""
    program = built[0]
    program.solve("highs", progress=False, output_flag=False)
    return float(program.objective.value)
