"""Accept a certificate, or an object that has one, such as a design, in a public call."""

from __future__ import annotations

from typing import Protocol

from optmech.base.arguments import brief
from optmech.base.errors import ProblemError
from optmech.proofs.certificate import Certificate


class CertificateHolder(Protocol):
    """An object with a certificate, or ``None`` without a proof."""

    @property
    def certificate(self) -> Certificate | None:
        """The proof."""


CertificateSource = Certificate | CertificateHolder
"""A certificate, or a design with one."""


def certificate_of(source: object, who: str) -> Certificate:
    """Return the certificate that `source` is or has; `who` names the call or argument in an error.

    >>> import optmech as om
    >>> certificate_of(om.design(om.croft(om.count(2), 1), raw=True), "`certificate`")
    Traceback (most recent call last):
    ...
    optmech.base.errors.ProblemError: `certificate` must have a certificate, of which privacy is proved; got \
a RawDesign, of which nothing is. Design it without `raw`.
    """
    has = getattr(source, "certificate", None)
    for certificate in (source, has):
        if isinstance(certificate, Certificate):
            return certificate
    rule = f"{who} must have a certificate, of which privacy is proved"
    if hasattr(source, "mechanism") and has is None:
        message = f"{rule}; got a {type(source).__name__}, of which nothing is. Design it without `raw`."
        raise ProblemError(message)
    message = f"{rule}; got {brief(source)}. Give a design, or read one with `read_certificate`."
    raise ProblemError(message)
