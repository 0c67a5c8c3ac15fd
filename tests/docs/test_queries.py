"""The claims of docs/queries.md about its examples and the command line; `tests/docs` runs its blocks."""

from __future__ import annotations

import re
from pathlib import Path

from optmech.cli import main
from tests.each import each

TEXT = (Path(__file__).parents[2] / "docs" / "queries.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
(VECTORS,) = (block for block in BLOCKS if "joint_pmf" in block)
KINDS = re.findall(r"^\| `(\w+)` \| (`--.*?) \|", TEXT, re.MULTILINE)


def test_the_numbers_of_the_vector_example_are_those_it_gives():
    names = {}
    exec(compile(VECTORS, "docs/queries.md", "exec"), names)  # noqa: S102 - the text is ours
    numbers = [float(number) for number in re.findall(r"\.\d{4}", VECTORS.rpartition("#")[2])]
    assert [round(names["joint"][0, 0], 4), *names["marginal_pmf"](names["joint"], 0).round(4)] == numbers


@each(("kind", "options"), KINDS, every=2)
def test_every_kind_of_the_table_is_designed(capsys, kind, options):
    words = re.findall(r"'[^']*'|[^ ]+", options.strip("`"))
    line = [*(word.strip("'") for word in words), "--epsilon", "1", "--loss", "zero-one"]
    assert main(["design", kind, *line]) == 0
    assert "proved" in capsys.readouterr().out


def test_the_table_names_every_kind():
    from optmech.question.problems.named import QUERIES  # noqa: PLC0415 - of this test alone

    assert tuple(kind for kind, _ in KINDS) == QUERIES
