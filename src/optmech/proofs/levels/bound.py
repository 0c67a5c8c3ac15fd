"""The bound that a tree of decisions on levels proves, in whole numbers.

Let x = T, or x = delta where that is sought. For noises with x <= cap the inequalities of `LevelLeaf` hold.
Multipliers y >= 0 of inequalities ``left <= right`` add up to ``sum y left <= sum y right``:

    m (1 + sum a^t(q)) + sum over places of b_mu a^l e + u ([t(p) = l] - [t(end) <= l + 1] - e)
                       + sum over cuts of c (counts of the cut - b)   <=   m T + delta T sum b_mu,

where e of a place says whether p leaks there. Each value has one level in its span, and each e is 0 or 1, so
that the left side is at least

    V = m - sum c b + sum over values q of the least over its levels t of
            [t <= top] (m a^t + cuts of mass at t + sum over places (q, mu, t) of u)
            - sum over places that end in q, with l + 1 >= t, of u
        + sum over places of min(0, b_mu a^l + cuts of leaks at l - u).

A place without a multiplier adds nothing less than 0. With a rounded down V becomes smaller. Hence

    T     >= V / (m + delta sum b)                where delta is given;
    delta >= (V - m T') / (T' sum b)              where ``T <= T'`` and the least delta is sought.

Where the divisor is 0 and the dividend positive no such noise is in the case, and x is at least cap.

The cases of a split are all noises of the case above: with ``t(q) <= l``, and with ``t(q) > l``. Where
distances and decisions are their own mirror image, so are the noises of a case: those with ``t(q) > l`` and
``t(-q) <= l`` need not be looked at. The least of all leaves is a bound of x, for noises with f(0) > delta.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import floor
from typing import TYPE_CHECKING

from optmech.proofs.file_limits import DEPTH
from optmech.proofs.levels.counts import BITS, check_cuts, powers_below
from optmech.proofs.levels.grid import Span, level_grid
from optmech.proofs.levels.tree import LevelLeaf, LevelSplit
from optmech.proofs.multipliers import require
from optmech.rules.noise_question import noise_question

if TYPE_CHECKING:
    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.levels.tree import CountingCut, LevelProof, LevelTree
    from optmech.rules import Rules
    from optmech.rules.noise_question import NoiseQuestion

    Spans = dict[int, Span]


def prove_levels(rules: Rules, proof: LevelProof, factor: Enclosure) -> Fraction:
    """Return the bound on the objective that a proof on levels proves.

    NotAProofError: a decision, a multiplier or a cut is none of the question. NotAcceptedError: `rules` have
    no levels.
    """
    question = noise_question(rules)
    bound = LevelBound(question, proof, factor.upper)
    least = bound.of_tree(proof.tree, bound.grid.spans, is_mirrored=bound.grid.is_mirrored)
    if question.delta is None:  # where t(mu) is not 1 f(0) leaks
        return min(least, 1 / bound.most_inverse)
    accuracy = max(question.delta, 1 / max(least, Fraction(1)))
    return question.other_cost - (question.other_cost - question.truth_cost) * accuracy


class LevelBound:
    """The bounds of cases, of T or, where that is sought, of delta, for noises with f(0) > delta.

    Parameters
    ----------
    question : NoiseQuestion
        The law of the noise.
    proof : LevelProof
        Last levels, cap and cuts; the tree is not looked at.
    upper : Fraction
        No less than e^epsilon.

    Attributes
    ----------
    grid : LevelGrid
        The spans of values without a decision, and the places of the multipliers.
    most_inverse : Fraction
        The largest T of the proof.

    Raises
    ------
    NotAProofError
        If the proof looks at other levels than the question has, or a whole point breaks a cut.
    """

    def __init__(self, question: NoiseQuestion, proof: LevelProof, upper: Fraction) -> None:
        self.grid = level_grid(question, proof.tops)
        self._question, self._cap, self._tops = question, proof.cap, proof.tops
        self._leak_cuts, self._mass_cuts = proof.leak_cuts, proof.mass_cuts
        self._powers = powers_below(upper, max(proof.tops))
        require(proof.cap > 0, "the cap must be positive")
        self.most_inverse = proof.cap if question.most_inverse is None else question.most_inverse
        most_delta = proof.cap if question.delta is None else question.delta
        distances = len(question.distances) * self._powers[1]
        leaks = floor(most_delta * self.most_inverse * (1 << BITS))
        mass = floor((self.most_inverse - 1) * (1 << BITS)) - distances
        check_cuts(proof.leak_cuts, self._powers, leaks, first=1)
        check_cuts(proof.mass_cuts, self._powers, mass, first=2)

    def of_tree(self, tree: LevelTree, spans: Spans, *, is_mirrored: bool, depth: int = 0) -> Fraction:
        """Return the least bound of all leaves of a case.

        Parameters
        ----------
        tree : LevelLeaf, LevelSplit or MirrorSplit
            The part of the tree that is about the case.
        spans : dict of int to Span
            The levels that each value may have.
        is_mirrored : bool
            Whether the case is its own mirror image.
        depth : int
            The number of splits above it.

        Returns
        -------
        Fraction
            At most the cap, and 0 or more.
        """
        if isinstance(tree, LevelLeaf):
            return self.of_leaf(tree, spans)
        value, level = tree.value, tree.level
        low, high = spans.get(value, (0, 0))
        require(depth < DEPTH, f"a tree must be at most {DEPTH} splits deep")
        require(low <= level < high, "a split must leave two cases")
        image = self.grid.mirrored[value]
        below, above = (low, level), (level + 1, high)
        if isinstance(tree, LevelSplit):
            alike = is_mirrored and image == value
            cases = [(tree.yes, {value: below}, alike), (tree.no, {value: above}, alike)]
        else:
            require(
                is_mirrored and image != value,
                "a split with its mirror image must stand where all is mirrored",
            )
            cases = [
                (tree.both, {value: below, image: below}, True),
                (tree.neither, {value: above, image: above}, True),
                (tree.one, {value: below, image: above}, False),
            ]
        return min(
            self.of_tree(part, spans | decided, is_mirrored=alike, depth=depth + 1)
            for part, decided, alike in cases
        )

    def of_leaf(self, leaf: LevelLeaf, spans: Spans) -> Fraction:
        """Return the bound of one case, at most the cap, and 0 or more."""
        delta, budgets = self._question.delta, sum(leaf.budgets)
        value = Fraction(self._value(leaf, spans), 1 << BITS)
        if delta is None:
            value -= leaf.mass * self.most_inverse
            charge = budgets * self.most_inverse
        else:
            charge = leaf.mass + delta * budgets
        if value <= 0:
            return Fraction(0)
        return self._cap if value >= self._cap * charge else value / charge

    def _value(self, leaf: LevelLeaf, spans: Spans) -> int:
        """Return V, over ``2**BITS``."""
        places, distances, powers = self.grid.places, len(self._question.distances), self._powers
        parts = (leaf.budgets, leaf.leaks, leaf.leak_cuts, leaf.mass_cuts)
        sizes = [distances, len(places), distances * len(self._leak_cuts), len(self._mass_cuts)]
        require([*map(len, parts)] == sizes, "each inequality must have its multiplier")
        require(min(leaf.mass, *map(min, filter(None, parts))) >= 0, "a multiplier must be 0 or more")
        of_leaks = [*zip(product(self._leak_cuts, range(distances)), leaf.leak_cuts, strict=True)]
        of_mass = [*zip(self._mass_cuts, leaf.mass_cuts, strict=True)]
        given = sum(cut.most * times for (cut, _), times in of_leaks)
        given += sum(cut.most * times for cut, times in of_mass)
        total = (leaf.mass - given) << BITS

        worth = [leaf.mass * power for power in powers]
        prices = [[budget * power for power in powers] for budget in leaf.budgets]
        for (cut, distance), times in of_leaks:
            _add(cut, times, prices[distance])
        for cut, times in of_mass:
            _add(cut, times, worth)
        costs, savings = defaultdict[Span, int](int), defaultdict[Span, int](int)
        for place, times in zip(places, leaf.leaks, strict=True):
            if times:
                costs[place.value, place.level] += times << BITS
                savings[place.end, place.level + 1] += times << BITS
                total += min(0, prices[place.distance][place.level] - (times << BITS))
        for value, (low, high) in spans.items():
            top, saved = self._tops[value], 0
            each = [0] if high > top else []
            for level in range(top, low - 1, -1):
                saved += savings.get((value, level), 0)
                if level <= high:
                    each.append(worth[level] + costs.get((value, level), 0) - saved)
            total += min(each)
        return total


def _add(cut: CountingCut, times: int, worth: list[int]) -> None:
    """Add what a cut with a multiplier charges to each level that it counts."""
    for level, coefficient in enumerate(cut.coefficients if times else (), cut.first):
        worth[level] += coefficient * times << BITS
