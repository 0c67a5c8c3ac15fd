"""Answer a question with choices by a stricter and by a weaker question without them.

Pure privacy keeps every ratio. And a mechanism that keeps each ratio, or pays its whole mass, keeps or pays
what exceeds it, as (epsilon, delta) privacy asks. At an epsilon of 30 solvers cannot read the programs of a
proof by cases; of both questions a theorem gives the mechanism, or the multipliers, or a program without
cases does.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from optmech.base.errors import OptmechError, VerificationError
from optmech.base.time_left import overtime, time_is_up
from optmech.designs.closed_form import priced_by_theorem
from optmech.designs.engines import chain, program
from optmech.proofs.multipliers import Leaf
from optmech.question.privacy import ApproximatePrivacy, PurePrivacy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.proofs.matrix import ExactMatrix
    from optmech.proofs.multipliers import Tree
    from optmech.question.problem import Problem


def pure_matrix(problem: Problem) -> ExactMatrix | None:
    """Return the best matrix under pure privacy, if the theorem of chains gives it and no delta is sought."""
    if problem.further_privacy or not problem.privacy.epsilon or problem.privacy.delta is None:
        return None
    stricter = replace(problem, privacy=PurePrivacy(problem.privacy.epsilon))
    if chain.refusal(stricter) is not None:
        return None
    with suppress(VerificationError), overtime():  # an epsilon of next to nothing takes too many steps
        certificate = chain.design(stricter).certificate
        return None if certificate is None else certificate.exact
    return None


def leaves_without_cases(problem: Problem) -> Iterator[Tree]:
    """Yield multipliers of (epsilon, delta) privacy, by a theorem if one gives them, and none at all."""
    privacy = problem.privacy
    if privacy.delta is not None and not problem.asks & {"structure", "further_privacy"}:
        less = replace(problem, privacy=ApproximatePrivacy(privacy.epsilon, privacy.delta))
        proof: Tree | None = priced_by_theorem(less)
        if proof is None and chain.refusal(less) is None:
            with suppress(VerificationError):
                proof = chain.proof_of_chain(less)
        if proof is None and not time_is_up():
            with suppress(OptmechError):  # what no solver helps with has none
                yield from program.design(less).leaves()
        yield from [] if proof is None else [proof]
    yield Leaf()
