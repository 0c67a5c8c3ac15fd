"""The law of a released cell: its bias is that of an enumeration, and sums are advised only without one."""

from __future__ import annotations

from fractions import Fraction

import pytest

import optmech as om
from optmech.cli import main
from optmech.release.tables.law_of_source import law_of

DESIGNS = {
    "count": lambda: om.question(om.count(5), 1),
    "no bias": lambda: om.question(om.Query(range(4), range(-4, 8)), 1, properties=["unbiased"]),
    "p-table": lambda: om.p_table(2, 1, variance=2, zero_stays_zero=True),
    "p-table without bias": lambda: om.p_table(2, 1, variance=2, unbiased=True, zero_stays_zero=True),
    "means": lambda: om.question(om.mean(2, 2), 1),
    "zero stays zero": lambda: om.question(om.count(4), 1, delta="0.1", properties=["zero-stays-zero"]),
    "categories": lambda: om.question(om.categories(["x", "y"]), 1, loss="zero-one"),
    "residues": lambda: om.question(om.residues(5, [1]), 1),
}


@pytest.fixture(scope="module")
def certificates():
    return {name: om.design(make()).certificate for name, make in DESIGNS.items()}


def test_the_bias_is_that_of_an_enumeration(certificates):
    for name, certificate in certificates.items():
        mechanism, query = om.design(DESIGNS[name]()).mechanism, certificate.problem.query
        law = law_of(mechanism, certificate)
        if query.labels or query.kind == "residues":
            assert law.bias is None, name
            continue
        biases = [
            sum(r * Fraction(w, sum(column)) for r, w in zip(mechanism.responses, column, strict=True))
            - truth
            for truth in mechanism.truths
            for column in [mechanism.weights(truth)]
        ]
        largest = max(biases, key=abs)
        assert (law.bias.largest, law.bias.is_exact) == (largest, True), name
        assert law.bias.truth == mechanism.truths[biases.index(largest)]
        assert law.bias.is_none == (not any(biases)), name


def test_a_law_knows_of_which_answers_it_speaks(certificates):
    for name, certificate in certificates.items():
        law = law_of(om.design(DESIGNS[name]()).mechanism, certificate)
        assert (law.table is not None) == name.startswith("p-table"), name
        assert bool(law.larger_answers) == name.startswith("p-table")
        listed = certificate.problem.query.truths
        assert len(law.answers) > 2**50 if law.table is not None else list(law.answers) == list(listed)


@pytest.mark.slow
def test_a_total_beside_its_parts_is_refused_whatever_the_law(certificates, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("ward,count\nA,3\nTotal,3\n")
    for name in ("count", "no bias", "p-table", "p-table without bias", "zero stays zero"):
        om.write_certificate(certificates[name], "m.json")
        assert main(["apply", "m.json", "t.csv", "--column", "count", "--out", "released.csv", "-q"]) == 2
        said = capsys.readouterr().err
        assert 'must have no row that is the sum of others; got "Total" in column ward' in said
        assert "sum the released" not in said.lower(), name
        assert not (tmp_path / "released.csv").exists()


@pytest.mark.slow
def test_a_page_says_the_bias_the_range_and_which_mean(certificates, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "release.toml").write_text('title = "T"\ndata = "D"\n')
    for name, certificate in certificates.items():
        om.write_certificate(certificate, "m.json")
        truths = certificate.problem.query.labels or list(map(str, certificate.problem.query.truths))
        (tmp_path / "t.csv").write_text(f"ward,n\nA,{truths[0]}\nB,{truths[1]}\n")
        may_clamp = law_of(om.design(DESIGNS[name]()).mechanism, certificate).has_ends
        for clamp in ("", "--clamp") if may_clamp and not certificate.problem.query.labels else ("",):
            assert main(f"apply m.json t.csv --column n --data D --again --out r.csv -q {clamp}".split()) == 0
            assert main(["report", "release.toml", "r.release.json", "--out", "p.html", "-q"]) == 0
            capsys.readouterr()
            page = " ".join((tmp_path / "p.html").read_text().split())
            assert ("whatever it is" in page) == (not clamp and not certificate.problem.query.labels), name
            assert ("after it was taken into the range" in page) == bool(clamp), name
            bias = law_of(om.design(DESIGNS[name]()).mechanism, certificate).bias
            assert ("sums and averages of released numbers keep such a bias" in page) == (
                bias is not None and not bias.is_none
            ), name
            assert ("Released numbers are the true ones on average" in page) == (
                bias is not None and bias.is_none
            )
            assert "Over all true answers alike" in page
        (tmp_path / "r.release.json").unlink()
