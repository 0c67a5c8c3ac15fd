"""A certified mechanism as an event of ``dp-accounting``, and the accountant that knows it.

``dp-accounting`` describes a pipeline by events and asks accountants what they spend. Its own accountants
know the events of its own mechanisms; this one knows those and, besides, mechanisms with a certificate.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from optmech.base.extras import package
from optmech.release.plugs.dp_accounting_losses import INTERVAL, dominating_curve, to_dp_accounting

if TYPE_CHECKING:
    from optmech.proofs.certificate import Certificate

__all__ = ["to_dp_accountant", "to_dp_event"]


def to_dp_event(certificate: Certificate) -> Any:  # noqa: ANN401 - a class made for the installed package
    """Return one use of a certified mechanism as an event, to stand among other events.

    It holds where Google's composed events do, and `to_dp_accountant` reads it. Other accountants say that
    they do not support it, and spend nothing silently.

    Raises
    ------
    ProblemError, NotAcceptedError
        As `to_dp_accounting` does.
    """
    dominating_curve(certificate, "`to_dp_event`")
    event, _ = _classes()
    return event(certificate=certificate, sha256=certificate.matrix.sha256())


def to_dp_accountant(*, interval: float = INTERVAL, **settings: Any) -> Any:  # noqa: ANN401 - Google's settings
    """Return an accountant of ``dp-accounting`` that composes certified mechanisms with Google's own.

    Parameters
    ----------
    interval : float
        The grid of losses, as in `to_dp_accounting`.
    **settings
        Of ``PLDAccountant``, such as ``neighboring_relation``. Whether a change that the query of a
        certificate calls one person's is that relation's is for you to say; no file can.

    Returns
    -------
    dp_accounting.pld.PLDAccountant
        Of a class that supports events of `to_dp_event` too.

    Examples
    --------
    ::

        accountant = om.to_dp_accountant()
        accountant.compose(om.to_dp_event(certificate), 10)
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
        """Knows events of certified mechanisms, and all that its base class knows."""

        def _maybe_compose(self, asked: Any, count: int, do_compose: bool) -> Any:  # noqa: ANN401, FBT001 - Google's
            if not isinstance(asked, event):
                return super()._maybe_compose(asked, count, do_compose)
            if do_compose and count:
                losses = to_dp_accounting(asked.certificate, interval=self._value_discretization_interval)
                self._pld: Any = self._pld.compose(losses.self_compose(count))
            return None

    return event, CertifiedPLDAccountant
