"""A comparison says of a mechanism what it keeps, also where that is not what was asked."""

from __future__ import annotations

import numpy as np
import pytest

import optmech as om
from optmech.analysis.baselines.discrete_gaussian import calibrated_gaussian
from optmech.analysis.comparison import compare, sentences
from optmech.cli import main


@pytest.fixture(scope="module")
def comparison():
    """A count under pure privacy: Gaussian noise made for 1e-6, and the identity, keep something else."""
    query = om.count(50)
    identity = om.MatrixMechanism(matrix=np.eye(51), responses=range(51), truths=range(51))
    return compare(om.croft(query, "1"), others={"the truth": identity})


def row_of(result, key):
    (row,) = [row for row in result.rows if row.key == key]
    return row


def test_what_keeps_a_delta_is_not_called_not_private(comparison, tmp_path, capsys):
    row = row_of(comparison, "clamped-gaussian")
    assert 0 < row.spent_delta <= 1e-6
    assert row.privacy.startswith("(1, ")
    assert row.privacy.endswith("e-7)-private, not pure") or row.privacy == "(1, 1e-6)-private, not pure"
    stated = float(row.privacy.removeprefix("(1, ").partition(")")[0])
    assert row.spent_delta <= stated <= 1.1 * row.spent_delta  # never rounded down
    (line,) = [line for line in sentences(comparison) if line.startswith("Clamped Gaussian")]
    assert f"it is {row.privacy}: its effective epsilon is " in line
    page = tmp_path / "page.md"
    command = [
        "compare",
        "croft",
        "--query",
        "count",
        "--range",
        "0:50",
        "--epsilon",
        "1",
        "--explain",
        "--page",
        str(page),
    ]
    assert main(command) == 0
    texts = [capsys.readouterr().out, page.read_text(), comparison._repr_html_()]
    for text in texts:
        assert row.privacy in text
    assert "private:" not in "".join(texts).replace("NOT PRIVATE: δ = 1 at ε = 1", "")


def test_what_tells_the_truth_is_called_not_private(comparison):
    row = row_of(comparison, "given: the truth")
    assert (row.private, row.privacy) == (False, "not private: δ = 1 at ε = 1")
    assert row_of(comparison, "truncated-geometric").privacy == "private"


@pytest.mark.parametrize(
    ("problem", "missed"),
    [
        (om.question(om.count(4), "1", delta="1e-9", loss="absolute"), "not for δ = 0.000000001"),
        (
            om.question(om.count(4), "1", delta="1e-9", loss="absolute", definition="probabilistic"),
            "not probabilistic",
        ),
    ],
    ids=["approximate", "probabilistic"],
)
def test_what_was_asked_instead_is_named(problem, missed):
    tight = om.design(om.croft(om.count(4), "1")).mechanism.matrix
    truth_now_and_then = om.MatrixMechanism(
        matrix=(1 - 1e-5) * tight + 1e-5 * np.eye(5), responses=range(5), truths=range(5)
    )
    row = row_of(compare(problem, others={"mine": truth_now_and_then}), "given: mine")
    assert 1e-7 < row.spent_delta < 1e-4
    assert row.privacy.startswith("(1, ")
    assert row.privacy == f"(1, {row.privacy[4:].partition(')')[0]})-private, {missed}"


def test_of_several_privacies_the_one_that_is_not_kept_is_named():
    asked = om.question(om.count(40), privacy=[("0.5", "1e-2"), ("1", "1e-9")])
    row = row_of(compare(asked), "clamped-gaussian")
    matrix = calibrated_gaussian(om.count(40), "0.5", "1e-2").matrix
    spent = om.MatrixMechanism(matrix=matrix, responses=range(41), truths=range(41))
    assert not row.private
    assert row.spent_delta_at == "1"
    assert row.spent_delta == pytest.approx(spent.hockey_stick_delta(om.count(40), 1))
    assert row.privacy.startswith("(1, ")
    assert row.privacy.endswith("not for δ = 0.000000001")
