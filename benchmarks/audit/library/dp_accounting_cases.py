"""Claims of the accountants of dp-accounting on finite mechanisms, whose laws it states in its docstrings."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

from flint import arb

from benchmarks.audit.library.case import LawSource, LibraryCase
from benchmarks.audit.library.closed_forms import gaussian_noise
from benchmarks.audit.library.law import FiniteLaw, exact, shifted

if TYPE_CHECKING:
    from benchmarks.audit.library.case import CaseMaker, Untyped

_NOISE, _BUCKETS, _USES = 0.5, 3, 10
_SMALL_DELTA = 1e-6
_RESPONSE = f"randomized response({_NOISE}, {_BUCKETS})"


def _responses(uses: int) -> FiniteLaw:
    """Return randomised response several times on one of two answers, by how often each is released."""
    other = Fraction(_NOISE) / _BUCKETS
    truth = 1 - Fraction(_NOISE) + other
    rest = 1 - truth - other

    def masses(first: Fraction, second: Fraction) -> dict[tuple[int, int], arb]:
        return {
            (one, two): arb(
                exact(
                    comb(uses, one)
                    * comb(uses - one, two)
                    * first**one
                    * second**two
                    * rest ** (uses - one - two)
                )
            )
            for one in range(uses + 1)
            for two in range(uses - one + 1)
        }

    return FiniteLaw(
        distributions={"first": masses(truth, other), "second": masses(other, truth)},
        pairs=[("first", "second"), ("second", "first")],
    )


def _replace(library: Untyped) -> Untyped:
    return library.NeighboringRelation.REPLACE_ONE


def response(library: Untyped) -> LibraryCase:
    """Return the epsilon of randomised response from its privacy loss distribution."""
    distribution = library.pld.privacy_loss_distribution.from_randomized_response(_NOISE, _BUCKETS)
    return LibraryCase(
        mechanism=f"PLD, {_RESPONSE}",
        inputs="three answers",
        source=LawSource.RECOMPUTED,
        law=_responses(1),
        epsilon=float(distribution.get_epsilon_for_delta(0)),
    )


def _composed(mechanism: str, accountant: Untyped, remark: str = "") -> LibraryCase:
    return LibraryCase(
        mechanism=f"{mechanism}, {_RESPONSE}",
        inputs="three answers",
        source=LawSource.RECOMPUTED,
        law=_responses(_USES),
        epsilon=float(accountant.get_epsilon(_SMALL_DELTA)),
        delta=_SMALL_DELTA,
        remark=remark,
    )


def _event(library: Untyped) -> Untyped:
    return library.RandomizedResponseDpEvent(_NOISE, _BUCKETS)


def composed(library: Untyped) -> LibraryCase:
    """Return the epsilon of several uses that are composed one by one, by privacy loss distributions."""
    accountant = library.pld.PLDAccountant(_replace(library))
    for _ in range(_USES):
        accountant.compose(_event(library))
    return _composed(f"PLDAccountant, {_USES} times compose(event)", accountant)


def composed_at_once(library: Untyped) -> LibraryCase:
    """Return the epsilon of the same uses, which are composed by their number."""
    uses, use = library.pld.PLDAccountant(_replace(library)), library.pld.PLDAccountant(_replace(library))
    uses.compose(_event(library), _USES)
    use.compose(_event(library))
    is_one = uses.get_epsilon(_SMALL_DELTA) == use.get_epsilon(_SMALL_DELTA)
    remark = f"the same number as for one use, not {_USES}" if is_one else ""
    return _composed(f"PLDAccountant, compose(event, {_USES})", uses, remark)


def composed_renyi(library: Untyped) -> LibraryCase:
    """Return the same by Renyi privacy."""
    accountant = library.rdp.RdpAccountant(neighboring_relation=_replace(library))
    return _composed(f"RdpAccountant, compose(event, {_USES})", accountant.compose(_event(library), _USES))


def laplace_composed(library: Untyped) -> LibraryCase:
    """Return the epsilon of several uses of discrete Laplace noise, which are composed by their number."""
    accountant = library.pld.PLDAccountant()
    accountant.compose(library.dp_event.DiscreteLaplaceDpEvent(1, 1), _USES)
    epsilon = accountant.get_epsilon(_SMALL_DELTA)
    name = f"PLDAccountant, compose(event, {_USES}), discrete Laplace(1)"
    return _laplace(name, 1, uses=_USES, epsilon=epsilon, delta=_SMALL_DELTA)


def laplace(library: Untyped) -> LibraryCase:
    """Return the epsilon of discrete Laplace noise."""
    distribution = library.pld.privacy_loss_distribution.from_discrete_laplace_mechanism(0.3)
    return _laplace("PLD, discrete Laplace(0.3)", 0.3, epsilon=distribution.get_epsilon_for_delta(0))


def laplace_dots(library: Untyped) -> LibraryCase:
    """Return the delta of discrete Laplace noise at a smaller epsilon."""
    make = library.pld.privacy_loss_distribution.from_discrete_laplace_mechanism
    delta = make(1, use_connect_dots=True).get_delta_for_epsilon(0.5)
    return _laplace("PLD, discrete Laplace(1), connect dots", 1, epsilon=0.5, delta=delta)


def _laplace(
    name: str, parameter: float, *, uses: int = 1, epsilon: float, delta: float = 0.0
) -> LibraryCase:
    """Return a claim on uses of the noise ``tanh(a / 2) e^(-a |x|)``, on 0 and on 1."""
    return LibraryCase(
        mechanism=name,
        inputs="all whole numbers",
        source=LawSource.RECOMPUTED,
        law=_uses_of(*_halves(parameter), uses),
        epsilon=float(epsilon),
        delta=float(delta),
    )


def _halves(parameter: float) -> tuple[arb, arb]:
    """Return the probabilities of noise up to 0, and from 1 on: on 1 the two are exchanged.

    All noise of a half has the same loss, so that a half is one output.
    """
    a = (-arb(exact(parameter))).exp()
    return 1 / (1 + a), a / (1 + a)


def _uses_of(low: arb, high: arb, uses: int) -> FiniteLaw:
    """Return several uses of a mechanism with two outputs, by how often the first is released."""

    def masses(first: arb, second: arb) -> dict[int, arb]:
        return {
            times: comb(uses, times) * first**times * second ** (uses - times) for times in range(uses + 1)
        }

    return FiniteLaw(distributions={0: masses(low, high), 1: masses(high, low)}, pairs=[(0, 1), (1, 0)])


def gaussian(library: Untyped) -> LibraryCase:
    """Return the delta of discrete Gaussian noise, cut where the library cuts it."""
    sigma, reach = 2, 24
    make = library.pld.privacy_loss_distribution.from_discrete_gaussian_mechanism
    return LibraryCase(
        mechanism=f"PLD, discrete Gaussian({sigma}), noise to {reach}",
        inputs="all whole numbers",
        source=LawSource.RECOMPUTED,
        law=shifted(*gaussian_noise(sigma, reach)),
        epsilon=1,
        delta=float(make(sigma, truncation_bound=reach).get_delta_for_epsilon(1)),
    )


CASES: tuple[CaseMaker, ...] = (
    response,
    composed,
    composed_at_once,
    composed_renyi,
    laplace_composed,
    laplace,
    laplace_dots,
    gaussian,
)
