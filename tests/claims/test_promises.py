"""No delta or epsilon that allows almost anything is called private without saying so first."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.cli import main
from tests.each import each
from tests.question_file import question_file

ANYTHING = "anything may be released, even the true answer"
WEAK = "design kadam --modulus 5 --distances 1 --epsilon 1 --delta 0.4 --out weak.csv"
LOUD = "design croft --query count --range 0:3 --epsilon 10.5 --out loud.csv"
# Rounded up: odds may change by no more.
E_TO_10_5 = f"{math.ceil(math.exp(10.5)):,}"


def run(capsys, line):
    code = main(line.split())
    return code, *capsys.readouterr()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Hold two mechanisms of which one has a large delta, one a large epsilon, and a table."""
    made = tmp_path_factory.mktemp("weak")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(made)
        assert main([*WEAK.split(), "-q"]) == main([*LOUD.split(), "-q"]) == 0
    (made / "table.csv").write_text("place,n\nhere,1\nthere,2\n")
    return made


@pytest.fixture
def here(folder, monkeypatch):
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    "line",
    [
        "design kadam --modulus 5 --distances 1 --epsilon 1 --delta {}",
        "design count --range 0:3 --epsilon 1 --delta {}",
        "design count --range 0:3 --epsilon 1 --definition per-outcome --delta {}",
        "design count --range 0:3 --epsilon 1 --definition probabilistic --delta {}",
        "frontier count --range 0:3 --epsilon 1 --over delta --at 0.1,{}",
        "compose weak.certificate.json --delta {}",
    ],
)
@pytest.mark.parametrize("delta", ["1", "1.5", "3/2", "1e0"])
@pytest.mark.usefixtures("here")
def test_a_delta_of_one_or_more_is_refused_on_the_command_line(capsys, line, delta):
    code, out, err = run(capsys, line.format(delta))
    assert (code, out) == (2, "")
    assert "`delta` must be zero or more and below 1; got" in err
    assert "Traceback" not in err


def test_a_delta_of_one_is_refused_in_a_file_of_questions(tmp_path, capsys):
    path = tmp_path / "ask.toml"
    path.write_text(
        '[question]\nquery = {kind = "count", smallest = 0, largest = 3}\n'
        'privacy = {kind = "approximate", epsilon = "1", delta = "1"}\n'
    )
    code, out, err = run(capsys, f"design {path}")
    assert (code, out) == (2, "")
    assert "delta" in err
    assert "Traceback" not in err


@each("delta", [1, 1.0, "1", "1.0", 7])
@each("definition", ["approximate", "per-outcome", "probabilistic"])
def test_a_delta_of_one_or_more_is_refused_by_every_definition(definition, delta):
    with pytest.raises(om.ProblemError, match="`delta` must be zero or more and below 1; got"):
        om.question(om.count(3), 1, delta=delta, definition=definition)
    with pytest.raises(om.ProblemError, match="`delta` must be zero or more and below 1; got"):
        om.kadam(om.residues(5, [1]), 1, delta)


def test_a_delta_of_one_is_refused_where_uses_are_composed():
    certificate = om.design(om.croft(om.count(2), 1)).certificate
    with pytest.raises(om.ProblemError, match="`delta` must be zero or more and below 1; got 1"):
        om.analysis.privacy_curve(certificate).epsilon(1)
    with pytest.raises(om.ProblemError, match="`delta` must be zero or more and below 1; got 1"):
        om.compose(certificate, 3).epsilon(1)
    with pytest.raises(om.ProblemError, match="`delta` must be zero or more and below 1; got 1"):
        om.analysis.epsilon_per_query(
            1, 1, 3, lambda epsilon: om.design(om.croft(om.count(2), epsilon)).certificate
        )


def test_a_certificate_with_a_delta_of_one_is_refused(here, capsys, tmp_path):
    content = json.loads((here / "weak.certificate.json").read_text())
    content["question"]["privacy"][0]["delta"] = "1"
    path = tmp_path / "one.certificate.json"
    path.write_text(
        "{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in content.items()) + "\n}\n"
    )
    for command in ("verify", "card"):
        code, _, err = run(capsys, f"{command} {path}")
        assert code == 2
        assert "delta" in err


@each("epsilon", ["1e-400", "5e-324", 5e-324, "1e-308", "1e-399"])
def test_an_epsilon_that_no_double_tells_gets_a_sentence(epsilon):
    with pytest.raises(om.ProblemError, match=r"`epsilon` must be at least 1e-300"):
        om.croft(om.count(3), epsilon)


@each("delta", ["1e-301", 5e-324, "1e-400"])
@each("definition", ["approximate", "per-outcome", "probabilistic"])
def test_a_delta_that_no_double_tells_from_zero_gets_a_sentence(delta, definition):
    with pytest.raises(om.ProblemError, match=r"`delta` must be 0 or at least 1e-300"):
        om.question(om.count(3), 1, delta=delta, definition=definition)


@pytest.mark.parametrize(
    "kind", ["croft --query count --range 0:3", "kadam --modulus 5 --distances 1 --delta 0.1"]
)
def test_an_epsilon_that_no_double_tells_gets_a_short_sentence_on_the_command_line(capsys, kind):
    code, out, err = run(capsys, f"design {kind} --epsilon 1e-400")
    assert (code, out) == (2, "")
    assert "got 1e-400" in err
    assert len(err) < 300


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", ["1e-300", "1e-100", "1e-20", "1e-16"])
def test_an_epsilon_whose_exponential_is_one_in_doubles_is_proved_all_the_same(epsilon):
    """Where e^epsilon rounds to one, nothing but an answer that ignores the data can be proved private."""
    certificate = om.design(om.question(om.count(3), epsilon, delta="0.0001", loss="zero-one")).certificate
    assert float(certificate.objective) == pytest.approx(3 / 4 * (1 - 0.0001), rel=1e-3)
    assert certificate.bound <= certificate.objective
    pure = om.design(om.croft(om.count(3), epsilon)).certificate
    assert (pure.matrix.nearest().max(axis=1) - pure.matrix.nearest().min(axis=1)).max() < 1e-15


def first_lines(capsys):
    """Say which commands say a verdict, and the first line of each."""
    yield run(capsys, WEAK.replace("weak", "again"))[1]
    yield run(capsys, "verify weak.certificate.json weak.csv")[1]
    question_file(".", "kadam --modulus 5 --distances 1 --epsilon 1 --delta 0.4")
    yield run(capsys, "verify weak.csv question.toml")[1]
    yield run(capsys, "apply weak.certificate.json table.csv --column n --out r.csv --again")[1]
    yield run(capsys, "compose weak.certificate.json --uses 2 --epsilon 2")[1]
    yield run(capsys, "export weak.certificate.json --format c")[1].removeprefix("/* ")
    yield run(capsys, "export weak.certificate.json --format rust")[1].removeprefix("// ")


@pytest.mark.usefixtures("here")
def test_every_verdict_begins_with_what_a_large_delta_allows(capsys):
    for text in first_lines(capsys):
        assert text.startswith("Caution: with probability up to ")
        assert ANYTHING in " ".join(text.split()[:20])  # a screen breaks it


@pytest.mark.usefixtures("here")
def test_every_verdict_begins_with_what_a_large_epsilon_allows(capsys):
    for line in (
        LOUD.replace("loud", "again"),
        "verify loud.certificate.json",
        "compose loud.certificate.json --epsilon 10.5",
        "design croft --query count --range 0:2000 --epsilon 10.5 --out count.json",
        "verify count.json",
        "find epsilon croft --query count --range 0:3 --target 0.0001",
    ):
        first = " ".join(run(capsys, line)[1].split()[:20])  # a screen breaks it
        assert first.startswith(
            "Caution: odds between neighbouring true answers may change by a factor of up to "
        )
        if "find" not in line:
            assert E_TO_10_5 in first


@pytest.mark.usefixtures("here")
def test_a_card_says_it_first_and_in_its_words(capsys):
    page = run(capsys, "card weak.certificate.json --explain")[1].splitlines()
    assert page[2].startswith("**Caution: with probability up to ")
    assert ANYTHING in next(line for line in page if line.startswith("| differential privacy |"))
    words = json.loads(run(capsys, "card weak.certificate.json --format json")[1])["words"]
    assert ANYTHING in words["allows"]
    calm = om.card_of(om.design(om.croft(om.count(3), 1)).certificate)
    assert calm.words.allows == ""


@pytest.mark.usefixtures("here")
def test_a_report_says_it_first_in_amber_and_without_a_tick(capsys):
    assert run(capsys, "report weak.certificate.json --no-compare --out weak.html")[0] == 0
    text = Path("weak.html").read_text(encoding="utf-8")
    head = text[text.index('class="verdict') :]
    assert head.startswith('class="verdict care"')
    assert head.index("Caution: with probability up to ") < head.index("Proved in exact arithmetic")
    assert "M16 24.5l5.5" not in text  # the tick


@pytest.mark.usefixtures("here")
def test_the_log_of_a_release_says_what_is_allowed(capsys):
    run(capsys, "apply weak.certificate.json table.csv --column n --out logged.csv --again")
    (entry,) = om.read_log("logged.release.json")["mechanisms"]
    assert ANYTHING in entry["allows"]
    assert next(iter(entry)) == "allows"


@pytest.mark.usefixtures("here")
def test_plugs_and_notebooks_say_what_is_allowed(tmp_path):
    certificate = om.read_certificate("weak.certificate.json")
    assert repr(certificate).startswith("<MatrixCertificate: Caution: ")
    for thing in (certificate, om.design(certificate.problem)):
        page = thing._repr_html_()
        assert page.index(ANYTHING) < page.index("asked")
    om.release.write_parquet(certificate, tmp_path / "m.parquet")
    beside = json.loads(pq.read_schema(tmp_path / "m.parquet").metadata[b"optmech"])
    assert ANYTHING in json.loads(beside["about"])["caution"]


@pytest.mark.usefixtures("here")
def test_the_caution_is_amber_on_a_terminal_and_said_when_quiet(capsys, monkeypatch):
    assert run(capsys, "verify weak.certificate.json -q")[1] == ""
    assert ANYTHING in run(capsys, "verify weak.certificate.json -q")[2]
    assert ANYTHING in run(capsys, "verify weak.certificate.json --json")[2]
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert run(capsys, "verify weak.certificate.json")[1].startswith("\x1b[33mCaution: ")
    assert "\x1b[33m**Caution: " in run(capsys, "card weak.certificate.json --explain")[1]
    assert run(capsys, "card weak.certificate.json")[1].startswith("\x1b[33mCaution: ")


def test_the_delta_that_is_told_is_the_one_over_all_sets():
    """A hundredth for each outcome is far more for a set of them."""
    certificate = om.design(
        om.question(om.count(6), "0.1", delta="0.0009", definition="per-outcome")
    ).certificate
    whole = float(om.analysis.privacy_curve(certificate).delta("0.1"))
    assert whole > 1e-3
    delta_in_words = float(certificate.caution.removeprefix("Caution: with probability up to ").split()[0])
    assert whole <= delta_in_words <= 1.001 * whole


def test_the_heaviest_edge_decides():
    light = om.Query(range(3), neighbours=[(0, 1, 1), (1, 2, 50)])
    heavy = om.Query(range(3), neighbours=[(0, 1, 1), (1, 2, 400)])
    assert om.design(om.question(light, "0.1")).certificate.caution is None
    caution = om.design(om.question(heavy, "0.1")).certificate.caution
    assert "a factor of up to 10^18" in caution


@pytest.mark.parametrize(
    ("problem", "error", "says"),
    [
        (
            lambda: om.kadam_least_delta(om.residues(5, [1]), 1, at_most=0, cost="error-rate"),
            om.VerificationError,
            "delta must be below 1; with 1 anything may be released",
        ),
        (
            lambda: om.question(om.count(2), 1, least="delta", properties="accuracy = 1"),
            om.NoSolutionError,
            "Delta is 1 for every such mechanism, proved",
        ),
    ],
    ids=["no cost", "always the truth"],
)
def test_a_least_delta_of_one_is_refused(problem, error, says):
    with pytest.raises(error, match=says):
        om.design(problem())


@pytest.mark.parametrize(("epsilon", "delta"), [("10", 0), ("1", "0.001"), ("0.5", 0)])
def test_below_the_limits_nothing_is_said(epsilon, delta):
    assert om.design(om.question(om.count(2), epsilon, delta=delta)).certificate.caution is None
