"""Programs of which every probability is known by hand, enumerated over all draws."""

from __future__ import annotations

from fractions import Fraction

import pytest

from benchmarks.audit.library.draws import GRID, PathDraws, branches, steps
from optmech.base.errors import ProblemError
from tests.each import each


def enumerate_program(program):
    source = PathDraws()
    return branches(source, lambda: program(source.random))


def until_tails(draw):
    """Count heads of a fair coin before the first tails."""
    heads = 0
    while draw() < 0.5:
        heads += 1
    return heads


def twice_compared(draw):
    """Compare one draw twice: the second comparison knows of the first."""
    value = draw()
    return (value < 0.5, value < 0.75)


@each(
    ("program", "expected"),
    [
        (
            lambda draw: draw() <= 0.25,
            {True: Fraction(1, 4) + Fraction(1, GRID), False: Fraction(3, 4) - Fraction(1, GRID)},
        ),
        (lambda draw: draw() < 0.25, {True: Fraction(1, 4), False: Fraction(3, 4)}),
        (lambda draw: draw() > 1, {False: 1}),
        (lambda draw: draw() >= 0, {True: 1}),
        (lambda draw: int(draw() * 4), dict.fromkeys(range(4), Fraction(1, 4))),
        (lambda draw: draw() * 3.0 < 1.5, {True: Fraction(1, 2), False: Fraction(1, 2)}),
        (
            twice_compared,
            {(True, True): Fraction(1, 2), (False, True): Fraction(1, 4), (False, False): Fraction(1, 4)},
        ),
        (
            lambda draw: (draw() < 0.5) + (draw() < 0.5),
            {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)},
        ),
    ],
)
def test_every_output_has_its_number_of_draws(program, expected):
    found, left = enumerate_program(program)
    assert (found, left) == (expected, 0)


def test_thirds_are_as_near_as_draws_allow():
    found, _ = enumerate_program(lambda draw: int(draw() * 3))
    assert sum(found.values()) == 1
    assert {round(mass * GRID) - GRID // 3 for mass in found.values()} <= {0, 1}


def test_paths_without_end_are_left_at_a_mass_that_is_returned():
    found, left = enumerate_program(until_tails)
    assert found[3] == Fraction(1, 16)
    assert 0 < left < Fraction(1, 2**60)
    assert sum(found.values()) + left == 1


def test_steps_are_found_to_the_draw():
    assert steps(lambda k: k >= 12345) == [(0, 12345, False), (12345, GRID, True)]
    sizes = [end - start for start, end, _ in steps(lambda k: 3 * k // GRID)]
    assert [size - GRID // 3 for size in sizes] == [1, 1, 0]  # 2**53 is 2 modulo 3
    rises_and_falls = steps(lambda k: abs(k - 1000) < 10, [(0, 1000), (1000, GRID)])
    assert [(start, end) for start, end, _ in rises_and_falls] == [
        (0, 991),
        (991, 1000),
        (1000, 1010),
        (1010, GRID),
    ]


def test_an_output_that_goes_to_and_fro_is_refused():
    with pytest.raises(ProblemError, match="must be monotone in the draw"):
        steps(lambda k: k % 2 if k > 1000 else 0)
