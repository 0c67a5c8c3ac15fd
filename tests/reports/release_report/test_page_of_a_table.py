"""The page and the card of a whole table: its crosstab with totals, its errors, its bound, and its person."""

from __future__ import annotations

import csv
import functools
import re

import optmech as om
from optmech.base.numbers import as_text
from optmech.cli import main
from optmech.designs.tables.design_table import design_table
from optmech.mechanisms.certificates.table_text import table_text
from optmech.release.joint.release_joint import release_joint_table
from optmech.reports.card.table_card import table_card
from tests.each import each

QUESTIONS = {
    "three axes": ({"region": 3, "age": 4, "sex": 2}, {"zcdp": "0.1"}),
    "pure": ({"region": 3, "sex": 2}, {"epsilon": 1}),
    "a pair": ({"region": 3, "sex": 2}, {"epsilon": 1, "delta": "1e-6"}),
    "one axis": ({"region": 3}, {"epsilon": 1, "at_most": 2}),
    "one long axis": ({"region": 90}, {"epsilon": 1}),
    "too long for the cells": ({"region": 12, "age": 12, "sex": 2}, {"epsilon": 1}),
    "two totals": ({"region": 3, "sex": 2}, {"epsilon": 1, "totals": "region; total"}),
    "one number": ({}, {"epsilon": 1, "at_most": 5, "is_sum": True}),
    "weights": ({"region": 3, "sex": 2}, {"zcdp": "0.1", "weights": "every margin"}),
}


@functools.cache
def certificate(name):
    by, asked = QUESTIONS[name]
    axes = {axis: [f"{axis} <{place}>" for place in range(size)] for axis, size in by.items()}
    return design_table(om.table(axes, **asked)).certificate


def release(folder, name, *, wide=False):
    names = certificate(name).problem.names
    first = [axis.categories[0] for axis in certificate(name).problem.axes]
    (folder / "true.csv").write_text(",".join([*names, "count"]) + "\n" + ",".join([*first, "30"]) + "\n")
    (folder / "table.json").write_text(table_text(certificate(name)))
    out = folder / "out.csv"
    return release_joint_table(
        folder / "table.json", folder / "true.csv", out, wide=wide, again=True
    ).log_path


def page_of(folder, log):
    page = folder / "page.html"
    code = main(["report", str(log), "--out", str(page), "-q"])
    return page.read_text() if code == 0 else None


def texts_of(part):
    return [re.sub("<.*?>", "", cell).strip() for cell in re.findall(r"<t[hd].*?>(.*?)</t[hd]>", part)]


@each("name", QUESTIONS, every=9)
def test_the_page_shows_released_numbers_and_totals_in_bold(tmp_path, name):
    log = release(tmp_path, name)
    page = page_of(tmp_path, log)
    (crosstab,) = re.findall(r'<table class="crosstab">.*?</table>', page, re.DOTALL)
    with (tmp_path / "out.csv").open(newline="") as file:
        numbers = [int(row["count"]) for row in csv.DictReader(file)]
    shown = [text for text in texts_of(crosstab) if re.fullmatch(r"-?[\d,]+", text)]
    total = f"{numbers[-1]:,}"
    assert {int(text.replace(",", "")) for text in shown} <= {*numbers}
    assert total in shown
    assert name == "one number" or f"<strong>{total}</strong>" in crosstab
    left_out = re.search(r"([\d,]+) more numbers are in", page)
    assert len(shown) + (int(left_out[1].replace(",", "")) if left_out else 0) == len(numbers)
    assert crosstab.count("<tr>") <= 1 + 31
    proved = certificate(name)
    assert "larger" in page
    assert "At one given table" in page
    for margin in proved.variances:
        assert f">{proved.problem.name_of(margin)}<" in page
    assert str(proved.problem.person) in page


@each("name", QUESTIONS, every=9)
def test_the_page_of_a_crosstab_is_that_of_rows(tmp_path, name):
    shapes = []
    for wide in (False, True):
        page = page_of(tmp_path, release(tmp_path, name, wide=wide))
        (crosstab,) = re.findall(r'<table class="crosstab">.*?</table>', page, re.DOTALL)
        shapes.append([not re.fullmatch(r"-?[\d,]+", text) and text for text in texts_of(crosstab)])
    assert shapes[0] == shapes[1]


def test_changed_files_have_no_page(tmp_path, capsys):
    log = release(tmp_path, "pure")
    text, out = log.read_text(), (tmp_path / "out.csv").read_text()
    cases = {
        "its SHA-256 is not the one": (tmp_path / "out.csv", out.replace("all", "none", 1)),
        "must have the axes of its certificate": (log, text.replace('"region"', '"ward"')),
        "it was changed": (log, text.replace("region <1>", "region <0>")),
        "must be a release log as it was written": (
            log,
            text.replace('"axes"', '"axis"').replace('"id"', '"i"'),
        ),
    }
    for words, (path, changed) in cases.items():
        kept = path.read_text()
        path.write_text(changed)
        assert page_of(tmp_path, log) is None, words
        assert words in " ".join(capsys.readouterr().err.split())
        path.write_text(kept)
    moved = (tmp_path / "table.json").rename(tmp_path / "moved.json")
    assert main(["report", str(log), str(moved), "--out", str(tmp_path / "page.html"), "-q"]) == 0
    (tmp_path / "page.html").unlink()
    moved.unlink()
    assert page_of(tmp_path, log) is None
    assert "must have its certificate beside it" in capsys.readouterr().err
    assert not (tmp_path / "page.html").exists()


@each("name", QUESTIONS, every=9)
def test_the_card_says_the_person_the_errors_and_the_bound(tmp_path, name):
    proved = certificate(name)
    card = table_card(proved)
    assert f"**Proved:** {proved.problem.person}, spends " in card
    assert f"epsilon = {as_text(proved.epsilon)}" in card
    assert "larger" in card
    assert card.count("\n| ") == len(proved.variances) + 6
    (tmp_path / "table.json").write_text(table_text(proved))
    assert main(["card", str(tmp_path / "table.json"), "--out", str(tmp_path / "card.md"), "-q"]) == 0
    assert (tmp_path / "card.md").read_text() == card


def test_a_table_without_a_release_has_a_card_and_no_page(tmp_path, capsys):
    (tmp_path / "table.json").write_text(table_text(certificate("pure")))
    assert main(["report", str(tmp_path / "table.json"), "--out", str(tmp_path / "page.html")]) == 2
    assert "must be given by the log of its release" in capsys.readouterr().err
    assert main(["card", str(tmp_path / "table.json")]) == 0
    assert "lower bound" in capsys.readouterr().out
    assert main(["card", str(tmp_path / "table.json"), "--json"]) == 0
    assert '"relative_gap"' in capsys.readouterr().out
