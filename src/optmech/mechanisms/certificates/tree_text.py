"""Write and read the multipliers of a proof as JSON values; see `docs/certificate.md`.

They stand in the order of their constraints: the pairs of neighbours, and the rules of each name.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.mechanisms.certificates.order_multipliers import (
    multipliers_of_orders,
    orders_of_multipliers,
    stated_orders,
)
from optmech.mechanisms.certificates.runs import one_each, text_of_runs
from optmech.proofs.file_limits import DEPTH
from optmech.proofs.multipliers import Leaf, Rule, Split

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Integers, Whole
    from optmech.proofs.multipliers import Tree
    from optmech.rules import Rules

_MEAN, _BOUNDS, _OWN = "mean", "bounds", "own"


def denominator_of(tree: Tree) -> int:
    """Return the denominator of all multipliers of a tree: its leaves have the same."""
    return tree.denominator if isinstance(tree, Leaf) else denominator_of(tree.kept)


class TreeText:
    """The JSON values of proofs for one question."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._keys = [_pairs(own) for own in rules.each_privacy]
        self._sizes = {name: len(order.low) for name, order in stated_orders(rules).items()}

    def content(self, tree: Tree) -> dict[str, Any]:
        """Return a proof as JSON values: its splits, and the multipliers of each leaf."""
        if isinstance(tree, Split):
            kept, violated = self.content(tree.kept), self.content(tree.violated)
            return {"split": list(tree.comparison), "kept": kept, "violated": violated}
        rules, each = self._rules, (tree.rules, *(tree.further or ({} for _ in self._keys[1:])))
        return {
            "prior": _text(tree.worst),
            "totals": _text(tree.totals),
            "privacy": [
                _texts_of_pairs(own, keys, multipliers)
                for own, keys, multipliers in zip(rules.each_privacy, self._keys, each, strict=True)
            ],
            "rules": {name: _text(ys) for name, ys in _of_rules(tree, rules) if ys.any()},
            **({"chains": [text_of_runs(ends.tolist()) for ends in tree.chains]} if tree.chains else {}),
        }

    def read(
        self, content: dict[str, Any], denominator: int, decided: frozenset[tuple[int, ...]] = frozenset()
    ) -> Tree:
        """Return the proof that `content` wrote, below the splits that decide some comparisons."""
        if "split" in content:
            comparison = tuple(map(int, content["split"]))
            if len(decided) == DEPTH or comparison in decided:
                message = f"a tree must be at most {DEPTH} splits deep, each of another comparison"
                raise ValueError(message)
            kept, violated = (
                self.read(content[side], denominator, decided | {comparison}) for side in ("kept", "violated")
            )
            return Split(comparison=comparison, kept=kept, violated=violated)
        rules, named, truths = self._rules, dict(content["rules"]), self._rules.shape[1]
        each = zip(rules.each_privacy, self._keys, content["privacy"], strict=True)
        main, *further = (_read_pairs(own, keys, texts) for own, keys, texts in each)
        orders = {
            name: _numbers(named.pop(name), size) for name, size in self._sizes.items() if name in named
        }
        order = orders_of_multipliers(rules, orders)
        sizes = _bound_sizes(rules)
        bounds = np.split(_numbers(named.pop(_BOUNDS, ""), sum(sizes)), np.cumsum(sizes)[:-1])
        means, own_sums = named.pop(_MEAN, ""), sum(len(block.right) for block in rules.sums)
        sums = _numbers(named.pop(_OWN, ""), own_sums) if own_sums else None
        if named:
            message = f"no rule of the question is called {next(iter(named))}"
            raise ValueError(message)
        has_cost = rules.cost is not None
        return Leaf(
            rules={**main, **({"order": order} if len(order.weights) else {})},
            denominator=denominator,
            cost=int(bounds[0][0]) if has_cost else 0,
            worst=_numbers(content["prior"], truths if _has_prior(rules) else 0),
            bounds=tuple(bounds[has_cost:]) if sizes else (),
            totals=_numbers(content["totals"], truths),
            means=-_numbers(means, truths) if rules.means is not None else np.zeros(truths, dtype=object),
            sums=sums,
            further=tuple(further) or None,
            chains=_chains(content["chains"], rules.shape[0]) if "chains" in content else None,
        )


def _chains(texts: list[str], responses: int) -> tuple[Integers, Integers]:
    first, last = (np.array(one_each(text, responses), dtype=np.int64) for text in texts)
    return first, last


def _has_prior(rules: Rules) -> bool:
    return rules.objective is not None and rules.objective.each


def _of_rules(leaf: Leaf, rules: Rules) -> Iterator[tuple[str, Whole]]:
    """Yield the multipliers of all rules of each name, in order."""
    yield from multipliers_of_orders(rules, leaf.rule("order", 4)).items()
    if leaf.means is not None:
        yield _MEAN, -leaf.means
    costs = [] if rules.cost is None else [_whole([leaf.cost])]
    yield _BOUNDS, np.concatenate([_whole([]), *costs, *(leaf.bounds or ())])
    if leaf.sums is not None:
        yield _OWN, leaf.sums


def _bound_sizes(rules: Rules) -> list[int]:
    """Return the number of multipliers of each bounded loss, the objective's first."""
    return [1] * (rules.cost is not None) + [loss.num_sums for loss in rules.bounds]


def _pairs(rules: Rules) -> list[int]:
    """Return the pairs in order, (f, g) as ``f * num_truths + g``."""
    keys: list[int] = np.sort(rules.pairs[:, 0] * rules.shape[1] + rules.pairs[:, 1]).tolist()
    return keys


def _texts_of_pairs(rules: Rules, keys: list[int], multipliers: dict[str, Rule]) -> list[str]:
    """Return for each pair of neighbours its budget, if it has one, then responses and their multipliers."""
    size = rules.shape[1]
    budgets, of_pairs = Counter[int](), defaultdict[int, Counter[int]](Counter)
    for (f, g), weight in _listed(multipliers.get("budget")):
        budgets[f * size + g] += weight
    for (r, f, g), weight in _listed(multipliers.get("privacy")):
        of_pairs[f * size + g][r] += weight
    texts: dict[int, str] = {}
    for key in of_pairs.keys() | budgets.keys():
        numbers = [part for pair in sorted(of_pairs.get(key, {}).items()) if pair[1] for part in pair]
        if rules.has_budgets and (numbers or budgets[key]):
            numbers.insert(0, budgets[key])
        if numbers:
            texts[bisect_left(keys, key)] = " ".join(map(str, numbers))
    return [texts.get(at, "") for at in range(max(texts, default=-1) + 1)]


def _listed(rule: Rule | None) -> Iterator[tuple[list[int], int]]:
    return zip(*(([], []) if rule is None else (rule.places.tolist(), rule.weights.tolist())), strict=True)


def _read_pairs(rules: Rules, keys: list[int], texts: list[str]) -> dict[str, Rule]:
    """Return the multipliers that `_texts_of_pairs` wrote."""
    if len(texts) > len(keys):
        message = "there are more multipliers of privacy than pairs of neighbours"
        raise ValueError(message)
    ratios: tuple[list[tuple[int, ...]], list[int]] = ([], [])
    budgets: tuple[list[tuple[int, ...]], list[int]] = ([], [])
    for key, text in zip(keys, texts, strict=False):
        pair = divmod(key, rules.shape[1])
        numbers = [int(number) for number in text.split(" ")] if text else []
        if rules.has_budgets and numbers:
            budgets[0].append(pair)
            budgets[1].append(numbers.pop(0))
        if len(numbers) % 2 or any(a >= b for a, b in pairwise(numbers[::2])):
            message = "responses of a pair must increase, each with its multiplier"
            raise ValueError(message)
        ratios[0].extend((r, *pair) for r in numbers[::2])
        ratios[1].extend(numbers[1::2])
    named = {"privacy": ratios, "budget": budgets}
    return {
        name: Rule(places=np.array(indices, dtype=np.int64), weights=_whole(weights))
        for name, (indices, weights) in named.items()
        if indices
    }


def _text(numbers: Whole | None) -> str:
    return "" if numbers is None else text_of_runs(numbers.tolist())


def _numbers(text: str, size: int) -> Whole:
    """Return the numbers of a text of runs with a fixed count; an empty text stands for zeros."""
    return _whole(one_each(text, size) if text else [0] * size)


def _whole(numbers: list[int]) -> Whole:
    array = np.empty(len(numbers), dtype=object)
    array[:] = numbers
    return array
