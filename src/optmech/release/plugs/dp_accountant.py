"""A certified mechanism as a privacy loss distribution, and as an event, of Google's ``dp-accounting``.

The pair of columns that dominates all neighbours is found in rationals, as for a composition. Each of its
losses ``ln(P / Q)`` goes to the least multiple of the interval that is not below it, decided without
rounding, and masses are rounded up: the distribution dominates the mechanism. From there on ``dp-accounting``
computes in floating point.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from optmech.analysis.composition.curve import rounded_up
from optmech.analysis.composition.pairs import privacy_curve
from optmech.base.arguments import brief
from optmech.base.errors import broken_rule
from optmech.base.extras import package
from optmech.base.logarithm import Logarithm
from optmech.release.plugs.promise import digest_of, handed_on

if TYPE_CHECKING:
    from optmech.analysis.composition.curve import PrivacyCurve
    from optmech.mechanisms.certificates.certificate_source import CertificateSource
    from optmech.proofs.certificate import Certificate

INTERVAL = 1e-4
"""The default grid of losses in ``dp-accounting``."""
_FINEST = 1e-9
_WHO = "`to_dp_accounting`"


def to_dp_accounting(certificate: CertificateSource, *, interval: float = INTERVAL) -> Any:  # noqa: ANN401 - Google's own class
    """Return the privacy losses of a certified mechanism, to compose with others in ``dp-accounting``.

    Parameters
    ----------
    certificate : Certificate or Design
        Its query is protected in both directions, with equal weights of neighbours.
    interval : float
        The grid of losses. Distributions that are composed must share it. The epsilon at delta 0 is at most
        one interval above the certified one.

    Returns
    -------
    dp_accounting.pld.privacy_loss_distribution.PrivacyLossDistribution
        Pessimistic, and the same for adding and for removing a record: it dominates both. Neighbours are
        those of the certificate's query; compose it with mechanisms for the same neighbours.

    Raises
    ------
    ProblemError
        If the package is not installed, an argument breaks its rule, or there are more than a million ratios
        to compare. In that case ``from_privacy_parameters`` of the package is sound, but less tight.
    NotAcceptedError
        If the mechanism is not differentially private.

    Examples
    --------
    ::

        losses = om.release.to_dp_accounting(om.read_certificate("mechanism.certificate.json"))
        losses.self_compose(10).get_delta_for_epsilon(2.0)
    """
    curve, _ = _dominating_curve(certificate, _WHO)
    module = package("dp_accounting.pld.privacy_loss_distribution", "accounting", _WHO)
    masses = rounded_losses(curve, interval)
    return module.PrivacyLossDistribution.create_from_rounded_probability(
        masses, rounded_up(curve.infinite), float(interval), pessimistic_estimate=True
    )


def to_dp_event(certificate: CertificateSource) -> Any:  # noqa: ANN401 - a class made for the installed package
    """Return one use of a certified mechanism as an event, to combine with other events.

    It works in Google's composed events, and `to_dp_accountant` reads it. Other accountants report that they
    do not support it; none ignores it silently.

    Raises
    ------
    ProblemError, NotAcceptedError
        As `to_dp_accounting` does.
    """
    _, curve_certificate = _dominating_curve(certificate, "`to_dp_event`")
    event, _ = _classes()
    return event(certificate=curve_certificate, sha256=digest_of(curve_certificate))


def to_dp_accountant(*, interval: float = INTERVAL, **settings: Any) -> Any:  # noqa: ANN401 - Google's settings
    """Return an accountant of ``dp-accounting`` that composes certified mechanisms with Google's own.

    Parameters
    ----------
    interval : float
        The grid of losses, as in `to_dp_accounting`.
    **settings
        Settings of ``PLDAccountant``, such as ``neighboring_relation``. You must decide whether this relation
        matches the changes of one person in the certificate's query; no file can.

    Returns
    -------
    dp_accounting.pld.PLDAccountant
        The accountant, which also supports events of `to_dp_event`.

    Examples
    --------
    ::

        accountant = om.release.to_dp_accountant()
        accountant.compose(om.release.to_dp_event(certificate), 10)
        accountant.compose(dp_accounting.GaussianDpEvent(noise_multiplier=5.0))
        accountant.get_epsilon(1e-6)
    """
    _, accountant = _classes()
    return accountant(value_discretization_interval=interval, **settings)


@cache
def _classes() -> tuple[Any, Any]:
    who = "an event of `dp-accounting`"
    events = package("dp_accounting.dp_event", "accounting", who)
    accountants = package("dp_accounting.pld.pld_privacy_accountant", "accounting", who)
    attr = package("attr", "accounting", who)
    fields = {"certificate": attr.ib(repr=False, eq=False), "sha256": attr.ib()}
    event: Any = attr.make_class("CertifiedDpEvent", fields, bases=(events.DpEvent,), frozen=True)

    class CertifiedPLDAccountant(accountants.PLDAccountant):  # type: ignore[misc, name-defined] # made at run time
        """A ``PLDAccountant`` that also supports events of certified mechanisms."""

        def _maybe_compose(self, given_event: Any, count: int, do_compose: bool) -> Any:  # noqa: ANN401, FBT001 - Google's
            if not isinstance(given_event, event):
                return super()._maybe_compose(given_event, count, do_compose)
            if do_compose and count:
                losses = to_dp_accounting(
                    given_event.certificate, interval=self._value_discretization_interval
                )
                self._pld: Any = self._pld.compose(losses.self_compose(count))
            return None

    return event, CertifiedPLDAccountant


def rounded_losses(curve: PrivacyCurve, interval: float) -> dict[int, float]:
    """Return the mass of each multiple of `interval`, losses and masses rounded up."""
    if (
        isinstance(interval, bool)
        or not isinstance(interval, (int, float))
        or not _FINEST <= interval < math.inf
    ):
        raise broken_rule(
            "interval", "be a positive number from 1e-9 on", brief(interval), "`dp-accounting` takes 1e-4."
        )
    step, cells = Fraction(interval), dict[int, Fraction]()
    for ratio, mass in zip(curve.ratios, curve.masses, strict=True):
        loss = Logarithm(ratio)
        cell = math.ceil(float(loss) / step)  # a double is near; the next lines decide
        while loss > cell * step:
            cell += 1
        while loss <= (cell - 1) * step:
            cell -= 1
        cells[cell] = cells.get(cell, Fraction(0)) + mass
    return {cell: rounded_up(mass) for cell, mass in cells.items()}


def _dominating_curve(source: CertificateSource, who: str) -> tuple[PrivacyCurve, Certificate]:
    """Return the pair that dominates all neighbours, and the proof; raises as `to_dp_accounting` does."""
    certificate = handed_on(source, who).certificate
    return privacy_curve(certificate), certificate
