"""The mechanism of two probabilities: the truth, and any other answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.mechanisms.sampling.home_or_other import HomeOrOther
from optmech.question.privacy.loss import Worst, log_ratio

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.mechanisms.sampling.words import RandomBytes
    from optmech.proofs.two_numbers import TwoNumbers
    from optmech.question.query import Query


class TwoNumberMechanism(MatrixMechanism):
    """A matrix of two numbers, which takes the memory of a column; a `MatrixMechanism` in all else.

    >>> import optmech as om
    >>> drawn = om.design(om.question(om.categories(map(str, range(3000))), 14)).mechanism
    >>> type(drawn).__name__, drawn.matrix.shape, round(float(drawn.probability("7", "7")), 6)
    ('TwoNumberMechanism', (3000, 3000), 0.997512)
    """

    __slots__ = ()
    exact: TwoNumbers

    def __init__(self, exact: TwoNumbers, truths: tuple[Fraction, ...], labels: tuple[str, ...]) -> None:
        values: dict[str, Any] = {"matrix": exact.nearest(), "exact": exact, "labels": labels}
        values |= {"truths": truths, "responses": truths, "_release": None}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return TwoNumberMechanism, (self.exact, self.truths, self.labels)

    def privacy_loss(self, query: Query) -> Worst:
        """Return the privacy loss between any two truths."""
        self._check(query)
        if not query.all_are_neighbours or query.is_weighted:
            return super().privacy_loss(query)
        low, high = sorted((self.exact.home, self.exact.other))
        at = (0, 1) if self.exact.home >= self.exact.other else (1, 0)
        return Worst(value=log_ratio(high, low), response=0, truth=at[0], neighbour=at[1])

    def sampler(self, random_bytes: RandomBytes) -> HomeOrOther:
        """Return what draws positions, each in the same time."""
        return HomeOrOther(self.exact, random_bytes=random_bytes)
