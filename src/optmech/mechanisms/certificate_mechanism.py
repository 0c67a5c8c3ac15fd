"""The mechanism of any certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.mechanisms.mechanism import Mechanism
from optmech.mechanisms.remapped_geometric import RemappedGeometric
from optmech.mechanisms.remapped_noise import RemappedNoise
from optmech.proofs.chain.certificate import NoiseCertificate
from optmech.proofs.distribution_certificate import DistributionCertificate
from optmech.proofs.geometric_certificate import GeometricCertificate

if TYPE_CHECKING:
    from optmech.mechanisms.distribution import Distribution
    from optmech.proofs.certificate import Certificate

__all__ = ["distribution_of", "mechanism_of"]


def mechanism_of(certificate: Certificate) -> Mechanism:
    """Return the mechanism of a certificate: its matrix, or its distribution."""
    if isinstance(certificate, DistributionCertificate) and not certificate.has_matrix:
        return distribution_of(certificate)
    return Mechanism.certified(certificate)


def distribution_of(certificate: DistributionCertificate) -> Distribution:
    """Return the distribution of a certificate that is one."""
    if isinstance(certificate, GeometricCertificate):
        return RemappedGeometric(certificate=certificate)
    assert isinstance(certificate, NoiseCertificate)  # noqa: S101 - there is no third
    return RemappedNoise(certificate=certificate)
