"""A wrong command line gets a sentence on stderr and exit code 2; nothing is printed, nothing is written."""

from __future__ import annotations

import re
import shlex
import shutil

import pytest

from optmech.cli import main
from tests.claims.wrong_front import ASKED, WRONG_FRONT
from tests.each import each

COUNT = "--query count --range 0:3 --epsilon 1"
DESIGN = f"design croft {COUNT}"
NAMES = [
    *(
        "design croft",
        "design kadam",
        "compare croft",
        "prices croft",
        "export-model croft",
    ),
    *("find epsilon croft", "find accuracy croft", "frontier croft"),
]
FILES = ["report", "card", "verify", "compose", "export"]
BROKEN = [f"{name}.json" for name in ("missing", "folder", "text", "empty", "list", "half")] + ["missing.csv"]
FURTHER = {"compose": " --uses 2 --delta 0.1", "export": " --format c"}
# These are wrong in every command.
WRONG_OPTIONS = [
    f"{name} {COUNT} {wrong}" for name in NAMES for wrong in ("--nonsense", "left over", "--threads")
]
WRONG_NUMBERS = [
    f"{DESIGN} {option} {value}"
    for option, values in {
        "--epsilon": "nan inf -1 0 one 1/0 0x10 1e5000 log2(3) ln(0) ''",
        "--exp-epsilon": "2 0.5 nan e",
        "--variant": "3 two 1.5 nan -1",
        "--range": "5 5:0 a:b 0:1:2 0.5:2 -3:3 : '' 0:99999999999",
        "--threads": "0 -1 two 1.5 9999999999999999999999",
        "--time-limit": "0 -1 soon nan -inf",
        "--loss": "cubic '' beyond 'beyond x' -1,2 1,x é",
        "--prior": "x 1,2 0.5,0.5 1,1,1,1 -1,1,1,0 ,",
        "--property": "nice '' fair,nice 'accuracy >= 2' é",
        "--engine": "best '' AUTO",
        "--solver": "gurobi '' é",
        "--method": "magic ''",
        "--records": "3 x",
        "--records-per-person": "0 -1 x 1.5",
        "--query": "total '' sum é",
    }.items()
    for value in shlex.split(values)
    for value in [shlex.quote(value)]
]
WRONG_FILES = [
    f"{command} {file}{rest}"
    for command in FILES
    for file in (
        "missing.json",
        "folder.json",
        "text.json",
        "empty.json",
        "list.json",
        "half.json",
        "missing.csv",
    )
    for rest in [
        " --uses 2 --delta 0.1" if command == "compose" else " --format c" if command == "export" else ""
    ]
]
WRONG_TABLES = [
    f"apply {line}"
    for line in (
        "mechanism.csv",
        "mechanism.csv table.csv",
        "mechanism.csv table.csv --column count",
        "mechanism.csv table.csv --column count --out out.txt",
        "mechanism.csv table.csv --column count --out table.csv",
        "mechanism.csv table.csv --column count --out mechanism.csv",
        "mechanism.csv table.csv --column count --out folder.json",
        "mechanism.csv table.csv --column count --out no/such/out.csv",
        "mechanism.csv table.csv --column nobody --out out.csv",
        "mechanism.csv table.csv --column place --out out.csv",
        "mechanism.csv missing.csv --column count --out out.csv",
        "mechanism.csv folder.json --column count --out out.csv",
        "mechanism.csv text.json --column count --out out.csv",
        "mechanism.csv far.csv --column count --out out.csv",
        "mechanism.csv null.csv --column count --out out.csv",
        "mechanism.csv ragged.csv --column count --out out.csv",
        "mechanism.csv table.csv --column count --group place --out out.csv",
        "mechanism.csv table.csv --column count --out out.csv --seed x",
        "mechanism.csv table.csv --column count --out out.csv --seed=-1",
        "mechanism.csv table.csv --column count --out out.csv --log out.csv",
        "groups.toml table.csv --column count --out out.csv",
        "groups.toml table.csv --column count --group nobody --out out.csv",
        "missing.toml table.csv --group place --column count --out out.csv",
        "half.json table.csv --column count --out out.csv",
        "missing.json table.csv --column count --out out.csv",
    )
]
OTHERS = """
nothing
desing croft
design
design nobody
design missing.toml
design folder.json.toml
design text.toml
design empty.toml
design problem.toml --instance nobody
design file
design croft
design croft --query count
design croft --query count --range 0:3
design croft --epsilon 1
design croft --range 0:3 --epsilon 1
design croft --query count --range 0:3 --epsilon 1 --delta 0.1
design croft --query count --range 0:3 --epsilon 1 --worst-case
design croft --query count --range 0:3 --epsilon 1 --out x.txt
design croft --query count --range 0:3 --epsilon 1 --out x.parquet
design croft --query count --range 0:3 --epsilon 1 --out x
design croft --query count --range 0:3 --epsilon 1 --out ''
design croft --query count --range 0:3 --epsilon 1 --out folder.csv
design croft --query count --range 0:3 --epsilon 1 --out no/such/x.csv
design croft --query count --range 0:3 --epsilon 1 --certificate x.json
design croft --query count --range 0:3 --epsilon 1 --out x.csv --certificate x.csv
design croft --query count --range 0:3 --epsilon 1 --out x.csv --certificate x.json --raw
design croft --query mean --range 0:3 --epsilon 1
design croft --query mean --range 0:3 --records 0 --epsilon 1
design croft --query residues --epsilon 1
design croft --query residues --modulus 1 --distances 1 --epsilon 1
design croft --query residues --modulus 5 --distances x --epsilon 1
design croft --query residues --modulus 5 --distances 9 --epsilon 1
design croft --query residues --modulus five --distances 1 --epsilon 1
design croft --query categories --epsilon 1
design croft --query categories --of a,a --epsilon 1
design croft --query categories --of a --epsilon 1
design croft --query categories --of a,b --distance x --epsilon 1
design croft --query categories --of a,b --distance '0,1;1' --epsilon 1
design croft --query graph --epsilon 1
design croft --query graph --edges a --epsilon 1
design croft --query graph --edges 'a,b,x' --epsilon 1
design croft --query graph --edges 'a,b,-1' --epsilon 1
design croft --query vector --moduli 1 --distances '1' --epsilon 1
design croft --query vector --moduli x --distances '1' --epsilon 1
design kadam --epsilon 1 --delta 0.1
design kadam --modulus 5 --distances 1 --epsilon 0 --delta 0.1
design croft --query count --range 0:3 --epsilon 1 --json=1
design kadam --modulus 5 --distances 1 --epsilon 1 --delta x
design kadam --modulus 5 --distances 1 --epsilon 1 --delta -1
design kadam --modulus 5 --distances 1 --epsilon 1 --delta 0.1 --reading x
design sadeghi --epsilon 1
design sadeghi --epsilon 1 --accuracy 2 --half-width 2 --counts 1:3
design sadeghi --epsilon 1 --accuracy 0.5 --half-width 0 --counts 1:3
design sadeghi --epsilon 1 --accuracy 0.5 --half-width two --counts 1:3
design sadeghi --epsilon 1 --accuracy 0.5 --half-width 2 --counts 3
design sadeghi-symmetric --epsilon 1 --accuracy 0.5 --half-width 2 --rows none
design count --range 0:3 --epsilon 1 --structure round
design count --range 0:3 --epsilon 1 --definition mine --delta 0.1
design count --range 0:3 --epsilon 1 --least money
design count --range 0:3 --epsilon 1 --bound 'absolute < 3'
design count --range 0:3 --epsilon 1 --delta 2
design croft --query count --range 0:90000000 --epsilon 1
design croft --query count --range 0:5000 --epsilon 1 --exp-epsilon 2
design croft --query count --range 0:5000 --epsilon 1 --loss cubic
design croft --query count --range 0:5000 --epsilon 1 --prior nobody.txt
design croft --query count --range 0:5000 --epsilon 1 --out x.csv
design croft --query count --range 0:50000 --epsilon 1 --solver highs
find epsilon croft --query count --range 0:3
find epsilon croft --query count --range 0:3 --target x
find epsilon croft --query count --range 0:3 --target -1
find epsilon croft --query count --range 0:3 --target 1 --epsilon 1
find epsilon croft --query count --range 0:3 --target 1 --precision 0
find epsilon croft --query count --range 0:3 --target 1 --precision 1e-400
find epsilon croft --query count --range 0:3 --target 1 --highest x
find epsilon croft --query count --range 0:3 --target 1 --out x.txt
find half-width sadeghi --epsilon 1 --accuracy 0.5 --counts 1:3 --target 0.3 --highest x
find accuracy sadeghi --epsilon 1 --half-width 2 --counts 1:3
frontier croft --query count --range 0:3
frontier croft --query count --range 0:3 --from 1
frontier croft --query count --range 0:3 --from 2 --to 1
frontier croft --query count --range 0:3 --from 1 --to 2 --points 1
frontier croft --query count --range 0:3 --from 1 --to 2 --points x
frontier croft --query count --range 0:3 --at x
frontier croft --query count --range 0:3 --at 1 --out x.json
frontier croft --query count --range 0:3 --at 1 --figure x.txt
compare croft --query count --range 0:3 --epsilon 1 --beyond x
compare croft --query count --range 0:3 --epsilon 1 --out x.json
compare croft --query count --range 0:3 --epsilon 1 --page x.html
compare croft --query count --range 0:3 --epsilon 1 --every
compare sadeghi --epsilon 1 --accuracy 0.5 --half-width 2 --counts 1:3
export-model croft --query count --range 0:3 --epsilon 1 --format xml
export-model croft --query count --range 0:3 --epsilon 1 --out folder.csv
compose
compose mechanism.certificate.json
compose mechanism.certificate.json --uses 0 --delta 0.1
compose mechanism.certificate.json --uses x --delta 0.1
compose mechanism.certificate.json --uses 2 --delta 2
compose mechanism.certificate.json --uses 2 --delta 0.1 --epsilon 1
compose mechanism.certificate.json --uses 2 --delta 0.1 --queries many
compose mechanism.certificate.json --uses 2 --delta 0.1 --out x.json
export mechanism.certificate.json
export mechanism.certificate.json --format cobol
export mechanism.certificate.json --format parquet
export mechanism.certificate.json --format c --name 9lives
export mechanism.certificate.json --format rust --name mine
export mechanism.certificate.json --format c --out mechanism.csv
report mechanism.certificate.json --out x.pdf
card mechanism.certificate.json --out x.pdf
card mechanism.certificate.json --format pdf
verify
verify mechanism.certificate.json --query count
verify mechanism.csv missing.csv extra.csv
sweep
sweep missing.toml --out x.parquet
sweep text.toml --out x.parquet
sweep sweep.toml
sweep sweep.toml --out x.csv
sweep sweep.toml --out x.parquet --jobs 0
sweep sweep.toml --out x.parquet --jobs x
crosscheck --counts x
crosscheck --counts 0
crosscheck --out x.json
completion
completion cobol
studio --port x
studio --port 99999999
solvers extra
doctor extra
--nonsense
""".strip().splitlines()
LINES = [*WRONG_OPTIONS, *WRONG_NUMBERS, *WRONG_FILES, *WRONG_TABLES, *OTHERS, *WRONG_FRONT]
# Words of a traceback, a class of ours or of Python's, or the parser of the standard library.
INSIDE = re.compile(
    r"Traceback|Error\b|<\w+\.\w+: |object at 0x|NoneType|invalid \w+ value|is a directory|has no attribute|"
    r"argument must be|unhashable|not iterable|numpy"
)
RULE = re.compile(
    r"must|needs|is no (key|choice)|cannot|has no|asks for|is no problem|no solver|not available"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("wrong")
    line = f"{DESIGN} --out {made}/mechanism.csv -q"
    assert main(shlex.split(line)) == 0
    text = (made / "mechanism.certificate.json").read_text()
    for name, content in {
        "text.json": "no JSON",
        "empty.json": "",
        "list.json": "[1, 2]",
        "half.json": re.sub(r', "thresholds": "[^"]*"', "", text),
        "text.toml": "= no TOML",
        "empty.toml": "",
        "problem.toml": '[[instance]]\nname = "a"\n[instance.question]\nquery = {kind = "count"}\n',
        "sweep.toml": "[question]\n"
        'query = {kind = "count", smallest = 0, largest = 3}\nprivacy = {kind = "pure", epsilon = "1"}\n',
        "groups.toml": '[groups]\nhere = "mechanism.certificate.json"\n',
        "table.csv": "place,count\nhere,3\nthere,2\n",
        "far.csv": "count\n99\n",
        "null.csv": "count\n\n1\n,\n",
        "ragged.csv": "count,place\n1\n",
        **ASKED,
    }.items():
        (made / name).write_text(content)
    for name in ("folder.json", "folder.csv", "folder.json.toml"):
        (made / name).mkdir()
    return made


@pytest.fixture
def here(folder, tmp_path, monkeypatch):
    shutil.copytree(folder, tmp_path / "work")
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def contents(folder):
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.mark.slow
@each("line", LINES)
def test_a_wrong_command_line_gets_a_sentence_and_nothing_is_written(here, capsys, line):
    before = contents(here)
    code = main(shlex.split(line))
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.startswith("optmech: ")
    assert err.count("\n") == 1
    assert RULE.search(err)
    assert not INSIDE.search(err)
    assert contents(here) == before


def test_there_are_hundreds_of_them_and_no_two_are_alike():
    assert len(set(LINES)) == len(LINES) >= 440


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (f"{DESIGN} --delta 0.1", "`optmech design` takes it with count, mean, total, extremum, …."),
        (f"{DESIGN} --threads two", "`--threads` must be a whole number; got 'two'"),
        (f"{DESIGN} --out x.txt", "`x.txt` must end in .csv or .json, which says what is written there"),
        ("sweep sweep.toml --out x.csv", "must end in .parquet or .pq, which says"),
        ("verify folder.json", "got a folder"),
        ("verify half.json", "`thresholds` is missing"),
        ("find epsilon croft --query count --range 0:3", "`--target` must be given"),
    ],
)
@pytest.mark.usefixtures("here")
def test_the_sentence_says_what_to_do(capsys, line, says):
    assert main(shlex.split(line)) == 2
    assert says in capsys.readouterr().err


@pytest.mark.usefixtures("here")
def test_no_rows_spend_nothing(here, capsys):
    (here / "none.csv").write_text("count\n")
    line = "apply mechanism.csv none.csv --column count --out out.csv"
    assert main(line.split()) == 0
    assert "nothing is spent" in capsys.readouterr().out
    assert '"draws": 0' in (here / "out.release.json").read_text()
