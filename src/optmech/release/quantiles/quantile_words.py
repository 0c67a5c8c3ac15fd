"""Sentences on released quantiles, from the certificate alone."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from optmech.base.numbers import as_text
from optmech.mechanisms.quantiles.quantile_certificate import PROBABILITY, QuantileMethod

if TYPE_CHECKING:
    from optmech.mechanisms.quantiles.quantile_certificate import QuantileCertificate

TIME = "the time of a draw depends on the records: let nobody measure it"
"""The fact that is not protected."""


def rank_sentences(certificate: QuantileCertificate) -> list[str]:
    """Return sentences on the error of ranks."""
    bound = certificate.rank_bound
    if bound is None:
        return ["rank error: not bounded, measured only; the privacy of the tree is proved"]
    first = f"rank error at most {as_text(bound)} records with probability {as_text(100 * PROBABILITY)} %"
    return [
        f"{first}, proved, whatever the records, {certificate.problem.num_values:,} values",
        f"of a group whose released number of people is below {ceil(2 * bound)} this bound says nothing",
    ]


def method_sentence(certificate: QuantileCertificate) -> str:
    """Return a sentence on the mechanism."""
    if certificate.method is not QuantileMethod.TREE:
        return f"by {'' if certificate.rho is None else 'the '}{certificate.method}"
    many = len(certificate.problem.quantiles)
    return f"by a {certificate.method}: {many} quantiles in {certificate.levels} levels"
