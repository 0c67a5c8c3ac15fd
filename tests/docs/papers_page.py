"""The generated tables of `docs/papers.md`, from the registries.

``PYTHONPATH=. python tests/docs/papers_page.py`` writes them anew.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.papers.registry import ITEMS
from optmech.designs.chain.theorem import CHAIN
from optmech.theorems.registry import THEOREMS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "papers.md"
_THEOREMS = ROOT / "src" / "optmech" / "theorems"
_CHAINS = ROOT / "src" / "optmech" / "designs" / "chain"
_ITEMS = ROOT / "benchmarks" / "papers"


def file_of(folder, words):
    """Return the one file of a folder that has the words, as a path within the project."""
    (found,) = (path for path in sorted(folder.glob("*.py")) if words in path.read_text(encoding="utf-8"))
    return found.relative_to(ROOT).as_posix()


def theorems():
    """Return a row for each theorem, in the order in which `verify` tells them."""
    lines = ["| paper, item | file | name | its value | standing |", "|---|---|---|---|---|"]
    for theorem in (*THEOREMS, CHAIN):
        folder = _CHAINS if theorem is CHAIN else _THEOREMS
        path, source = file_of(folder, f'name="{theorem.name}"'), theorem.source.replace("|", "\\|")
        lines.append(
            f"| {source} | `{path}` | `{theorem.name}` | {theorem.relation.value} | {theorem.truth.value} |"
        )
    return "\n".join(lines) + "\n"


def items():
    """Return a row for each item that is computed again, paper by paper."""
    lines = ["| paper, item | file | name | shows |", "|---|---|---|---|"]
    for item in ITEMS:
        path = file_of(_ITEMS, f'"{item.name}",')
        lines.append(f"| {item.source} | `{path}` | `{item.name}` | {item.title} |")
    return "\n".join(lines) + "\n"


TABLES = {"theorems": theorems, "items": items}


def parts(text, name):
    """Return the text before a table, the table, and the text after it."""
    before, start, rest = text.partition(f"<!-- {name} -->\n")
    table, end, after = rest.partition(f"<!-- end of {name} -->\n")
    return before + start, table, end + after


def main():
    """Write each table between its marks."""
    text = PAGE.read_text(encoding="utf-8")
    for name, table in TABLES.items():
        before, _, after = parts(text, name)
        text = f"{before}{table()}{after}"
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
