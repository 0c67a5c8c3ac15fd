"""A report in a real browser: what is drawn is the matrix, by keyboard too, and no network is asked."""

from __future__ import annotations

import re
from functools import cache

import pytest

import optmech as om
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.reports.report import report_page
from tests.browser import expect
from tests.reports.looks import in_each_look

HOSTILE = "</script><img src=x onerror=alert(1)>"
PHONE = {"width": 390, "height": 844}
MOST_BYTES = 3_000_000
MOST_SECONDS = 2.0  # of the processor


# The places of all charts, as text.
PLACES = "JSON.stringify([...document.querySelectorAll('.chart')].map(each => each.getBoundingClientRect()))"


def count_to_100():
    return om.croft(om.count(100), 1, prior="uniform")


PROBLEMS = {
    "count 0..100": count_to_100,
    "mean": lambda: om.croft(om.mean(10, 4), "0.2"),
    "categories": lambda: om.question(om.categories(["red", "green", "blue"]), 1, loss="zero-one"),
    "hostile": lambda: om.question(om.categories(["red", HOSTILE, "{b}{c}"]), 1, loss="zero-one"),
    "vector": lambda: om.kadam(om.vector((5, 5), [0, 1, 2], "together"), 3),
    "delta": lambda: om.question(om.count(20), 1, delta="1e-3", loss="beyond 2", worst_case=True),
    "per outcome": lambda: om.sadeghi(1, "0.5", 2, (1, 3)),
    "residues": lambda: om.kadam(om.residues(9, [1, 2, 3]), "1.5", "0.1238"),
}
NAMES = (*PROBLEMS, "small", "broken", "law")


@pytest.fixture(scope="module")
def small():
    return om.design(om.croft(om.count(5), "0.5", variant=2)).certificate


@pytest.fixture(scope="module")
def text_of(small):
    """Write each report once, when a test asks for it."""

    @cache
    def written(name):
        if name == "small":
            return report_page(small, comparison=om.compare(small.problem))
        if name == "broken":
            broken = MatrixMechanism(matrix=[[0.9, 0.0], [0.1, 1.0]], responses=range(2), truths=range(2))
            return report_page(broken, om.croft(om.count(1), 1))
        if name == "law":
            return report_page(om.design(om.croft(om.count(10_000), "0.1")).certificate)
        return report_page(om.design(PROBLEMS[name]()).certificate)

    return written


@pytest.fixture
def opened(page, text_of, tmp_path):
    """Open a report from the disk and wait until it is drawn."""

    def open_it(name):
        path = tmp_path / "report.html"
        path.write_text(text_of(name), encoding="utf-8")
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-drawn]")
        page.address = path.as_uri()
        return page

    return open_it


def watched_nothing(page):
    return page.watched.errors == [] and page.watched.requests == [page.address]


def expect_column(page, numerators):
    """Expect the numerators of the column at the true answer, which the table shows."""
    expect(page.locator("#column tbody tr > :nth-child(3)")).to_have_text([str(each) for each in numerators])


@pytest.mark.slow
def test_a_report_opens_from_the_disk_and_follows_the_slider(opened, small):
    page = opened("small")
    page.locator("#released summary").click()
    slider = page.get_by_label("True answer", exact=True)
    slider.focus()
    for truth in (4, 5):
        page.keyboard.press("ArrowRight")
        numerators = [str(value) for value in small.matrix.numerators[:, truth]]
        expect_column(page, numerators)
        expect(slider).to_have_attribute("aria-valuetext", str(truth))
        expect(page.get_by_role("status")).to_have_text(re.compile(f"^When the true answer is {truth},"))
        expect(page.locator("#box")).to_have_value(str(truth))
        bars = page.locator("#chart-released .bar")
        for at, numerator in enumerate(numerators):
            expect(bars.nth(at)).to_have_attribute("data-tip", re.compile(rf" {numerator}$"))
        heights = [bar.bounding_box()["height"] for bar in bars.all()]
        top = max(small.matrix.numerators[:, truth])
        expected = [float(value / top) * max(heights) for value in small.matrix.numerators[:, truth]]
        assert heights == pytest.approx(expected, abs=1)
    assert watched_nothing(page)


@pytest.mark.slow
def test_the_number_box_takes_the_nearest_true_answer(opened, small):
    page = opened("small")
    page.locator("#released summary").click()
    for typed, truth in (("1", 1), ("2.4", 2), ("99", 5), ("-3", 0)):
        page.locator("#box").fill(typed)
        expect_column(page, small.matrix.numerators[:, truth])
    page.locator("#box").fill("")
    page.locator("#box").blur()
    expect(page.locator("#box")).to_have_value("0")
    assert watched_nothing(page)


@pytest.mark.slow
def test_labels_are_picked_from_a_list(opened):
    page = opened("categories")
    page.get_by_label("or pick it").select_option("blue")
    expect(page.get_by_role("status")).to_have_text(re.compile("^When the true answer is blue,"))
    expect(page.locator("#slider")).to_have_value("2")
    assert watched_nothing(page)


def hover_cell(page, truth, response):
    place = page.locator("#chart-matrix")
    place.scroll_into_view_if_needed()
    box = place.locator(".ground").bounding_box()
    rows, columns = (page.locator(f"#chart-matrix .ticks {names}").count() for names in (".y", "text"))
    columns -= rows + 2  # the others are the titles of the axes
    right, down = box["width"] * (truth + 0.5) / columns, box["height"] * (response + 0.5) / rows
    page.mouse.move(box["x"] + right, box["y"] + down)


@pytest.mark.slow
def test_hovering_a_cell_shows_the_exact_number(opened, small):
    page = opened("small")
    hover_cell(page, truth=2, response=4)
    numerator = str(small.matrix.numerators[4, 2])
    expect(page.locator("#chart-matrix")).to_contain_text(numerator, use_inner_text=True)
    assert watched_nothing(page)


@pytest.mark.slow
def test_a_hostile_label_does_nothing_but_stand_there(opened):
    page = opened("hostile")
    page.on("dialog", lambda _: pytest.fail("a label ran"))
    page.get_by_label("or pick it").select_option(HOSTILE)
    expect(page.get_by_role("status")).to_contain_text(HOSTILE)
    hover_cell(page, truth=1, response=1)
    expect(page.locator("#chart-matrix")).to_contain_text(HOSTILE, use_inner_text=True)
    expect(page.locator("img")).to_have_count(0)
    assert watched_nothing(page)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_report_draws_quietly_and_fits_a_phone(opened, page, name):
    page.set_viewport_size(PHONE)
    opened(name)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert watched_nothing(page)
    charts = page.locator(".chart").count()
    expect(page.locator(".chart > svg[role=img][aria-label]")).to_have_count(charts)
    assert all(plot.bounding_box()["width"] > 200 for plot in page.locator(".plot").all())


@in_each_look
@pytest.mark.parametrize("name", ["small", "count 0..100", "hostile", "broken", "per outcome"])
def test_axe_finds_nothing(opened, page, name, width, scheme):
    sync_playwright = pytest.importorskip("axe_playwright_python.sync_playwright")
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    opened(name)
    for summary in page.locator("summary").all():
        summary.click()
    result = sync_playwright.Axe().run(page)
    assert result.violations_count == 0, result.generate_report()


@pytest.mark.slow
def test_the_largest_usual_report_is_small(text_of):
    assert len(text_of("count 0..100").encode()) < MOST_BYTES


@pytest.mark.long
def test_the_largest_usual_report_is_drawn_at_once(opened, page):
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    opened("count 0..100")
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    measured = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    # The time of the page's own thread: how busy the machine is otherwise is not the page's doing.
    assert measured["ThreadTime"] < MOST_SECONDS


@pytest.mark.slow
def test_tab_reaches_every_control_in_the_order_of_the_page(opened):
    page = opened("small")
    focused = []
    for _ in range(60):
        page.keyboard.press("Tab")
        focused.append(
            page.evaluate("[document.activeElement.tagName, document.activeElement.id].join(' ').trim()")
        )
    assert focused[0] == "A"  # skips to the report
    assert focused.index("INPUT slider") + 1 == focused.index("INPUT box")
    assert focused.count("SUMMARY") >= page.locator("summary").count()


@pytest.mark.slow
def test_print_is_light_without_controls_and_with_all_charts(opened, page):
    page.emulate_media(color_scheme="dark")
    opened("small")
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(page.locator("#slider")).to_be_hidden()
    expect(page.locator("nav")).to_be_hidden()
    expect(page.locator("#signoff")).to_be_visible()
    expect(page.locator("#chart-curve .plot")).to_be_visible()
    expect(page.locator("#chart-curve svg text").first).to_have_css("fill", "rgb(68, 68, 68)")
    assert page.watched.errors == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_on_paper_every_chart_is_whole_and_then_the_page_is_as_it_was(opened, page, width):
    pdfium = pytest.importorskip("pypdfium2")
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="dark")
    opened("small")
    before = page.evaluate(PLACES)
    sheets = [
        (sheet, sheet.get_textpage()) for sheet in pdfium.PdfDocument(page.pdf(prefer_css_page_size=True))
    ]

    def places(text, words):
        """Return lower and upper end of the first letter, wherever the words are, in points from below."""
        search = text.search(words)
        return [text.get_charbox(match[0])[1::2] for match in iter(search.get_next, None)]

    # The lowest text of a chart, which would be cut off first, is right above its caption.
    for lowest, caption in (
        ("epsilon", "For each ε the least"),
        ("released when the true answer is", "The probability of each released answer"),
        ("true answer", "Recomputed from the matrix for each true answer"),
    ):
        (text,) = (text for _, text in sheets if places(text, caption))
        ((_, top),) = places(text, caption)
        assert any(top < low < top + 30 for low, _ in places(text, lowest)), caption

    ((sheet, top),) = (
        (sheet, top) for sheet, text in sheets for _, top in places(text, "The mechanism matrix")
    )
    pixels = sheet.render(scale=1).to_numpy().astype(int)
    above = pixels[: int(len(pixels) - top)]
    assert ((above.max(axis=2) - above.min(axis=2)) > 12).sum() > 40_000  # points that have a colour
    page.wait_for_function(f"places => {PLACES} === places", arg=before)
    assert page.watched.errors == []


@pytest.mark.slow
def test_charts_follow_the_colours_of_the_system(opened, page):
    page.emulate_media(color_scheme="light")
    opened("small")
    bar = page.locator("#chart-released .bar").first
    expect(bar).to_have_css("fill", "rgb(15, 107, 132)")
    page.emulate_media(color_scheme="dark")
    expect(bar).to_have_css("fill", "rgb(92, 192, 218)")


@pytest.mark.slow
def test_without_script_the_numbers_are_there(chromium, text_of, small, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(text_of("small"), encoding="utf-8")
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    expect(page.locator("#column tbody tr")).to_have_count(6)
    expect(page.locator("#column")).to_contain_text(str(small.matrix.numerators[0, 3]))
    expect(page.locator("noscript")).to_contain_text("Without JavaScript", use_inner_text=True)
    charts = page.locator(".chart")
    expect(charts).to_have_count(4)
    for chart in charts.all():
        expect(chart.locator(".plot")).to_be_visible()
    title = page.locator("#chart-released .bar title").first
    expect(title).to_have_text(re.compile(f"{small.matrix.numerators[0, 3]}$"))
    context.close()
