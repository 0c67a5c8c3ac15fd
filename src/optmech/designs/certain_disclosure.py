"""Find two neighbours that the demands of a question tell apart for certain, so that its delta is 1.

Law
---
    x[r,f] = 0 or x[r,g] = 0 for each response r, of neighbours f, g      gives delta = 1

since what is released at f is never released at g: the set of these responses has probability 1 and 0. The
zeros are those that the rules force, of every mechanism of the question; no solver is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.numbers import as_text
from optmech.base.wording import join_words
from optmech.designs.clash import demands_of, irreducible, without_demands
from optmech.designs.forced_zeros import forced_zeros
from optmech.question.privacy import PerOutcomePrivacy

if TYPE_CHECKING:
    from optmech.question.problem import Problem


def certain_disclosure(problem: Problem) -> str | None:
    """Return a sentence on two neighbours that every mechanism tells apart, ``None`` where there are none.

    >>> import optmech as om
    >>> table = om.p_table(1, 1, zero_stays_zero=True, positive_stays_positive=True)
    >>> print(certain_disclosure(table))  # doctest: +NORMALIZE_WHITESPACE
    Delta is 1 for every such mechanism, proved: what is released at 0 is never released at 1, so that one
    release tells the two apart for certain. Nothing is private with rule "positive stays positive" and
    zero-stays-zero; drop one of them.
    """
    pair = _pair(problem)
    if pair is None:
        return None
    demands = demands_of(problem)

    def keeps_apart(names: frozenset[str]) -> bool:
        return _pair(without_demands(problem, [own for name, own in demands if name not in names])) is None

    names = irreducible(frozenset(name for name, _ in demands), keeps_apart)
    first, second = (_name(problem, truth) for truth in pair)
    remedy = (
        f" Nothing is private with {join_words(names)}; drop {'one of them' if len(names) > 1 else 'it'}."
    )
    return (
        f"Delta is 1 for every such mechanism, proved: what is released at {first} is never released at "
        f"{second}, so that one release tells the two apart for certain.{remedy if names else ''}"
    )


def _pair(problem: Problem) -> tuple[int, int] | None:
    """Return the first two neighbours without a response that both may have."""
    if isinstance(problem.privacy, PerOutcomePrivacy):  # it bounds single responses, not all together
        return None
    zeros, query = forced_zeros(problem), problem.query
    if zeros.rules.structural:
        return None
    possible = ~zeros.entries.reshape(query.num_responses, query.num_truths)
    if not possible.any(axis=0).all():  # there is no mechanism, private or not
        return None
    shared = possible.T.astype(np.float32) @ possible.astype(np.float32)
    apart = query.pairs[shared[query.pairs[:, 0], query.pairs[:, 1]] == 0]
    return (int(apart[0, 0]), int(apart[0, 1])) if len(apart) else None


def _name(problem: Problem, truth: int) -> str:
    query = problem.query
    return query.labels[truth] if query.labels else as_text(query.truths[truth])
