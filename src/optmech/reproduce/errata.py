"""Every misprint and false claim, from the same computations that test them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.reproduce.item import Verdict
from optmech.theorems.registry import THEOREMS
from optmech.theorems.theorem import Truth

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optmech.reproduce.item import Item, Reproduction

__all__ = ["errata_text"]

_HEAD = """# Errata

What the papers print and computation refutes. This file is written by
`optmech reproduce all --errata docs/errata.md`; a test holds it against the code. A false theorem is shown by
its counter-example; `optmech crosscheck` finds it again.

## Theorems that are false as printed

| theorem | says | counter-example |
|---|---|---|
"""
_MIDDLE = """
## Printed numbers and claims that are wrong

| where | what | printed | computed | why |
|---|---|---|---|---|
"""


def errata_text(found: Iterable[tuple[Item, Reproduction]]) -> str:
    """Return the errata as Markdown: false theorems, then the misprints among what was reproduced."""
    theorems = [
        _row(theorem.source, theorem.says, theorem.counter_example)
        for theorem in THEOREMS
        if theorem.truth is Truth.FALSE
    ]
    misprints = [
        _row(item.source, line.quantity, line.printed or "-", f"{line.computed:.6g}", line.note)
        for item, reproduction in found
        for line in reproduction.lines
        if line.verdict is Verdict.MISPRINT
    ]
    return _HEAD + "\n".join(theorems) + "\n" + _MIDDLE + "\n".join(misprints) + "\n"


def _row(*cells: str) -> str:
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"
