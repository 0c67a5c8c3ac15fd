"""The notebooks as pages: their prose and their code. Their output appears when they run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

_NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
_LEAD = """\
# Notebooks

Three notebooks in the folder `notebooks` of the project; they run in its tests. To open them,
`pip install "optmech[notebooks]"` and run `jupyter lab notebooks`. Here are their words and their code.

"""
_NOTE = "*Words and code. What it shows and draws, it does when it runs:* `jupyter lab notebooks/{}`"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each notebook, and one that lists them."""
    listing = []
    for path in sorted(_NOTEBOOKS.glob("*.ipynb")):
        page = notebook_page(json.loads(path.read_text(encoding="utf-8")))
        heading = next(line for line in page.splitlines() if line.startswith("# "))
        page = page.replace(heading, f"{heading}\n\n{_NOTE.format(path.name)}", 1)
        title = heading.removeprefix("# ")
        listing.append(f"- [{title}]({path.stem}.md)")
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=page))
    index = _LEAD + "\n".join(listing) + "\n"
    files.append(File.generated(config, "notebooks/index.md", content=index))
    return files


def notebook_page(notebook: dict[str, Any]) -> str:
    """Return the cells of a notebook as Markdown."""
    parts = []
    for cell in notebook["cells"]:
        text = "".join(cell["source"]).strip()
        parts.append(f"```python\n{text}\n```" if cell["cell_type"] == "code" else text)
    return "\n\n".join(parts) + "\n"
