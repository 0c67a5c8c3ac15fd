"""The tree of a search as a proof in whole numbers."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.proofs.levels.bound import LevelBound
from optmech.proofs.levels.tree import LevelLeaf, LevelProof, LevelSplit, MirrorSplit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optmech.base.arrays import Floats
    from optmech.designs.levels.program import LevelProgram
    from optmech.designs.levels.search import LevelCase
    from optmech.proofs.levels.grid import Span
    from optmech.proofs.levels.tree import LevelTree
    from optmech.rules.noise_question import NoiseQuestion

# Multipliers are whole numbers over the first of these powers of two that proves what is to be proved.
_BITS = (12, 18, 40)
# Smaller multipliers are rounding of doubles.
_LEAST = 1e-10


def proof_of(
    program: LevelProgram,
    root: LevelCase,
    question: NoiseQuestion,
    upper: Fraction,
    goal: float,
    *,
    most_leaves: float = math.inf,
) -> LevelProof:
    """Return the proof of the first cases, at most so many; its multipliers are those of the relaxations.

    They have as few digits as prove the `goal` in their case, or as many as doubles know. `upper` is no less
    than e^epsilon.
    """
    circle, tops = program.circle, program.tops
    frame = LevelProof(
        tops=tuple(tops.get(value, 0) for value in range(circle.size)),
        cap=Fraction(program.cap),
        tree=LevelLeaf(mass=0, budgets=(), leaks=()),
        leak_cuts=program.leak_cuts,
        mass_cuts=program.mass_cuts,
    )
    bounds, least = LevelBound(question, frame, upper), Fraction(goal)
    places = [program.leaks[place.value, place.distance, place.level] for place in bounds.grid.places]
    of_leak_cuts = [row for rows in program.of_leak_cuts for row in rows]

    def leaf(case: LevelCase) -> LevelLeaf:
        spans = _spans(case, bounds.grid.spans)
        for bits in _BITS:
            found = rounded(case.duals, bits)
            if bits == _BITS[-1] or bounds.of_leaf(found, spans) >= least:
                break
        return found

    def rounded(duals: Floats, bits: int) -> LevelLeaf:
        """Return multipliers; rows that the program did not have yet, when it was solved, have none."""

        def of(rows: Iterable[int], sign: int) -> tuple[int, ...]:
            known = (sign * float(duals[row]) if row < len(duals) else 0.0 for row in rows)
            return tuple(round(each * 2**bits) if each > _LEAST else 0 for each in known)

        return LevelLeaf(
            mass=of([program.mass], -1)[0],
            budgets=of(program.budgets, -1),
            leaks=of(places, 1),
            leak_cuts=of(of_leak_cuts, -1),
            mass_cuts=of(program.of_mass_cuts, -1),
        )

    def tree(case: LevelCase) -> LevelTree:
        if case.split is None or case.num_leaves > most_leaves:
            return leaf(case)
        (value, level), parts = case.split, [tree(part) for part in case.parts]
        if len(parts) == 2:  # noqa: PLR2004 - stands or not
            return LevelSplit(value=value, level=level, yes=parts[0], no=parts[1])
        return MirrorSplit(value=value, level=level, both=parts[0], neither=parts[1], one=parts[2])

    return replace(frame, tree=tree(root))


def _spans(case: LevelCase, spans: dict[int, Span]) -> dict[int, Span]:
    """Return the levels that values may have in a case."""
    after, by = case.decisions.after.tolist(), case.decisions.by.tolist()
    return {value: (max(low, after[value] + 1), min(high, by[value])) for value, (low, high) in spans.items()}
