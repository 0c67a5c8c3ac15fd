"""The table of theorems on `docs/papers.md`, from the registry; run as a file, it writes the table anew."""

from __future__ import annotations

from pathlib import Path

from optmech.theorems.registry import THEOREMS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "papers.md"
_FILES = sorted((ROOT / "src" / "optmech" / "theorems").glob("*.py"))
START, END = "<!-- theorems -->\n", "<!-- end -->\n"


def file_of(name):
    """Return the file that states a theorem."""
    (found,) = (path for path in _FILES if f'name="{name}"' in path.read_text(encoding="utf-8"))
    return found.relative_to(ROOT).as_posix()


def table():
    """Return a row for each theorem, in the order in which `verify` tells them."""
    lines = ["| paper, item | file | name | its value | standing |", "|---|---|---|---|---|"]
    for theorem in THEOREMS:
        path, source = file_of(theorem.name), theorem.source.replace("|", "\\|")
        lines.append(
            f"| {source} | `{path}` | `{theorem.name}` | {theorem.relation.value} | {theorem.truth.value} |"
        )
    return "\n".join(lines) + "\n"


def main():
    """Write the table between its marks."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{START}{table()}{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
