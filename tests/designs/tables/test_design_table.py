"""Designs of tables against the closed forms of the literature, brute force, and programs of their own."""

from __future__ import annotations

import itertools
import math
import random
import time
from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from optmech.designs.tables.centre import epsilon_of, rho_of
from optmech.designs.tables.design_table import design_table
from optmech.designs.tables.multipliers import approximate_multipliers, count_multipliers
from optmech.proofs.tables.count_bound import approximate_bound, pure_bound
from optmech.proofs.tables.covariance import spent
from optmech.proofs.tables.curve import delta_of
from optmech.question.tables.margins import Margins, subsets
from optmech.question.tables.person import TablePerson
from tests.each import each

SIZES = {
    "5x10": (5, 10),
    "17x20x2": (17, 20, 2),
    "51x9x2x7": (51, 9, 2, 7),
    "100x100x10x10": (100, 100, 10, 10),
}


def asked(sizes, **further):
    return om.table({f"axis {place}": size for place, size in enumerate(sizes)}, **further)


def errors(certificate):
    names = certificate.problem.name_of
    return {names(margin): math.sqrt(value) for margin, value in certificate.variances.items()}


@each("sizes", SIZES.values())
def test_the_same_error_for_all_is_the_closed_form_and_near_every_mechanism(sizes):
    certificate = design_table(asked(sizes, zcdp="0.1")).certificate
    same = math.prod(Fraction(2 * size, size + 1) for size in sizes) * 5
    assert set(certificate.variances.values()) == {same}
    assert certificate.rho == Fraction(1, 10)
    assert certificate.objective / certificate.bound - 1 <= Fraction(5, 10_000)


PUBLISHED = [  # standard errors, printed to these digits: every number, then every margin counts the same
    ("every number", "13.9 6.79 6.53 11.5 3.19 5.61 5.40 2.63"),
    ("every margin", "5.23 5.09 5.11 4.70 4.97 4.58 4.59 4.47"),
]


@each("goal, told", PUBLISHED)
def test_weighted_sums_have_the_known_standard_errors(goal, told):
    found = errors(design_table(asked((17, 20, 2), zcdp="0.1", weights=goal)).certificate).values()
    for own, printed in zip(found, told.split(), strict=True):
        assert own == pytest.approx(float(printed), abs=0.51 * 10.0 ** -len(printed.partition(".")[2]))


def least_of_formula(sizes, prices):
    """Return F as the literature writes it, in doubles."""
    shape, roots = Margins(sizes), 0.0
    for part in subsets(shape.every):
        v = shape.freedom(part) * sum(float(c) * shape.out(m) for m, c in prices.items() if part <= m)
        roots += math.sqrt(v * float(shape.price(part)))
    return roots**2


@each("sizes", SIZES.values())
def test_weighted_sums_of_variances_are_the_closed_form_to_nine_digits(sizes):
    for goal in ("every number", "every margin"):
        problem = asked(sizes, zcdp="0.1", weights=goal)
        certificate = design_table(problem).certificate
        assert float(certificate.objective) == pytest.approx(
            5 * least_of_formula(sizes, problem.weights), rel=1e-9
        )


PURE = {
    "5x10": (4.97, 2.362),
    "17x20x2": (7.61, 2.972),
    "51x9x2x7": (14.09, 3.894),
    "100x100x10x10": (20.5, 4.885),
}


@each("name", PURE)
def test_pure_tables_keep_within_the_known_errors_and_bounds(name):
    certificate = design_table(asked(SIZES[name], epsilon=1)).certificate
    most, least = PURE[name]
    assert math.sqrt(certificate.objective) <= most
    assert math.sqrt(certificate.bound) >= least


@each("rho, gap", [("0.02", 2.7e-5), ("0.05", 1.13e-4), ("0.1", 4.2e-4), ("0.2", 1.54e-3), ("0.5", 8.45e-3),
                   ("1", 0.0430), ("2", 0.3360)])  # fmt: skip
def test_one_long_count_is_proved_as_near_as_is_known(rho, gap):
    rho = Fraction(rho)
    assert 1 / (2 * rho) / count_multipliers(rho).bound(rho) - 1 <= gap


def test_a_small_rho_is_proved_by_steps_of_several_rows():
    rho = Fraction(1, 10**6)
    multipliers = count_multipliers(rho)
    assert multipliers.rows > 1
    assert 1 / (2 * rho) / multipliers.bound(rho) - 1 < 1e-4


SHARES = [
    ("0.5", "1e-6", 0.9997),
    ("0.5", "0.001", 0.9293),
    ("1", "1e-9", 0.9999),
    ("1", "1e-6", 0.99986),
    ("1", "0.001", 0.9629),
    ("4", "1e-6", 0.9999),
]


@each("epsilon, delta, share", SHARES)
def test_one_count_under_epsilon_and_delta_is_near_the_pure_one(epsilon, delta, share):
    epsilon, delta = Fraction(epsilon), Fraction(delta)
    proved = approximate_bound(epsilon, delta, *approximate_multipliers(epsilon, delta))
    assert share <= proved / pure_bound(epsilon) <= 1


EPSILONS = [
    ("0.01", 0.575566),
    ("0.1", 2.011301),
    ("0.2", 2.967037),
    ("0.5", 5.035223),
    ("1", 7.601678),
    ("2", 11.603943),
]


@each("rho, least", EPSILONS)
def test_the_epsilon_of_a_table_is_that_of_the_worst_centre(rho, least):
    epsilon, _ = epsilon_of(Fraction(rho), Fraction(1, 10**6))
    assert float(epsilon) == pytest.approx(least, abs=1.5e-6)


def delta_at(rho, epsilon, centre):
    """Return delta of one count with discrete normal noise, by its definition."""
    s = 1 / (2 * rho)
    reach = np.arange(-400, 401)
    here = np.exp(-((reach - centre) ** 2) / (2 * s))
    there = np.exp(-((reach - 1 - centre) ** 2) / (2 * s))
    return np.maximum(here - math.exp(epsilon) * there, 0).sum() / here.sum()


@each("rho, epsilon", [(0.05, 0.8), (0.5, 1.5), (1.0, 3.0), (2.0, 0.5)])
def test_delta_is_not_below_that_of_any_centre_and_hardly_above_the_worst(rho, epsilon):
    from optmech.designs.tables.centre import _worst  # noqa: PLC0415

    u = _worst(rho, epsilon)
    sides = tuple(Fraction(min(max(u + side * 1e-9, 0), 1)) for side in (-1, 1))
    told = float(delta_of(Fraction(rho), Fraction(epsilon), sides))
    worst = max(delta_at(rho, epsilon, centre) for centre in np.linspace(0, 1, 401))
    assert worst <= told * (1 + 1e-12)
    assert told <= worst * (1 + 8 * math.exp(-2 * math.pi**2 / (2 * rho)) + 1e-3)


def test_the_largest_rho_keeps_the_pair_and_hardly_more_does_not():
    epsilon, delta = Fraction(1), Fraction(1, 10**6)
    rho, centre = rho_of(epsilon, delta)
    assert delta_of(rho, epsilon, centre) <= delta
    assert epsilon_of(rho * Fraction(10001, 10000), delta)[0] > epsilon


def all_changes(cells, person):
    """Yield the changes of one person, by brute force."""
    for change in itertools.product(range(person.step + 1), repeat=cells):
        if 0 < sum(change) <= person.at_most:
            yield np.array(change)


def dense(shape, variances):
    """Return Q as a matrix."""
    total = np.zeros((math.prod(shape.sizes),) * 2)
    for part, value in variances.items():
        matrix = np.ones((1, 1))
        for axis, size in enumerate(shape.sizes):
            mean = np.full((size, size), 1 / size)
            matrix = np.kron(matrix, np.eye(size) - mean if axis in part else mean)
        total += matrix / float(value)
    return total


@each("at_most, per_cell", [(1, 1), (3, 3), (3, 1), (4, 2), (4, 3)])
def test_no_change_of_a_person_spends_more_than_is_told(at_most, per_cell):
    draws = random.Random(at_most * 7 + per_cell)  # noqa: S311 - no secret
    shape, person = Margins((2, 3)), TablePerson(at_most=at_most, at_most_per_cell=per_cell)
    for _ in range(5):
        variances = {part: Fraction(draws.randint(1, 90), 10) for part in subsets(shape.every)}
        q = dense(shape, variances)
        worst = max(float(v @ q @ v) / 2 for v in all_changes(6, person))
        assert worst <= float(spent(shape, variances, person)) * (1 + 1e-12)


@pytest.mark.slow
def test_designs_of_random_margins_have_the_value_of_a_program_of_their_own():
    draws = random.Random(5)  # noqa: S311 - no secret
    for _ in range(100):
        sizes = tuple(draws.choice((2, 3, 4, 7)) for _ in range(draws.choice((1, 2, 3))))
        every = list(subsets(frozenset(range(len(sizes)))))
        totals = [m for m in every if draws.random() < 0.6] or [every[-1]]
        names = [f"axis {place}" for place in range(len(sizes))]
        listed = ["*".join(names[axis] for axis in sorted(m)) or "total" for m in totals]
        rho = Fraction(draws.randint(5, 50), 100)
        certificate = design_table(asked(sizes, zcdp=rho, totals=listed)).certificate
        least = own_program(Margins(sizes), totals) / (2 * float(rho))
        assert least * (1 - 1e-9) <= float(certificate.objective) <= least * (1 + 1e-3)
        promised = 1 / (2 * rho * certificate.count_bound)  # the gap of one count
        assert 1 <= certificate.objective / certificate.bound <= promised * (1 + Fraction(3, 10**6))


def own_program(shape, totals):
    """Return the least largest variance by multiplicative steps of prices: slow, and simple."""
    parts = [part for part in subsets(shape.every) if any(part <= m for m in totals)]
    price = np.array([float(shape.price(part)) for part in parts])
    table = np.array([[float(shape.coefficient(m, p)) if p <= m else 0 for p in parts] for m in totals])
    weights = np.full(len(totals), 1 / len(totals))
    for _ in range(1000):
        root = np.sqrt(price / (weights @ table))
        variances = table @ root * np.sqrt(price * (weights @ table)).sum()
        weights = weights * variances / (weights @ variances)
    return np.sqrt(price * (weights @ table)).sum() ** 2


def test_a_budget_for_epsilon_and_delta_takes_the_better_noise_and_tells_the_other():
    small = design_table(asked((17, 20, 2), epsilon=1, delta="1e-6"))
    large = design_table(asked((51, 9, 2, 7), epsilon=1, delta="1e-6"))
    assert (small.certificate.delta, large.certificate.delta) == (0, Fraction(1, 10**6))
    for design in (small, large):
        assert design.certificate.objective <= design.other.objective * Fraction(101, 100)


def test_a_million_cells_are_designed_in_a_moment():
    start = time.process_time()
    design_table(asked((1000, 1000), zcdp="0.1"))
    assert time.process_time() - start < 1


@each("further", [{}, {"zcdp": 1, "epsilon": 1}, {"zcdp": 0}, {"epsilon": -1}, {"zcdp": 1, "delta": 0},
                  {"epsilon": 1, "delta": 1}, {"zcdp": 1, "totals": "b*a"}, {"zcdp": 1, "totals": "a*a"},
                  {"zcdp": 1, "weights": "same"}, {"zcdp": 1, "weights": {"c": 1}}, {"zcdp": 1, "at_most": 0},
                  {"zcdp": 1, "at_most": 2, "at_most_per_cell": 3}, {"epsilon": "ln 2"}])  # fmt: skip
def test_questions_that_cannot_be_asked_are_refused(further):
    with pytest.raises(om.ProblemError):
        om.table({"a": 2, "b": 3}, **further)


@each("by", ["a:1", "a:2; a:3", "a", {"total": 3}, {"a*b": 3}, {"": 3}, {"a": "xy"}, {"a": ["x", "x"]}, 5,
             {str(place): 2 for place in range(11)}, {"a": 10**9}])  # fmt: skip
def test_axes_that_are_none_are_refused(by):
    with pytest.raises(om.ProblemError):
        om.table(by, zcdp=1)


def test_a_question_comes_back_from_its_table_of_keys():
    from optmech.question.tables.table_problem import table_of  # noqa: PLC0415

    problem = om.table(
        "a:x,y; b:3", epsilon="1/3", delta="1e-9", totals="total; b", weights="total=7", at_most=4
    )
    assert table_of(problem.to_dict()).to_dict() == problem.to_dict()
