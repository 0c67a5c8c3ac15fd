"""A kind of query of one's own: in which of the day's hours something happened, on a clock with a gap.

Answers are hours of a shift; one person may move their hour by one, or between the last and the first hour,
but not over the break. A certificate says that it is a custom query and lists its neighbours, whatever its
author calls it: nothing follows from a name.
"""

from __future__ import annotations

import sys

import optmech as om


def shift_hour(hours: int, break_after: int) -> om.Query:
    """Return the query of an hour, from 0 on, with a break that nobody moves over."""
    if not 0 <= break_after < hours - 1:
        message = f"`break_after` must be an hour before the last of {hours}; got {break_after}."
        raise om.ProblemError(message)
    steps = [(hour, hour + 1) for hour in range(hours - 1) if hour != break_after]
    return om.Query(range(hours), neighbours=[*steps, (0, hours - 1)], name=f"hour of a shift of {hours}")


def main() -> None:
    """Design the mechanism, and write its certificate."""
    problem = om.question(shift_hour(9, 3), 1, loss="zero-one", properties=["column-honest"])
    design = om.design(problem)
    om.write_certificate(design.certificate, sys.argv[1])
    print(f"objective {design.objective:.6g}, proved within {design.certificate.relative_gap:.1e}")


if __name__ == "__main__":
    main()
