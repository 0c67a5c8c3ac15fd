"""What a public call takes in the place of a mechanism: a design, a certificate or a mechanism of doubles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from optmech.base.arguments import brief
from optmech.base.errors import ProblemError
from optmech.mechanisms.certificate_mechanism import mechanism_of
from optmech.mechanisms.distribution import Distribution
from optmech.mechanisms.mechanism import Mechanism
from optmech.proofs.certificate import Certificate
from optmech.question.problem import Problem

__all__ = ["MechanismHolder", "MechanismSource", "Source", "is_source", "source_of"]


class MechanismHolder(Protocol):
    """What has a mechanism, the question that it answers, and its certificate unless nothing is proved."""

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
"""A mechanism, or a certificate or a design, whose mechanism is meant."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Source:
    """A mechanism, and what is known of it beside its matrix.

    Attributes
    ----------
    mechanism : Mechanism
        The mechanism.
    problem : Problem or None
        The question that it answers, where that is said.
    certificate : Certificate or None
        Its proof, where there is one.
    """

    mechanism: Mechanism
    problem: Problem | None = None
    certificate: Certificate | None = None


_PARTS = {"problem": Problem, "mechanism": Mechanism}


def is_source(candidate: object) -> bool:
    """Whether one thing stands for a mechanism, rather than several."""
    return isinstance(candidate, Mechanism | Certificate) or all(
        isinstance(getattr(candidate, name, None), kind) for name, kind in _PARTS.items()
    )


def source_of(argument: object, name: str) -> Source:
    """Return the mechanism that was given, with its question and its certificate as far as they are known.

    Parameters
    ----------
    argument : Mechanism, Certificate or Design
        Of a design with a certificate, that counts.
    name : str
        The argument, as it stands in an error.

    Raises
    ------
    ProblemError
        If it is none of them.

    Examples
    --------
    >>> import optmech as om
    >>> design = om.design(om.croft(om.count(2), 1))
    >>> source_of(design, "mechanism").certificate is design.certificate
    True
    >>> source_of(design.mechanism, "mechanism").problem is None
    True
    """
    if isinstance(argument, Distribution):
        argument = argument.certificate
    if isinstance(argument, Certificate):
        return Source(mechanism=mechanism_of(argument), problem=argument.problem, certificate=argument)
    if isinstance(argument, Mechanism):
        return Source(mechanism=argument)
    if not is_source(argument):
        message = (
            f"`{name}` must be a design, a certificate or a mechanism; got {brief(argument)}. "
            "`design` returns the first, `read_certificate` the second, `Mechanism.from_csv` the third."
        )
        raise ProblemError(message)
    parts = {part: getattr(argument, part) for part in (*_PARTS, "certificate")}
    return Source(**parts)
