"""Perturbation tables as their tools write them, made by the description of each format."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
SMALL = [{0: Fraction(1)}, {-1: HALF, 1: HALF}, {-1: QUARTER, 0: HALF, 1: QUARTER}]
"""0 stays, the mean is kept, and larger counts have the noise of 2."""


def ons_text(columns, keys=4):
    """Return a table of keys, its counts from 1 on, in the layout of ONS."""
    lines = ['"pcv","ckey","pvalue"']
    for count, column in enumerate(columns):
        noise = [value for value, share in sorted(column.items()) for _ in range(int(share * keys))]
        assert len(noise) == keys
        lines += [f"{count},{key},{value}" for key, value in enumerate(noise) if count]
    return "\n".join(lines) + "\n"


def ptable_text(columns, *, digits=8, sas=False):
    """Return a table of probabilities with this many digits, in a layout of ptable."""
    lines = ["i;j;p;v;p_int_lb;p_int_ub" if sas else "i;j;p;v;p_int_ub"]
    for count, column in enumerate(columns):
        shares = [round(float(share), digits) for _, share in sorted(column.items())]
        for value, share, end in zip(sorted(column), shares, accumulate(shares), strict=True):
            begin = f"{round(end - share, digits)};" if sas else ""
            lines.append(f"{count};{count + value};{share};{value};{begin}{round(end, digits)}")
    return "\n".join(lines) + "\n"


def rounding_to_five():
    """Return ONS's sample: counts below 10 become 0, others the nearest multiple of 5."""
    return [{(5 * ((count + 2) // 5) if count >= 10 else 0) - count: Fraction(1)} for count in range(751)]
