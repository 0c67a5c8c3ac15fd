"""The engine of levels: modular noise of probabilistic privacy, by the levels that noise values stand on.

Law, program and search: `docs/theory/levels.md`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, cast

from optmech.base.time_left import limited_time, overtime
from optmech.designs.engine_result import EngineResult, solution_of_search
from optmech.designs.engines.engine import USUAL, Request, need_fit, seconds_to_search, too_short_by
from optmech.designs.levels.noise import masses_of, matrix_of
from optmech.mechanisms.certificates.readable import readable
from optmech.models.solvers.highs import Highs
from optmech.proofs.enclosure import enclosures_of
from optmech.proofs.matrix_certificate import MatrixCertificate
from optmech.rules import compile_rules
from optmech.rules.noise_question import noise_question
from optmech.theorems import kadam_question

if TYPE_CHECKING:
    from optmech.base.errors import ProblemError
    from optmech.question.problem import Problem
    from optmech.question.structures import ModularNoise

NAME = "levels"
# Demands of a question of modular noise.
_KNOWN = frozenset({"structure", "moduli", "delta", "objective"})
# Powers of e^-epsilon are told apart, and from nothing, between these.
_LEAST_EXPONENT, _LARGEST_EXPONENT = 0.05, 6.0
# A matrix has an entry for each two values.
_MOST_VALUES = 2_000
# Entries that the proof of privacy compares, all pairs of neighbours together.
_PER_SECOND = 8_000_000
# e^epsilon is enclosed as for other matrices.
_ENCLOSURE_BITS = 160
# The gap of an answer whose search ended.
_GOOD_GAP = 1e-8


def refusal(problem: Problem) -> str | None:
    """Return why the engine does not design a problem, ``None`` where it does."""
    objections = [kadam_question.error_rate(problem), kadam_question.least_delta(problem)]
    if all(objections):
        wanted = problem.least_loss is None
        return f"it knows modular noise alone: {(objections[wanted] or '').rstrip('.')}"
    epsilon, letters = float(problem.privacy.epsilon), kadam_question.letters_of(problem)
    rules = (
        (
            problem.asks <= _KNOWN and (problem.query.weights == 1).all(),
            "it knows no limits, rules or weights",
        ),
        (letters.is_definition, "the printed program forbids some private noise"),
        (problem.least_loss is None or letters.delta > 0, "of pure privacy a theorem gives the optimum"),
        (
            _LEAST_EXPONENT <= epsilon <= _LARGEST_EXPONENT,
            f"it takes an epsilon from {_LEAST_EXPONENT:g} to {_LARGEST_EXPONENT:g}",
        ),
        (problem.query.num_truths <= _MOST_VALUES, f"it writes matrices of at most {_MOST_VALUES:,} answers"),
        (Highs().available(), "it needs HiGHS"),
    )
    return next((rule for holds, rule in rules if not holds), None)


def praise(problem: Problem) -> str:  # noqa: ARG001 - all questions that it knows are alike
    """Return how it searches."""
    return "a search on the levels of noise values, whose tree of decisions proves its bound"


def too_short(problem: Problem, request: Request, end: float) -> ProblemError | None:
    """Return the error of a time limit whose `end`, in seconds, comes before the matrix is proved private.

    Noise is there at once, and a tree that is stopped proves a bound.

    >>> import optmech as om
    >>> from optmech.models.solvers.options import SolveOptions
    >>> problem = om.kadam(om.residues(500, range(1, 250)), 1, "0.01")
    >>> request = Request(options=SolveOptions(time_limit=5.0))
    >>> str(too_short(problem, request, 6.0)).split(" for a proof")[0]
    '`time_limit` must be at least 16 seconds'
    >>> too_short(om.kadam(om.residues(500, [1, 3, 5, 6]), 1, "0.01"), request, 6.0) is None
    True
    """
    responses, pairs = problem.query.num_responses, len(problem.query.pairs)
    work = f"a proof that compares {responses:,} responses of {pairs:,} pairs of neighbours"
    return too_short_by(_seconds_of_proof(problem), request, end, work)


def _seconds_of_proof(problem: Problem) -> float:
    return problem.query.num_responses * len(problem.query.pairs) / _PER_SECOND


def design(problem: Problem, request: Request = USUAL) -> EngineResult:
    """Return the best noise, proved by its tree.

    A problem that the engine does not know is refused with a `ProblemError`; a `VerificationError` says that
    whole numbers do not prove what doubles promised.
    """
    from optmech.designs.levels.best_noise import best_noise  # noqa: PLC0415 - SciPy takes a moment

    need_fit(NAME, refusal(problem))
    start = time.perf_counter()
    factor = enclosures_of(problem, _ENCLOSURE_BITS)
    question = noise_question(compile_rules(problem))
    with limited_time(seconds_to_search(request.options.time_limit, _seconds_of_proof(problem))):
        best = best_noise(question, factor.upper)
    structure = cast("ModularNoise", problem.structure)  # any other is refused
    with overtime():
        turns = structure.noise(problem.query.num_truths)
        matrix = matrix_of(masses_of(question, best, factor.lower), turns)
        whole = MatrixCertificate(problem=problem, factor=factor, matrix=matrix, proof=best.proof)
        certificate = readable(whole, best.smaller)
    bound = float(certificate.bound or 0)
    solution = solution_of_search(
        method="branch and bound on levels",
        message=f"{best.num_cases} cases, {best.num_programs} programs",
        seconds=time.perf_counter() - start,
        objective=float(certificate.objective),
        bound=bound,
        good_gap=_GOOD_GAP,
        is_stopped=best.is_stopped,
    )
    return EngineResult(engine=NAME, solution=solution, certificate=certificate)
