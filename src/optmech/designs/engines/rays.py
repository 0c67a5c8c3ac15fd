"""The engine of rays: matrices that are private as they are made."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.provenance import Provenance
from optmech.designs import attempts
from optmech.designs.attempts import Deadline
from optmech.designs.engine_result import Answer, EngineResult, Proposal
from optmech.designs.engines.engine import USUAL, Request, need_fit, seconds_to_search, too_short_by
from optmech.designs.order import too_large_epsilon
from optmech.designs.rays.chained_flows import ENCLOSURE_BITS, chained_leaf, settled
from optmech.designs.rays.exact_mixture import exact_mixture
from optmech.designs.rays.flows import leaves_of_rays
from optmech.designs.rays.private_rows import PrivateRows
from optmech.designs.rays.search import search
from optmech.designs.rays.within_reach import num_staircases
from optmech.proofs.enclosure import enclosures_of
from optmech.question.properties import COLUMN_MONOTONE, FAIR
from optmech.question.shape import Shape
from optmech.rules import compile_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.errors import ProblemError
    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution
    from optmech.proofs.multipliers import Leaf
    from optmech.question.problem import Problem


NAME = "rays"
# Entries times steps of which a pass keeps a few doubles each.
_MOST_STATES = 120_000_000
# Probabilities of the first rays that are made and priced in a second, and entries that are repaired, proved
# and verified.
_LEVELS_PER_SECOND, _PER_SECOND = 2_200_000, 200_000
# Entries of the first rays that a program for the worst truth keeps, and products of its steps in a second.
_MOST_ENTRIES, _PRODUCTS_PER_SECOND = 40_000_000, 10_000_000_000
# A matrix of so many entries is written out: it is read more easily than its rays.
_SMALL = 2_500


def refusal(problem: Problem) -> str | None:
    """Return why rays cannot make this problem's mechanism, or ``None`` where they can."""
    query, properties = problem.query, problem.properties
    has_coupling = bool(properties & {FAIR, COLUMN_MONOTONE})
    asks = problem.asks
    is_plain_worst = Shape.of(problem).worst_loss is not None and not properties
    rules = (
        (not problem.demands, "they know no limits, further bounds, weights or further properties"),
        ("structure" not in asks, f"they make any matrix, not only {problem.structure}"),
        ("delta" not in asks, "they are private without a delta, and this problem has one"),
        (
            "objective" not in asks or is_plain_worst,
            "they need a loss to be least, and no properties with a worst one",
        ),
        (
            not has_coupling or (query.home >= 0).all(),
            "fair and column-monotone need every truth inside a response",
        ),
    )
    unmet = next((rule for holds, rule in rules if not holds), None)
    return problem.privacy.no_rows or unmet or too_large_epsilon(problem) or _no_reach(problem)


def _no_reach(problem: Problem) -> str | None:
    """Return why neighbours are not all truths within few enough steps."""
    query, shape = problem.query, Shape.of(problem)
    if not shape.connected:
        return "they need neighbours both ways that connect all truths"
    reach = shape.reach
    if reach is None:
        return "they need neighbours that are all true answers within so many steps"
    states = query.num_responses * query.num_truths * reach
    if states > _MOST_STATES and reach < query.num_truths - 1:
        return "passes over so many steps between neighbours would fill the memory"
    rays = num_staircases(query.num_truths, reach)
    if shape.worst_loss is not None and rays * query.num_truths > _MOST_ENTRIES:
        return "the rays of so many true answers at the worst one would fill the memory"
    return None


def praise(problem: Problem) -> str:  # noqa: ARG001 - all mixtures are alike
    """Return how it mixes rows."""
    return "private rows are mixed: private by construction, with a bound at every step"


def too_short(problem: Problem, request: Request, end: float) -> ProblemError | None:
    """Return the error of a time limit whose `end`, in seconds, comes before the first mixture is proved.

    The search stops between two rays, but not in the making of those that it begins with.

    >>> import optmech as om
    >>> from optmech.models.solvers.options import SolveOptions
    >>> problem, request = om.croft(om.mean(400, 5), 1), Request(options=SolveOptions(time_limit=5.0))
    >>> str(too_short(problem, request, 6.0)).split(" for a mixture")[0]
    '`time_limit` must be at least 37 seconds'
    >>> too_short(om.croft(om.mean(100, 4), 1), request, 6.0) is None
    True
    """
    responses, truths = problem.query.num_responses, problem.query.num_truths
    rays = num_staircases(truths, Shape.of(problem).reach or 1)
    least = rays * truths / _LEVELS_PER_SECOND + responses * truths / _PER_SECOND
    if Shape.of(problem).worst_loss is not None:
        least += rays * truths**2 / _PRODUCTS_PER_SECOND
    work = f"a mixture of {rays:,} private rows, and a matrix of {responses:,} by {truths:,} probabilities"
    return too_short_by(least, request, end, work)


def design(problem: Problem, request: Request = USUAL) -> EngineResult:
    """Return the best mixture of rays, and how to prove its bound.

    A problem that rays cannot make is refused with a `ProblemError`.
    """
    need_fit(NAME, refusal(problem))
    solver, options = request.solver, request.options
    rows = PrivateRows.of(problem)
    options = replace(
        options, time_limit=seconds_to_search(options.time_limit, rows.costs.size / _PER_SECOND)
    )
    if Shape.of(problem).worst_loss is None:
        result = search(rows, solver, options)
    else:
        from optmech.designs.rays.worst import search_worst  # noqa: PLC0415 - linear algebra takes a moment

        result = search_worst(rows, options)
    many = rows.costs.size > _SMALL

    def leaves() -> Iterator[Leaf]:
        proving = Deadline.after(options.time_limit)

        def solve(model: LinearModel) -> Solution:
            return attempts.solve(model, solver, proving.within(options))

        if math.isfinite(result.bound):
            chained = chained_leaf(result, proving.within_deadline(solve)) if many else None
            if chained is not None:
                yield settled(compile_rules(problem), chained, enclosures_of(problem, ENCLOSURE_BITS))
            else:
                yield from leaves_of_rays(result, proving.within_deadline(solve))

    def proposals() -> Iterator[Proposal]:
        exact = exact_mixture(result) if many else None
        if exact is not None:
            yield "the mixture of rays in whole numbers", exact
        yield "the mixture of rays", result.matrix
        # Where the time was up before it had all properties: these have every one.
        yield "responses alike, not optimal", np.full_like(result.matrix, 1 / len(result.matrix))

    answer = Answer(
        matrix=result.matrix,
        objective=result.objective,
        provenance=Provenance.RECOMPUTED,
        bound=result.bound,
        bound_provenance=Provenance.RECOMPUTED,
    )
    return EngineResult(
        engine=NAME,
        solution=result.solution,
        answer=answer,
        raw=result.matrix,
        proposals=proposals,
        leaves=leaves,
    )
