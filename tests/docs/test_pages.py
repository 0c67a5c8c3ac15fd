"""Every block of code on every page of the documentation runs, and prints what the page says it prints."""

from __future__ import annotations

import pytest

from tests.docs.shown import ROOT, agrees, blocks_of, copied_clone, path_with_commands, run_block
from tests.each import each

DOCS = ROOT / "docs"
# Commands start an interpreter each, and some pages design a lot; one page of each kind runs every time.
QUICK = {"queries.md"}
PAGES = sorted(path for path in DOCS.rglob("*.md") if blocks_of(path))


def page_id(path):
    return str(path.relative_to(DOCS))


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    return path_with_commands(tmp_path_factory.mktemp("bin"))


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(path, id=page_id(path), marks=[] if page_id(path) in QUICK else [pytest.mark.slow])
        for path in PAGES
    ],
)
def test_every_block_of_a_page_runs_in_order_and_prints_what_is_shown(page, tmp_path, environment):
    folder, names = copied_clone(tmp_path), {"__name__": "__main__"}
    for block in blocks_of(page):
        printed = run_block(block, names, folder, environment, page_id(page))
        if block.printed is not None:
            assert agrees(printed, block.printed), f"{page_id(page)}:{block.line} prints\n{printed}"


def test_no_page_holds_what_a_merge_left():
    for page in (ROOT / "README.md", ROOT / "CHANGELOG.md", *DOCS.rglob("*.md")):
        lines = page.read_text(encoding="utf-8").splitlines()
        assert not [line for line in lines if line.startswith(("<<<<<<<", ">>>>>>>"))], page


def test_pages_show_every_example_as_its_file_is():
    shown = {
        "extending.md": sorted((ROOT / "examples" / "extending").glob("*.*")),
        "questions.md": [ROOT / "examples" / "question.toml"],
        "sweeps.md": [ROOT / "examples" / "sweep.toml"],
    }
    for name, examples in shown.items():
        page = (DOCS / name).read_text(encoding="utf-8")
        for example in examples:
            title, text = example.relative_to(ROOT).as_posix(), example.read_text(encoding="utf-8")
            block = f' title="{title}"\n{text.rstrip()}\n```\n'
            assert block in page, f"copy {title} into docs/{name}, behind its title"


def test_there_are_pages_that_run():
    assert {"tutorial.md", "questions.md", "composition.md", *QUICK} <= {page_id(path) for path in PAGES}


@each(
    ("printed", "shown", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a \nb\n\n", "a\nb\n", True),
        ("a\nb\n", "a\n", False),
        ("a\nb\nc\n", "a\n…\nc\n", True),
        ("a\nc\n", "a\n…\nc\n", True),
        ("a\nb\nd\n", "a\n…\nc\n", False),
        ("value   1.25 proved\n", "value  1.2… proved\n", True),
        ("value   1.35 proved\n", "value  1.2… proved\n", False),
        ("value   1.25\n", "value  1.25\n", False),
    ],
)
def test_what_is_shown_is_held_to_what_is_printed(printed, shown, same):
    assert agrees(printed, shown) is same


def test_a_page_whose_block_prints_something_else_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\nx = 1\nprint(x)\n```\n\n```text\n2\n```\n\n```sh\nfalse\n```\n")
    first, second = blocks_of(page)
    assert (first.kind, first.printed, second.kind, second.printed) == ("python", "2\n", "sh", None)
    assert not agrees(run_block(first, {}, tmp_path, {}), first.printed)
    with pytest.raises(AssertionError, match="false"):
        run_block(second, {}, tmp_path, {})
