"""Small programs, written down row by row."""

from __future__ import annotations

import numpy as np

from optmech.models.linear_model import Block, LinearModel

INF = float("inf")


def program(cost, rows=(), columns=None, *, integer=None, offset=0.0, name="small"):
    """Return ``min cost x + offset``; rows are ``(coefficients, lower, upper)``, columns ``(lower, upper)``.

    Columns are from zero to infinity, and not integer, unless said otherwise.
    """
    columns = columns or [(0.0, INF)] * len(cost)
    matrix = np.array([row[0] for row in rows], float).reshape(len(rows), len(cost))
    return LinearModel(
        name=name,
        columns=(Block(name="x", indices=np.arange(len(cost))[:, None]),),
        rows=(Block(name="row", indices=np.arange(len(rows))[:, None]),),
        cost=cost,
        offset=offset,
        matrix=matrix,
        row_lower=[row[1] for row in rows],
        row_upper=[row[2] for row in rows],
        column_lower=[lower for lower, _ in columns],
        column_upper=[upper for _, upper in columns],
        integer=[False] * len(cost) if integer is None else integer,
    )


def market_split(num_rows=6, num_binaries=50):
    """Return a market split, which no branch and bound solves in seconds.

    Choose customers so that the demand for each product is split in halves; least sum of the misses. The
    linear relaxation says 0 until nearly all customers are placed, and no placement misses nothing.
    """
    sizes = np.random.default_rng(1).integers(0, 100, (num_rows, num_binaries)).astype(float)
    halves = np.floor(sizes.sum(axis=1) / 2)
    over_and_under = np.hstack([np.eye(num_rows), -np.eye(num_rows)])
    rows = [
        (np.concatenate([row, miss]), half, half)
        for row, miss, half in zip(sizes, over_and_under, halves, strict=True)
    ]
    misses = 2 * num_rows
    return program(
        [0.0] * num_binaries + [1.0] * misses,
        rows,
        [(0, 1)] * num_binaries + [(0, INF)] * misses,
        integer=[True] * num_binaries + [False] * misses,
    )
