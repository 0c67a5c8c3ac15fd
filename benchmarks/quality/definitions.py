"""The worth of a delta: (epsilon, delta)-differential privacy beside the papers' definitions and none.

Kadam's probabilistic privacy counts the whole probability of a response that leaks, Sadeghi's counts each
response by itself; differential privacy counts the excess of all responses together. So its optimum is never
above Kadam's, nor its delta below Sadeghi's.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import optmech as om
from benchmarks.table import Table, figure, markdown
from optmech.designs.chain.theorem import CHAIN
from optmech.theorems.registry import THEOREMS
from optmech.theorems.theorem import Relation, Truth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.question.query import Query

__all__ = ["Figures", "counts", "definitions", "modular_noise", "symmetric_noise"]

# Certified designs of programs, held to each other: each is within this of its proved bound.
GAP = 1e-8
# The least delta that the program resolves; below it the closed form alone decides.
RESOLVED = 1e-9
MODULAR = om.ModularNoise()


class Figures(NamedTuple):
    """A table and what is wrong with it."""

    table: Table
    broken: list[str]


def definitions(*, smoke: bool = False) -> tuple[str, list[str]]:
    """Return the tables as text, and a sentence for each rule that is broken."""
    tables = [modular_noise(smoke=smoke), counts(smoke=smoke), symmetric_noise(smoke=smoke)]
    return "\n".join(markdown(one.table) for one in tables), [line for one in tables for line in one.broken]


def modular_settings() -> Iterator[tuple[str, Query, str, str, str]]:
    """Yield where it is from, the query, epsilon, delta and cost: Kadam's settings, and their kin."""
    one_sided = {"symmetric": False}
    kinds = (
        ("one distance", om.residues(10, [3], **one_sided)),
        ("one distance, both ways", om.residues(10, [3])),
        ("up to a largest", om.residues(9, [1, 2, 3], **one_sided)),
        ("up to a largest, both ways", om.residues(9, [1, 2])),
        ("Fig. 14", om.residues(11, [1, 2, 3, 4], **one_sided)),
    )
    for name, query in kinds:
        for epsilon in ("0.5", "1", "2"):
            for delta in ("0.01", "0.05", "0.1", "0.2", "0.3"):
                yield name, query, epsilon, delta, "error-rate"
    for delta in ("0.1212", "0.1238", "0.1522"):
        yield "Table 1", om.residues(9, [1, 2, 3], **one_sided), "1.5", delta, "error-rate"
        yield "Table 1, both ways", om.residues(9, [1, 2, 3]), "1.5", delta, "error-rate"
    for distance in (3, 2):
        for delta in ("0.05", "0.2"):
            yield "Fig. 9", om.residues(8, [distance], **one_sided), "0.75", delta, "error-rate"
    for largest in range(1, 10):
        yield "Fig. 11", om.residues(10, range(1, largest + 1), **one_sided), "2", "0.2", "error-rate"
    for epsilon in ("0.5", "1", "1.5", "2"):
        for cost in ("squared", "circular"):
            yield "Fig. 5a", om.residues(9, [1], **one_sided), epsilon, "0.3", cost
            yield "Fig. 5a, both ways", om.residues(9, [1]), epsilon, "0.3", cost


def modular_noise(*, smoke: bool = False) -> Figures:
    """Return what modular noise gains over Kadam's definition."""
    rows, broken, gains = [], [], []
    settings = list(modular_settings())
    for name, query, epsilon, delta, cost in settings[:1] if smoke else settings:
        pure = om.design(om.kadam(query, epsilon, 0, cost))
        leaking = om.design(om.kadam(query, epsilon, delta, cost))
        problem = om.question(query, epsilon, delta=delta, structure=MODULAR, loss=cost)
        true = om.design(problem)
        here = f"{name}, {query.name}, epsilon {epsilon}, delta {delta}, {cost}"
        broken += _unproved(here, pure, leaking, true)
        broken += _unlike_theorems(here, problem, true.objective)
        gain = 1 - true.objective / leaking.objective
        gains.append(gain)
        if not gain >= -GAP:
            broken.append(
                f"{here}: (epsilon, delta) must cost no more than probabilistic privacy; got {gain:.2e}"
            )
        rows.append(
            (
                f"{name}: modulo {query.num_truths}, {_distances(query)}",
                epsilon,
                delta,
                cost,
                *(figure(design.objective) for design in (pure, leaking, true)),
                _percent(gain),
            )
        )
    table = Table(
        title="modular noise: least expected cost by definition of privacy",
        header=(
            "noise and distances",
            "epsilon",
            "delta",
            "cost",
            "pure",
            "probabilistic",
            "(epsilon, delta)",
            "gain, %",
        ),
        rows=tuple(rows),
        notes=(
            (
                f"Over {len(gains)} settings the gain over probabilistic privacy lies between "
                f"{_percent(min(gains))} % and {_percent(max(gains))} %; its mean is "
                f"{_percent(sum(gains) / len(gains))} %. Every cost is proved."
            ),
        ),
    )
    return Figures(table, broken)


def counts(*, smoke: bool = False) -> Figures:
    """Return what a delta gains a count 0..n under the mean absolute error."""
    deltas = ("0.000001", "0.001", "0.01")
    rows, broken = [], []
    for largest in (5,) if smoke else (5, 10, 20, 50):
        for epsilon in ("0.1", "0.5", "1", "2"):
            pure = om.design(om.croft(om.count(largest), epsilon, prior="uniform"))
            gains = []
            last = pure.objective
            for delta in deltas:
                design = om.design(om.question(om.count(largest), epsilon, delta=delta))
                here = f"count 0..{largest}, epsilon {epsilon}, delta {delta}"
                broken += _unproved(here, design)
                if not design.objective <= last + GAP:
                    broken.append(
                        f"{here}: a larger delta must cost no more; got {design.objective!r} after {last!r}"
                    )
                last = design.objective
                gains.append(1 - design.objective / pure.objective)
            rows.append((f"0..{largest}", epsilon, figure(pure.objective), *(_share(gain) for gain in gains)))
    table = Table(
        title="count: gain of (epsilon, delta) over pure privacy, per cent of the mean absolute error",
        header=("count", "epsilon", "pure", *(f"delta {delta}" for delta in deltas)),
        rows=tuple(rows),
    )
    return Figures(table, broken)


def symmetric_noise(*, smoke: bool = False) -> Figures:
    """Return the delta of all sets of outcomes of Sadeghi's noise, claimed and true, beside the least."""
    rows, broken = [], []
    named = {theorem.name: theorem for theorem in THEOREMS}
    settings = [
        *(("Fig. 1", "2.18", "0.8", 6), ("Fig. 2", "1.5", "0.5", 8), ("Fig. 3", "1.1", "0.5", 8)),
        *(("Fig. 3", "2.2", "0.8", 8), ("Fig. 3, small accuracy", "1.1", "0.05", 8)),
        *(("Fig. 4", epsilon, "0.5", 6) for epsilon in ("0.5", "1", "1.1", "1.5", "2", "2.5", "3", "4", "5")),
    ]
    for name, epsilon, accuracy, width in settings[:1] if smoke else settings:
        paper = om.sadeghi_symmetric(epsilon, accuracy, width)
        noise = om.SymmetricNoise(width, Fraction(accuracy))
        problem = om.question(paper.query, epsilon, structure=noise, least="delta")
        single = named["sadeghi-theorem-3"].value(paper)
        claimed = named["sadeghi-remark-2"].value(problem)
        matrix = named["sadeghi-theorem-3-printed-rows"].matrix(paper)  # type: ignore[misc]
        mechanism = om.MatrixMechanism.answering(paper.query, matrix).hockey_stick_delta(
            paper.query, paper.privacy.epsilon
        )
        least = named["sadeghi-true-least-delta"].value(problem)
        here = f"{name}, epsilon {epsilon}, accuracy {accuracy}, half-width {width}"
        design = om.design(problem)
        if not abs(design.objective - least) <= RESOLVED:
            broken.append(f"{here}: the design must have the least delta {least!r}; got {design.objective!r}")
        if not least <= mechanism * (1 + GAP):
            broken.append(
                f"{here}: the least delta must be no larger than the paper's {mechanism!r}; got {least!r}"
            )
        rows.append(
            (
                name,
                epsilon,
                accuracy,
                str(width),
                *map(figure, (single, claimed, mechanism, least)),
                f"{mechanism / least:.4g}",
            )
        )
    table = Table(
        title="symmetric noise: delta of all sets of outcomes",
        header=(
            "setting",
            "epsilon",
            "accuracy",
            "half-width",
            "single outcomes",
            "claimed for all sets",
            "paper's noise",
            "least",
            "paper's / least",
        ),
        rows=tuple(rows),
    )
    return Figures(table, broken)


def _unproved(here: str, *designs: om.Design) -> list[str]:
    gaps = [abs(design.objective - design.lower_bound) / design.objective for design in designs]
    proved = all(design.lower_bound_standing == "proved" for design in designs) and max(gaps) <= GAP
    return [] if proved else [f"{here}: the proved gap must be at most {GAP:g}; got {max(gaps):.2e}"]


def _unlike_theorems(here: str, problem: om.Problem, optimum: float) -> list[str]:
    return [
        f"{here}: {theorem.name} must be met within {GAP:g}; got {optimum - theorem.value(problem):.2e}"
        for theorem in (*THEOREMS, CHAIN)
        if theorem.relation is Relation.EQUAL and theorem.truth is Truth.PROVED
        if theorem.objection(problem) is None and not abs(optimum - theorem.value(problem)) <= GAP
    ]


def _share(gain: float) -> str:
    return f"{100 * gain:.4f}"


def _distances(query: Query) -> str:
    return query.name.partition("distances ")[2]


def _percent(share: float) -> str:
    """Return a share in per cent; what rounding leaves below zero of none is none."""
    return f"{round(100 * share, 2) + 0.0:.2f}"
