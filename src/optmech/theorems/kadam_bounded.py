"""All distances up to a largest one: the staircase of Lemma 4, and Theorem 3 as it should be.

Write ``n = b mu + r`` with mu the largest distance, Kadam (26). Without leaks, level i = 1..b has mu
masses and level b + 1 has r. Shortening level i by one mass, which moves to level b + 1, makes one mass
of level i - 1 leak at distance mu. With s_i in {0, 1} for a level shortened, s_1 = 0, corrected Theorem 3
reads

    f(0) = max(delta, max_s min(delta / W(s), 1 / m(s)))
    W(s) = sum_i s_i e^(-(i-1) epsilon)
    m(s) = 1 + sum_{i<=b} (mu - s_i) e^(-i epsilon) + (r + sum_i s_i) e^(-(b+1) epsilon)

For ``b + r > mu`` what is left behind level b + 1 goes on in further levels. The noise is private in both
readings of MILP (13), so this bounds the error rate from above; that nothing is better under the
*printed* program for ``b + r <= mu`` or n <= 12 is known by computation only. The sections of Theorem 3 are
in `kadam_printed`. Under Definition 2 less is needed than staircases: `kadam_columns`.

Source: Kadam et al. 2024, Lemma 4 and Theorem 3. (48) cuts the limit (47) at 1/2 for small epsilon; that is
wrong, as nothing keeps ``f(0)`` above 1/2.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.theorems import kadam_question as ask
from optmech.theorems.kadam_question import Letters, closed_form, condition, noise_matrix
from optmech.theorems.kadam_staircase import (
    Staircase,
    best_staircase,
    least_error_rate,
    noise_masses,
)
from optmech.theorems.kadam_staircase import error_rate as staircase_error_rate
from optmech.theorems.powers import Amount, Doubles, Powers, smaller
from optmech.theorems.theorem import Relation, Theorem, Truth, proved_optimum, proved_upper_bound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.theorems.kadam_staircase import Levels

# With this many levels all choices of shortened ones are tried in some milliseconds.
_MOST_LEVELS = 12
# The printed program was solved for every largest distance up to this many answers.
_MOST_COMPUTED = 13


def lemma_4(n: int, largest: int) -> Staircase:
    """Return the staircase of Lemma 4 (28)-(29), the best one without leaks."""
    b, r = divmod(n, largest)
    return Staircase((1, *[largest] * b, r), ())


def shorten(n: int, largest: int) -> Iterator[Staircase]:
    """Yield the staircases of corrected Theorem 3: one for each choice of shortened levels.

    Where ``b + r > largest`` further levels follow. With one distance a shortened level is empty, and so are
    all behind it: Theorem 2. With two, zeros may follow a shortened level. The last staircase keeps the
    mass at 0 alone, which leaks itself: Theorem 3 (c).
    """
    if largest == 1:
        yield lemma_4(n, 1)
        for length in range(1, n):
            yield Staircase((1,) * (length + 1), (0,) * length + (1,))
    else:
        yield from _continue(n, largest, (1,), ())
    yield Staircase((1,), (1,))


def _continue(
    remainder: int, largest: int, masses: tuple[int, ...], leaking: tuple[int, ...]
) -> Iterator[Staircase]:
    if remainder <= largest:
        yield Staircase((*masses, remainder), leaking)
    else:
        yield from _continue(remainder - largest, largest, (*masses, largest), (*leaking, 0))
    if len(masses) > 1 and remainder >= largest:
        short = largest - 1
        yield from _continue(remainder - short, largest, (*masses, short), (*leaking, 1))
    if largest == 2 and len(masses) > 1 and masses[-1] == 1 and remainder >= largest:  # noqa: PLR2004 - a lone mass
        yield Staircase(masses, (*leaking, 1))  # leaks at both distances, and zeros may follow


def shortened_levels(n: int, stairs: Staircase) -> Levels:
    """Return the level of each noise value of a staircase: the lengths in order, zero behind them."""
    levels = [level for level, length in enumerate(stairs.masses) for _ in range(length)]
    return (*levels, *[None] * (n + 1 - len(levels)))


def bounded_limit(powers: Powers[Amount], largest: int) -> Amount:
    """Return the limit of the error rate for the distances up to `largest`, Kadam (47), every epsilon."""
    near = largest * powers.power(1)
    return near / (near + powers.complement())


def bounded_limit_printed(powers: Powers[Amount], largest: int) -> Amount:
    """Return the limit as printed, Kadam (48): cut at 1/2, wrong below ``ln(1 + largest)``."""
    return smaller(powers.number(Fraction(1, 2)), bounded_limit(powers, largest))


def lemma_4_masses(powers: Doubles, n: int, largest: int) -> list[float]:
    """Return the noise of Lemma 4, that leaks nowhere."""
    return noise_masses(powers, shortened_levels(n, lemma_4(n, largest)), (), Fraction(0))


def shortened_masses(powers: Doubles, letters: Letters) -> list[float]:
    """Return the noise of the best staircase with steps shortened."""
    n, largest = letters.size_and_largest
    best = best_staircase(shorten(n, largest), powers, letters.delta)
    return noise_masses(powers, shortened_levels(n, best), best.leaking, letters.delta)


def _most_levels(letters: Letters) -> int:
    """Return the number of possible levels besides 0; about 2 to this power must be tried."""
    n, largest = letters.size_and_largest
    return 1 if largest == 1 else -(-n // (largest - 1))


_few_levels = condition(
    lambda of: _most_levels(of) <= _MOST_LEVELS, "there may be too many levels to try each."
)
_computed = condition(
    lambda of: of.modulus <= _MOST_COMPUTED or of.steps <= of.distances[-1],
    "b + r exceeds the largest distance; with this many answers counter-examples are known.",
)


_SHORT_STAIRCASES = closed_form(
    lambda powers, of: least_error_rate(powers, shorten(*of.size_and_largest), of.delta)
)

LEMMA_4 = proved_optimum(
    name="kadam-lemma-4",
    source="Kadam et al. 2024, Lemma 4 (28), (29)",
    says=(
        "With all distances up to a largest one and delta = 0 the best noise is a staircase of that length."
    ),
    conditions=(ask.error_rate, ask.bounded, ask.pure),
    form=closed_form(
        lambda powers, of: staircase_error_rate(powers, lemma_4(*of.size_and_largest), of.delta)
    ),
    matrix=noise_matrix(lambda powers, of: lemma_4_masses(powers, *of.size_and_largest)),
)

SHORT_STAIRCASES = (
    Theorem(
        name="kadam-shortened-staircase",
        source="kadam_bounded, for Kadam et al. 2024, Theorem 3 and the program (13) as printed",
        says=(
            "Under the printed program the best noise is the best staircase with any of its steps shortened."
        ),
        relation=Relation.EQUAL,
        truth=Truth.NUMERICAL,
        conditions=(
            ask.error_rate,
            ask.bounded,
            _few_levels,
            ask.as_printed,
            _computed,
        ),
        form=_SHORT_STAIRCASES,
        matrix=noise_matrix(shortened_masses),
    ),
    proved_upper_bound(
        name="kadam-shortened-staircase-is-private",
        source="kadam_bounded, for Kadam et al. 2024, Theorem 3",
        says="A staircase with steps shortened is private in either reading, so its error rate can be had.",
        conditions=(ask.error_rate, ask.bounded, _few_levels),
        form=_SHORT_STAIRCASES,
        matrix=noise_matrix(shortened_masses),
    ),
)

LIMITS = (
    proved_upper_bound(
        name="kadam-bounded-limit",
        source="Kadam et al. 2024, (47) for every epsilon",
        says="With all distances up to a largest one the error rate never exceeds its limit.",
        conditions=(ask.error_rate, ask.bounded),
        form=closed_form(lambda powers, of: bounded_limit(powers, of.distances[-1])),
    ),
    Theorem(
        name="kadam-bounded-limit-printed",
        source="Kadam et al. 2024, (48)",
        says=(
            "That limit is 1/2 for epsilon up to the logarithm of one plus the largest distance, since it is "
            "constrained by 1/2."
        ),
        relation=Relation.AT_LEAST,
        truth=Truth.FALSE,
        conditions=(ask.error_rate, ask.bounded),
        form=closed_form(lambda powers, of: bounded_limit_printed(powers, of.distances[-1])),
        counter_example=(
            "largest distance 1, epsilon 0.3, delta 0: at n = 2000 the least error rate is 0.7408. Under the "
            "paper's own constraint, rho at most 1/2, there is no such noise; without it (47) holds."
        ),
    ),
)
