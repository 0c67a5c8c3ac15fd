"""A demand without a name: linear rules on the entries of the mechanism, exact."""

from __future__ import annotations

import sys

import optmech as om


def main() -> None:
    """Demand that 0 and 5 are told as often together as 2 and 3, and 1 half as often again as 4."""
    rules = [
        om.LinearRule("ends as often as the middle", {(0, 0): 1, (5, 5): 1, (2, 2): -1, (3, 3): -1}, "=", 0),
        om.LinearRule("one is favoured", {(1, 1): 1, (4, 4): "-1.5"}, ">=", 0),
    ]
    design = om.design(om.question(om.count(5), 1, rules=rules))
    om.write_certificate(design.certificate, sys.argv[1])
    print(f"objective {design.objective:.6g}, proved within {design.certificate.relative_gap:.1e}")


if __name__ == "__main__":
    main()
