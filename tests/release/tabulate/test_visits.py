"""Up to two million visits: a released table in bounded memory, whole or not at all, by law."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

import optmech as om

ROOT = Path(__file__).parents[3]
DRAWS, MOST_KILOBYTES = 10, 1_500_000
TABULATE = (
    "tabulate visits.parquet --person patient --group district,age --groups groups.csv --at-most 3 --out"
)
DESIGN = "design count --range 0:{} --epsilon 1 --for counts.csv.json --out m.json"
APPLY = "apply m.json counts.csv --column count --out"
MEASURED = """
import json, resource, subprocess, sys
done = subprocess.run([sys.executable, "-m", "optmech", *sys.argv[1:]], capture_output=True, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(json.dumps([done.returncode, done.stdout, done.stderr, used]))
"""


SIZES = {100_000: 15_000, 2_000_000: 300_000}


@pytest.fixture(scope="module")
def folder(tmp_path_factory, request):
    """Make so many visits by the seeded example."""
    made = tmp_path_factory.mktemp("visits")
    size = ["--visits", str(request.param), "--people", str(SIZES[request.param])]
    subprocess.run([sys.executable, ROOT / "examples/visits.py", made / "visits.parquet", *size], check=True)
    yield made
    (made / "visits.parquet").unlink()


def measured(folder, line):
    """Run a command and return what it printed; it must end well, in bounded memory."""
    words = [sys.executable, "-c", MEASURED, *line.split()]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    code, out, err, kilobytes = json.loads(done.stdout)
    assert code == 0, err
    assert kilobytes < MOST_KILOBYTES
    return out


@pytest.mark.parametrize(
    ("folder", "size"),
    [
        pytest.param(100_000, 100_000, marks=pytest.mark.slow),
        pytest.param(2_000_000, 2_000_000, marks=pytest.mark.long),
    ],
    indirect=["folder"],
)
def test_from_millions_of_visits_to_a_report_that_says_what_a_person_spends(folder, size):
    people = pq.read_table(folder / "visits.parquet", columns=["patient"])["patient"]
    visits = np.array([each["counts"].as_py() for each in people.value_counts()])
    assert (len(visits), visits.sum()) == (SIZES[size], size)
    assert (visits >= 40).sum() > len(visits) / 3_000  # the skew that bounds are for
    measured(folder, f"{TABULATE} counts.csv")
    true = pc.read_csv(folder / "counts.csv")["count"].to_numpy()
    assert true.sum() == np.minimum(visits, 3).sum()
    assert (true[-5:] == 0).all()  # nobody is in the last district, and its groups are there
    assert "one person spends epsilon = 1: 3 times 1/3" in measured(folder, DESIGN.format(size // 10))
    assert measured(folder, f"{APPLY} released.csv").startswith("one person spends epsilon = 1:")
    log = om.read_log(folder / "released.release.json")
    assert (log["person"]["epsilon"], log["output"]["rows"]) == ("1", 60)
    measured(folder, "report m.json --for counts.csv.json")
    assert "In all cells together epsilon = 1." in (folder / "report.html").read_text()
    # Many draws of the same table, for a test: errors as the report has them, and by the distribution itself.
    certificate = om.read_certificate(folder / "m.json")
    for draw in range(DRAWS):
        om.release_table(certificate, folder / "counts.csv", folder / f"r{draw}.csv", column="count")
    drawn = [pc.read_csv(folder / f"r{draw}.csv")["count"].to_numpy() for draw in range(DRAWS)]
    errors = np.abs(np.array(drawn) - true)[:, true > 100].ravel()
    mean = om.card_of(certificate).errors.mean.value
    assert abs(errors.mean() - mean) < 5 * errors.std() / errors.size**0.5
    decay = math.exp(-1 / 3)
    for within in (0, 2, 5, 8, 12):
        expected = 1 - 2 * decay ** (within + 1) / (1 + decay)
        deviation = (expected * (1 - expected) / errors.size) ** 0.5
        assert abs((errors <= within).mean() - expected) < 5 * deviation
