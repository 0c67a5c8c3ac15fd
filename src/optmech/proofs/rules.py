"""Which rules a problem has: multipliers of anything else prove nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.proofs.privacy import compared_rows, has_budgets, is_printed, is_probabilistic
from optmech.question.privacy import PerOutcomePrivacy
from optmech.question.properties import COLUMN_HONEST, COLUMN_MONOTONE, ROW_HONEST, ROW_MONOTONE
from optmech.question.properties.lines import truths_below_and_above
from optmech.question.structures import SymmetricNoise

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from optmech.proofs.multipliers import Leaf
    from optmech.question.problem import Problem

    Integers = NDArray[np.int64]

__all__ = ["strange_comparison", "strange_rule"]


def strange_rule(problem: Problem, leaf: Leaf) -> str | None:
    """Return which of the multipliers stands on no rule of the problem, or ``None``."""
    shape = (problem.query.num_responses, problem.query.num_truths)
    for name, rule in leaf.rules.items():
        places = rule.places
        if len(places) != len(rule.weights):
            return f"multipliers of {name} and their places differ in number"
        if name == "privacy":
            strange = not _inside(places, (*shape, shape[1])) or not _compared(problem, places)
        elif name == "budget":
            strange = not _has_budget(problem, places)
        elif name == "order":
            strange = not _inside(places, shape * 2) or not _ordered(problem, places)
            strange = strange or bool((rule.weights < 0).any())
        else:
            strange = True
        if strange:
            return f"a multiplier of {name} stands on no rule of the question"
    return None


def strange_comparison(problem: Problem, decided: Iterable[tuple[int, ...]]) -> str | None:
    """Return why a decision of a tree is none about this problem, or ``None``."""
    printed = is_printed(problem)
    for comparison in decided:
        if not is_probabilistic(problem):
            return "a question without violations has no decisions"
        if printed:
            sound = len(comparison) == 1 and 0 <= comparison[0] < problem.query.num_responses
        else:
            size = problem.query.num_responses, problem.query.num_truths, problem.query.num_truths
            place = np.array([comparison])
            sound = len(comparison) == len(size) and _inside(place, size) and _compared(problem, place)
        if not sound:
            return f"{list(comparison)} is no comparison of the question"
    return None


def _inside(places: Integers, shape: tuple[int, ...]) -> bool:
    return bool(places.shape[1] == len(shape) and (places >= 0).all() and (places < np.array(shape)).all())


def _compared(problem: Problem, places: Integers) -> bool:
    if is_printed(problem) and places[:, 1].any():
        return False
    if isinstance(problem.privacy, PerOutcomePrivacy) and isinstance(problem.structure, SymmetricNoise):
        known = np.array(list(compared_rows(problem)))
        return bool(np.isin(places[:, 0], known[:, 0]).all() and (places[:, 1:] == [0, 1]).all())
    size, pairs = problem.query.num_truths, problem.query.pairs
    return bool(np.isin(places[:, 1] * size + places[:, 2], pairs[:, 0] * size + pairs[:, 1]).all())


def _has_budget(problem: Problem, places: Integers) -> bool:
    if not has_budgets(problem):
        return False
    if is_printed(problem):
        return bool(len(places) == 1 and not places.any())
    size, pairs = problem.query.num_truths, problem.query.pairs
    codes = places[:, 0] * size + places[:, 1]
    inside = _inside(places, (size, size)) and len(np.unique(codes)) == len(codes)
    return bool(inside and np.isin(codes, pairs[:, 0] * size + pairs[:, 1]).all())


def _ordered(problem: Problem, places: Integers) -> bool:
    """Whether a property says of all places (r, f, s, g) that entry (r, f) is at most entry (s, g)."""
    query = problem.query
    row, truth, other, towards = places.T
    home = query.home[truth]
    ends = np.array(truths_below_and_above(query))
    up = ((row < other) & (other <= home)) | ((row > other) & (other >= home))
    along = ((truth < towards) & (towards <= ends[row, 0])) | ((truth > towards) & (towards >= ends[row, 1]))
    columns = (truth == towards) & up & (COLUMN_MONOTONE in problem.properties)
    rows = (row == other) & along & (ROW_MONOTONE in problem.properties)
    columns |= (truth == towards) & (other == home) & (COLUMN_HONEST in problem.properties)
    known = (query.home[towards] == other) & (home != other) & (ROW_HONEST in problem.properties)
    rows |= (row == other) & known
    return bool((columns | rows).all())
