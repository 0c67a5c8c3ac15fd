"""The page of all keys of a question, from the keys that the package declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

_PAGE = "reference/question-table.md"
_LEAD = """\
# A question as a table

A question is one nested table. It is the `[question]` of a `.toml` file, the `question` of `--json`, what
`Problem.to_dict()` returns and what `Problem.from_dict()` reads. There is
[an example](../questions.md#a-question-as-a-table) and a
[JSON Schema](../schema/question-1.schema.json). A key that is unknown or missing is refused by its name. A
query and most other tables have a `kind`, which decides their other keys.
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page."""
    files.append(File.generated(config, _PAGE, content=question_page()))
    return files


def question_page() -> str:
    """Return the page as Markdown."""
    from optmech.question.schema import sections  # noqa: PLC0415 - other hooks need no package

    parts = [_LEAD]
    for title, keys in sections().items():
        rows = "".join(
            f"| `{key.name}` | {'yes' if key.is_needed else 'no'} | {key.form.words} | {key.description} |\n"
            for key in keys
        )
        head = "| key | needed | value | |\n|---|---|---|---|\n" if rows else "It has no other keys.\n"
        parts.append(f"\n## {title}\n\n{head}{rows}")
    return "".join(parts)
