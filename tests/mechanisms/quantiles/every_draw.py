"""The law of a program that makes random choices, exactly: every path through its choices."""

from __future__ import annotations

from collections import defaultdict
from math import comb, exp


class AgainError(Exception):
    """A loop of rejections begins anew, with the same law."""


class EveryDice:
    """The choices of one path: those that are given, then the first of each further one.

    Coins of powers of e are doubles here: the law is compared to a tolerance, and the program has none.
    """

    def __init__(self, path, rounds):
        self.path, self.taken, self.weight, self.rounds = path, [], 1.0, rounds

    def _choose(self, weights):
        at = self.path[len(self.taken)] if len(self.taken) < len(self.path) else 0
        self.taken.append((at, len(weights)))
        self.weight *= weights[at]
        return at

    def below(self, limit):
        return self._choose([1 / limit] * limit)

    def key(self, weights):
        weights = {key: weight for key, weight in weights.items() if weight}
        total = sum(weights.values())
        return list(weights)[self._choose([weight / total for weight in weights.values()])]

    def heads(self, number):
        return self._choose([comb(number, k) / 2**number for k in range(number + 1)])

    def keeps(self, exponent, halvings):
        p = min(1.0, 2.0**halvings * exp(-exponent[0] / exponent[1]))
        kept = 1 - self._choose([p, 1 - p]) if p < 1 else 1
        self.rounds -= not kept
        if not self.rounds:
            raise AgainError
        return bool(kept)


def law_of(program, rounds=0):
    """Return the probability of each result; with `rounds` given those of so many rejections at most."""
    law, path = defaultdict(float), []
    while True:
        dice = EveryDice(path, rounds or -1)
        try:
            result = program(dice)
            law[result] += dice.weight
        except AgainError:
            pass
        taken = dice.taken
        while taken and taken[-1][0] + 1 == taken[-1][1]:
            taken.pop()
        if not taken:
            break
        path = [*(at for at, _ in taken[:-1]), taken[-1][0] + 1]
    total = sum(law.values())
    return {key: weight / total for key, weight in law.items() if weight}
