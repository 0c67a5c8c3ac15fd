"""The questions that show how far each engine reaches: families of one kind, from small to large."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import optmech as om

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["QUESTIONS", "SMALLEST", "ScaleQuestion"]

# Steps along a side and across, of a grid whose nodes have eight neighbours, and places of its responses.
_SIDE, _ACROSS, _SCALE = 5, 7, 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleQuestion:
    """A question of a family, whose `size` is what grows in it, and the goal of its design.

    `limit` is a time limit that belongs to the question, in seconds.
    """

    family: str
    name: str
    size: int
    ask: Callable[[], om.Problem]
    wanted: str = ""
    limit: float | None = None


def _modular(modulus: int, distances: tuple[int, ...], epsilon: str, delta: str, cost: str) -> om.Problem:
    return om.kadam(om.residues(modulus, distances), epsilon, delta, cost)


def _least_delta(modulus: int, at_most: str) -> om.Problem:
    return om.kadam_least_delta(om.residues(modulus, (1, 3, 5, 6)), "1.5", at_most=at_most)


def _mean(records: int, epsilon: str, **asked: Any) -> om.Problem:  # noqa: ANN401 - as of `question`
    return om.question(om.mean(records, 4), epsilon, **asked)


def _count(largest: int, epsilon: str, **asked: Any) -> om.Problem:  # noqa: ANN401 - as of `question`
    return om.question(om.count(largest), epsilon, **asked)


def _cycle(number: int) -> om.Problem:
    answers = range(number)
    return om.question(
        om.Query(answers, neighbours=[(each, (each + 1) % number) for each in answers]), "ln 2"
    )


def _grid(side: int, responses: int | None = None) -> om.Problem:
    """Return a grid with weights on its edges, and the distance in the plane as its loss."""
    nodes = [(row, column) for row in range(side) for column in range(side)]
    index = {node: place for place, node in enumerate(nodes)}
    steps = ((0, 1, _SIDE), (1, 0, _SIDE), (1, 1, _ACROSS), (1, -1, _ACROSS))
    edges = [
        (index[row, column], index[row + down, column + right], weight)
        for row, column in nodes
        for down, right, weight in steps
        if (row + down, column + right) in index
    ]
    number = len(nodes)
    evenly = range(responses or 0)
    released = [each * (number - 1) // (len(evenly) - 1) for each in evenly] or None
    places = np.array(nodes)
    apart = places[released or range(number)][:, None] - places[None]
    query = om.Query(range(number), released, edges)
    return om.question(query, "0.2", loss=np.rint(_SCALE * np.hypot(apart[..., 0], apart[..., 1])))


def _of_modular(modulus: int, wanted: str) -> ScaleQuestion:
    return ScaleQuestion(
        family="modular noise {1,3,5,6}",
        name=f"modulus {modulus}, {{1,3,5,6}}, epsilon 1.5, delta .1",
        size=modulus,
        ask=partial(_modular, modulus, (1, 3, 5, 6), "1.5", "0.1", "error-rate"),
        wanted=wanted,
    )


def _of_mean(records: int, wanted: str, *, worst: bool, delta: str) -> ScaleQuestion:
    where = "worst case" if worst else "average"
    privacy = f"delta {delta}" if delta != "0" else "pure"
    return ScaleQuestion(
        family=f"mean, {privacy}, {where}",
        name=f"mean of {records} records 0..4, epsilon .5, {privacy}, {where}",
        size=4 * records + 1,
        ask=partial(_mean, records, "0.5", delta=delta, worst_case=worst),
        wanted=wanted,
    )


def _of_grid(side: int, wanted: str, responses: int | None = None) -> ScaleQuestion:
    few = "" if responses is None else f", {responses} responses"
    return ScaleQuestion(
        family="weighted grid" + few,
        name=f"8-neighbour grid, weights 5 and 7, {side * side:,} nodes{few}",
        size=side * side,
        ask=partial(_grid, side, responses),
        wanted=wanted,
    )


def _alone(
    name: str, ask: Callable[[], om.Problem], wanted: str, limit: float | None = None
) -> ScaleQuestion:
    return ScaleQuestion(family="", name=name, size=0, ask=ask, wanted=wanted, limit=limit)


_SMALL_DELTA = "1e-6"
_HARD = (1, 4, 7, 11, 18)
_WRAPPED = "< 120 s, gap stated"
SMALLEST = _of_mean(2, "", worst=False, delta=_SMALL_DELTA)
"""A question that takes no time, for a run that only shows that everything works."""
QUESTIONS: tuple[ScaleQuestion, ...] = (
    _of_modular(16, ""),
    _of_modular(32, ""),
    _of_modular(64, "< 15 s, proved"),
    _of_modular(128, "< 40 s, gap <= 1e-9"),
    _of_modular(256, "< 40 s, gap <= 1e-9"),
    _alone(
        "modulus 64, {1,2,5,9,14,20}, epsilon 1.5, delta .1",
        partial(_modular, 64, (1, 2, 5, 9, 14, 20), "1.5", "0.1", "error-rate"),
        "< 40 s, gap <= 1e-9",
    ),
    _alone(
        "modulus 60, {1,4,7,11,18}, epsilon 1.2, delta .15",
        partial(_modular, 60, _HARD, "1.2", "0.15", "error-rate"),
        "< 90 s, proved",
    ),
    _alone(
        "modulus 100, {1,10}, epsilon 1, delta .1",
        partial(_modular, 100, (1, 10), "1", "0.1", "error-rate"),
        "< 90 s, proved",
    ),
    _alone("least delta, modulus 64, error rate .7108", partial(_least_delta, 64, "0.7108"), _WRAPPED),
    _alone("least delta, modulus 128, error rate .7108", partial(_least_delta, 128, "0.7108"), _WRAPPED),
    *(
        _alone(
            f"modulus {modulus}, {{1,3,5,6}}, {cost} cost",
            partial(_modular, modulus, (1, 3, 5, 6), "1.5", "0.1", cost),
            _WRAPPED,
        )
        for modulus in (64, 128)
        for cost in ("wrapped", "circular")
    ),
    _of_mean(5, "", worst=False, delta=_SMALL_DELTA),
    _of_mean(10, "", worst=False, delta=_SMALL_DELTA),
    _of_mean(20, "< 5 s, gap <= 1e-7", worst=False, delta=_SMALL_DELTA),
    _of_mean(40, "< 40 s, gap <= 1e-6", worst=False, delta=_SMALL_DELTA),
    _of_mean(5, "", worst=True, delta=_SMALL_DELTA),
    _of_mean(10, "", worst=True, delta=_SMALL_DELTA),
    _of_mean(20, "< 8 s, gap <= 1e-7", worst=True, delta=_SMALL_DELTA),
    _of_mean(40, "< 40 s, gap <= 1e-6", worst=True, delta=_SMALL_DELTA),
    _of_mean(10, "", worst=True, delta="0"),
    _of_mean(20, "< 2 s", worst=True, delta="0"),
    _of_mean(40, "", worst=True, delta="0"),
    _of_mean(100, "< 30 s", worst=True, delta="0"),
    _alone("count 0..446, epsilon ln 2, worst case", partial(_count, 446, "ln 2", worst_case=True), "< 10 s"),
    _alone(
        "count 0..250, epsilon .1, delta 1e-6, worst case",
        partial(_count, 250, "0.1", delta=_SMALL_DELTA, worst_case=True),
        "< 10 s",
    ),
    _of_grid(5, ""),
    _of_grid(10, "< 2 s, gap <= 1e-6"),
    _of_grid(14, "< 8 s, gap <= 1e-6"),
    _of_grid(22, "< 90 s, gap <= 1e-6"),
    _of_grid(43, "< 300 s, gap <= 1 %", responses=20),
    _alone("own cycle of 2,001 answers, limit 5 s", partial(_cycle, 2001), "back in 5.5 s", 5.0),
    _alone("mean of 400 records, limit 5 s", partial(_mean, 400, "0.5"), "back in 5.5 s", 5.0),
    _alone(
        "column-monotone mean of 20 records, epsilon 1",
        partial(_mean, 20, "1", properties=("column-monotone",)),
        "faster than the program",
    ),
    _alone(
        "fair count 0..150, epsilon .5",
        partial(_count, 150, "0.5", properties=("fair",)),
        "faster than the program",
    ),
    _of_mean(50, "", worst=False, delta="0"),
    _of_mean(100, "", worst=False, delta="0"),
    _of_mean(250, "< 10 s, <= 5 MB", worst=False, delta="0"),
)
"""In the order in which they are measured."""
