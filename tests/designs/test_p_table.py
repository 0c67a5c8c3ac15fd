"""The best perturbation tables: known values, the theorem of unbiased ones, and both readers of the proof."""

from __future__ import annotations

from fractions import Fraction

import optmech as om
from optmech.mechanisms.certificates.certificate_text import certificate_text
from tests.each import each
from tests.readers import by_checker, by_package

# By another linear program in doubles, of tolerance 1e-10: counts and noise alone, the larger counts shifted.
# epsilon, distance, variance, counts never published, zero stays, unbiased, least delta
KNOWN = [
    ("0.5", 2, 1, 0, True, True, 0.5),
    ("0.5", 2, 1, 0, False, False, 0.195731815329),
    ("0.5", 5, 2, 0, True, True, 0.333333333333),
    ("0.5", 5, 2, 0, True, False, 0.198516562731),
    ("0.5", 5, 3, 2, True, True, 0.254765386842),
    ("0.5", 5, 3, 2, False, False, 0.048767828717),
    ("0.5", 8, 4, 0, True, True, 0.210695696457),
    ("0.5", 10, 10, 0, True, False, 0.038365172367),
    ("0.5", 10, 10, 0, False, False, 0.001658687869),
    ("2", 5, 3, 0, True, True, 0.25),
    ("2", 5, 3, 0, True, False, 0.029821108201),
    ("2", 5, 3, 2, True, True, 0.251112734799),
    ("2", 8, 4, 0, True, False, 0.008820133735),
    ("2", 8, 4, 0, False, False, 8.5706133705e-08),
    ("2", 10, 5, 2, True, True, 0.168577857720),
    ("2", 10, 10, 0, True, False, 0.000804003409),
]
NEAR = 1e-9


def asked(epsilon, within, variance, never, zero, unbiased):
    return om.p_table(
        within,
        epsilon,
        variance=variance,
        without=range(1, never + 1),
        zero_stays_zero=zero,
        unbiased=unbiased,
    )


@each(("epsilon", "within", "variance", "never", "zero", "unbiased", "value"), KNOWN, every=4)
def test_the_least_delta_is_the_known_one_and_proved(epsilon, within, variance, never, zero, unbiased, value):
    proof = om.design(asked(epsilon, within, variance, never, zero, unbiased)).certificate
    assert proof.bound <= proof.objective <= proof.bound + Fraction(1, 10**9)
    assert abs(float(proof.objective) - value) < NEAR
    assert abs(float(proof.bound) - value) < NEAR


@each(("within", "variance", "epsilon"), [(2, 1, 1), (5, 2, "0.5"), (5, 3, 3), (4, "1/2", 0)], every=2)
def test_no_unbiased_table_is_below_one_over_one_plus_the_variance(within, variance, epsilon):
    proof = om.design(om.p_table(within, epsilon, variance=variance, unbiased=True)).certificate
    assert proof.objective >= 1 / (1 + Fraction(variance))


def test_a_column_stands_for_all_larger_counts():
    problem = om.p_table(3, 1, variance=2, same_noise_from=4)
    matrix = om.design(problem).mechanism.matrix
    assert (matrix[:-1, 4] == matrix[1:, 5]).all()
    assert matrix[0, 5] == 0


def test_at_a_delta_the_loss_of_the_worst_count_is_least():
    proof = om.design(om.p_table(5, 1, without=[1, 2], unbiased=True, delta="0.3")).certificate
    assert proof.bound <= Fraction("2.4") <= proof.objective + Fraction(1, 10**9)
    assert proof.objective < Fraction("2.4") + Fraction(1, 10**9)


@each(("properties", "least"), [(["accuracy >= 1/2"], 0.5), (["accuracy = 0.5", "column-honest"], 0.5)])
def test_every_count_is_published_as_it_is_with_the_probability_that_is_asked(properties, least):
    design = om.design(om.p_table(2, 1, properties=properties, same_noise_from=3))
    accuracy = design.mechanism.matrix[range(5), range(5)]
    assert (accuracy >= least - NEAR).all()
    assert design.lower_bound > float(om.design(om.p_table(2, 1, same_noise_from=3)).objective) + NEAR
    assert by_checker(certificate_text(design.certificate)) is None


def test_both_readers_prove_a_table_and_neither_one_whose_larger_counts_have_other_noise():
    proof = om.design(om.p_table(2, 1, variance=1, unbiased=True)).certificate
    text = certificate_text(proof)
    assert by_checker(text) is None
    assert by_package(text) is None
    assert '"same noise from 3 on"' in text
    changed = text.replace('"right": "0"', '"right": "0.01"', 1)
    assert changed != text
    assert by_checker(changed) is not None
    assert by_package(changed) is not None


def test_no_positive_count_is_published_as_zero_and_the_proof_says_so():
    proof = om.design(om.p_table(2, 1, variance=1, positive_stays_positive=True)).certificate
    assert not proof.matrix.numerators[0, 1:].any()
    assert by_checker(certificate_text(proof)) is None
