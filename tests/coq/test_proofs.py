"""The proofs are complete, rest on the listed axioms, and are those of the extracted checker."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from tests.coq.proved_checker import COQ, need


def make(directory, target):
    return subprocess.run(["make", "-C", directory, target], capture_output=True, text=True, check=False)


def test_no_proof_is_unfinished_and_four_axioms_are_listed():
    for path in COQ.glob("*.v"):
        assert not re.search(r"\b(Admitted|admit|Axiom|Parameter|Conjecture|Unset)\b", path.read_text())
    assert len((COQ / "axioms.txt").read_text().split()) <= 4


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
