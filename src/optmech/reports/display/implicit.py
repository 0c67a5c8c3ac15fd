"""A mechanism without a matrix: its question, its law in a sentence, and what is proved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.spelled import at_least, at_most
from optmech.reports.display.markup import care, facts, page
from optmech.reports.display.problem import asked

if TYPE_CHECKING:
    from optmech.designs.implicit.mechanism import ImplicitMechanism

__all__ = ["html_of"]

_DIGITS = 10


def html_of(mechanism: ImplicitMechanism) -> str:
    """Return the question and what is proved."""
    return page(
        f"Mechanism without a matrix: a {mechanism.question}",
        care(mechanism.caution),
        asked(mechanism.question),
        facts(
            (
                "law",
                (
                    f"Geometric noise of decay {float(mechanism.decay.value):.10g} is added, the sum "
                    f"clamped to 0..{mechanism.question.largest}, and some answers replaced by better ones. "
                    ".column(truth) has the probabilities at a truth."
                ),
            ),
            ("objective, at most", f"{at_most(mechanism.objective, _DIGITS)} [proved]"),
            ("no mechanism below", f"{at_least(mechanism.bound, _DIGITS)} [proved]"),
            ("gap, at most", f"{at_most(mechanism.relative_gap, 2)} of the objective [proved]"),
        ),
    )
