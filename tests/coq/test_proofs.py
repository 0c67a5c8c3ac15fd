"""The proofs are complete, rest on the listed axioms, and are those of the extracted checker."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from tests.coq.proved_checker import COQ, need


def make(directory, *words):
    return subprocess.run(["make", "-C", directory, *words], capture_output=True, text=True, check=False)


def test_no_proof_is_unfinished_and_four_axioms_are_listed():
    for path in COQ.glob("*.v"):
        assert not re.search(r"\b(Admitted|admit|Axiom|Parameter|Conjecture|Unset)\b", path.read_text())
    axioms = re.findall(r"^(\S+)(?: :|$)", (COQ / "axioms.txt").read_text(), re.MULTILINE)
    assert sorted(axioms) == [
        "Axioms:",
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "Classical_Prop.classic",
        "FunctionalExtensionality.functional_extensionality_dep",
    ]


HONEST = "Theorem claim : 0 = 0. Proof. reflexivity. Qed."
DISHONEST = {
    "a hypothesis with a digit": "Hypothesis no0 : False. Theorem claim : 0 = 0. Proof. destruct no0. Qed.",
    "a variable": "Variable no_1' : False. Theorem claim : 0 = 0. Proof. destruct no_1'. Qed.",
    "a definition without an end": "#[bypass_check(guard)] Fixpoint no (n : nat) : False := no n. "
    "Theorem claim : 0 = 0. Proof. destruct (no 0). Qed.",
    "a type of its own negation": "#[bypass_check(positivity)] Inductive no := make : (no -> False) -> no. "
    "Theorem claim : 0 = 0. Proof. pose make. reflexivity. Qed.",
}


@pytest.mark.slow
def test_proofs_that_rest_on_more_than_is_kept_are_refused(tmp_path):
    need("make", "coqc", "coqchk")
    shutil.copy(COQ / "Makefile", tmp_path)
    (tmp_path / "Assumptions.v").write_text("From Optmech Require Import Tiny. Print Assumptions claim.")
    tiny = ("PROOFS=Tiny", "COQCHK=coqchk -silent -o -norec Optmech.Tiny")

    def refusals(text):
        for path in tmp_path.glob("Tiny.*"):
            path.unlink()
        (tmp_path / "Tiny.v").write_text(text)
        return [make(tmp_path, target, *tiny).returncode != 0 for target in ("axioms", "coqchk")]

    (tmp_path / "axioms.txt").write_text("")
    (tmp_path / "coqchk.txt").write_text("")
    assert refusals(HONEST) == [True, True]
    for kept, made in (("axioms.txt", "assumptions"), ("coqchk.txt", "checked")):
        shutil.copy(tmp_path / made, tmp_path / kept)
    assert refusals(HONEST) == [False, False]
    for text in DISHONEST.values():
        assert refusals(text) == [True, True], text


@pytest.mark.long  # CI makes them in a clean clone, before any test
def test_the_proofs_are_accepted_and_make_the_checker_that_is_kept(tmp_path):
    need("make", "coqc", "ocamlfind")
    copy = tmp_path / "coq"
    ignored = ("*.vo*", "*.glob", ".*.aux", "*.cm*", "*.o", "optmech-check")
    shutil.copytree(COQ, copy, ignore=shutil.ignore_patterns(*ignored))
    (copy / "extracted" / "checker.ml").unlink()
    done = make(copy, "all")
    assert done.returncode == 0, done.stderr
    for name in ("checker.ml", "checker.mli"):
        assert (copy / "extracted" / name).read_text() == (COQ / "extracted" / name).read_text()
    for target in ("examples", "axioms"):
        done = make(copy, target)
        assert done.returncode == 0, done.stdout + done.stderr
