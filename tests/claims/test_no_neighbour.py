"""The line that says what is proved says whom it leaves out: true answers without a neighbour."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np

import optmech as om
from optmech.cli.certificate_view import certificate_lines
from optmech.mechanisms.certificates.certificate_text import certificate_text
from tests.each import each

_FILE = Path(__file__).resolve().parents[2] / "check_certificate.py"
_SPEC = importlib.util.spec_from_file_location("check_certificate", _FILE)
CHECKER = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(CHECKER)


def first_line(certificate):
    return CHECKER.check(certificate_text(certificate)).splitlines()[0]


def queries():
    chance = np.random.default_rng(7)
    for _ in range(12):
        size = int(chance.integers(2, 5))
        every = [(f, g) for f in range(size) for g in range(f)]
        chosen = chance.permutation(len(every))[: chance.integers(1, len(every) + 1)]
        yield size, [every[place] for place in chosen.tolist()], bool(chance.integers(2))


@each("asked", [*queries()])
def test_a_proved_line_names_how_many_have_no_neighbour(asked):
    size, pairs, symmetric = asked
    query = om.Query(range(size), neighbours=pairs, symmetric=symmetric)
    alone = size - len({end for pair in pairs for end in pair})
    certificate = om.design(om.question(query, 1, loss="zero-one")).certificate
    (private,) = (line for line in certificate_lines(certificate) if line.startswith("private "))
    checked = first_line(certificate)
    assert checked.startswith("proved: ")
    for line in (private, checked):
        assert (f"{alone} of {size} true answers" in line) == bool(alone), line
        assert ("between neighbours alone" in line) == bool(alone), line


def test_a_count_has_nothing_to_say():
    certificate = om.design(om.question(om.count(5), 1)).certificate
    assert "alone" not in first_line(certificate)
    assert "alone" not in certificate_lines(certificate)[2]
