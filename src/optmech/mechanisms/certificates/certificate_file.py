"""Read and write certificate files. `docs/certificate.md` describes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.arguments import need_path, takes
from optmech.base.whole_files import read_text, write_whole
from optmech.mechanisms.certificates.certificate_source import certificate_of
from optmech.mechanisms.certificates.certificate_text import certificate_text, read_certificate_text

if TYPE_CHECKING:
    from os import PathLike

    from optmech.mechanisms.certificates.certificate_source import CertificateSource
    from optmech.proofs.certificate import Certificate


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
def write_certificate(certificate: CertificateSource, path: str | PathLike[str]) -> None:
    """Write a certificate, or that of a design, as JSON, completely or not at all, with reproducible bytes.

    Raises
    ------
    FileFormatError
        If the path cannot be written.
    """
    write_whole(path, certificate_text(certificate_of(certificate, "`certificate`")))
