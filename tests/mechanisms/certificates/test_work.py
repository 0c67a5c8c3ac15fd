"""Both readers count the same work of a certificate with a matrix, before any of it is done."""

from __future__ import annotations

import json
from unittest import mock

import pytest

import optmech as om
from optmech.designs.engines import rays
from optmech.mechanisms.certificates import matrix_work
from optmech.mechanisms.certificates.certificate_text import certificate_text
from optmech.mechanisms.certificates.matrix_work import _work
from tests.each import each
from tests.readers import by_checker, by_package, checker

QUESTIONS = {
    "a delta": om.question(om.mean(2, 2), 1, delta="0.01"),
    "weights": om.question(om.graph([(0, 1, 2), (1, 2, 3), (2, 3, 5)]), "0.3"),
    "two privacies": om.question(om.mean(2, 2), privacy=[("0.5", "0.01"), ("1", "0")]),
    "orders and limits": om.question(
        om.mean(2, 2), 1, properties=["row-monotone", "column-honest", "accuracy >= 0.1"]
    ),
    "a bound and the worst truth": om.question(
        om.mean(2, 2), 1, worst_case=True, bounds=["mean squared <= 1"]
    ),
    "all pairs": om.question(om.categories("abcd"), 1, loss="zero-one"),
    "choices": om.kadam(om.residues(5, [1]), 1, "0.05"),
}


@each("name", QUESTIONS)
def test_both_readers_count_the_same(name):
    certificate = om.design(QUESTIONS[name], engine="program").certificate
    content = json.loads(certificate_text(certificate))
    work, total = _work(content), int(content["mechanism"]["denominator"])
    question = checker.Question(content["question"], work)
    question.check_work(total, content["proof"])
    question.most_work = work - 1
    with pytest.raises(checker.RefusedError, match="too much to compute"):
        question.check_work(total, content["proof"])


def test_both_readers_count_the_same_of_rays_and_chains():
    with mock.patch.object(rays, "_SMALL", 0):
        certificate = om.design(om.croft(om.mean(4, 2), "0.5"), engine="rays").certificate
    content = json.loads(certificate_text(certificate))
    made = checker.Rays(content["mechanism"])
    question = checker.Question(content["question"], _work(content))
    question.check_work(made.total, content["proof"], made.number)
    question.most_work -= 1
    with pytest.raises(checker.RefusedError, match="too much to compute"):
        question.check_work(made.total, content["proof"], made.number)


def test_both_readers_count_the_same_of_one_column():
    certificate = om.design(om.kadam(om.residues(51, [1]), 1)).certificate
    content = json.loads(certificate_text(certificate))
    total, work = int(content["mechanism"]["denominator"]), _work(content)
    assert content["mechanism"].keys() == {"denominator", "column"}
    question = checker.Question(content["question"], work)
    question.check_work(total, content["proof"], by_column=True)
    question.most_work -= 1
    with pytest.raises(checker.RefusedError, match="too much to compute"):
        question.check_work(total, content["proof"], by_column=True)


LEAF = {"prior": "", "totals": "0*32", "privacy": [[]], "rules": {}}
CHAINED = {**LEAF, "chains": ["0*32", "0*32"]}


def work_of_noise(leaves, **changes):
    """Return the work of modular noise of 32 values with a tree of these leaves, as both readers count it."""
    content = json.loads(certificate_text(om.design(om.kadam(om.residues(32, [1]), 1, "0.05")).certificate))
    for place, change in changes.items():
        content["question"][place] = change(content["question"][place])
    tree = leaves[0]
    for response, leaf in enumerate(leaves[1:]):
        tree = {"split": [response, 0, 1], "kept": tree, "violated": leaf}
    content["proof"] = {"denominator": "1", "tree": tree}
    work, total = _work(content), int(content["mechanism"]["denominator"])
    question = checker.Question(content["question"], work)
    parts = total, content["proof"]
    question.check_work(*parts, by_column="column" in content["mechanism"])
    question.most_work = work - 1
    with pytest.raises(checker.RefusedError, match="too much to compute"):
        question.check_work(*parts, by_column="column" in content["mechanism"])
    return work


def test_leaves_of_modular_noise_but_one_count_noise_values():
    worst = {"objective": lambda loss: {**loss, "worst": True, "weights": None}}
    means = {"properties": lambda _: ["unbiased"]}
    three = work_of_noise([LEAF] * 3)
    by_noise = three - work_of_noise([LEAF] * 2)
    by_entry, with_means = (
        work_of_noise([LEAF] * 3, **changes) - work_of_noise([LEAF] * 2, **changes)
        for changes in (worst, means)
    )
    size, short = 32**2, 32 + 512
    assert by_noise / by_entry == pytest.approx(short / size, rel=0.01)
    assert with_means / by_entry == pytest.approx(1, rel=0.01)
    chained = work_of_noise([LEAF, CHAINED, CHAINED]) - three
    assert chained / by_entry == pytest.approx(1 - short / size + 2 / 5, rel=0.01)


def test_a_matrix_that_is_too_much_in_short_is_written_in_full(monkeypatch):
    monkeypatch.setattr(matrix_work, "_WORK_OF_RAYS", 2**10)
    certificate = om.design(om.kadam(om.residues(51, [1]), 1)).certificate
    content = json.loads(certificate_text(certificate))
    assert len(content["mechanism"]["rows"]) == 51
    assert by_checker(json.dumps(content)) is None


MANY_CASES = {
    "program": om.kadam(om.residues(8, [1, 3]), 1, "0.05"),
    "levels": om.kadam(om.residues(20, [2, 3]), "0.7", "0.05"),
}


@pytest.mark.parametrize(
    ("engine", "share"),
    [
        ("levels", 0.8),
        pytest.param("levels", 0.6, marks=pytest.mark.slow),
        ("program", 0.5),
        ("program", 0.3),
    ],
)
def test_a_proof_of_too_many_cases_is_cut_so_that_its_file_is_read(engine, share, monkeypatch):
    whole = om.design(MANY_CASES[engine], engine=engine)
    work = _work(json.loads(certificate_text(whole.certificate)))
    monkeypatch.setattr(matrix_work, "_WORK_OF_A_CHARACTER", 0)
    monkeypatch.setattr(matrix_work, "_WORK", int(share * work))
    assert "too much to compute" in by_package(certificate_text(whole.certificate))
    less = om.design(MANY_CASES[engine], engine=engine)
    assert by_package(certificate_text(less.certificate)) is None
    assert 0 < less.certificate.proof.num_cases < share * whole.certificate.proof.num_cases
    assert less.lower_bound_standing == "proved"
    assert 0.5 * whole.lower_bound < less.lower_bound < whole.lower_bound


def test_where_one_case_is_too_much_no_bound_is_proved(monkeypatch):
    monkeypatch.setattr(matrix_work, "_WORK_OF_A_CHARACTER", 0)
    monkeypatch.setattr(matrix_work, "_WORK", 2**20 + 2**18)
    design = om.design(MANY_CASES["program"], engine="program")
    assert design.certificate.proof is None
    assert design.lower_bound_standing == "claimed"
    assert by_package(certificate_text(design.certificate)) is None
    monkeypatch.setattr(matrix_work, "_WORK", 2**10)
    with pytest.raises(om.VerificationError, match="would refuse its certificate as too much to compute"):
        om.design(MANY_CASES["program"], engine="program")
