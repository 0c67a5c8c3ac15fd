"""A certified mechanism as a measurement of OpenDP.

The measurement
---------------
    input    numbers: whole numbers x, the true answer being x times one over the common denominator of all
             truths: a count itself; of a mean of n records, their *sum*. Labels: texts.
    metric   numbers: absolute distance of x. Labels: discrete distance.
    function total. x is clamped to the range of truths and rounded to the nearest, the lower of two; a text
             that is no label counts as a label drawn uniformly. Then a draw in whole numbers with the
             operating system's randomness.
    measure  max divergence where a pure epsilon is certified, else approximate max divergence: both numbers
    map      d -> the largest proved loss between inputs at most d apart, rounded up

Between neighbours the map returns the certified epsilon. At further distances it returns the exact loss, or
the exact delta at one epsilon for each step of neighbours. No input is refused: an error would reveal that an
answer was out of range. A mixture of columns is no further from a column than the furthest of them
(divergences are jointly convex), so unknown texts are covered.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from functools import cache
from itertools import pairwise
from math import lcm
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import NotAcceptedError, ProblemError, broken_rule
from optmech.base.extras import package
from optmech.mechanisms.sampling import Sampler
from optmech.mechanisms.source import mechanism_of
from optmech.release.plugs.promise import handed_on
from optmech.release.tables.law_of_source import law_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from optmech.mechanisms.certificates.certificate_source import CertificateSource
    from optmech.proofs.certificate import Certificate
    from optmech.release.plugs.promise import ExportPromise

    Integers = NDArray[Any]
    Distance = Callable[[int], float | tuple[float, float]]

_WHO = "`to_opendp`"
_FEATURES = ("contrib", "honest-but-curious")
_BITS = {"i32": 31, "i64": 63}


def to_opendp(certificate: CertificateSource, *, carrier: str = "i32") -> Any:  # noqa: ANN401 - OpenDP's own class
    """Return a certified mechanism as a measurement of OpenDP, to chain and to compose.

    Enable OpenDP's features ``"contrib"`` and ``"honest-but-curious"`` first: they permit measurements whose
    privacy OpenDP has not checked.

    An input is an integer number of steps; a step is one over the common denominator of all truths. A count
    is itself. The mean of ten records goes in as their **sum**, as from OpenDP's ``make_sum``, and comes out
    as a mean. Labels go in and come out as texts. No input is refused: numbers are clamped to the range and
    rounded to the nearest truth, and an unknown text counts as a random label.

    Parameters
    ----------
    certificate : Certificate or Design
        Any query that is protected in both directions, also with labels.
    carrier : {"i32", "i64"}
        OpenDP's type of the true answers and of integer responses; its counts have ``"i32"``. Other responses
        are doubles, labels are texts.

    Returns
    -------
    opendp.Measurement
        Its `map` returns epsilon, or the pair (epsilon, delta), at a distance between inputs: counts of
        neighbours are 1 apart, sums the range of a record, labels 1. An epsilon that is no double, such as
        3/10, is rounded up, so ``measurement.check(1, 0.3)`` fails.

    Raises
    ------
    ProblemError
        If OpenDP is not installed, `certificate` has no proof, or `carrier` does not hold its numbers.
    NotAcceptedError
        If the features are not enabled, or the mechanism is not differentially private.

    Examples
    --------
    ::

        import opendp.prelude as dp
        dp.enable_features("contrib", "honest-but-curious")
        measurement = om.release.to_opendp(om.read_certificate("mechanism.certificate.json"))
        count = dp.t.make_count(dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance())
        (count >> measurement)(["a", "b"]), (count >> measurement).map(1)
    """
    promise = handed_on(certificate, _WHO)
    dp = package("opendp.prelude", "opendp", _WHO)
    features = package("opendp.mod", "opendp", _WHO).GLOBAL_FEATURES
    if not features.issuperset(_FEATURES):
        message = (
            "OpenDP must be allowed to use measurements that it has not checked; its features "
            f"are {', '.join(sorted(features)) or 'all off'}. "
            'Run `opendp.prelude.enable_features("contrib", "honest-but-curious")` first.'
        )
        raise NotAcceptedError(message)
    if carrier not in _BITS:
        raise broken_rule("carrier", "be i32 or i64", repr(carrier), "OpenDP's counts are i32.")
    measure = promise.measure_in(dp)
    proof = promise.certificate
    query, draw = proof.problem.query, _draw(proof)
    larger = law_of(mechanism_of(proof), proof).larger_answers
    if larger:
        message = (
            f"{_WHO} must have a mechanism whose true answers are listed, for it takes others for the "
            f"nearest of them; got a perturbation table. {larger} Release it by optmech apply."
        )
        raise NotAcceptedError(message)
    if query.labels:
        return dp.m.make_user_measurement(
            dp.atom_domain(T="String"),
            dp.discrete_distance(),
            measure,
            _answer_of_labels(draw, query.labels),
            _map(promise, np.triu(np.ones((query.num_truths, query.num_truths), dtype=object), 1)),
            TO="String",
        )
    steps = lcm(*(truth.denominator for truth in query.truths))
    values = [int(truth * steps) for truth in query.truths]
    midpoints = [response.midpoint for response in query.responses]
    whole = all(midpoint.denominator == 1 for midpoint in midpoints)
    responses = [int(midpoint) if whole else float(midpoint) for midpoint in midpoints]
    largest = max(abs(value) for value in [*values, *(responses if whole else [])])
    if largest >= 2 ** _BITS[carrier]:
        message = (
            f"`carrier` must hold all truths and responses; {carrier!r} does not. "
            "Give 'i64', or ask for less."
        )
        raise ProblemError(message)
    return dp.m.make_user_measurement(
        dp.atom_domain(T=carrier),
        dp.absolute_distance(T=carrier),
        measure,
        _answer_of_numbers(draw, values, responses),
        _map(promise, None if proof.exact is None else _gaps(values)),
        TO=carrier if whole else "f64",
    )


def _draw(certificate: Certificate) -> Callable[[int], int]:
    """Return a function that draws the position of a response for that of a truth."""
    draw = mechanism_of(certificate).position_sampler(os.urandom)
    return lambda position: int(draw(position))


def _answer_of_numbers(
    draw: Callable[[int], int], values: list[int], responses: list[Any]
) -> Callable[[int], int | float]:
    def answer(value: int) -> int | float:
        after = min(bisect_left(values, value), len(values) - 1)
        before = max(after - 1, 0)
        nearest = before if value - values[before] <= values[after] - value else after
        response: int | float = responses[draw(nearest)]
        return response

    return answer


def _answer_of_labels(draw: Callable[[int], int], labels: tuple[str, ...]) -> Callable[[str], str]:
    positions = {label: index for index, label in enumerate(labels)}
    anyone = Sampler([[1]] * len(labels))

    def answer(value: str) -> str:
        position = positions[value] if value in positions else int(anyone.draw(0))
        return labels[draw(position)]

    return answer


def _gaps(values: list[int]) -> Integers:
    """Return the least distance of inputs with two given nearest truths, as Python integers."""
    highest = [(low + high) // 2 for low, high in pairwise(values)]
    lower, upper = [values[0], *(border + 1 for border in highest)], [*highest, values[-1]]
    gaps: Integers = np.array(lower, dtype=object)[None, :] - np.array(upper, dtype=object)[:, None]
    gaps[np.tril_indices(len(values))] = 0  # only truths after the first of a pair are read
    return gaps


def _map(promise: ExportPromise, gaps: Integers | None) -> Distance:
    """Return the map by the gaps of pairs; without them truths are a path, each the neighbour of the next."""
    farthest = (
        int(gaps.max(initial=0)) if gaps is not None else promise.certificate.problem.query.num_truths - 1
    )

    @cache
    def at_most(distance: int) -> tuple[float, float]:
        if gaps is None:
            return promise.between(np.array([0]), np.array([distance]))
        return promise.between(*np.nonzero(((gaps > 0) & (gaps <= distance)).astype(bool)))

    def privacy(distance: int) -> float | tuple[float, float]:
        reach = index(distance)
        if reach < 0:
            message = f"a distance between inputs must be zero or more; got {reach}."
            raise ProblemError(message)
        return promise.told(*at_most(min(reach, farthest)))

    return privacy
