"""Where engines hand over to each other: who is asked, from which size, epsilon and kind on.

Each number has the measurement behind it. `tests/designs/test_seams.py` walks across each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from optmech.question.problem import Problem

# epsilon between neighbours from which on no matrix is searched for. e^12 = 160,000 protects nobody, and an
# error is then e^-12, which solvers hardly tell from 0: gaps of 1e-6 come to 0.3 or 1 at the worst truth.
_LARGEST_EPSILON = 12.0
# The same of the heaviest neighbours, where others are lighter: e^36 = 2^52 has all digits of a double. Up to
# there gaps of graphs with weights of 1 to 30 stay below 1e-6; from e^60 on solvers find no mechanism.
_LARGEST_EXPONENT = 36.0
PROTECTS_NOBODY = "e^epsilon above 160,000 between all neighbours protects nobody"


def too_large_epsilon(problem: Problem) -> str | None:
    """Return why no matrix is searched for at so large an epsilon, ``None`` where one is.

    >>> import optmech as om
    >>> [too_large_epsilon(om.question(om.mean(5, 3), epsilon)) is None for epsilon in ("11.9", 12)]
    [True, False]
    """
    weights = problem.query.weights
    if not len(weights):
        return None
    epsilon = min(float(privacy.epsilon) for privacy in problem.privacies)
    if epsilon * int(weights.min()) >= _LARGEST_EPSILON:
        return PROTECTS_NOBODY
    largest = max(float(privacy.epsilon) for privacy in problem.privacies) * int(weights.max())
    return (
        "e^epsilon between the heaviest neighbours has no digits left"
        if largest > _LARGEST_EXPONENT
        else None
    )
