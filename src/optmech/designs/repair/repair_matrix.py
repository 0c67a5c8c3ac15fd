"""From a solver's matrix to whole numbers that are private, for matrices of any form under pure privacy.

1. *Envelope*: the least matrix above the solver's that keeps all ratios and orders (`closure`). A zero beside
   a positive entry is raised; nothing below `FLOOR` is kept apart, so that a few more bits than a double hold
   everything. Its columns sum to 1 + d_f, with d_f about the solver's tolerance.
2. *Dividing* each column by its sum, where these are alike to the last digits: nothing more is to be done.
3. *Mixing*: all is scaled down to make room for a share t of an interior mechanism I, which keeps every rule
   with something to spare, and for what each column then lacks. That goes where I has room: to the response
   that holds the truth, or, where those must be equally likely, to the responses beside it.
4. *Rounding* down to multiples of 2^-b, and the last units to the same places.

On a grid where that breaks something (several truths in one response, a mirror that is not the truth's) rules
may force entries to be equal. Then I is that of `interior`, equal entries are treated as one, and what each
column lacks is shared out by solving one linear equation a column, exactly.

Sums of matrices that keep the rules keep them, so t need only be so large that I has room for the d_f: the
repair costs about (largest d_f) / (room of I), relatively.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.slices import row_slices
from optmech.designs.repair.balance import balance
from optmech.designs.repair.closure import closure
from optmech.designs.repair.interior import interior
from optmech.designs.repair.rounding import BITS, FLOOR, GUARD, MARGIN, guarded_ratio, rounded_down, shares
from optmech.designs.repair.shared import Shared
from optmech.proofs.breach import violation
from optmech.proofs.matrix import ExactMatrix
from optmech.question.properties import FAIR, Property
from optmech.rules import compile_rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.proofs.enclosure import Enclosure
    from optmech.question.problem import Problem
    from optmech.question.query import Query

    Floats = NDArray[np.float64]

__all__ = ["repair_matrix"]

# A response that the solver gives with less than this, whatever the truth, is not given.
_NEVER = 1e-11
# A larger share of the interior mechanism costs enough to look for a better one first.
_CHEAP = 1e-7
# Sums that differ by a smaller share are mended by dividing: half of the room that ratios leave.
_ALIKE = MARGIN / 2
# A ratio that everything keeps.
_ANY = 1e300


def repair_matrix(problem: Problem, raw: Floats, factor: Enclosure) -> ExactMatrix | None:
    """Return the first matrix of whole numbers on the way that breaks nothing, or ``None``.

    Parameters
    ----------
    problem : Problem
        With any matrix allowed. Without pure privacy there is no envelope: mixing does all.
    raw : ndarray, shape (num_responses, num_truths)
        The solver's probabilities, any.
    factor : Enclosure
        Rationals around ``e^epsilon``.
    """
    query, properties = problem.query, problem.properties
    sound = np.clip(np.nan_to_num(raw, nan=0.0, posinf=0.0, neginf=0.0), 0.0, 1.0)
    # With properties every response is given at least a little: a column takes what it lacks at fixed places.
    given = (sound.max(axis=1) > _NEVER) | bool(properties)
    if not given.any():
        return None
    ratio = _ratio(problem, factor)
    envelope = np.where(given[:, None], np.maximum(sound, FLOOR), 0.0)
    envelope = closure(envelope, query, ratio, properties)
    sums = envelope.sum(axis=0)
    if problem.privacy.is_pure and (properties or not _are_alike(sums, query)):
        envelope = balance(envelope, query, ratio, properties)
        sums = envelope.sum(axis=0)
    if not sums.min() > 0:
        return None
    steps = list(shares(float(1 - sums.min() / sums.max())))
    return (
        _divided(problem, envelope, factor)
        or _mixed(problem, envelope, factor, [share for share in steps if share <= _CHEAP])
        or _mixed_by_groups(problem, envelope, factor, steps)
        or _mixed(problem, envelope, factor, [share for share in steps if share > _CHEAP])
    )


def _are_alike(sums: Floats, query: Query) -> bool:
    """Whether neighbouring sums differ by less than ratios leave room for, so that dividing will do."""
    truths, neighbours = query.pairs.T
    return bool((np.abs(sums[truths] - sums[neighbours]) <= _ALIKE * sums[neighbours]).all())


def _ratio(problem: Problem, factor: Enclosure) -> float:
    """Return by how much neighbours may differ: without pure privacy only properties are held to."""
    return guarded_ratio(factor) if problem.privacy.is_pure else _ANY


def _divided(problem: Problem, envelope: Floats, factor: Enclosure) -> ExactMatrix | None:
    """Return each column over its own sum, where sums are so near one that nothing needs to be mixed in."""
    whole = rounded_down(envelope)
    sums = whole.sum(axis=0)
    for rows in row_slices(whole.shape):
        whole[rows] = whole[rows] * 2**BITS // sums
    truths = np.arange(problem.query.num_truths)
    whole[envelope.argmax(axis=0), truths] += 2**BITS - whole.sum(axis=0)
    matrix = ExactMatrix(numerators=whole, denominator=2**BITS)
    return matrix if violation(compile_rules(problem), matrix, factor) is None else None


def _mixed(problem: Problem, envelope: Floats, factor: Enclosure, steps: list[float]) -> ExactMatrix | None:
    ratio = guarded_ratio(factor)
    for share in steps:
        matrix = _whole(envelope, problem.query, ratio, share, problem.properties)
        if matrix is not None and violation(compile_rules(problem), matrix, factor) is None:
            return matrix
    return None


def _mixed_by_groups(
    problem: Problem, envelope: Floats, factor: Enclosure, steps: list[float]
) -> ExactMatrix | None:
    """Do the same with the mechanism of `interior`, whose groups of equal entries stay equal."""
    query, properties = problem.query, problem.properties
    found = interior(query, guarded_ratio(factor), properties, envelope.max(axis=1) > 0)
    if found is None:
        return None
    ratio = _ratio(problem, factor)
    _, entries = np.unique(found.group.ravel(), return_inverse=True)
    tied = envelope
    for _ in range(sum(tied.shape)):
        most = np.zeros(entries.max() + 1)
        np.maximum.at(most, entries, tied.ravel())
        before, tied = tied, closure(most[entries].reshape(tied.shape), query, ratio, properties)
        if np.array_equal(before, tied):
            break
    if problem.privacy.is_pure:
        tied = balance(tied, query, ratio, properties, found.group)
    shared = Shared.among(found)
    for share in steps:
        whole = rounded_down(tied * ((1 - share - GUARD) / tied.sum(axis=0).max()) + share * found.matrix)
        matrix = shared.completed(whole)
        if matrix is not None and violation(compile_rules(problem), matrix, factor) is None:
            return matrix
    return None


def _interior(
    query: Query, ratio: float, given: NDArray[np.bool_], properties: frozenset[Property]
) -> Floats:
    """Return a mechanism that keeps every rule with room at the places of `_places`.

    Without fairness: all responses alike. With it, on a grid that is its own answer: the k-th nearest
    response is less likely than the truth by a factor ``decay**k``, two at one distance sharing alike. Each
    column holds the same numbers, and along a row k changes by at most two from truth to truth, so that with
    ``decay**4 = 1 / ratio`` half of each ratio is left. On other grids the truth is a little likelier than
    all the rest.
    """
    if FAIR not in properties:
        matrix = np.repeat(1.0 * given[:, None], query.num_truths, axis=1)
    elif np.array_equal(query.home, np.arange(query.num_responses)):
        number = query.num_truths
        reach = int(np.abs(query.pairs[:, 0] - query.pairs[:, 1]).max(initial=1))
        decay = ratio ** (-0.25 / reach)
        position = np.arange(number)
        distance = np.abs(position[:, None] - position[None, :])
        edge = np.minimum(position, number - 1 - position)[None, :]
        pair = (decay ** np.maximum(2 * distance - 1, 0) + decay ** (2 * distance)) / 2
        matrix = np.where(distance <= edge, pair, decay ** (distance + edge))
    else:
        matrix = np.ones((query.num_responses, query.num_truths))
        matrix[query.home, np.arange(query.num_truths)] += min((ratio - 1) / 2, 1.0)
    divided: Floats = matrix / matrix[:, :1].sum()
    return divided


def _whole(
    envelope: Floats, query: Query, ratio: float, share: float, properties: frozenset[Property]
) -> ExactMatrix | None:
    given = envelope.max(axis=1) > 0
    kept = (1 - share - GUARD) / envelope.sum(axis=0).max()
    whole = rounded_down(envelope * kept + share * _interior(query, ratio, given, properties))
    if FAIR in properties:  # even, so that what is left can be split between two sides
        truths = np.arange(query.num_truths)
        whole[query.home, truths] -= whole[query.home, truths] % 2
    total = 2**BITS
    left = total - whole.sum(axis=0)
    if (left < 0).any():
        return None
    places = _places(query, given, properties)
    if not places.any(axis=0).all():
        return None
    for truth, units in enumerate(left.tolist()):
        rows = np.flatnonzero(places[:, truth])
        each, rest = divmod(units, len(rows))
        whole[rows, truth] += each
        whole[rows[:1], truth] += rest
    return ExactMatrix(numerators=whole, denominator=total)


def _places(query: Query, given: NDArray[np.bool_], properties: frozenset[Property]) -> NDArray[np.bool_]:
    """Return where each column takes what it lacks."""
    truths = np.arange(query.num_truths)
    places = np.zeros((query.num_responses, query.num_truths), dtype=bool)
    if FAIR in properties:
        for beside in (-1, 1):
            row = query.home + beside
            inside = (row >= 0) & (row < query.num_responses)
            places[row[inside], truths[inside]] = True
    elif properties and (query.home >= 0).all():
        places[query.home, truths] = True
    else:  # any response that is given has room
        places[given] = True
    return places
