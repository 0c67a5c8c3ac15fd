"""The likeliest truths, and the probability of each truth under a stated prior, given what was released.

Model
-----
    likelihood of truth i   L(i) = product over releases r of  P_r(j_r | i)
    posterior               prior(i) L(i) / sum_k prior(k) L(k)

Releases of one true answer are independent draws. All of it is exact.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from optmech.base.errors import broken_rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.release.estimates.likelihoods import Likelihoods


def likelihood(releases: Sequence[Likelihoods], responses: Sequence[int]) -> tuple[Fraction, ...]:
    """Return the probability of the responses, by position, one of each release, at each truth."""
    return tuple(
        prod(
            (
                release.probability(response, truth)
                for release, response in zip(releases, responses, strict=True)
            ),
            start=Fraction(1),
        )
        for truth in range(len(releases[0].truths))
    )


def most_likely(likelihood: Sequence[Fraction]) -> tuple[int, ...]:
    """Return the positions of the likeliest truths: all of them, where they tie.

    Examples
    --------
    >>> most_likely([Fraction(1, 4), Fraction(1, 4), Fraction(1, 8)])
    (0, 1)
    """
    largest = max(likelihood)
    return tuple(truth for truth, share in enumerate(likelihood) if share == largest)


def posterior(
    likelihood: Sequence[Fraction], prior: Sequence[Fraction], released: str
) -> tuple[Fraction, ...]:
    """Return the probability of each truth; the sum is one. `released` names the responses in an error.

    Raises
    ------
    ProblemError
        If the prior holds only truths that cannot lead to the responses.

    Examples
    --------
    >>> posterior([Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 2)] * 2, "0")
    (Fraction(3, 4), Fraction(1, 4))
    """
    joint = [share * weight for share, weight in zip(likelihood, prior, strict=True)]
    total = sum(joint)
    if not total:
        rule = "give some probability to a truth that can lead to each released answer"
        raise broken_rule("prior", rule, f"none for {released}")
    return tuple(share / total for share in joint)
