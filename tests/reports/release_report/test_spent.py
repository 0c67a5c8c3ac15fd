"""The sentence on what a person spends: exact, rounded up, and worded by the unit that is protected."""

from __future__ import annotations

from pathlib import Path
from tempfile import mkdtemp

import pyarrow as pa
import pyarrow.csv
import pytest

import optmech as om
from optmech.reports.release_report import Description, facts_of_release
from tests.each import each

SURE = "is at most {} sure after seeing all that is published here."
RIGHT = "and then guesses from all that is published here, is right with a probability of at most {}."


def sentence_of(folder, questions):
    """Return the sentence of releases of one table, one by each question."""
    logs, folder = [], Path(mkdtemp(dir=folder))
    for number, question in enumerate(questions):
        certificate = om.design(question).certificate
        truth = certificate.problem.query.labels or list(map(int, certificate.problem.query.truths))
        table = pa.table({"key": ["a", "b"], "n": [truth[0], truth[1]]})
        path = folder / f"t{number}.csv"
        pyarrow.csv.write_csv(table, path)
        done = om.release_table(certificate, path, folder / f"r{number}.csv", column="n", data="d")
        om.write_certificate(certificate, folder / f"{number}.certificate.json")
        logs.append(done.log_path)
    return facts_of_release(Description(title="t", data="d"), logs, {}, [folder]).sentence


@each(
    ("epsilons", "delta", "end"),
    [
        ((1,), {}, SURE.format("73.2 %")),
        (("ln 3",), {}, SURE.format("75 %")),
        (("1/2", "1/2"), {}, SURE.format("73.2 %")),
        (("1/1000",), {}, SURE.format("50.1 %")),
        ((10,), {}, SURE.format("99.9955 %")),
        ((1,), {"delta": "1e-3"}, RIGHT.format("73.2 %")),
        ((1,), {"delta": "0.01"}, RIGHT.format("73.4 %")),
    ],
    every=3,
)
def test_the_sentence_has_the_largest_certainty(tmp_path, epsilons, delta, end):
    sentence = sentence_of(tmp_path, [om.question(om.count(4), each, **delta) for each in epsilons])
    assert sentence.startswith(
        "Someone who thinks it is 50:50 whether a certain person is in one row of the data, and"
    )
    assert sentence.endswith(end)


@pytest.mark.slow
def test_other_questions_are_of_the_record_of_a_person(tmp_path):
    colours = om.categories(["red", "green", "blue"])
    sentence = sentence_of(tmp_path, [om.question(colours, 1, loss="zero-one")])
    assert "50:50 which of two records a certain person has in the data, and knows everything" in sentence
    given = om.Query(range(4), scope="given table")
    sentence = sentence_of(tmp_path, [om.question(given, 1)])
    assert "50:50 which of two neighbouring true answers is the right one, and" in sentence
