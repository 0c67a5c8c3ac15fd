"""``optmech compose`` where certificates of whole tables are among those composed."""

from __future__ import annotations

from fractions import Fraction
from math import exp, inf
from typing import TYPE_CHECKING

from optmech.base.arguments import whole_number
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.number_format import at_most
from optmech.base.numbers import as_text
from optmech.base.visible import visible
from optmech.cli.certificate_files import whole_at
from optmech.cli.output import answer
from optmech.mechanisms.certificates.certificate_file import read_certificate
from optmech.mechanisms.quantiles.quantile_certificate import QuantileCertificate
from optmech.mechanisms.tables.table_noise import MarginNoise

if TYPE_CHECKING:
    from optmech.base.logarithm import Logarithm
    from optmech.cli.parsers import Arguments
    from optmech.release.tables.draws import Draw
    from optmech.release.tables.spending import Spending

_DIGITS, _STEPS, _LEAST_LOG = 6, 50, -600.0


def has_table(paths: list[str]) -> bool:
    """Whether a file is the certificate of a whole table, or of quantiles."""
    return any(whole_at(path) is not None for path in paths)


def compose_tables(arguments: Arguments, epsilon: Fraction | Logarithm | None, delta: Fraction | None) -> int:
    """Print what uses of tables, and of others, spend together."""
    from optmech.release.tables.spending import Spending  # noqa: PLC0415 - Arrow takes a moment to load

    if arguments.out is not None:
        message = (
            "`--out` must be left out with certificates of tables or quantiles: their curve is not computed."
        )
        raise ProblemError(message)
    if whole_number(arguments.uses, "uses") < 1:
        raise broken_rule("uses", "be at least 1", arguments.uses)
    spending = Spending(draws=tuple(_draw(path, arguments.uses) for path in arguments.certificates))
    if delta is not None:
        found = spending.epsilon(delta)
        text, at = f"epsilon            {found!r}   at delta = {as_text(delta)}", delta
        numbers = {"epsilon": found, "delta": as_text(delta)}
    else:
        assert epsilon is not None  # noqa: S101 - one of the two is given
        at = _delta_at(spending, epsilon)
        text = f"delta              {at_most(at, _DIGITS)}   at epsilon = {as_text(epsilon)}"
        numbers = {"epsilon": as_text(epsilon), "delta": float(at)}
    rho = spending.rho
    lines = [
        f"uses               {arguments.uses * len(spending.draws)}, adaptive queries",
        f"{text}   {spending.provenance}",
        *([] if rho is None else [f"rho                {at_most(rho, _DIGITS)} of zCDP"]),
        *filter(None, [spending.way(at)]),
        *map(visible, arguments.certificates),
    ]
    content = {
        "certificates": arguments.certificates,
        "uses": arguments.uses * len(spending.draws),
        "queries": "adaptive",
        "provenance": spending.provenance,
        "exact": False,
        **numbers,
        "zcdp": None if rho is None else as_text(rho),
        "way": spending.way(at),
        "out": None,
    }
    answer(arguments, lambda: content, lambda: lines)
    return 0


def _draw(path: str, uses: int) -> Draw:
    """Return a draw that stands for the uses of one certificate."""
    from optmech.analysis.composition.concentrated import TableGuarantee  # noqa: PLC0415 - as above
    from optmech.release.tables.draws import Draw  # noqa: PLC0415 - as above

    table, rho = whole_at(path), None
    is_of_quantiles = isinstance(table, QuantileCertificate)
    if isinstance(table, QuantileCertificate):
        rho = None if table.rho is None else uses * table.rho
    elif table is not None and not isinstance(table.noise, MarginNoise):
        rho = uses * (table.problem.budget.rho or table.rho)
    return Draw(
        data=None,
        part=None,
        key=path,
        time="",
        output="",
        table="",
        column="",
        mechanisms=(read_certificate(path) if table is None else TableGuarantee(table.epsilon, table.delta),),
        uses=uses,
        rows=None,
        adds="",
        is_taken_whole=False,
        rests_on_bound=False,
        limited=(),
        unknown="",
        rho=rho,
        is_of_quantiles=is_of_quantiles,
    )


def _delta_at(spending: Spending, epsilon: Fraction | Logarithm) -> Fraction:
    """Return a delta at which at most epsilon is spent; 1 where none is found."""
    most = float(epsilon)
    low, high, best = _LEAST_LOG, 0.0, Fraction(1)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        delta = Fraction(f"{exp(middle):.12g}")
        spent = spending.epsilon(delta) if delta < 1 else inf
        if spent <= most:
            high, best = middle, delta
        else:
            low = middle
    return best
