"""One noise distribution, added modulo the number of answers.

Model
-----
    f[eta] >= 0                                                for each noise eta = 0..N-1
    M[r,q] = f[(r - q) mod N]                                  response r, truth q
    sum_eta f[eta] = 1                       total
    privacy compares f[eta] with f[eta+mu]   ratio[mu,eta]     for each distance mu, noise eta

All N pairs of neighbours at distance mu give the same comparison, so one is kept: truth 0 against truth -mu.
Answers that are vectors are added coordinate by coordinate, each modulo its own modulus; eta and mu are then
vectors, and so are their subscripts.

Size: N columns, 1 row, N comparisons for each distance.
Source: Kadam et al. 2024, (4), (6), (8), (13b).
Algebra: formulations/kadam_pure.mod, kadam_vector.mod, kadam_vector_pure.mod.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from optmech.base.arguments import of_form
from optmech.base.blocks import Tie
from optmech.base.errors import NotAcceptedError, broken_rule
from optmech.question.keys import WHOLE, Key, list_of
from optmech.question.structures.structure import Columns, Comparisons, Gap, Structure
from optmech.question.vectors import all_vectors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats, Integers, Whole
    from optmech.question.query import Query


@dataclass(frozen=True, slots=True)
class ModularNoise(Structure):
    """One noise distribution, added modulo the number of answers. Kadam et al. 2024 (4).

    With `moduli` an answer is a vector, and the noise is added modulo each of its coordinates: the truths are
    all vectors in lexicographic order, the last coordinate running fastest. Kadam et al. 2024, section VI.
    """

    moduli: tuple[int, ...] = ()

    word = "modular"
    turns = True
    of_kinds = ("residues", "vector")
    keys = (
        Key(
            name="moduli",
            form=list_of(WHOLE, "a list of whole numbers"),
            about="how many values each coordinate has",
            left_out="those of a vector",
        ),
    )

    @property
    def sentence(self) -> str:
        """The mechanisms that are allowed, in a sentence.

        Examples
        --------
        >>> ModularNoise((2, 3)).sentence
        'Noise of one distribution, added modulo 2, 3 in each coordinate.'
        """
        each = (
            f"{', '.join(map(str, self.moduli))} in each coordinate"
            if self.moduli
            else "the number of answers"
        )
        return f"Noise of one distribution, added modulo {each}."

    @classmethod
    @of_form("content", "be a structure as `ModularNoise` states it")
    def read(cls, content: dict[str, Any]) -> Self:
        """Return the structure that `content` states."""
        return cls(tuple(content["moduli"]))

    def __str__(self) -> str:
        if self.moduli:
            return f"noise added to each coordinate modulo {', '.join(map(str, self.moduli))}"
        return "noise added modulo the number of answers"

    def noise(self, size: int) -> Integers:
        """Return for each response and truth the noise that turns the truth into the response.

        Parameters
        ----------
        size : int
            Number of truths.

        Returns
        -------
        ndarray of int, shape (size, size)
            Positions of noise values among the truths; noise at position 0 is none.

        Raises
        ------
        ProblemError
            If the vectors of the moduli are not as many as the truths.

        Examples
        --------
        >>> ModularNoise().noise(3).tolist()
        [[0, 2, 1], [1, 0, 2], [2, 1, 0]]
        >>> ModularNoise((2, 2)).noise(4)[3].tolist()
        [3, 2, 1, 0]
        """
        moduli = self.moduli or (size,)
        if prod(moduli) != size:
            raise broken_rule("moduli", "make one vector for each truth", f"{prod(moduli)} for {size}")
        vectors = all_vectors(moduli).T
        difference = (vectors[:, :, None] - vectors[:, None, :]) % np.array(moduli)[:, None, None]
        noise: Integers = np.ravel_multi_index(tuple(difference), moduli)
        return noise

    def noise_costs(self, losses: Whole) -> Whole | None:
        """Return the cost of each noise where losses shift with the truths, else ``None``."""
        first: Whole = losses[:, 0]
        return first if np.array_equal(first[self.noise(losses.shape[1])], losses) else None

    def averaged(self, costs: Floats) -> Floats:
        """Return costs averaged over the truths that share a noise, modulo their number."""
        truths = np.arange(len(costs))
        mean = costs[(truths[:, None] + truths) % len(costs), truths].mean(axis=1)  # of each noise
        averaged: Floats = mean[(truths[:, None] - truths) % len(costs)]
        return averaged

    def noise_table(self, size: int) -> Integers:
        """Return `noise`."""
        return self.noise(size)

    def noise_of(self, matrix: Floats) -> Floats:
        """Return the first column; the others are its cyclic shifts."""
        return matrix[:, 0]

    def noise_origin(self, query: Query) -> Fraction | None:
        """Return zero, but for noise that is a vector."""
        return None if query.moduli else Fraction(0)

    def columns(self, query: Query) -> Columns:
        """Return a column for each noise. Subscripts are the noise, and the distance of neighbours."""
        from scipy import sparse  # noqa: PLC0415 - a question alone needs no SciPy

        distances, weights = distances_of(query, self)
        size = query.num_truths
        table = self.noise(size)
        vectors = all_vectors(self.moduli or (size,))
        distance, eta = np.repeat(distances, size), np.tile(np.arange(size), len(distances))
        return Columns(
            name="f",
            subscripts=vectors,
            entries=sparse.csr_array(
                (np.ones(size * size), (np.arange(size * size), table.ravel())), shape=(size * size, size)
            ),
            constant=np.zeros(size * size),
            total=sparse.csr_array(np.ones((1, size))),
            total_subscripts=np.empty((1, 0), dtype=np.int64),
            comparisons=Comparisons(
                name="ratio",
                left=eta * size,
                right=eta * size + table[0, distance],
                subscripts=np.hstack([vectors[distance], vectors[eta]]),
                group=np.repeat(np.arange(len(distances)), size),
                group_subscripts=vectors[distances],
                group_weights=weights,
            ),
            shape=(size, size),
        )

    def mismatch(self, query: Query) -> str | None:
        """Return why it does not fit a query."""
        size = query.num_truths
        covers = prod(self.moduli or (size,)) == size
        same = covers and query.distances(self.noise(size)) is not None
        return None if same else "modular noise needs the same neighbours for each answer"

    def blocks(self, query: Query) -> Iterator[Tie]:
        """Yield that columns are cyclic shifts of the first one."""
        table = self.noise(query.num_truths)
        entry = np.arange(table.size)
        yield Tie(
            name="modular",
            subscripts=np.column_stack(np.divmod(entry, query.num_truths)),
            left=entry,
            right=table.ravel() * query.num_truths,
            violation="columns are not turns of one distribution",
        )

    def gaps(self, matrix: Floats, query: Query) -> Iterator[Gap]:
        """Yield the distance of columns from cyclic shifts of one distribution."""
        gap = float(np.abs(matrix - matrix[:, 0][self.noise(query.num_truths)]).max())
        yield Gap("modular noise", gap, f"columns are turns of one distribution within {gap:.1e}")


def distances_of(query: Query, structure: ModularNoise) -> tuple[Integers, Integers]:
    """Return the distances, truth minus neighbour, of a query on a circle or torus, and their weights.

    Both have shape (num_distances,); a distance is the position of that noise. A query is refused where some
    pair has a distance that other truths do not.
    """
    size = query.num_truths
    distances = query.distances(structure.noise(size))
    if distances is None:
        message = (
            f"{structure} needs a query that looks the same from every answer, such as residues({size}, [1]) "
            f"or a vector of these moduli; got {query.title}. Use a free matrix instead."
        )
        raise NotAcceptedError(message)
    return distances
