"""Each function that accepts a certificate or a mechanism accepts a design, as it does its certificate."""

from __future__ import annotations

import pyarrow as pa
import pytest

import optmech as om
from optmech.analysis.utility import utility_measures
from optmech.reports.report import report_page
from tests.each import each

COUNT = om.design(om.croft(om.count(3), "0.5", prior="uniform"))
NOISE = om.design(om.kadam(om.residues(5, [1]), "1.5", "0.1"))
RAW = om.design(COUNT.problem, raw=True)
LARGE = om.design(om.croft(om.count(2100), "0.5"))
TABLE = pa.table({"n": [3, 0, 1]})


def bytes_of(write):
    def written(source, folder):
        path = folder / "it"
        write(source, path)
        return path.read_bytes()

    return written


# Results of a call on a source, in a form that can be compared.
CALLS = {
    "card_of": lambda source, _: om.reports.card_json(om.card_of(source)),
    "compare": lambda source, _: [
        (row.key, row.objective) for row in om.compare(COUNT.problem, others={"it": source}).rows
    ],
    "compose": lambda source, _: om.compose([source, source], 2).delta("0.7"),
    "compose one": lambda source, _: om.compose(source, 3).delta("0.7"),
    "distribution": lambda source, _: om.release.distribution(source, 1).pmf(1),
    "privacy_curve": lambda source, _: om.analysis.privacy_curve(source).delta("0.2"),
    "release_frame": lambda source, _: om.release_frame(TABLE, "n", source, seed=1).to_pylist(),
    "release_frame by": lambda source, _: (
        om.release_frame(TABLE, "n", {None: source}, by="n", seed=1).num_rows
    ),
    "report_page": lambda source, _: report_page(source),
    "to_c": lambda source, _: om.release.to_c(source),
    "to_rust": lambda source, _: om.release.to_rust(source),
    "utility_measures": lambda source, _: utility_measures(source),
    "verify": lambda source, _: str(om.verify(source)),
    "write_certificate": bytes_of(om.write_certificate),
    "write_parquet": bytes_of(om.release.write_parquet),
}
NEEDS_PROOF = {name for name in CALLS if name.startswith(("to_", "write_"))}


@pytest.mark.filterwarnings("ignore")  # of the seed
@each("name", CALLS, every=2)
def test_a_design_is_taken_for_its_certificate(name, tmp_path):
    assert CALLS[name](COUNT, tmp_path) == CALLS[name](COUNT.certificate, tmp_path)


@pytest.mark.parametrize("name", sorted(NEEDS_PROOF))
def test_of_a_raw_design_nothing_is_handed_on_as_proved(name, tmp_path):
    with pytest.raises(om.ProblemError, match=r"got a RawDesign, of which nothing is\. Design it without"):
        CALLS[name](RAW, tmp_path)
    assert not list(tmp_path.iterdir())


def test_of_a_raw_design_what_is_recomputed_says_so():
    assert not om.card_of(RAW).certified
    assert om.compose(RAW).provenance == "recomputed"
    assert not om.verify(RAW).is_certified


def test_a_design_is_verified_with_its_certificate_and_its_question():
    assert om.verify(COUNT).is_certified
    assert str(om.verify(COUNT)) == str(
        om.verify(COUNT.mechanism, COUNT.problem, certificate=COUNT.certificate)
    )
    problem = om.croft(om.count(3), "0.4", prior="uniform")
    assert not om.verify(COUNT, problem).is_certified
    with pytest.raises(om.ProblemError, match="`problem` must be given with a mechanism"):
        om.verify(COUNT.mechanism)


def test_noise_of_a_design_is_that_of_its_certificate():
    taken, certified = om.release.noise_distribution(NOISE), om.release.noise_distribution(NOISE.certificate)
    assert (taken.points, taken.weights) == (certified.points, certified.weights)


@pytest.mark.filterwarnings("ignore")
def test_a_design_of_a_large_count_is_released_as_its_certificate_is():
    drawn = [
        om.release_frame(TABLE, "n", source, seed=4).to_pylist()
        for source in (LARGE, LARGE.certificate, LARGE.mechanism)
    ]
    assert drawn[0] == drawn[1] == drawn[2]
    assert om.reports.card_json(om.card_of(LARGE)) == om.reports.card_json(om.card_of(LARGE.certificate))
