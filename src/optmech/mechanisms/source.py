"""Accept a design, a certificate or a mechanism of doubles in a public call."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from optmech.base.arguments import brief
from optmech.base.errors import ProblemError
from optmech.mechanisms.matrix_csv import matrix_text
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.mechanisms.mechanism import Mechanism
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.mechanisms.two_number_mechanism import TwoNumberMechanism
from optmech.proofs.certificate import Certificate
from optmech.proofs.chain.certificate import NoiseCertificate
from optmech.proofs.two_numbers import TwoNumbers
from optmech.question.problem import Problem


class MechanismHolder(Protocol):
    """An object with a mechanism, the question that it answers, and its certificate if one is proved."""

    @property
    def problem(self) -> Problem:
        """The question."""

    @property
    def mechanism(self) -> Mechanism:
        """The answer."""

    @property
    def certificate(self) -> Certificate | None:
        """The proof."""


MechanismSource = Mechanism | Certificate | MechanismHolder
"""A mechanism, or a certificate or a design with one."""


class Source(NamedTuple):
    """A mechanism, with its question and its proof where they are known."""

    mechanism: Mechanism
    problem: Problem | None = None
    certificate: Certificate | None = None


_PARTS = {"problem": Problem, "mechanism": Mechanism}


def mechanism_of(certificate: Certificate, *, most_truths: int | None = None) -> Mechanism:
    """Return the mechanism of a certificate: a matrix where it is small enough, else noise.

    Above `most_truths` it is noise wherever the certificate is about noise.
    """
    is_wide = most_truths is not None and certificate.problem.query.num_truths > most_truths
    if isinstance(certificate, NoiseCertificate) and (is_wide or certificate.exact is None):
        return NoiseMechanism(certificate=certificate)
    if isinstance(certificate.exact, TwoNumbers):
        query = certificate.problem.query
        return TwoNumberMechanism(certificate.exact, query.truths, query.labels)
    return MatrixMechanism.certified(certificate)


def mechanism(source: MechanismSource) -> Mechanism:
    """Return what draws, of a certificate of any kind, or of a design.

    Parameters
    ----------
    source : Certificate, Design or Mechanism
        A file's certificate is read by `read_certificate`, which proves it again.

    Returns
    -------
    Mechanism
        A matrix where it is small enough, else noise and thresholds.

    Raises
    ------
    ProblemError
        If it is none of these.

    Examples
    --------
    >>> import optmech as om
    >>> certificate = om.design(om.question(om.count(10), 1)).certificate
    >>> om.mechanism(certificate).sample([3, 0, 5]).shape
    (3,)
    """
    return source_of(source, "source").mechanism


def certified_matrix_text(mechanism: Mechanism, certificate: Certificate, file: str, *comments: str) -> str:
    """Return a certified matrix as CSV, with the file name of its certificate."""
    lines = [mechanism.provenance_line(certificate, file), *comments]
    return matrix_text(
        mechanism.responses, mechanism.truths, mechanism.matrix, lines, labels=mechanism.labels
    )


def find_source(argument: object) -> Source | None:
    """Return a mechanism, with its question and its certificate as far as they are known; else ``None``.

    If a design has a certificate, the certificate counts.
    """
    if isinstance(argument, Mechanism):
        if argument.certificate is None:
            return Source(mechanism=argument)
        argument = argument.certificate
    if isinstance(argument, Certificate):
        return Source(mechanism=mechanism_of(argument), problem=argument.problem, certificate=argument)
    if not all(isinstance(getattr(argument, name, None), kind) for name, kind in _PARTS.items()):
        return None
    return Source(**{part: getattr(argument, part) for part in (*_PARTS, "certificate")})


def source_of(argument: object, name: str) -> Source:
    """Return the same as `find_source`, or raise a ProblemError on the argument `name`."""
    source = find_source(argument)
    if source is None:
        message = (
            f"`{name}` must be a design, a certificate or a mechanism; got {brief(argument)}. "
            "`design` returns the first, `read_certificate` the second, `MatrixMechanism.from_csv` the third."
        )
        raise ProblemError(message)
    return source
