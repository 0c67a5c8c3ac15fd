"""One noise distribution, added modulo the number of answers.

Model
-----
    f[eta] >= 0                                                for each noise eta = 0..N-1
    M[r,q] = f[(r - q) mod N]                                  response r, truth q
    sum_eta f[eta] = 1                       total
    privacy compares f[eta] with f[eta+mu]   ratio[mu,eta]     for each distance mu, noise eta

Adding the truth turns every pair of neighbours at distance mu into the same comparison, so one of each N is
kept: truth 0 against truth -mu. Answers that are vectors are added coordinate by coordinate, each modulo its
own modulus; eta and mu are then vectors, and so are their subscripts.

Size: N columns, 1 row, N comparisons for each distance.
Source: Kadam et al. 2024, (4), (6), (8), (13b).
Algebra: formulations/kadam_pure.mod, kadam_vector.mod, kadam_vector_pure.mod.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.models.formulations.layout import Comparisons, Layout, exactly
from optmech.models.linear_model import Block
from optmech.question.modular import distances_of
from optmech.question.vectors import all_vectors

if TYPE_CHECKING:
    from optmech.question.query import Query
    from optmech.question.structure import ModularNoise

__all__ = ["modular_layout"]


def modular_layout(query: Query, structure: ModularNoise) -> Layout:
    """Return the layout of modular noise. Subscripts are the noise, and the distance of neighbours."""
    distances, weights = distances_of(query, structure)
    size = query.num_truths
    table = structure.noise(size)
    noise = np.arange(size)
    entries = sparse.csr_array(
        (np.ones(size * size), (np.arange(size * size), table.ravel())), shape=(size * size, size)
    )
    vectors = all_vectors(structure.moduli or (size,))
    total = exactly(
        Block(name="total", indices=np.empty((1, 0), dtype=np.int64)),
        sparse.csr_array(np.ones((1, size))),
        1.0,
    )
    distance, eta = np.repeat(distances, size), np.tile(noise, len(distances))
    comparisons = Comparisons(
        name="ratio",
        left=eta * size,
        right=eta * size + table[0, distance],
        subscripts=np.hstack([vectors[distance], vectors[eta]]),
        group=np.repeat(np.arange(len(distances)), size),
        group_subscripts=vectors[distances],
        group_weights=weights,
    )
    return Layout(
        columns=(Block(name="f", indices=vectors),),
        entries=entries,
        constant=np.zeros(size * size),
        rows=(total,),
        comparisons=comparisons,
        shape=(size, size),
    )
