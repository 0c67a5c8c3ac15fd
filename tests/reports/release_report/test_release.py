"""A release as one page: from certificates, logs and a description, and nothing half right is taken."""

from __future__ import annotations

import hashlib
import json
import re
from html.parser import HTMLParser

import pytest

from optmech.cli import main

TOML = """title = "Visits <by> town"
data = "Visits 2026"
unit = "one visitor"
controller = "City of Aller"
date = 2026-05-04
contact = "a@b.example"
"""


class Text(HTMLParser):
    """The text of a page as a person reads it, and what it would load."""

    def __init__(self):
        super().__init__()
        self.text, self.loads, self.hidden = [], [], 0

    def handle_starttag(self, tag, attrs):
        self.hidden += tag in ("style", "script")
        self.loads += [
            value for name, value in attrs if name in ("src", "href") and not value.startswith("#")
        ]
        self.loads += [tag] if tag == "script" else []

    def handle_endtag(self, tag):
        self.hidden -= tag in ("style", "script")

    def handle_data(self, data):
        if not self.hidden:
            self.text.append(data)


@pytest.fixture(scope="module")
def designed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    design = "design count --range 0:5 --epsilon 1/2 -q --out"
    assert main([*design.split(), str(folder / "m.csv")]) == 0
    (folder / "t.csv").write_text("town,count,other\nAller,3,1\n<b>Beck</b>,0,4\n")
    (folder / "release.toml").write_text(TOML)
    return folder


@pytest.fixture
def folder(designed, tmp_path, monkeypatch, capsys):
    for path in designed.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.chdir(tmp_path)
    for name, more in (("a", "--column count --interval 0.9"), ("b", "--column other")):
        words = f"apply m.certificate.json t.csv {more} --out {name}.csv".split()
        assert main([*words, "--data", "Visits 2026"]) == 0
    capsys.readouterr()
    return tmp_path


def report(words):
    return main(["report", *words.split()])


def shown(path):
    page = Text()
    page.feed(path.read_text(encoding="utf-8"))
    return re.sub(r"\s+", " ", " ".join(page.text)), page.loads


ALL = "release.toml a.release.json b.release.json m.certificate.json --out page.html"


def test_the_page_says_what_who_how_much_and_how_far_off(folder, capsys):
    assert report(ALL) == 0
    first = "2 releases of Visits 2026: epsilon = 1 of a person who can change one row\n"
    assert first in capsys.readouterr().out
    text, loads = shown(folder / "page.html")
    assert not loads
    for words in (
        "Visits <by> town",
        "City of Aller",
        "one visitor",
        "a@b.example",
        "2026-05-04",
        "all releases together spend at most ε = 1 of a person who can change one row",
        "Someone who thinks it is 50:50 whether a certain person is in one row of the data, and knows",
        "is at most 73.2 % sure after seeing all that is published here.",
        "Sums, shares and averages of these numbers cost nothing more.",
        "One person with one record, who changes the count by at most 1",
        "probability of at least 90 %",
        "probability of at least 95 %",
        "<b>Beck</b>",
        "The plain sum of the epsilons is 1.",
        "95 % of all drawn numbers are within 4 of the true one, whatever it is.",
        "optmech report release.toml a.release.json b.release.json m.certificate.json --out page.html",
        "optmech apply m.certificate.json t.csv --column count --interval 0.9 --data 'Visits 2026' --out a",
        "Sign-off",
    ):
        assert words in text, words
    assert "<b>Beck" not in (folder / "page.html").read_text()


def test_the_same_files_give_the_same_page(folder):
    assert report(ALL) == 0
    first = (folder / "page.html").read_bytes()
    assert report(ALL) == 0
    assert (folder / "page.html").read_bytes() == first


def test_each_released_number_has_its_interval(folder):
    assert report(ALL) == 0
    text, _ = shown(folder / "page.html")
    row = (folder / "a.csv").read_text().splitlines()[1].split(",")
    assert " ".join([row[0], row[4], *row[1:4]]) in text


def test_a_column_that_another_file_holds_as_it_is_is_said_first(folder):
    assert report(ALL) == 0
    output = (
        "b.csv holds the column count as it is, which a.csv releases with noise: then nothing protects it."
    )
    text, _ = shown(folder / "page.html")
    assert output in re.sub(r" ([.,:])", r"\1", text)
    # Released one after the other the second file holds noise alone, and the first is laid open.
    again = "m.certificate.json a.csv --column other --out b.csv --again --data"
    assert main(["apply", *again.split(), "Visits 2026"]) == 0
    assert report(ALL) == 0
    text = re.sub(r" ([.,:])", r"\1", shown(folder / "page.html")[0])
    assert "a.csv holds the column other as it is, which b.csv releases with noise" in text
    assert "b.csv holds" not in text
    (folder / "a.csv").unlink()
    assert report(ALL) == 0
    assert "as it is, which" not in shown(folder / "page.html")[0]


def test_a_log_alone_finds_its_certificate_and_its_file(folder, capsys):
    assert report("a.release.json --title 'Visits' --out page.html".replace("'", "")) == 0
    text, _ = shown(folder / "page.html")
    assert "Visits. Release report" in text
    assert "2 numbers from Visits 2026. Each has random noise. What this costs in privacy is proved" in text
    assert "--title Visits --out page.html" in text
    assert "reported" not in text
    assert capsys.readouterr().err == ""


def test_a_ledger_finds_the_logs_of_its_data_and_their_files(folder, capsys):
    (folder / "ledger").mkdir()
    for name, data in (("c", "Visits 2026"), ("d", "Sales")):
        words = f"apply m.certificate.json t.csv --column count --out {name}.csv --ledger ledger --data"
        assert main([*words.split(), data]) == 0
    words = ["report", "--ledger", "ledger", "--out", "page.html"]
    assert main(words) == 2
    assert "must have logs of one data; ledger has Sales and Visits 2026" in capsys.readouterr().err
    assert main([*words, "--data", "sales"]) == 0
    text, _ = shown(folder / "page.html")
    assert "2 numbers from sales. Each has random noise. What this costs in privacy is proved" in text
    assert report("release.toml --ledger ledger --out page.html") == 0
    text = shown(folder / "page.html")[0]
    assert "SHA-256 of c.csv" in text
    (folder / "c.csv").write_text("town,count,other\nAller,1,1\n")
    capsys.readouterr()
    assert report("release.toml --ledger ledger --out page.html") == 2
    assert "its SHA-256 is not the one in ledger" in capsys.readouterr().err
    (folder / "c.csv").unlink()
    assert report("release.toml --ledger ledger --out page.html") == 2
    assert "c.csv, which ledger/c." in capsys.readouterr().err


def test_a_released_file_elsewhere_is_named(folder, capsys):
    (folder / "a.csv").rename(folder / "elsewhere.csv")
    assert report("a.release.json --out page.html") == 2
    assert "Name the file, or the folder that it is in." in capsys.readouterr().err
    assert report("a.release.json elsewhere.csv --out page.html") == 0
    assert "<b>Beck</b>" in shown(folder / "page.html")[0]
    assert report("a.release.json t.csv --out page.html") == 2
    assert "`t.csv` must be a released file of one of the logs" in capsys.readouterr().err


def test_intervals_that_no_certificate_proves_are_refused(folder, capsys):
    text = (folder / "a.csv").read_text().splitlines()
    town, answer, low, high, other = text[1].split(",")
    text[1] = ",".join([town, answer, str(int(low) + 1), high, other])
    (folder / "a.csv").write_text("\n".join(text) + "\n")
    log = json.loads((folder / "a.release.json").read_text())
    log["output"]["sha256"] = hashlib.sha256((folder / "a.csv").read_bytes()).hexdigest()
    (folder / "a.release.json").write_text(json.dumps(log))
    assert report("a.release.json --out page.html") == 2
    words = f"must have the intervals that its certificates prove; row 1 has {int(low) + 1} in place of {low}"
    assert words in capsys.readouterr().err


def test_a_table_without_rows_has_no_page(folder, capsys):
    (folder / "none.csv").write_text("town,count\n")
    assert main(["apply", "m.certificate.json", "none.csv", "--column", "count", "--out", "empty.csv"]) == 0
    assert report("empty.release.json --out page.html") == 2
    assert "must have a release; got empty.release.json, of a table without rows" in capsys.readouterr().err


def test_a_table_of_thousands_of_rows_is_a_small_page(folder):
    lines = [f"k{row:05},{row % 6}" for row in range(3000)]
    (folder / "long.csv").write_text("\n".join(["key,count", *lines]) + "\n")
    words = "apply m.certificate.json long.csv --column count --interval 0.9 --out many.csv"
    assert main(words.split()) == 0
    assert report("many.release.json --out page.html") == 0
    text, _ = shown(folder / "page.html")
    assert "These are the first 20 rows. 2,980 more rows are in many.csv" in text
    assert "k00019" in text
    assert "k00020" not in text
    assert (folder / "page.html").stat().st_size < 60_000


def test_each_number_is_a_dot_on_the_bar_of_its_interval(folder):
    assert report("a.release.json --out page.html") == 0
    page = (folder / "page.html").read_text()
    rows = [line.split(",")[1:4] for line in (folder / "a.csv").read_text().splitlines()[1:]]
    for name, (answer, low, high) in zip(("Aller", "&lt;b&gt;Beck&lt;/b&gt;"), rows, strict=True):
        assert f"{name}\ncount: {answer}, at least {low}, at most {high}</title>" in page
    assert page.count('<line class="interval"') == 2
    assert page.count('<path class="interval"') == 4


@pytest.mark.usefixtures("folder")
def test_json_says_the_same(capsys):
    assert report(f"{ALL} --json") == 0
    content = json.loads(capsys.readouterr().out)
    assert (content["data"], content["releases"], content["provenance"]) == ("Visits 2026", 2, "proved")
    assert content["epsilon"] == pytest.approx(1)


def test_without_its_file_or_certificate_the_page_says_so(folder, capsys):
    for name in ("m.csv", "m.certificate.json", "b.csv"):
        (folder / name).unlink()
    assert report(ALL.replace(" m.certificate.json", "")) == 0
    text, _ = shown(folder / "page.html")
    assert "Reported, not proved: ε = 1" in text
    assert "The file b.csv was not at hand" in text
    assert "The intervals are what the file says. m.certificate.json was not at hand. reported" in text
    err = capsys.readouterr().err
    assert "the page does not show b.csv, which is not beside b.release.json" in err
    assert "nothing is proved of a.release.json: name its certificate, m.certificate.json" in err


@pytest.mark.filterwarnings("ignore:these draws are NOT private")
def test_what_nobody_knows_is_said_first_and_in_the_exit_code(folder, capsys):
    words = "apply m.certificate.json t.csv --column count --seed 1 --out c.csv"
    assert main([*words.split(), "--data", "Visits 2026"]) == 0
    assert report(f"c.release.json {ALL}") == 1
    assert "c.csv was drawn by a seed" in capsys.readouterr().err
    text, _ = shown(folder / "page.html")
    assert "Nobody knows what these releases spend together" in text


A = "release.toml a.release.json"


@pytest.mark.parametrize(
    ("change", "words", "refusal"),
    [
        ({}, "release.toml m.certificate.json", "1 .toml and 0 .release.json"),
        ({}, "release.toml release.toml a.release.json", "2 .toml and 1 .release.json"),
        ({}, f"{A} missing.json", "must be a file that can be read"),
        ({}, f"{A} t.csv", "`t.csv` must"),
        ({}, f"count --range 0:3 --epsilon 1 {A}", "a question must be left out of the report"),
        ({}, f"{A} --out a.csv", "must end in .html"),
        ({"release.toml": 'title = "x"'}, A, "must say `title` and `data`"),
        ({"release.toml": f"{TOML}colour = 3"}, A, "see 'colour'"),
        ({"release.toml": TOML.replace('"one visitor"', "3")}, A, "for `unit`; got '3'"),
        ({"release.toml": "= 3"}, A, "must be TOML text"),
        ({"release.toml": TOML.replace("2026", "2025", 1)}, A, "must be of Visits 2025"),
        ({"a.csv": "town,count,count_low,count_high,other\nx,1,1,1,1\n"}, A, "it was changed"),
        ({"a.release.json": "{}"}, A, "must be a release log of optmech"),
    ],
)  # fmt: skip
def test_what_is_refused_writes_nothing(folder, capsys, change, words, refusal):
    for name, text in change.items():
        (folder / name).write_text(text)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    out = "" if "--out" in words else " --out page.html"
    assert report(f"{words}{out}") == 2
    assert refusal in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_certificate_that_no_log_names_is_refused(folder, capsys):
    words = "design count --range 0:4 --epsilon 1 -q --out other.csv"
    assert main(words.split()) == 0
    assert report(f"other.certificate.json {ALL}") == 2
    assert "no log tells of it" in capsys.readouterr().err
    assert not (folder / "page.html").exists()


def test_logs_of_two_tables_of_the_same_data_are_listed(folder, capsys):
    words = "apply m.certificate.json t.csv --column count --out c.csv"
    assert main(words.split()) == 0
    assert report(f"c.release.json {ALL}") == 2
    assert "got one of t.csv" in capsys.readouterr().err
    (folder / "release.toml").write_text(f'{TOML}tables = ["t.csv"]\n')
    assert report(f"c.release.json {ALL}") == 0
    assert "ε = 1.5" in shown(folder / "page.html")[0]


@pytest.mark.slow
@pytest.mark.parametrize("key", ["output", "mechanisms", "made", "draws", "beyond_the_range", "column", "id"])
@pytest.mark.parametrize("value", [None, 3.5, {}, [{}], "x"])
def test_a_log_that_was_changed_is_refused_or_shown(folder, capsys, key, value):
    log = json.loads((folder / "a.release.json").read_text())
    (folder / "a.release.json").write_text(json.dumps({**log, key: value}))
    code = report(f"{A} --out page.html")
    assert code in (0, 1, 2)
    if code == 2:
        err = capsys.readouterr().err
        words = ("must be a release log", "must have one column", "must have the intervals")
        assert any(each in err for each in words), err
        assert not (folder / "page.html").exists()


@pytest.mark.slow
def test_labels_are_answers_without_a_chart(folder):
    design = "design categories --of red,green --epsilon 1 -q --out colours.csv"
    assert main(design.split()) == 0
    (folder / "t.csv").write_text("person,colour\na,red\nb,green\n")
    assert main(["apply", "colours.certificate.json", "t.csv", "--column", "colour", "--out", "r.csv"]) == 0
    assert report("r.release.json --out page.html") == 0
    text, _ = shown(folder / "page.html")
    assert "2 answers from t.csv. Each has random noise." in text
    assert "50:50 which of two records a certain person has in the data" in text
    assert "These answers have no interval" in text
    assert "Each dot is" not in text
