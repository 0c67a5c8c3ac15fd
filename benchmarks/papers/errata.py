"""Every misprint and false claim, from the same computations that test them, with its weight.

Misprints of the same weight and note are one erratum, shown by the first of them; one that follows from a
false theorem is shown by that theorem.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from benchmarks.papers.item import Weight
from optmech.theorems.registry import THEOREMS
from optmech.theorems.theorem import Truth

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.papers.item import Item, Line, Reproduction

__all__ = ["Erratum", "errata_of", "errata_text"]

_HEAD = """# Errata

Where computation and print disagree, heaviest first. A list of errors says nothing of how good a paper is:
these papers print enough to be computed again, which is why there is a list. Most of the numbers in their
tables and figures come out, as `python -m benchmarks papers all` shows line by line.

| weight | meaning | how many |
|---|---|---|
"""
_MEANINGS = {
    Weight.THEOREM: "a theorem, proposition, guarantee or claim does not hold as printed, by a computed "
    "counter-example to the printed sentence; often it does hold under a further condition, which is named",
    Weight.NUMBER: "a printed number or curve differs from the computed one by more than its rounding",
    Weight.FORMULA: "a formula does not give what its paper uses; the correction is known",
    Weight.SLIP: "an index, a step of a proof, a border case or a word; no result depends on it",
}
# Statements that fail as printed, but for a letter or a condition that the paper has elsewhere.
_LIGHTER = {
    "kadam-remark-3": Weight.FORMULA,
    "kadam-single-limit-printed": Weight.SLIP,
    "kadam-bounded-limit-printed": Weight.SLIP,
}
_MIDDLE = """
Each row is one erratum, shown at one place; how many numbers show it stands behind what it is about.
*Printed* is the paper's number, or what its formula or claim gives there; *computed* is ours.
`optmech crosscheck` finds the counter-examples of false theorems again. This file is written by
`python -m benchmarks papers all --errata docs/errata.md`; a test holds it against the code.

| weight | where | what | printed | computed | why |
|---|---|---|---|---|---|
"""


class Erratum(NamedTuple):
    """One thing that is wrong in print, and the first number that shows it.

    Attributes
    ----------
    weight : Weight
        Its weight for a reader.
    where : str
        Paper, and its part.
    what : str
        Statement or quantity.
    printed, computed : str
        The printed value and the true one; absent for a theorem, whose counter-example has both.
    why : str
        The reason, or the counter-example.
    shown : int
        Number of numbers that show it.
    """

    weight: Weight
    where: str
    what: str
    printed: str
    computed: str
    why: str
    shown: int


def errata_of(result: Iterable[tuple[Item, Reproduction]]) -> list[Erratum]:
    """Return the distinct errata, heaviest first: false theorems, and misprints among what was reproduced."""
    alike: dict[tuple[Weight, str], list[tuple[Item, Line]]] = {}
    follow: dict[str, int] = {}
    for item, reproduction in result:
        for line in reproduction.lines:
            if line.theorem:
                follow[line.theorem] = follow.get(line.theorem, 0) + 1
            elif line.weight is not None:
                alike.setdefault((line.weight, line.note), []).append((item, line))
    theorems = [
        Erratum(
            weight=_LIGHTER.get(theorem.name, Weight.THEOREM),
            where=theorem.source,
            what=theorem.says,
            printed="",
            computed="",
            why=theorem.counter_example,
            shown=1 + follow.get(theorem.name, 0),
        )
        for theorem in THEOREMS
        if theorem.truth is Truth.FALSE
    ]
    misprints = [
        Erratum(
            weight=weight,
            where=lines[0][0].source,
            what=lines[0][1].quantity,
            printed=lines[0][1].printed,
            computed=f"{lines[0][1].computed:.6g}",
            why=note,
            shown=len(lines),
        )
        for (weight, note), lines in alike.items()
    ]
    order = list(Weight)
    return sorted([*theorems, *misprints], key=lambda erratum: order.index(erratum.weight))


def errata_text(result: Iterable[tuple[Item, Reproduction]]) -> str:
    """Return the errata as Markdown: what the weights mean, then one row for each erratum."""
    errata = errata_of(result)
    weights = [
        _row(weight, _MEANINGS[weight], str(sum(erratum.weight is weight for erratum in errata)))
        for weight in Weight
    ]
    rows = [
        _row(
            erratum.weight,
            erratum.where,
            erratum.what + (f" ({erratum.shown} numbers)" if erratum.shown > 1 else ""),
            erratum.printed or "-",
            erratum.computed or "-",
            erratum.why,
        )
        for erratum in errata
    ]
    return _HEAD + "\n".join(weights) + "\n" + _MIDDLE + "\n".join(rows) + "\n"


def _row(*cells: str) -> str:
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"
