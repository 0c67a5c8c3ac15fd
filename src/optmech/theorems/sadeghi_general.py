"""Lower bounds on the least delta of zero-bias noise that may differ from count to count.

Sadeghi et al. 2020, Proposition 2: no closed form of the optimum is known for counts from 1. These bounds
follow single outcomes from count to count, with S as in `Law`.

Counts f, …, N. Let the bound that `sadeghi.least_delta` attains follow outcomes over s counts on either side:
k where it is of type I, D - m where it is of type m. If ``N >= f + 2s``, all of these are in range of the
count n = f + s. Its noise i and -i each weigh at least ``(eta - delta S_i) / E^i`` for i up to k, as an
outcome that is followed to the count where it is no noise shows; or at most ``E^i eta + delta S_i`` for i up
to m, and at most ``delta S_{D-i+1}`` beyond, where it is followed until it leaves the support. Together they
weigh ``1 - eta``. The same sums give the same bound. It is attained from f = D on, where symmetric noise is
allowed.

Counts from 1. The noise at count 1 goes down to -1 only, so zero bias fixes
``sum_{z>=1} (z + 1) p(1 + z | 1) = 1 - eta``, and count ``1 + z`` forces
``p(1 + z | 1) >= (eta - delta S_z) / E^z`` for z < N: that is `count_one_floor`. It does not shrink with D
where ``eta > (1 - 1/E)^2``. Zero bias also fixes ``p(0 | 1) >= (1 - eta) / 2``, while outcome 0 is out of
reach from count D + 1, so that ``p(0 | 1) <= delta S_D``: that is `count_one_chain`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.theorems.powers import larger
from optmech.theorems.sadeghi_letters import ClosedForm, exceeds

if TYPE_CHECKING:
    from optmech.theorems.sadeghi_letters import Law, Real


@ClosedForm
def count_one_floor(law: Law[Real], largest: int) -> Real:
    """Lower bound on delta where counts run from 1 to `largest`; zero where it says nothing.

    The same for every half-width from 4 on, where symmetric noise would promise .0186:

    >>> [round(count_one_floor(1, "0.5", D, 20), 6) for D in (4, 6, 8)]
    [0.038241, 0.038241, 0.038241]
    """
    floor = price = law.E * 0
    if largest <= 1:
        return price
    decay = power = 1 / law.E
    # Each z adds a fraction C / S_z to the quotient, and these fall: stop at the first that lowers it.
    for z in range(1, min(law.D, largest - 1) + 1):
        if not exceeds(law.C * price, law.S[z] * (law.C * floor - 2)):
            break
        floor = floor + power * (z + 1)
        price = price + power * law.S[z] * (z + 1)
        power = power * decay
    return law.half_error * larger((law.C * floor - 2) / price, law.E * 0)


@ClosedForm
def count_one_chain(law: Law[Real]) -> Real:
    """Lower bound on delta where counts run from 1 to D + 1 or beyond."""
    return law.half_error / law.S[law.D]
