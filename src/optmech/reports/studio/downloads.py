"""The files of a design, made in memory: nothing is written on this side of the browser."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from optmech.mechanisms.certificates.certificate_text import certificate_text
from optmech.mechanisms.source import certified_matrix_text
from optmech.reports.card import card_json, card_markdown, card_of
from optmech.reports.report import report_page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.reports.studio.reading import Answer

_CERTIFICATE = "mechanism.certificate.json"
_NOT_COMPARED = "The studio did not compare other tools; `optmech report` does."
FILES: Mapping[str, str] = MappingProxyType(
    {
        "mechanism.csv": "Matrix, CSV",
        _CERTIFICATE: "Certificate, JSON",
        "mechanism.report.html": "Report, HTML",
        "mechanism.card.json": "Card, JSON",
        "mechanism.card.md": "Card, Markdown",
    }
)
"""Downloads: the text of the button for each file."""


def file_of(name: str, design: Answer, command: str) -> bytes:
    """Return the content of one of `FILES`; a report quotes `command`, which designs the same mechanism."""
    certificate = design.certificate
    assert certificate is not None  # noqa: S101 - the studio asks for no raw answers
    match name:
        case "mechanism.csv":
            text = certified_matrix_text(design.mechanism, certificate, _CERTIFICATE)
        case "mechanism.certificate.json":
            text = certificate_text(certificate)
        case "mechanism.report.html":
            text = report_page(certificate, comparison=_NOT_COMPARED, again=command)
        case "mechanism.card.json":
            text = card_json(card_of(certificate))
        case _:
            text = card_markdown(card_of(certificate))
    return text.encode()
