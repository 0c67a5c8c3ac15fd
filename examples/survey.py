"""Publish the mean and the largest answer of small survey groups, privately.

The file beside this script holds answers of the American National Election Studies 1996 (public domain).
The question is the left-right self-placement, 1 to 7. Respondents are taken in groups of ten in file order;
of each group the mean and the largest answer are released, each with epsilon = 1. A person is in one group
and is protected in both releases together with epsilon = 2.

    python examples/survey.py [FOLDER]

prints what is released and, if a folder is given, writes the two mechanism matrices and the releases there.
"""

from __future__ import annotations

import csv
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np

import optmech as om

GROUP, SMALLEST, LARGEST, EPSILON = 10, 1, 7, "1"


def groups_of_answers() -> list[list[int]]:
    """Return the answers in groups of ten; the last, incomplete group is left out."""
    with (Path(__file__).parent / "anes96.csv").open(newline="", encoding="utf-8") as file:
        answers = [int(row["selfLR"]) for row in csv.DictReader(file)]
    whole = len(answers) // GROUP
    return [answers[GROUP * group : GROUP * (group + 1)] for group in range(whole)]


def main() -> None:
    """Design both mechanisms, apply them, and say how far the releases are off."""
    groups = groups_of_answers()
    questions = {
        "mean": (
            om.mean(GROUP, SMALLEST, LARGEST),
            [Fraction(sum(group), GROUP) for group in groups],
        ),
        "max": (om.extremum(SMALLEST, LARGEST), [Fraction(max(group)) for group in groups]),
    }
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    print(f"{len(groups)} groups of {GROUP} answers from {SMALLEST} to {LARGEST}, epsilon = {EPSILON} each")
    for name, (query, truths) in questions.items():
        design = om.design(om.croft(query, EPSILON, prior="uniform"))
        report = om.verify(design.mechanism, design.problem)
        if not report:
            sys.exit(f"{name}: {report.failures[0].text}. Nothing is released.")
        released = design.mechanism.sample(truths)
        error = np.abs(released - np.array(truths, dtype=float)).mean()
        print(f"\n{name} of each group, solved in {design.seconds:.1f} s by {design.solution.solver}")
        print(
            f"  expected error, uniform prior     {design.objective:.4f}, at least {design.lower_bound:.4f}"
        )
        print(f"  error of this release            {error:.4f}")
        print(f"  first releases                   {', '.join(str(float(noisy)) for noisy in released[:8])}")
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            design.mechanism.to_csv(folder / f"{name}.csv")
            lines = [f"{group},{float(noisy)}" for group, noisy in enumerate(released)]
            (folder / f"{name}-released.csv").write_text("\n".join(["group,released", *lines, ""]))


if __name__ == "__main__":
    main()
