"""The site builds without a warning and without a network; its links lead somewhere, and it asks nobody."""

from __future__ import annotations

import http.server
import inspect
import os
import re
import subprocess
import sys
import threading
from functools import partial
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

from optmech.cli.commands import build_parser
from tests.docs.shown import ROOT

DOCS = ROOT / "docs"
# Nothing listens there: what asks for the network fails.
NO_NETWORK = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
WIDTHS = {"desktop": 1280, "phone": 390}
LOOKED_AT = (
    "",
    "tutorial/",
    "howto/epsilon/",
    "choosing/",
    "theory/kadam/",
    "reference/questions/",
    "reference/command-line/",
    "errata/",
)
# Each page is looked at by CI in one width, by turns, and in the other with the long tests.
VIEWS = [
    pytest.param(
        where,
        width,
        id=f"{where or 'home'}-{name}",
        marks=pytest.mark.slow if (at + turn) % 2 == 0 else pytest.mark.long,
    )
    for at, where in enumerate(LOOKED_AT)
    for turn, (name, width) in enumerate(WIDTHS.items())
]


class Page(HTMLParser):
    """Where a page leads, what it loads, and what can be pointed at."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.anchors, self.images = [], [], set(), []
        self.text = path.read_text(encoding="utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        self.anchors |= {known[name] for name in ("id", "name") if known.get(name)}
        if tag == "a" and "href" in known:
            self.links.append(known["href"])
        if tag == "link" and known.get("rel") not in ("canonical", "prev", "next"):
            self.loads.append(known["href"])
        if tag in ("script", "img", "iframe") and "src" in known:
            self.loads.append(known["src"])
        if tag == "img":
            self.images.append(known)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("mkdocs", reason='pip install ".[docs]" brings what builds the site')
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = {**os.environ, **NO_NETWORK, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site):
    return {path: Page(path) for path in sorted(site.rglob("*.html"))}


@pytest.fixture
def address(site):
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(site))
    handler.log_message = lambda *_: None
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.mark.slow
def test_every_link_leads_to_a_page_and_every_fragment_to_a_place(site, pages):
    broken = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or path.name == "404.html":
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            inside = target.is_relative_to(site.resolve()) and target.is_file()
            known = inside and (target.suffix != ".html" or not parts.fragment)
            if not known and not (inside and unquote(parts.fragment) in pages[target].anchors):
                broken.append(f"{path.relative_to(site)}: {link}")
    assert not broken


@pytest.mark.slow
def test_no_page_loads_anything_from_elsewhere(pages):
    assert len(pages) > 30
    elsewhere = {load for page in pages.values() for load in page.loads if urlsplit(load).netloc}
    assert not elsewhere


@pytest.mark.slow
def test_every_figure_is_told_in_words(pages):
    images = [image for page in pages.values() for image in page.images]
    assert len(images) >= 6
    for image in images:
        assert len(image.get("alt", "")) > 60, image


@pytest.mark.slow
def test_every_formula_is_mathml(pages):
    formulas = sum(page.text.count("<math") for page in pages.values())
    assert formulas > 40
    assert not any('class="arithmatex"' in page.text for page in pages.values())


@pytest.mark.slow
def test_the_page_of_commands_has_every_command(site):
    text = (site / "reference" / "command-line" / "index.html").read_text(encoding="utf-8")
    names = build_parser().children()
    assert len(names) > 15
    for name in names:
        assert re.search(rf"usage: optmech {name}\b", text), name


@pytest.mark.slow
def test_every_public_name_is_in_the_reference(site):
    import optmech as om  # noqa: PLC0415 - of this test alone

    text = "".join(path.read_text(encoding="utf-8") for path in (site / "reference").rglob("*.html"))
    rooms = [room for name in om.__all__ if inspect.ismodule(room := getattr(om, name))]
    names = {name for room in (om, *rooms) for name in room.__all__ if getattr(room, name) not in rooms}
    shown = {name for name in names if re.search(rf'id="optmech\.[\w.]*\b{re.escape(name)}"', text)}
    assert names - shown <= NOT_IN_THE_REFERENCE


NOT_IN_THE_REFERENCE = {
    "__version__",
    "Formulation",
    "LinearModel",
    "Solution",
    "SolveOptions",
    "Status",
    "assemble",
}
"""Names that only extensions of the program need."""


@pytest.mark.slow
def test_the_figures_are_drawn_with_the_same_bytes_each_time(site):
    sys.path.insert(0, str(DOCS / "hooks"))
    try:
        from figures import FIGURES, figure_svg  # noqa: PLC0415 - it is no package
    finally:
        sys.path.pop(0)
    for name in FIGURES:
        assert (site / "figures" / f"{name}.svg").read_bytes() == figure_svg(name), name
    assert not list(DOCS.rglob("*.svg"))


@pytest.mark.parametrize(("where", "width"), VIEWS)
def test_a_page_opens_without_errors_or_requests_elsewhere_fits_and_is_accessible(
    page, address, where, width
):
    sync_playwright = pytest.importorskip("axe_playwright_python.sync_playwright")
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="dark" if width == WIDTHS["phone"] else "light")
    page.goto(address + where, wait_until="networkidle")
    assert not page.watched.errors
    assert all(request.startswith(address) for request in page.watched.requests)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("[...document.images].every(image => image.naturalWidth > 0)")
    result = sync_playwright.Axe().run(page).response["violations"]
    # The theme's navigation has landmarks without a name of their own; browsers let keys scroll what scrolls.
    left = {"landmark-unique", "scrollable-region-focusable"}
    assert {each["id"]: each["nodes"] for each in result if each["id"] not in left} == {}


@pytest.mark.slow
def test_the_search_finds_a_page_by_its_own_server(page, address):
    page.goto(address, wait_until="networkidle")
    page.get_by_role("textbox", name="Search").click()
    page.keyboard.type("composition")
    page.locator(".md-search-result__link").first.wait_for(state="attached")
    assert all(request.startswith(address) for request in page.watched.requests)


def links_of(path):
    """Return the files that a Markdown file links to."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    matches = re.findall(r"\]\(([^)\s#]+)(?:#[^)]*)?\)", text)
    return [link for link in matches if "://" not in link]


@pytest.mark.parametrize("path", [ROOT / "README.md", ROOT / "CHANGELOG.md"], ids=lambda path: path.name)
def test_what_the_readme_links_to_is_there(path):
    assert all((path.parent / link).exists() for link in links_of(path))


def test_every_page_is_in_the_navigation():
    listed = set(re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8")))
    written = {str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md")}
    assert written <= listed
