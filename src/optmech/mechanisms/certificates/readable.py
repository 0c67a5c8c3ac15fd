"""Change a certificate whose file would be too much to compute, so that its readers accept it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from optmech.base.errors import VerificationError
from optmech.mechanisms.certificates.certificate_text import certificate_text, content_of
from optmech.mechanisms.certificates.matrix_work import share_of_work
from optmech.proofs.file_limits import MOST_CHARACTERS
from optmech.proofs.matrix import ExactMatrix

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.proofs.levels.tree import LevelProof
    from optmech.proofs.matrix_certificate import MatrixCertificate
    from optmech.proofs.multipliers import Tree

# A smaller proof may have longer numbers: it gets so much of the cases that would just be few enough.
_ROOM = 0.9


def readable(
    certificate: MatrixCertificate, smaller: Callable[[int], Tree | LevelProof] | None = None
) -> MatrixCertificate:
    """Return the certificate, or one whose file is not too much to compute.

    That has its matrix in full in place of one in short, or, in place of a proof of many cases, the one that
    `smaller` returns for at most so many. The bound is then weaker; where one case is too much there is none.
    A `VerificationError` says that even then it is too much.
    """
    matrix = certificate.matrix
    in_short, share = matrix.rays is not None or matrix.by_column, 0.0
    if in_short or _num_cases(certificate) > 1:  # a matrix in full and one case are never too much
        share = _share(certificate)
    if in_short and share > 1:
        whole = ExactMatrix(numerators=matrix.numerators, denominator=matrix.denominator)
        in_full = replace(certificate, matrix=whole)
        certificate, share = min((in_full, _share(in_full)), (certificate, share), key=lambda each: each[1])
    while share > 1 and (cases := _num_cases(certificate)) > 0:
        most = max(min(int(_ROOM * cases / share), cases - 1), 1)
        proof = smaller(most) if smaller is not None and cases > 1 else None
        certificate = replace(certificate, proof=proof)
        share = _share(certificate)
    if share > 1:
        title = certificate.problem.query.title
        message = (
            f"a mechanism for {title} was made, but every reader would refuse its certificate as too much to "
            "compute. Ask for a coarser range."
        )
        raise VerificationError(message)
    return certificate


def _num_cases(certificate: MatrixCertificate) -> int:
    return 0 if certificate.proof is None else certificate.proof.num_cases


def _share(certificate: MatrixCertificate) -> float:
    """Return the work of its readers, or its length, relatively to the most that they accept."""
    characters = len(certificate_text(certificate))
    return max(share_of_work(content_of(certificate), characters), characters / MOST_CHARACTERS)
