"""Exact draws of the truth itself, or of one of the others, each as likely."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from optmech.base.errors import NotAcceptedError
from optmech.mechanisms.sampling.sampler import Sampler
from optmech.mechanisms.sampling.words import seeded_bytes

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from optmech.base.arrays import Integers
    from optmech.mechanisms.sampling.words import RandomBytes, Seed
    from optmech.proofs.two_numbers import TwoNumbers


class HomeOrOther(Sampler):
    """Draws from a matrix of two numbers: a draw takes as long for a million truths as for two.

    >>> from optmech.proofs.two_numbers import TwoNumbers
    >>> HomeOrOther(TwoNumbers(1000, home=1, other=0)).draw([7, 999])
    array([  7, 999])
    """

    def __init__(self, matrix: TwoNumbers, *, random_bytes: RandomBytes = os.urandom) -> None:
        self._matrix, self._random_bytes = matrix, random_bytes
        self.num_truths = self.num_responses = matrix.size
        self._parts = self._drawn_from(random_bytes)

    def _drawn_from(self, random_bytes: RandomBytes) -> tuple[Sampler, Sampler]:
        home, total = self._matrix.home, self._matrix.denominator
        is_other = Sampler([[home], [total - home]], random_bytes=random_bytes)
        return is_other, Sampler([[1]] * (self.num_truths - 1), random_bytes=random_bytes)

    def draw(self, truth_positions: ArrayLike, *, seed: Seed | None = None) -> Integers:
        """Draw one response for each truth, as `Sampler.draw` does."""
        truths = self._valid_positions(truth_positions)
        is_other, others = self._parts if seed is None else self._drawn_from(seeded_bytes(seed))
        moved, other = is_other.draw(0 * truths), others.draw(0 * truths)
        return truths + moved * (other + (other >= truths) - truths)

    def draw_constant_time(self, truth_positions: ArrayLike, *, seed: Seed | None = None) -> Integers:  # noqa: ARG002 - refused
        """Refuse: there is no matrix to read in full."""
        message = (
            "`constant_time` must be left out: a matrix of two numbers is not read in full. Export it to C "
            "or Rust, which draw in constant time."
        )
        raise NotAcceptedError(message)
