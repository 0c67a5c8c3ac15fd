"""The page of a release in a real browser: on a phone, on paper, and by the rules of accessibility."""

from __future__ import annotations

import pytest

from optmech.cli import main
from tests.browser import expect
from tests.reports.looks import in_each_look

MOST_SHEETS = 4


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
def test_axe_finds_nothing_and_a_phone_has_room(page, written, width, scheme):
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
