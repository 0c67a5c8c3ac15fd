"""Perturbation tables for the tools of statistical offices: ONS's program, tau-ARGUS and SAS.

Keys are counted where a table of keys can hold its probabilities exactly; it is refused where it cannot.
Probabilities are written to twelve digits, rounded so that each column still sums to one.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING

from optmech.analysis.p_tables import PTable, p_table_of
from optmech.analysis.p_tables.table import USUAL_KEYS
from optmech.base.arguments import need_path, one_of, takes
from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text
from optmech.base.whole_files import write_whole

if TYPE_CHECKING:
    from os import PathLike

    from optmech.analysis.p_tables.table import Noise
    from optmech.mechanisms.certificates.certificate_source import CertificateSource

LAYOUTS = ("ons", "ptable", "tau-argus", "sas")
"""Layouts of perturbation tables, by the tools that read or write them."""
_LAST_OF_ONS, _TURN_OF_ONS = 750, 250
_UNIT = 10**12


@takes(path=need_path)
def write_p_table(table: PTable | CertificateSource, path: str | PathLike[str], layout: str) -> None:
    """Write a perturbation table for another tool, whole or not at all; see `p_table_text`.

    Raises
    ------
    ProblemError
        If the layout cannot hold the table.
    FileFormatError
        If the path cannot be written.
    """
    write_whole(path, p_table_text(table, layout))


def p_table_text(table: PTable | CertificateSource, layout: str) -> str:
    r"""Return a perturbation table as other tools read it.

    Parameters
    ----------
    table : PTable, Design or Certificate
        The table, or a design of `p_table`.
    layout : {"ons", "ptable", "tau-argus", "sas"}
        ``"ons"``: ``pcv,ckey,pvalue`` for the counts 1..750 and 256 keys, or 4,096 where those are needed.
        The others are those of the R package ptable: ``"ptable"`` and ``"tau-argus"`` are
        ``i;j;p;v;p_int_ub``, and ``"sas"`` has ``p_int_lb`` besides;
        probabilities have 12 digits at most, so that the file may promise a little less than a certificate.

    Raises
    ------
    ProblemError
        If the layout cannot hold the table.

    Examples
    --------
    >>> print(p_table_text(PTable([{0: 1}, {-1: "1/2", 1: "1/2"}]), "tau-argus"), end="")
    i;j;p;v;p_int_ub
    0;0;1;0;1
    1;0;0.5;-1;0.5
    1;2;0.5;1;1
    """
    one_of(layout, LAYOUTS, "layout")
    noise = p_table_of(table)
    lines = _lines_of_keys(noise) if layout == "ons" else _lines_of_probabilities(noise, sas=layout == "sas")
    return "\n".join(lines) + "\n"


def _lines_of_keys(table: PTable) -> list[str]:
    if not table.zero_stays:
        message = "`table` must leave 0 as it is for `ons`, which has no row for it; it does not."
        raise ProblemError(message)
    start, is_of_ons = table.same_from, (table.last, table.turn) == (_LAST_OF_ONS, _TURN_OF_ONS)
    if not is_of_ons and (start is None or start > _LAST_OF_ONS + 1 - _TURN_OF_ONS):
        message = "`table` must give all counts from 501 on the same noise for `ons`; it does not."
        raise ProblemError(message)
    keys = table.num_keys(*USUAL_KEYS)
    if keys is None:
        message = (
            f"`table` must have probabilities that are multiples of 1/{USUAL_KEYS[-1]} for `ons`, which "
            "counts keys; it has others. Write it for `tau-argus` or `sas`, which take decimals."
        )
        raise ProblemError(message)
    columns = table.noise_by_key(keys)
    lines = ['"pcv","ckey","pvalue"']
    for count in range(1, _LAST_OF_ONS + 1):
        values = columns[min(count, table.last)]
        lines += [f"{count},{key},{value}" for key, value in enumerate(values)]
    return lines


def _lines_of_probabilities(table: PTable, *, sas: bool) -> list[str]:
    if table.turn != 1:
        message = (
            f"`table` must give all larger counts the noise of its last count; they use {table.turn} in turn."
        )
        raise ProblemError(message)
    lines = ["i;j;p;v;p_int_lb;p_int_ub" if sas else "i;j;p;v;p_int_ub"]
    for count, noise in enumerate(table.noise):
        shares = _rounded(noise)
        ends = accumulate(share for _, share in shares)
        for (value, share), end in zip(shares, ends, strict=True):
            cells = [count, count + value, as_text(share), value]
            cells += [as_text(end - share)] if sas else []
            lines.append(";".join(map(str, [*cells, as_text(end)])))
    return lines


def _rounded(noise: Noise) -> Noise:
    """Return probabilities of twelve digits that sum to one: those nearest to the next unit are raised."""
    units = {value: int(share * _UNIT) for value, share in noise}
    rests = sorted(noise, key=lambda part: part[1] * _UNIT - units[part[0]], reverse=True)
    for value, _ in rests[: _UNIT - sum(units.values())]:
        units[value] += 1
    return tuple((value, Fraction(number, _UNIT)) for value, number in units.items() if number)
