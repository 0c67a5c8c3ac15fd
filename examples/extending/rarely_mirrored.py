"""A property of one's own: what is released is rarely the mirror image of the truth.

A scale from 0 to 10 is read upside down by some: whoever answers 2 should hardly ever be published as 8.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import optmech as om

if TYPE_CHECKING:
    from collections.abc import Iterator


class RarelyMirrored:
    """The mirror image of the true answer is released with a given probability at most."""

    def __init__(self, most: str) -> None:
        self.most = most

    def rules(self, query: om.Query) -> Iterator[om.LinearRule]:
        """Say it of each entry on the other diagonal; refuse a query that has no mirror images."""
        last = query.num_truths - 1
        if query.num_responses != query.num_truths or query.labels:
            message = f"a mirror image needs numbers that are their own responses; got {query.title}."
            raise om.ProblemError(message)
        for truth in range(last + 1):
            if 2 * truth != last:  # the middle is its own mirror image
                name = f"the mirror image is released with probability {self.most} at most"
                yield om.LinearRule(name, {(last - truth, truth): 1}, "<=", self.most)


def main() -> None:
    """Design the mechanism, and write its certificate."""
    problem = om.question(om.count(10), "0.4", properties=[RarelyMirrored("0.02"), "symmetric"])
    design = om.design(problem)
    om.write_certificate(design.certificate, sys.argv[1])
    print(f"objective {design.objective:.6g}, proved within {design.certificate.relative_gap:.1e}")


if __name__ == "__main__":
    main()
