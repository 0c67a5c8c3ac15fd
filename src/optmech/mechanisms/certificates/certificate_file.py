"""Read and write certificate files. `docs/certificate.md` describes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from optmech.base.arguments import need_path, takes
from optmech.base.whole_files import read_text, write_whole
from optmech.mechanisms.certificates.certificate_source import certificate_of
from optmech.mechanisms.certificates.certificate_text import certificate_text, read_certificate_text
from optmech.mechanisms.certificates.quantile_text import quantiles_text
from optmech.mechanisms.certificates.table_text import read_table_text, table_text
from optmech.mechanisms.quantiles.quantile_certificate import QuantileCertificate
from optmech.mechanisms.tables.table_certificate import TableCertificate

if TYPE_CHECKING:
    from os import PathLike

    from optmech.mechanisms.certificates.certificate_source import CertificateSource
    from optmech.proofs.certificate import Certificate


class TableHolder(Protocol):
    """An object with the certificate of a table, such as a design."""

    @property
    def certificate(self) -> TableCertificate:
        """The proof."""


TableSource = TableCertificate | TableHolder
"""The certificate of a table, or a design with one."""


def read_table(path: str | PathLike[str]) -> TableCertificate:
    """Return the certificate of a table in a file, after proving everything in it again.

    Raises
    ------
    FileFormatError
        If the file cannot be read or is no certificate of a table.
    VerificationError
        If something in it does not hold.
    """
    return read_table_text(read_text(path, "utf-8"), str(path))


def read_certificate(path: str | PathLike[str]) -> Certificate:
    """Return the certificate of a file, after proving everything in it again.

    Raises
    ------
    FileFormatError
        If the file cannot be read or is no certificate.
    VerificationError
        If something in it does not hold.
    """
    return read_certificate_text(read_text(path, "utf-8"), str(path))


@takes(path=need_path)
def write_certificate(
    certificate: CertificateSource | TableSource | QuantileCertificate, path: str | PathLike[str]
) -> None:
    """Write a certificate, or that of a design, as JSON, completely or not at all, with reproducible bytes.

    Raises
    ------
    FileFormatError
        If the path cannot be written.
    """
    if isinstance(certificate, QuantileCertificate):
        write_whole(path, quantiles_text(certificate))
        return
    table = getattr(certificate, "certificate", certificate)
    if isinstance(table, TableCertificate):
        write_whole(path, table_text(table))
    else:
        write_whole(path, certificate_text(certificate_of(certificate, "`certificate`")))
