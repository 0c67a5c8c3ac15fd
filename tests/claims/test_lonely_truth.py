"""Truths without neighbours are unprotected: every verdict says so, with --quiet too."""

from __future__ import annotations

import optmech as om
from optmech.cli import main
from tests.each import each


@each(
    "command",
    [
        "verify {}",
        "-q verify {}",
        "--json verify {}",
        "-q card {} --out c.md",
        "-q export {} --format c --out m.h",
        "compose {} --epsilon 3",
        "-q compose {} --epsilon 3",
        "--json compose {} --epsilon 3",
    ],
    every=2,
)
def test_a_truth_that_nothing_hides_is_told(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    query = om.Query(range(4), neighbours=[(0, 1), (1, 2)], name="count 0..3")
    om.write_certificate(om.design(om.question(query, "0.5")).certificate, "x.certificate.json")
    assert main(command.format("x.certificate.json").split()) == 0
    out, err = capsys.readouterr()
    assert "1 of 4 true answers has no neighbour (3): nothing hides" in " ".join((out + err).split())
    assert "The true answers fall apart into 2 groups" in " ".join((out + err).split())
