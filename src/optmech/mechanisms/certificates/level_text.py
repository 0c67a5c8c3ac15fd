"""Write and read proofs on levels as JSON values, and count the work of checking them."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from optmech.base.numbers import exact
from optmech.mechanisms.certificates.runs import numbers_of_runs, one_each, text_of_runs
from optmech.proofs.file_limits import DEPTH
from optmech.proofs.levels.tree import CountingCut, LevelLeaf, LevelProof, LevelSplit, MirrorSplit

if TYPE_CHECKING:
    from optmech.proofs.levels.tree import LevelTree
    from optmech.question.query import Query

# An item is a level of a value, or a cut, at one distance. To list the places costs as much as some leaves.
_WORK_OF_A_LEAF, _WORK_OF_AN_ITEM, _LEAVES_OF_A_GRID = 2**17, 2**9, 2**4
_CASES = {LevelSplit: ("yes", "no"), MirrorSplit: ("both", "neither", "one")}


def levels_content(proof: LevelProof) -> dict[str, Any]:
    """Return a proof as JSON values: the texts of its levels and cuts, and the tree."""
    return {
        "tops": text_of_runs(proof.tops),
        "cap": str(proof.cap),
        "leak_cuts": [*map(_text_of_cut, proof.leak_cuts)],
        "mass_cuts": [*map(_text_of_cut, proof.mass_cuts)],
        "tree": _tree_content(proof.tree),
    }


def _text_of_cut(cut: CountingCut) -> str:
    return " ".join(map(str, (cut.first, *cut.coefficients, cut.most)))


def _tree_content(tree: LevelTree) -> dict[str, Any] | str:
    """Return the runs of a leaf's multipliers, or a split with its cases by their names."""
    if isinstance(tree, LevelLeaf):
        return text_of_runs(tree.numbers)
    cases = zip(_CASES[type(tree)], tree.parts, strict=True)
    return {"value": tree.value, "level": tree.level, **{name: _tree_content(part) for name, part in cases}}


class _Sizes(NamedTuple):
    """The numbers of the parts of a leaf, of leaks the most that there may be."""

    distances: int
    leaks: int
    leak_cuts: int
    mass_cuts: int


def read_levels(content: dict[str, Any], query: Query) -> LevelProof:
    """Return the proof that `levels_content` wrote for a query."""
    distances = len(query.pairs) // query.num_truths
    tops = one_each(content["tops"], query.num_truths)
    leak_cuts, mass_cuts = (tuple(map(_cut, content[name])) for name in ("leak_cuts", "mass_cuts"))
    sizes = _Sizes(distances, distances * sum(tops), distances * len(leak_cuts), len(mass_cuts))
    return LevelProof(
        tops=tuple(tops),
        cap=exact(content["cap"], "cap"),
        tree=_tree(content["tree"], sizes, 0),
        leak_cuts=leak_cuts,
        mass_cuts=mass_cuts,
    )


def _cut(text: str) -> CountingCut:
    first, *coefficients, most = map(int, text.split(" "))
    return CountingCut(first=first, coefficients=tuple(coefficients), most=most)


def _tree(content: dict[str, Any] | str, sizes: _Sizes, depth: int) -> LevelTree:
    if isinstance(content, str):
        return _leaf(content, sizes)
    if depth == DEPTH:
        message = f"a tree must be at most {DEPTH} splits deep"
        raise ValueError(message)
    of_kind = LevelSplit if "yes" in content else MirrorSplit
    cases = {name: _tree(content[name], sizes, depth + 1) for name in _CASES[of_kind]}
    return of_kind(value=int(content["value"]), level=int(content["level"]), **cases)


def _leaf(text: str, sizes: _Sizes) -> LevelLeaf:
    mass, *numbers = numbers_of_runs(text, 1 + sum(sizes))
    num_leaks = sizes.leaks - (sum(sizes) - len(numbers))  # the proof says whether each place has one
    if num_leaks < 0:
        message = "a leaf must have a multiplier of each budget and cut"
        raise ValueError(message)
    ends = [*accumulate((sizes.distances, num_leaks, *sizes[2:]), initial=0)]
    budgets, leaks, leak_cuts, mass_cuts = (tuple(numbers[i:j]) for i, j in pairwise(ends))
    return LevelLeaf(mass=mass, budgets=budgets, leaks=leaks, leak_cuts=leak_cuts, mass_cuts=mass_cuts)


def work_of_levels(content: dict[str, Any], truths: int, pairs: int, product: int) -> int:
    """Return the work of a proof on levels, where a product with a multiplier costs `product`."""
    leaves, written = 0, 0
    rest = [content["tree"]]
    while rest:
        part = rest.pop()
        if isinstance(part, str):
            leaves += 1
            runs = (run.partition("*") for run in part.split(" "))
            written += sum(int(times or 1) for number, _, times in runs if number != "0")
        elif isinstance(part, dict):
            rest.extend(part.values())
    levels = sum(numbers_of_runs(content["tops"], truths))
    items = levels + len(content["leak_cuts"]) + len(content["mass_cuts"])
    each = _WORK_OF_A_LEAF + _WORK_OF_AN_ITEM * (2 + pairs // truths) * items
    return (leaves + _LEAVES_OF_A_GRID) * each + written * product
