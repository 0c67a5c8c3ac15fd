"""The multipliers of a proof as JSON values and back; see `docs/certificate.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.proofs.file_limits import DEPTH
from optmech.proofs.multipliers import Leaf, Rule, Split

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from optmech.proofs.multipliers import Tree

_DIMENSIONS = {"privacy": 3, "order": 4, "budget": 2}
_BETWEEN = ("privacy", "budget")  # what each further privacy has multipliers of


def denominator_of(tree: Tree) -> int:
    """Return the denominator of all multipliers of a tree: its leaves have the same."""
    return tree.denominator if isinstance(tree, Leaf) else denominator_of(tree.kept)


def tree_content(tree: Tree) -> dict[str, Any]:
    """Return a proof as JSON values: its splits, and the multipliers of each leaf."""
    if isinstance(tree, Split):
        kept, violated = tree_content(tree.kept), tree_content(tree.violated)
        return {"split": list(tree.comparison), "kept": kept, "violated": violated}
    rules = {name: tree.rule(name, dimensions) for name, dimensions in _DIMENSIONS.items()}
    content: dict[str, Any] = {name: _rows(rule) for name, rule in rules.items()}
    content["cost"] = str(tree.cost)
    for name, weights in (("total", tree.totals), ("mean", tree.means)):
        content[name] = [] if weights is None else list(map(str, weights.tolist()))
    content["worst"] = [] if tree.worst is None else list(map(str, tree.worst.tolist()))
    content["bounds"] = [list(map(str, times.tolist())) for times in tree.bounds or ()]
    if tree.sums is not None and tree.sums.any():
        content["rules"] = list(map(str, tree.sums.tolist()))
    leaves = [Leaf(rules=own) for own in tree.further or ()]
    further = [{name: _rows(own.rule(name, _DIMENSIONS[name])) for name in _BETWEEN} for own in leaves]
    if any(any(own.values()) for own in further):
        content["further"] = further
    return content


def _rows(rule: Rule) -> list[list[Any]]:
    """Return a row for each multiplier: its place, and its weight as text."""
    weights = map(str, rule.weights.tolist())
    return [[*place, weight] for place, weight in zip(rule.places.tolist(), weights, strict=True)]


def read_tree(content: dict[str, Any], denominator: int, depth: int) -> Tree:
    """Return the proof that `tree_content` wrote, of at most so many splits within each other."""
    if "split" in content:
        if depth == 0:
            message = f"a tree must be at most {DEPTH} splits deep"
            raise ValueError(message)
        return Split(
            comparison=tuple(map(int, content["split"])),
            kept=read_tree(content["kept"], denominator, depth - 1),
            violated=read_tree(content["violated"], denominator, depth - 1),
        )
    further = content.get("further")
    return Leaf(
        rules=_read_rules(content, _DIMENSIONS),
        denominator=denominator,
        cost=int(content["cost"]),
        worst=_whole(content["worst"]),
        bounds=tuple(map(_whole, content["bounds"])),
        totals=_whole(content["total"]),
        means=_whole(content["mean"]),
        sums=_whole(content["rules"]) if "rules" in content else None,
        further=None if further is None else tuple(_read_rules(own, _BETWEEN) for own in further),
    )


def _read_rules(content: dict[str, Any], names: Iterable[str]) -> dict[str, Rule]:
    """Return the multipliers under these names, of which those without any are left out."""
    rules = {}
    for name in names:
        rows = content[name]
        places = np.array([row[:-1] for row in rows], dtype=np.int64).reshape(-1, _DIMENSIONS[name])
        if len(rows):
            rules[name] = Rule(places=places, weights=_whole([row[-1] for row in rows]))
    return rules


def _whole(numbers: list[str]) -> NDArray[Any]:
    array = np.empty(len(numbers), dtype=object)
    array[:] = [int(number) for number in numbers]
    return array
