"""A question of modular noise and probabilistic privacy in terms of the noise alone.

Every mechanism of the question is one noise f, and by the first privacy, Kadam et al. 2024, Definition 2,

    for each distance mu   the sum of f(p) over the values p with f(p) > e^epsilon f(p + mu) is <= delta.

Its loss is ``sum_q cost(q) f(q)``, each cost a sum over the truths, so that it is at least

    cost(0) f(0) + (least other cost) (1 - f(0)).

All further rules of the question only forbid some of these noises.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import NotAcceptedError
from optmech.question.structures import ModularNoise, distances_of
from optmech.question.vectors import all_vectors

if TYPE_CHECKING:
    from optmech.base.arrays import Integers, Whole
    from optmech.rules.quantities import CompiledLoss
    from optmech.rules.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseQuestion:
    """The law of one noise on a circle, or on a torus.

    Attributes
    ----------
    moduli : tuple of int
        The size of each circle. Noise values are vectors in lexicographic order, named by their positions.
    distances : tuple of int
        Positions of the distances, truth minus neighbour, increasing.
    delta : Fraction or None
        The delta that may be spent; ``None`` where the least one is sought.
    truth_cost, other_cost : Fraction
        The expected cost of value 0, and the least one of any other, which is larger.
    at_most : Fraction or None
        The bound on the expected cost where delta is sought, below `other_cost`.
    """

    moduli: tuple[int, ...]
    distances: tuple[int, ...]
    delta: Fraction | None
    truth_cost: Fraction
    other_cost: Fraction
    at_most: Fraction | None

    @property
    def size(self) -> int:
        """Number of noise values."""
        return int(np.prod(self.moduli))

    @property
    def most_inverse(self) -> Fraction | None:
        """The largest 1 / f(0) that the bound on the cost allows, ``None`` without one."""
        if self.at_most is None:
            return None
        return (self.other_cost - self.truth_cost) / (self.other_cost - self.at_most)

    def moved(self) -> Integers:
        """Return p + mu for each distance mu and value p, shape (distances, size)."""
        vectors = all_vectors(self.moduli)
        return self._positions(vectors[list(self.distances)][:, None, :] + vectors[None, :, :])

    def mirrored(self) -> Integers:
        """Return -p for each value p, shape (size,)."""
        return self._positions(-all_vectors(self.moduli))

    def _positions(self, vectors: Integers) -> Integers:
        turned = np.moveaxis(vectors % np.array(self.moduli), -1, 0)
        positions: Integers = np.ravel_multi_index(tuple(turned), self.moduli)
        return positions


def noise_question(rules: Rules) -> NoiseQuestion:
    """Return a question in terms of its noise.

    NotAcceptedError: it has another structure, another privacy or weights of neighbours, or value 0 is not
    the cheapest.

    Examples
    --------
    >>> from optmech.question.problems.kadam import kadam
    >>> from optmech.question.queries import residues
    >>> from optmech.rules import compile_rules
    >>> question = noise_question(compile_rules(kadam(residues(5, [1]), "1.5", "0.1")))
    >>> question.distances, question.truth_cost, question.other_cost
    ((1, 4), Fraction(0, 1), Fraction(1, 1))
    >>> question.moved().tolist()
    [[1, 2, 3, 4, 0], [4, 0, 1, 2, 3]]
    """
    structure, query = rules.problem.structure, rules.problem.query
    if not isinstance(structure, ModularNoise) or rules.choice is None:
        message = (
            "levels need modular noise of probabilistic privacy with a delta; this question asks for other."
        )
        raise NotAcceptedError(message)
    distances, weights = distances_of(query, structure)
    loss = rules.cost if rules.seeks_delta else rules.objective
    if loss is None or loss.each or (weights != 1).any():
        message = "levels need an expected loss, and neighbours one epsilon apart; this question has others."
        raise NotAcceptedError(message)
    costs = _costs(loss, structure.noise(query.num_truths))
    truth, other = costs[0], min(costs[1:])
    if other <= truth:
        message = "levels need a loss that is least where the truth is told; this question has another."
        raise NotAcceptedError(message)
    if loss.at_most is not None and loss.at_most >= other:
        message = (
            "levels need a bound on the cost that asks for some accuracy; this question has a looser one."
        )
        raise NotAcceptedError(message)
    return NoiseQuestion(
        moduli=structure.moduli or (query.num_truths,),
        distances=tuple(distances.tolist()),
        delta=rules.delta,
        truth_cost=truth,
        other_cost=other,
        at_most=loss.at_most,
    )


def _costs(loss: CompiledLoss, noise: Integers) -> list[Fraction]:
    """Return the cost of each noise value, all truths together."""
    sums: Whole = np.zeros(len(noise), dtype=object)
    np.add.at(sums, noise, loss.costs.table.astype(object))
    return [Fraction(int(total), loss.costs.scale) for total in sums]
