"""The mechanism of a chain as a matrix with multipliers: at the worst truth, and where steps differ."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.time_left import overtime
from optmech.designs.chain.multipliers import leaf_of_chain, rows_of_step
from optmech.designs.chain.orbits import noise_of_pairs
from optmech.designs.chain.step_orbits import StepOrbits
from optmech.designs.chain.thresholds import NoiseOrbits
from optmech.designs.chain.worst import PRIOR_BITS, least_favourable
from optmech.proofs.chain.bound import Envelope, Segments
from optmech.proofs.chain.curve import line_bits, lines_of_pairs, pairs_around
from optmech.proofs.enclosure import power_above, power_below
from optmech.proofs.matrix import ExactMatrix
from optmech.proofs.matrix_certificate import MatrixCertificate
from optmech.question.shape import Shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.designs.chain.multipliers import Rows
    from optmech.models.solvers.options import SolveOptions
    from optmech.proofs.certificate import Certificate
    from optmech.proofs.chain.curve import Line, Pair
    from optmech.proofs.enclosure import Enclosure
    from optmech.question.chain_question import ChainQuestion
    from optmech.question.problem import Problem

    Lines = tuple[Line | None, Line | None]
    Sides = tuple[list[Lines], list[Lines]]
    # Orbits, the rows of each step from truth to truth, and given a threshold and k_j what `leaf_of_chain`
    # must know of it: which lines are between two orbits.
    _Chain = tuple[NoiseOrbits | StepOrbits, list[Rows], Callable[[int, int], Sides]]


def matrix_of_chain(
    problem: Problem, factor: Enclosure, question: ChainQuestion, options: SolveOptions
) -> Certificate:
    """Return the best mechanism, proved by multipliers.

    The question is of a worst loss with all weights 1; by the options its least favourable prior is found.
    """
    shape, prior = Shape.of(problem), None
    orbits, rows, sides = (_of_equal_steps if shape.equal_steps else _of_steps)(problem, factor)
    loss = shape.worst_loss
    if loss is not None:
        weights, question, indices, numerators, denominator = least_favourable(
            question, loss.loss, orbits, options
        )
        prior = weights, PRIOR_BITS
    else:
        indices = orbits.best(question)
        numerators, denominator = orbits.matrix(indices), orbits.one
    if isinstance(orbits, StepOrbits):
        numerators, denominator = orbits.private(numerators, denominator)
    with overtime():
        leaf = leaf_of_chain(
            question,
            rows,
            lambda step: sides(indices[step], question.signs[step]),
            [privacy.delta or Fraction(0) for privacy in problem.privacies],
            prior,
        )
    matrix = ExactMatrix(numerators=numerators, denominator=denominator)
    return MatrixCertificate(problem=problem, factor=factor, matrix=matrix, proof=leaf)


def _of_equal_steps(problem: Problem, factor: Enclosure) -> _Chain:
    inner, outer = pairs_around(factor, problem.privacies)
    number = problem.query.num_truths
    noise = noise_of_pairs(inner, number - 1, has_tails=False)
    lines = lines_of_pairs(outer)
    segments = Segments(noise, lines)

    def sides(orbit: int, _: int) -> Sides:
        left, right = (
            [segments[orbit + side - noise.period * edge] for edge in range(number - 1)] for side in (0, 1)
        )
        return left, right

    rows = rows_of_step(outer, outer, segments.bits)
    return NoiseOrbits(noise, lines, number), [rows] * (number - 1), sides


def _of_steps(problem: Problem, factor: Enclosure) -> _Chain:
    """Return the chain of a query whose neighbours are further apart in some steps, or one way alone."""
    steps = Shape.of(problem).steps or ()

    def pairs(weight: int | None, *, inner: bool) -> list[Pair]:
        return [
            (
                power_below(each.lower, weight) if inner else power_above(each.upper, weight),
                privacy.delta or Fraction(0),
            )
            for each, privacy in zip(factor.each, problem.privacies, strict=True)
            if weight is not None
        ]

    orbits = StepOrbits(
        [pairs(step.up, inner=True) for step in steps],
        [pairs(step.down, inner=True) for step in steps],
        problem.query.num_responses,
    )
    outer = [(pairs(step.up, inner=False), pairs(step.down, inner=False)) for step in steps]
    bits = line_bits([pair for step in outer for way in step for pair in way])
    rows = [rows_of_step(up, down, bits) for up, down in outer]
    envelopes = [
        Envelope(sorted(step, reverse=True), orbits.bits + 1, nothing=2 * orbits.nothing) for step in rows
    ]
    lines_before: dict[int, list[Lines]] = {}

    def between(orbit: int) -> list[Lines]:
        """Return the lines between an orbit and the one before it."""
        if orbit not in lines_before:
            middle = (orbits.values[orbit - 1] + orbits.values[orbit]).tolist()
            lines_before[orbit] = [own.at(x) for own, x in zip(envelopes, middle[1:], strict=True)]
        return lines_before[orbit]

    def sides(orbit: int, turn: int) -> Sides:
        left, right = orbits.beside(orbit, turn)
        return between(left), between(right)

    return orbits, rows, sides
