"""A perturbation table from a certificate, with its whole numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.analysis.p_tables.table import PTable
from optmech.base.errors import ProblemError
from optmech.mechanisms.certificates.certificate_source import certificate_of

if TYPE_CHECKING:
    from optmech.mechanisms.certificates.certificate_source import CertificateSource


def p_table_of(certificate: CertificateSource) -> PTable:
    """Return the perturbation table of a certificate, or of a design that has one.

    The last true count must have the noise of the one before it, as in `p_table`: it stands for all larger
    ones.

    Parameters
    ----------
    certificate : Design or Certificate
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
    source = certificate_of(certificate, "`certificate`")
    query = source.problem.query
    counts = range(query.num_truths)
    responses = [response.midpoint for response in query.responses]
    matrix = source.exact
    if (
        matrix is None
        or query.labels
        or list(query.truths) != list(counts)
        or any(value.denominator != 1 for value in responses)
    ):
        message = (
            f"`certificate` must be a matrix on the counts 0, 1, 2, … whose responses are whole numbers; got "
            f"{query.title}. `p_table` asks for one."
        )
        raise ProblemError(message)
    columns = [
        {
            int(response) - count: Fraction(number, matrix.denominator)
            for response, number in zip(responses, matrix.numerators[:, count].tolist(), strict=True)
            if number
        }
        for count in counts
    ]
    if len(columns) < 2 or columns[-1] != columns[-2]:  # noqa: PLR2004 - the last two
        message = (
            f"`certificate` must give its last true count the noise of the one before it, which larger ones "
            f"have, too; {query.title} has other noise there. `p_table` asks for such a mechanism."
        )
        raise ProblemError(message)
    return PTable(columns[:-1], source="a certificate")
