"""One noise distribution, added modulo the number of answers.

Model
-----
    f[eta] >= 0                                                for each noise eta = 0..N-1
    M[r,q] = f[(r - q) mod N]                                  response r, truth q
    sum_eta f[eta] = 1                       total
    privacy compares f[eta] with f[eta+mu]   ratio[mu,eta]     for each distance mu, noise eta

Adding the truth turns every pair of neighbours at distance mu into the same comparison, so one of each N is
kept: truth 0 against truth -mu.

Size: N columns, 1 row, N comparisons for each distance.
Source: Kadam et al. 2024, (4), (6), (8), (13b).
Algebra: formulations/kadam_pure.mod.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.errors import NotAcceptedError
from optmech.formulations.layout import Comparisons, Layout, exactly
from optmech.model import Block

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.problem.query import Query

__all__ = ["distances_of", "modular_layout"]


def distances_of(query: Query) -> NDArray[np.int64]:
    """Return the distances, truth minus neighbour modulo N, of a query on a circle.

    Raises
    ------
    NotAcceptedError
        If responses and truths differ, or some pair has a distance that other truths do not.
    """
    size = query.num_truths
    if not query.is_circular:
        message = (
            f"noise modulo the number of answers needs a query that looks the same from every answer, "
            f"such as residues({size}, [1]); got {query.name}. Use a free matrix instead."
        )
        raise NotAcceptedError(message)
    distances: NDArray[np.int64] = np.unique((query.pairs[:, 0] - query.pairs[:, 1]) % size)
    return distances


def modular_layout(query: Query) -> Layout:
    """Return the layout of modular noise. Subscripts are the noise, and the distance of neighbours."""
    distances = distances_of(query)
    size = query.num_truths
    noise = np.arange(size)
    response, truth = np.divmod(np.arange(size * size), size)
    entries = sparse.csr_array(
        (np.ones(size * size), (response * size + truth, (response - truth) % size)),
        shape=(size * size, size),
    )
    total = exactly(
        Block(name="total", indices=np.empty((1, 0), dtype=np.int64)),
        sparse.csr_array(np.ones((1, size))),
        1.0,
    )
    distance, eta = np.repeat(distances, size), np.tile(noise, len(distances))
    comparisons = Comparisons(
        name="ratio",
        left=eta * size,
        right=eta * size + (-distance) % size,
        subscripts=np.column_stack([distance, eta]),
        group=np.repeat(np.arange(len(distances)), size),
        group_subscripts=distances[:, None],
    )
    return Layout(
        columns=(Block(name="f", indices=noise[:, None]),),
        entries=entries,
        constant=np.zeros(size * size),
        rows=(total,),
        comparisons=comparisons,
        shape=(size, size),
    )
