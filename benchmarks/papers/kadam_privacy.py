"""Theorem 1 and Proposition 1 of Kadam et al. 2024: what probabilistic privacy implies, and what keeps it.

Theorem 1, probabilistic privacy implies (epsilon, delta): let B be the responses whose ratio exceeds
e^epsilon. For any set S of them ``P(S) <= P(B) + P(S less B) <= delta + e^epsilon Q(S)``. That is the proof;
what is counted here, in rational numbers, is that no random pair of laws contradicts it, and what the
converse and a map that is not invertible do to explicit pairs.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from benchmarks.papers.digits import holds
from benchmarks.papers.item import Item, Reproduction
from benchmarks.papers.rational_laws import Pair, excess, leak, pairs, post_process, random_answers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from benchmarks.papers.item import Line

__all__ = ["ITEMS"]

_NUMBER = 2000
_DOUBLE = Fraction(2)  # epsilon = ln 2
_CONVERSE = Pair((Fraction(3, 5), Fraction(2, 5)), (Fraction(1, 4), Fraction(3, 4)))
_MERGED = Pair(
    (Fraction(1, 10), Fraction(3, 10), Fraction(6, 10)),
    (Fraction(1, 100), Fraction(15, 100), Fraction(84, 100)),
)


def _both_ways(delta: Callable[[Pair, Fraction], Fraction], pair: Pair) -> Fraction:
    """Return a delta at epsilon = ln 2 where both neighbours are protected."""
    return max(delta(one, _DOUBLE) for one in (pair, Pair(pair.second, pair.first)))


def _theorem_1() -> list[Line]:
    laws = [(leak(pair, factor), excess(pair, factor)) for pair, factor, _ in pairs(_NUMBER, seed=1)]
    where = "the laws (3/5, 2/5) and (1/4, 3/4), epsilon = ln 2"
    return [
        holds(
            f"Theorem 1: random pairs of laws, of {_NUMBER}, with a delta above their probabilistic one",
            "0",
            _count(true > leaking for leaking, true in laws),
            "rational numbers; the proof is two lines",
        ),
        holds(
            f"Theorem 1, the converse: those with a delta below their probabilistic one, of {_NUMBER}",
            "fails",
            _count(true < leaking for leaking, true in laws),
        ),
        holds(
            f"Theorem 1, the converse: delta of {where}",
            "fails",
            float(_both_ways(excess, _CONVERSE)),
            "1/10",
        ),
        holds(
            f"Theorem 1, the converse: probabilistic delta of {where}",
            "fails",
            float(_both_ways(leak, _CONVERSE)),
            "3/5: it is (ln 2, 1/10)-private, and not probabilistically so",
        ),
    ]


def _proposition_1() -> list[Line]:
    changed = broken = 0
    for pair, factor, source in pairs(_NUMBER, seed=2):
        order = source.sample(range(len(pair.first)), len(pair.first))
        turned = Pair(*(tuple(law[place] for place in order) for law in pair))
        changed += leak(turned, factor) != leak(pair, factor)
        supported = Pair(pair.first, tuple((p + q) / 2 for p, q in zip(*pair, strict=True)))
        least = max(p / q for p, q in zip(*supported, strict=True) if p)  # delta = 0 from here on
        broken += leak(post_process(supported, random_answers(len(pair.first), source)), least) > 0
    merged = Pair(*((law[0] + law[1], law[2]) for law in _MERGED))
    where = "the laws (10, 30, 60) % and (1, 15, 84) %, epsilon = ln 2"
    return [
        holds(
            f"Proposition 1: random pairs, of {_NUMBER}, whose probabilistic delta an invertible map changes",
            "0",
            float(changed),
        ),
        holds(
            f"Proposition 1, delta = 0: random pairs, of {_NUMBER}, that a random map exposes",
            "0",
            float(broken),
        ),
        holds(
            f"after Proposition 1, clamping 'alters delta': probabilistic delta of {where}, after over "
            "before the first two responses become one",
            "not 1",
            float(_both_ways(leak, merged) / _both_ways(leak, _MERGED)),
            "2/5 after 1/10",
        ),
        holds(
            f"the same of (epsilon, delta): delta of {where}, after over before",
            "at most 1",
            float(_both_ways(excess, merged) / _both_ways(excess, _MERGED)),
            "no post-processing raises it",
        ),
    ]


def _count(events: Iterable[bool]) -> float:
    return float(sum(events))


ITEMS = (
    Item(
        name="kadam-privacy",
        source="Kadam et al. 2024, Theorem 1 and Proposition 1",
        title="probabilistic privacy beside (epsilon, delta), and after post-processing",
        compute=lambda: Reproduction(
            lines=(*_theorem_1(), *_proposition_1()),
            note="In rational numbers, e^epsilon too. Random pairs test a theorem, its proof proves it.",
        ),
    ),
)
