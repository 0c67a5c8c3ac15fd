"""``optmech find epsilon`` and its like, as a user types them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import optmech as om
from optmech.analysis.inversion.within import question_within
from optmech.cli import main
from optmech.theorems.sadeghi import least_delta
from tests.each import each
from tests.screen import joined

CHECKER = Path(__file__).parents[2] / "check_certificate.py"
COUNT = "find epsilon croft --query count --range 0:6 --prior uniform --target 0.8"
SYMMETRIC = "count --structure symmetric --half-width 3"
FILE = """[[instance]]
name = "small"
[instance.question]
query = {kind = "count", smallest = 0, largest = 3}
privacy = {kind = "pure", epsilon = "0.5"}
"""


def run(capsys, line):
    code = main(line.split() if isinstance(line, str) else line)
    out, err = capsys.readouterr()
    return code, out, err


def test_the_text_gives_both_values_with_what_proves_them(capsys):
    code, out, err = run(capsys, COUNT)
    assert (code, err) == (0, "")
    value, beyond = re.findall(r"^epsilon = (\S+)  ", out, re.MULTILINE)
    assert Fraction(value) - Fraction(beyond) == Fraction(1, 2000)
    text = joined(out)
    assert f"epsilon = {value}; no further property" in text
    assert re.search(r"a mechanism meets it: its objective is 0\.79\d+, proved, at most 0\.8 ", text)
    assert re.search(r"no mechanism meets it: the objective is at least 0\.80\d+, proved, above 0\.8 ", text)
    assert "beyond: a mechanism that is private at a smaller epsilon is private at a larger one" in text
    assert re.search(r"^proved on both sides; \d+ designs, ", out, re.MULTILINE)


def test_of_distributions_both_certificates_may_be_written_alone(capsys, tmp_path):
    words = f"find epsilon count --range 0:500 --target 0.5 --precision 0.1 --out {tmp_path / 'm.json'}"
    assert run(capsys, words)[0] == 0
    names = ["m.json", "m.refuted.json"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    met, refuting = (om.read_certificate(tmp_path / name) for name in names)
    assert met.objective <= Fraction(1, 2) < refuting.bound


def test_json_holds_the_exact_numbers(capsys):
    content = json.loads(run(capsys, f"{COUNT} --precision 0.01 --json")[1])
    assert content["outcome"] == "proved"
    assert Fraction(content["met"]["objective"]) <= Fraction(content["target"]) == Fraction("0.8")
    assert Fraction(content["refuted"]["bound"]) > Fraction("0.8")
    assert (content["met"]["value"], content["refuted"]["value"]) == (content["value"], content["beyond"])
    assert content["undecided"] == content["files"] == []


def test_the_files_prove_both_sides_to_the_checker(capsys, tmp_path):
    out = tmp_path / "m.csv"
    code, text, _ = run(capsys, f"{COUNT} --out {out}")
    assert code == 0
    names = {"m.csv", "m.certificate.json", "m.refuted.csv", "m.refuted.certificate.json"}
    assert {path.name for path in tmp_path.iterdir()} == names
    assert all(f"written to {tmp_path / name}" in text for name in names)
    epsilons = []
    for stem in ("m", "m.refuted"):
        files = [tmp_path / f"{stem}.certificate.json", tmp_path / f"{stem}.csv"]
        done = subprocess.run([sys.executable, CHECKER, *files], capture_output=True, text=True, check=True)
        assert done.stdout.startswith("proved: ")
        certificate = om.read_certificate(files[0])
        epsilons.append(certificate.problem.privacy.epsilon)
    assert certificate.bound > Fraction("0.8")
    assert epsilons[0] - epsilons[1] == Fraction(1, 2000)


@pytest.mark.parametrize(
    ("line", "option"),
    [
        (f"{COUNT} --epsilon 3", "--epsilon"),
        (f"{COUNT} --exp-epsilon 50", "--exp-epsilon"),
        ("find half-width sadeghi --epsilon 1 --accuracy 0.5 --counts 1:3 --half-width 2", "--half-width"),
        ("find accuracy sadeghi --epsilon 1 --half-width 2 --counts 1:3 --accuracy 0.5", "--accuracy"),
    ],
)
def test_what_is_looked_for_is_not_overlooked_where_it_is_typed(capsys, line, option):
    code, out, err = run(capsys, line)
    assert (code, out) == (2, "")
    assert err.startswith(
        f"optmech: `{option}` must be left out: {' '.join(line.split()[:2])} looks for it; got "
    )


def test_an_instance_of_a_file_may_be_asked(capsys, tmp_path):
    (tmp_path / "problem.toml").write_text(FILE)
    code, out, _ = run(capsys, f"find epsilon {tmp_path / 'problem.toml'} --target 0.5")
    assert code == 0
    assert "count 0..3" in out


def test_the_width_that_noise_needs_is_that_of_the_closed_form(capsys):
    line = "find half-width sadeghi-symmetric --epsilon 2.18 --accuracy 0.8 --target 0.005 --json"
    content = json.loads(run(capsys, line)[1])
    assert least_delta("2.18", "0.8", int(content["value"])) <= 0.005
    assert least_delta("2.18", "0.8", int(content["beyond"])) > 0.005


@pytest.mark.parametrize(
    "line",
    [
        "find accuracy count --range 0:4 --epsilon 1",
        f"find accuracy {SYMMETRIC} --range 3:6 --epsilon 1 --least delta --target 0.05",
        "find accuracy sadeghi-symmetric --half-width 3 --epsilon 1 --target 0.02",
        "find accuracy kadam --modulus 5 --distances 1 --epsilon 1 --delta 0.1",
    ],
)
def test_the_largest_accuracy_is_proved(capsys, line):
    code, out, err = run(capsys, line)
    assert (code, err) == (0, "")
    assert out.count("accuracy = ") >= 2
    assert "proved on both sides" in out


@pytest.mark.parametrize(
    ("line", "code", "text"),
    [
        (f"{COUNT} --highest 0.5", 1, "met at none of the values tried"),
        (f"{COUNT} --time-limit 1e-9", 1, "the time limit came first"),
        ("find epsilon croft --query count --range 0:6 --target 100", 0, "met at every value"),
    ],
)
def test_the_exit_code_says_whether_there_is_a_value(capsys, line, code, text):
    found, out, _ = run(capsys, line)
    assert found == code
    assert text in out


def test_without_a_value_no_file_is_written(capsys, tmp_path):
    assert run(capsys, f"{COUNT} --highest 0.5 --out {tmp_path / 'm.csv'}")[0] == 1
    assert not list(tmp_path.iterdir())


@each(
    ("line", "text"),
    [
        (COUNT.replace(" 0.8", "=-1"), "`target` must be zero or more; got -1."),
        (COUNT.replace("0.8", "much"), "`target` must be a finite number; got 'much'."),
        (f"{COUNT} --precision 2", "`precision` must be positive and at most 1; got 2."),
        (f"{COUNT} --highest 0.0001", "`highest` must be at least the precision 0.001; got 0.0001."),
        (f"{COUNT} --out m.txt", "`m.txt` must end in .csv or .json"),
        (f"{COUNT} --epsilon=-1", "`--epsilon` must be left out: find epsilon looks for it; got -1."),
        (
            "find half-width count --range 0:6 --epsilon 1",
            "`problem` must have a half-width",
        ),
        (
            "find accuracy sadeghi-symmetric --half-width 3 --epsilon 1",
            "`target` must be given where delta",
        ),
        ("find epsilon nothing.toml", "`nothing.toml` must be a file that can be read"),
    ],
)
def test_bad_input_is_a_sentence(capsys, tmp_path, monkeypatch, line, text):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, line)
    assert (code, out) == (2, "")
    assert err.startswith(f"optmech: {text}")
    assert not list(tmp_path.iterdir())


WITHIN = ["find", "epsilon", "count", "--range", "0:20", "--precision", "0.1", "--json", "--target"]


def test_a_target_on_the_error_is_met_at_every_truth_or_on_average(capsys):
    code, out, _ = run(capsys, [*WITHIN, "within 3 with 95 %"])
    content = json.loads(out)
    assert (code, content["outcome"], content["target"]) == (0, "proved", "0.05")
    mechanism = om.design(
        om.question(om.count(20), content["value"], loss="beyond 3", worst_case=True)
    ).mechanism
    assert min(mechanism.probability_within(3)) >= 0.95
    assert (
        json.loads(run(capsys, [*WITHIN, "within 3 with probability 0.95"])[1])["value"] == content["value"]
    )
    mean = json.loads(run(capsys, [*WITHIN, "within 3 with 95 % on average"])[1])
    assert Fraction(mean["value"]) < Fraction(content["value"])
    mechanism = om.design(om.question(om.count(20), mean["value"], loss="beyond 3")).mechanism
    assert mechanism.probability_within(3).mean() >= 0.95 > min(mechanism.probability_within(3))


def test_a_sum_over_truths_is_asked_for_as_many_times_the_probability():
    target = "within 1 with 90 % on average"
    asked, number = question_within(om.croft(om.count(9), 1), target)
    assert (asked.objective.loss_name, number) == ("beyond 1", 1)
    asked, number = question_within(om.question(om.count(9), 1, worst_case=True), target)
    assert (str(asked.objective), number) == ("least expected loss", Fraction(1, 10))


@each(
    ("line", "sentence"),
    [
        (
            ["count", "--range", "0:5", "--target", "within 3"],
            "`target` must say a distance and a probability",
        ),
        (["count", "--range", "0:5", "--target", "within 3 with 0"], "a probability above 0 and below 1"),
        (["count", "--range", "0:5", "--target", "within -1 with 95 %"], "a distance of zero or more"),
        (
            ["count", "--range", "0:5", "--loss", "squared", "--target", "within 3 with 95 %"],
            "`--loss` must be left out with",
        ),
        (
            [
                "sadeghi",
                "--accuracy",
                "0.5",
                "--half-width",
                "2",
                "--counts",
                "1:3",
                "--target",
                "within 1 with 0.5",
            ],
            "must be a number where",
        ),
        (["categories", "--of", "a,b", "--target", "within 1 with 90 %"], "are no numbers, such as a"),
    ],
)
def test_a_target_on_the_error_that_means_nothing_is_refused(capsys, line, sentence):
    code, _, err = run(capsys, ["find", "epsilon", *line])
    assert code == 2
    assert sentence in err
