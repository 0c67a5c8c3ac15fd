"""A perturbation table from a certificate, with its whole numbers, or as it is."""

from __future__ import annotations

from fractions import Fraction
from functools import singledispatch
from typing import TYPE_CHECKING

from optmech.analysis.p_tables.table import PTable
from optmech.base.errors import ProblemError
from optmech.mechanisms.certificates.certificate_source import certificate_of

if TYPE_CHECKING:
    from optmech.mechanisms.certificates.certificate_source import CertificateSource


@singledispatch
def p_table_of(source: PTable | CertificateSource) -> PTable:
    """Return the perturbation table of a certificate, or of a design that has one; a table as it is.

    The last true count must have the noise of the one before it, as in `p_table`: it stands for all larger
    ones.

    Parameters
    ----------
    source : PTable, Design or Certificate
        A mechanism on the counts 0, 1, 2, … whose responses are whole numbers.

    Raises
    ------
    ProblemError
        If it is none, or larger counts would have other noise.

    Examples
    --------
    >>> import optmech as om
    >>> table = p_table_of(om.design(om.p_table(2, 1, variance=1, unbiased=True)))
    >>> print(table, table.reach)
    p-table: separate noise for counts 0..3; larger ones have that of 3 2
    """
    certificate = certificate_of(source, "`source`")
    query = certificate.problem.query
    counts = range(query.num_truths)
    responses = [response.midpoint for response in query.responses]
    matrix = certificate.exact
    if (
        matrix is None
        or query.labels
        or list(query.truths) != list(counts)
        or any(value.denominator != 1 for value in responses)
    ):
        message = (
            f"`source` must be a matrix on the counts 0, 1, 2, … whose responses are whole numbers; got "
            f"{query.title}. `p_table` asks for one."
        )
        raise ProblemError(message)

    def column(count: int) -> dict[int, Fraction]:
        numbers = zip(responses, matrix.numerators[:, count].tolist(), strict=True)
        return {
            int(response) - count: Fraction(number, matrix.denominator)
            for response, number in numbers
            if number
        }

    if len(counts) < 2 or column(counts[-1]) != column(counts[-2]):  # noqa: PLR2004 - the last two
        message = (
            f"`source` must give its last true count the noise of the one before it, which larger ones "
            f"have, too; {query.title} has other noise there. `p_table` asks for such a mechanism."
        )
        raise ProblemError(message)
    return PTable(map(column, counts[:-1]), source="a certificate")


@p_table_of.register
def _(source: PTable) -> PTable:
    return source
