"""A definition of privacy of one's own: several epsilons, each with its delta, must hold at once.

One (epsilon, delta) is a point of a privacy curve; two points hold it down at both ends.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import optmech as om
from optmech.question.privacy import ApproximatePrivacy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.question.privacy import Privacy


class Budgets:
    """(epsilon, delta)-differential privacy for each of several epsilons."""

    def __init__(self, points: dict[str, str]) -> None:
        self.points = points

    def guarantees(self, query: om.Query) -> Iterator[Privacy]:
        """Say which definitions must hold; refuse a query that protects one of two neighbours only."""
        if not query.symmetric:
            message = f"a privacy curve needs neighbours both ways; got {query.title}."
            raise om.ProblemError(message)
        for epsilon, delta in self.points.items():
            yield ApproximatePrivacy(epsilon, delta)


def main() -> None:
    """Design the mechanism, and write its certificate."""
    problem = om.question(om.count(8), privacy=Budgets({"0.5": "0.05", "1": "0.001"}))
    design = om.design(problem)
    om.write_certificate(design.certificate, sys.argv[1])
    print(f"objective {design.objective:.6g}, proved within {design.certificate.relative_gap:.1e}")


if __name__ == "__main__":
    main()
