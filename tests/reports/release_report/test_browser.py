"""The page of a release in a real browser: on a phone, on paper, and by the rules of accessibility."""

from __future__ import annotations

import pytest

import optmech as om
from optmech.cli import main
from tests.browser import expect
from tests.reports.looks import in_each_look

MOST_SHEETS = 4
AXES = {"quarter": 5, "age": 4, "trade": 3}


@pytest.fixture(scope="module")
def written_table(tmp_path_factory):
    """Write the page of a whole table with long names of categories."""
    folder = tmp_path_factory.mktemp("table")
    axes = {
        name: [f"an old and large {name} {place}" for place in range(size)] for name, size in AXES.items()
    }
    (folder / "true.csv").write_text(f"{','.join(axes)},count\n")
    om.write_certificate(om.design(om.table(axes, zcdp="0.1")).certificate, folder / "table.json")
    done = om.release_joint_table(folder / "table.json", folder / "true.csv", folder / "noisy.csv")
    assert main(["report", str(done.log_path), "--out", str(folder / "page.html"), "-q"]) == 0
    return folder / "page.html"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Write the page of two tables, one of many rows and one of long names and open intervals."""
    folder = tmp_path_factory.mktemp("page")
    rows = [f"an old and large quarter {turn // 4},{turn % 4}0-{turn % 4}9,{turn % 7}" for turn in range(20)]
    (folder / "age.csv").write_text("\n".join(["ward,age,count", *rows]) + "\n")
    rows = [f"{turn:06},{turn % 6}" for turn in range(300)]
    (folder / "many.csv").write_text("\n".join(["code,count", *rows]) + "\n")
    (folder / "ledger").mkdir()
    words = ["design", "count", "--range", "0:5", "--epsilon", "1", "-q", "--out", str(folder / "m.csv")]
    assert main(words) == 0
    for name in ("age", "many"):
        words = ["apply", str(folder / "m.certificate.json"), str(folder / f"{name}.csv"), "-q", "--clamp"]
        words += ["--column", "count", "--interval", "0.9", "--data", "Visits", "--out"]
        assert main([*words, str(folder / f"{name}-released.csv"), "--ledger", str(folder / "ledger")]) == 0
    page = folder / "page.html"
    assert (
        main(["report", "--ledger", str(folder / "ledger"), "--title", "Visits", "--out", str(page), "-q"])
        == 0
    )
    return page


@in_each_look
@pytest.mark.parametrize("of", ["written", "written_table"])
def test_axe_finds_nothing_and_a_phone_has_room(page, request, of, width, scheme):
    written = request.getfixturevalue(of)
    sync_playwright = pytest.importorskip("axe_playwright_python.sync_playwright")
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.goto(written.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    for summary in page.locator("summary").all():
        summary.click()
    result = sync_playwright.Axe().run(page)
    assert result.violations_count == 0, result.generate_report()
    assert page.watched.errors == []
    assert page.watched.requests == [written.as_uri()]


@pytest.mark.slow
def test_on_paper_it_is_four_sheets_with_table_and_chart(page, written):
    pdfium = pytest.importorskip("pypdfium2")
    page.goto(written.as_uri())
    sheets = [
        sheet.get_textpage().get_text_range()
        for sheet in pdfium.PdfDocument(page.pdf(prefer_css_page_size=True))
    ]
    assert len(sheets) <= MOST_SHEETS
    text = " ".join(" ".join(sheets).split())
    for words in (
        "The published numbers",
        "Each dot is a published number.",
        "Someone who thinks it is 50:50",
    ):
        assert words in text, words
    assert "Signature" in sheets[-1]
    assert "How to make it again" not in text
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator("#chart-0 .plot")).to_be_visible()
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")


@pytest.mark.slow
def test_a_whole_table_is_four_sheets_with_bold_totals_in_sight(page, written_table):
    pdfium = pytest.importorskip("pypdfium2")
    page.goto(written_table.as_uri())
    sheets = [
        sheet.get_textpage().get_text_range()
        for sheet in pdfium.PdfDocument(page.pdf(prefer_css_page_size=True))
    ]
    assert len(sheets) <= MOST_SHEETS
    text = " ".join(" ".join(sheets).split())
    for words in ("Totals are bold", "quarter*age*trade", "lower bound", "Each limit holds for one number"):
        assert words in text, words
    columns = [
        page.locator(f".crosstab {row} > :nth-child(4)").first.bounding_box()["x"]
        for row in ("thead tr", "tbody tr")
    ]
    assert columns[0] == columns[1]  # heads stand above their columns
    total = page.locator(".crosstab tbody tr:last-child td:last-child strong")
    expect(total).to_be_visible()
    expect(total).to_have_css("font-weight", "700")
