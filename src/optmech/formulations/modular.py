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

from optmech.errors import NotAcceptedError
from optmech.formulations.layout import Comparisons, Layout, exactly
from optmech.model import Block
from optmech.problem.loss import need_numbers, noise_cost
from optmech.problem.objective import ExpectedLoss
from optmech.problem.vectors import all_vectors

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from optmech.problem.query import Query
    from optmech.problem.structure import ModularNoise

__all__ = ["distances_of", "modular_cost", "modular_layout"]


def distances_of(query: Query, structure: ModularNoise) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distances, truth minus neighbour, of a query on a circle or torus, and their weights.

    Both have shape (num_distances,); a distance is the position of that noise.

    Raises
    ------
    NotAcceptedError
        If responses and truths differ, or some pair has a distance that other truths do not.
    """
    size = query.num_truths
    found = query.distances(structure.noise(size))
    if found is None:
        message = (
            f"{structure} needs a query that looks the same from every answer, such as residues({size}, [1]) "
            f"or a vector of these moduli; got {query.title}. Use a free matrix instead."
        )
        raise NotAcceptedError(message)
    return found


def modular_cost(query: Query, structure: ModularNoise, cost: str | ArrayLike) -> ExpectedLoss:
    """Return the expected cost of the noise, each value as `noise_cost` says.

    Raises
    ------
    ProblemError
        If the cost breaks its rule, or is a distance and the answers are no numbers.
    """
    size = query.num_truths
    if isinstance(cost, str) and cost != "error-rate" and not structure.moduli:
        need_numbers(query, cost)
    # Such noise costs the same at every truth, so the cost is read at truth 0 alone.
    at_zero = np.zeros(size)
    at_zero[0] = 1.0
    return ExpectedLoss(noise_cost(cost, structure.moduli or size)[structure.noise(size)], at_zero)


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
