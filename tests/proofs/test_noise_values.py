"""A leaf of modular noise proves the same by noise values as entry by entry, in far less time."""

from __future__ import annotations

import json

import pytest

import optmech as om
from optmech.mechanisms.certificates.certificate_text import certificate_text
from optmech.proofs import bound
from tests.each import each
from tests.readers import by_checker, by_package, checker

QUESTIONS = {
    "a tree of cases": om.kadam(om.residues(5, [1]), 1, "0.2"),
    "many distances": om.question(om.residues(7, [1, 2]), 1, structure=om.ModularNoise(), loss="zero-one"),
    "vectors": om.question(
        om.vector([2, 3], [(0, 1), (1, 0)]), 1, structure=om.ModularNoise(), loss="zero-one"
    ),
    "least delta": om.question(
        om.residues(5, [1]), 1, structure=om.ModularNoise(), least="delta", bounds=["mean zero-one <= 0.4"]
    ),
    "a bound, ties and limits": om.question(
        om.residues(5, [1]),
        1,
        delta="0.01",
        structure=om.ModularNoise(),
        properties=["symmetric", "accuracy >= 0.2"],
        bounds=["mean zero-one <= 0.7"],
    ),
    "orders and two privacies": om.question(
        om.residues(5, [1]),
        privacy=[("1", "0.01"), ("2", "0")],
        structure=om.ModularNoise(),
        properties=["column-honest"],
    ),
    "a worst loss": om.question(om.residues(5, [1]), 1, structure=om.ModularNoise(), worst_case=True),
}


def bound_by_checker(content):
    question = checker.Question(content["question"], 2**40)
    question.compile()
    return checker.bound(question, content["proof"]["tree"], int(content["proof"]["denominator"]), {})


@each("name", QUESTIONS)
def test_noise_values_prove_what_entries_prove(name):
    certificate = om.design(QUESTIONS[name], engine="program").certificate
    content = json.loads(certificate_text(certificate))
    short = bound_by_checker(content)
    by_package = bound.prove_tree(certificate.rules, certificate.proof, certificate.factor)[1]
    assert short == by_package
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checker.Question, "is_by_noise", False)
        patch.setattr(bound, "_times_in_column", lambda *_: None)
        assert bound_by_checker(content) == short
        assert bound.prove_tree(certificate.rules, certificate.proof, certificate.factor)[1] == short


def with_leaves(question, leaves):
    """Return a certificate of modular noise whose proof has so many leaves, of no multipliers."""
    content = json.loads(certificate_text(om.design(question).certificate))
    leaf = {"prior": "", "totals": f"0*{question.query.num_truths}", "privacy": [[]], "rules": {}}

    def tree(leaves, depth):
        if leaves == 1:
            return leaf
        low = leaves // 2
        return {
            "split": [depth, 0, 1],
            "kept": tree(leaves - low, depth + 1),
            "violated": tree(low, depth + 1),
        }

    proof = {"denominator": "1", "tree": tree(leaves, 0)}
    return json.dumps({**content, "bound": "0", "gap": content["objective"], "proof": proof})


def test_hundreds_of_leaves_are_read_by_both():
    text = with_leaves(om.kadam(om.residues(48, [1]), "0.5", "0.05"), 600)
    assert by_checker(text) is by_package(text) is None


@pytest.mark.slow
def test_a_tree_for_modulus_128_is_read_by_both():
    query = om.residues(128, [1, 3, 5, 6])
    certificate = om.design(om.kadam(query, "1.5", "0.1", "wrapped")).certificate
    text = certificate_text(certificate)
    assert certificate.proof.num_cases > 5
    assert certificate.gap < certificate.objective / 1000
    assert by_checker(text) is by_package(text) is None
