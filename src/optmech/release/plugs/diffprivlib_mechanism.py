"""A certified mechanism with the interface and errors of IBM's ``diffprivlib``."""

from __future__ import annotations

import copy
import importlib
import secrets
from fractions import Fraction
from functools import cache
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import ProblemError, broken_rule
from optmech.mechanisms.source import mechanism_of
from optmech.question.protection import cautions_of, neighbours_of
from optmech.release.plugs.promise import handed_on
from optmech.release.plugs.scipy_distribution import distribution, need_truth
from optmech.release.tables.law_of_source import law_of

if TYPE_CHECKING:
    from optmech.mechanisms.certificates.certificate_source import CertificateSource
    from optmech.release.plugs.scipy_distribution import ScipyDistribution


class CertifiedMechanism:
    """Draws from a certified mechanism, one value at a time; made by `to_diffprivlib`.

    `epsilon` and `delta` are proved between neighbours and rounded up. The delta is always that of (epsilon,
    delta)-differential privacy, for every definition in the design.
    """

    def __init__(
        self,
        *,
        certificate: CertificateSource,
        random_state: Any = None,  # noqa: ANN401 - diffprivlib's
        accountant: Any = None,  # noqa: ANN401 - diffprivlib's
    ) -> None:
        promise = handed_on(certificate, "`to_diffprivlib`")
        self.certificate, self.random_state, self.accountant = promise.certificate, random_state, accountant
        self.epsilon, self.delta = promise.one_person
        self._mechanism = mechanism_of(promise.certificate)
        self._seed = _generator(random_state)

    def randomise(self, value: Any) -> Any:  # noqa: ANN401 - a number or a label
        """Draw a response for a true answer, in exact arithmetic, after asking an accountant.

        TypeError: the value is no number, or no text where truths have labels. ValueError: it is not one of
        the truths; the caller must clamp values out of range.
        """
        truth = self._valid_value(value)
        if self.accountant is not None:
            self.accountant.spend(self.epsilon, self.delta)  # before the draw: a refused draw must not happen
        return self._mechanism.sample(truth, seed=self._seed)

    def bias(self, value: Any) -> float | None:  # noqa: ANN401 - as above
        """Return the mean of the responses less the truth, rounded once; ``None`` for labels."""
        truth, law = self._law(value)
        return None if law is None else float(law.exact_mean - truth)

    def variance(self, value: Any) -> float | None:  # noqa: ANN401 - as above
        """Return the variance of the responses, rounded once; ``None`` for labels."""
        _, law = self._law(value)
        return None if law is None else float(law.exact_var)

    def mse(self, value: Any) -> float | None:  # noqa: ANN401 - as above
        """Return the mean squared error, rounded once; ``None`` for labels."""
        truth, law = self._law(value)
        return None if law is None else float(law.exact_var + (law.exact_mean - truth) ** 2)

    def copy(self) -> CertifiedMechanism:
        """Return a copy. Both share a given generator, as in diffprivlib."""
        return copy.copy(self)

    def __repr__(self) -> str:
        certificate = self.certificate
        text = f"{certificate.problem}: epsilon={self.epsilon}, delta={self.delta}"
        query = certificate.problem.query
        parts = (certificate.caution, text, neighbours_of(query), *cautions_of(query))
        return f"CertifiedMechanism({' '.join(filter(None, parts))})"

    def _valid_value(self, value: Any) -> Any:  # noqa: ANN401 - as above
        labels = self._mechanism.labels
        kind = str if labels else Real
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, kind):
            rule = "the text of a label" if labels else "a number"
            message = f"`value` must be {rule}; got {value!r} of type {type(value).__name__}."
            raise TypeError(message)
        if labels and value not in labels:
            raise broken_rule("value", f"be among {', '.join(labels)[:60]}", repr(value))
        if labels:
            return value
        law = law_of(self._mechanism, self.certificate)
        remedy = law.beyond_list or "Round or clamp it first."
        return need_truth(self._mechanism, value, "value", remedy)  # type: ignore[arg-type] # others are refused

    def _law(self, value: Any) -> tuple[Fraction, ScipyDistribution | None]:  # noqa: ANN401 - as above
        truth = self._valid_value(value)
        return (
            (Fraction(0), None) if self._mechanism.labels else (truth, distribution(self.certificate, truth))
        )


def to_diffprivlib(
    certificate: CertificateSource,
    *,
    random_state: Any = None,  # noqa: ANN401 - anything that diffprivlib takes
    accountant: Any = None,  # noqa: ANN401 - diffprivlib's BudgetAccountant
) -> CertifiedMechanism:
    """Return a certified mechanism with the interface of ``diffprivlib``.

    Parameters
    ----------
    certificate : Certificate or Design
        Any query that is protected in both directions, also with labels.
    random_state : int, numpy.random.Generator or numpy.random.RandomState, optional
        For experiments: draws that can be repeated, **not private**. By default, or with
        ``secrets.SystemRandom``, the randomness is the operating system's.
    accountant : diffprivlib.BudgetAccountant, optional
        Records each draw before it is made, and may refuse it.

    Returns
    -------
    CertifiedMechanism
        Also a ``diffprivlib.mechanisms.base.DPMechanism``, where that can be imported.

    Raises
    ------
    ProblemError
        If it has no proof, or `random_state` makes no generator.
    NotAcceptedError
        If the mechanism is not differentially private.

    Examples
    --------
    >>> import optmech as om
    >>> mechanism = to_diffprivlib(om.design(om.croft(om.count(5), "0.5")))
    >>> mechanism.epsilon, mechanism.delta, mechanism.randomise(2) in range(6)
    (0.5, 0.0, True)
    """
    result: CertifiedMechanism = _class()(
        certificate=certificate, random_state=random_state, accountant=accountant
    )
    return result


@cache
def _class() -> type[CertifiedMechanism]:
    try:
        base = importlib.import_module("diffprivlib.mechanisms.base").DPMechanism
    except ImportError:  # absent, or incompatible with the installed scikit-learn
        return CertifiedMechanism
    members = {"__module__": __name__, "__doc__": CertifiedMechanism.__doc__}
    mechanism_class: type[CertifiedMechanism] = type(base)(
        "CertifiedMechanism", (CertifiedMechanism, base), members
    )
    return mechanism_class


def _generator(random_state: Any) -> np.random.Generator | None:  # noqa: ANN401 - as above
    if random_state is None or isinstance(random_state, secrets.SystemRandom):
        return None
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**32, size=4, dtype=np.uint32))
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        message = (
            "`random_state` must be a whole number, zero or more, or a NumPy generator; "
            f"got {random_state!r}. Leave it out for randomness of the operating system."
        )
        raise ProblemError(message) from None
