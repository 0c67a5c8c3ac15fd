"""Choose the engines for a problem, and give the reason for or against each; `order` has the numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from optmech.base.errors import NotAcceptedError, broken_rule
from optmech.base.numbers import as_text
from optmech.designs.chain.curve_orbits import orbits_of
from optmech.designs.closed_form import theorem_with_matrix
from optmech.designs.engines import chain, interior, levels, program, rays, theorem
from optmech.designs.order import (
    ENGINES,
    is_in_two_numbers,
    is_written_down,
    only_if_named,
    turns,
    why_later,
)
from optmech.proofs.file_limits import MOST_TRUTHS
from optmech.question.all_pairs import AllPairs
from optmech.question.shape import Shape
from optmech.question.two_costs import no_two_costs
from optmech.theorems.chain import no_convexity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.base.errors import ProblemError
    from optmech.designs.engine_result import EngineResult
    from optmech.designs.engines.engine import Engine, EngineName, Request
    from optmech.question.problem import Problem

_ENGINES: dict[str, Engine] = {each.NAME: each for each in (theorem, chain, rays, interior, levels, program)}
_INSTEAD = "From there on mechanisms are distributions, which are for counts, but {}."
_SMALLER = "a distribution is proved at once, and small; closed-form, rays, program give matrices"
_OF_SOLVER = "a solver, a method or a raw answer was asked for, and that is one of a program"
_OF_PROGRAM = "a program is solved for every problem, and here nothing is quicker"


@dataclass(frozen=True, kw_only=True, eq=False)
class EngineChoice:
    """Engines to try, and the reason for or against each."""

    problem: Problem
    order: tuple[str, ...]  # names, the best first
    said: Mapping[str, str] = field(default_factory=dict)  # reasons that need no look at an engine
    named: str = ""  # the engine that was asked for
    is_whole: bool = True  # False: the engines behind the first were not looked at

    @cached_property
    def reasons(self) -> dict[str, str]:
        """A sentence for each engine, whether it is in `order` or not; computed when it is read."""
        fitting = [name for name in ENGINES if name in self.said or not _ENGINES[name].refusal(self.problem)]
        return {name: self.said.get(name) or self._reason(name, fitting) for name in ENGINES}

    def _reason(self, name: str, fitting: list[str]) -> str:
        engine, problem = _ENGINES[name], self.problem
        if name not in fitting:
            return engine.refusal(problem) or ""
        praise = engine.praise(problem)
        if name == self.named:
            return f"asked for; {praise}"
        if waits := only_if_named(name, problem):
            return f"not asked, though it fits: {waits}"
        if name not in self.order and self.is_whole:
            return f"not asked, though it fits: {praise}"
        if name == self.order[0]:
            return praise if name != "program" else _OF_PROGRAM
        later = why_later(name, problem, fitting)
        return f"{praise}; but {later}" if later else praise


def choose(
    problem: Problem, engine: str = "auto", *, solver_is_named: bool = False, stop_at_theorem: bool = False
) -> EngineChoice:
    """Return the engines to try for a problem; a named engine is the only one.

    A given solver or method, or a raw answer, selects the program. With `stop_at_theorem` the engines behind
    one that writes its mechanism down are not looked at: that takes longer than its design.

    ProblemError: no such engine, or none fits. NotAcceptedError: there are more true answers than a matrix
    may have, and no distribution fits.

    >>> import optmech as om
    >>> choose(om.croft(om.mean(3, 2), 1)).order
    ('rays', 'program', 'interior')
    >>> choose(om.croft(om.mean(3, 2), 1)).reasons["closed-form"]
    'no theorem writes down the optimal matrix'
    """
    if engine not in ("auto", *ENGINES):
        raise broken_rule("engine", f"be auto or one of {', '.join(ENGINES)}", repr(engine))
    if problem.privacy.no_rows is not None:
        _need_chain(problem, engine, solver_is_named=solver_is_named)
    else:
        without = _no_matrix(problem, engine, solver_is_named=solver_is_named)
        if without is not None and (problem.query.no_matrix is not None or not problem.further_privacy):
            said = dict.fromkeys(ENGINES, f"not asked: {without}")
            said["chain"] = f"a distribution needs no matrix of {problem.query.num_truths:,} columns"
            return EngineChoice(problem=problem, order=("chain",), said=said)
        _need_few_truths(problem)
    if engine != "auto":
        return EngineChoice(problem=problem, order=(engine,), named=engine)
    if solver_is_named:
        return EngineChoice(problem=problem, order=("program",), said={"program": _OF_SOLVER})
    return _of_all(problem, stop=stop_at_theorem)


def _of_all(problem: Problem, *, stop: bool) -> EngineChoice:
    """Return the engines that do not refuse a problem, in turn.

    With `stop` the engines behind one that is asked first and writes its mechanism down are not looked at.
    """
    fitting: list[str] = []
    for place, name in enumerate(ENGINES):
        if _ENGINES[name].refusal(problem) is None:
            fitting.append(name)
        first = turns(problem, fitting)[:1]
        if not stop or not first or not is_written_down(first[0], problem):
            continue
        if why_later(first[0], problem, ENGINES[place + 1 :]) is None:
            return EngineChoice(problem=problem, order=first, is_whole=False)
    order = turns(problem, fitting)
    if not order:
        remedy = f"It does not: {program.refusal(problem)}. Take a smaller epsilon."
        raise broken_rule("problem", "fit one of the engines", problem, remedy)
    return EngineChoice(problem=problem, order=order)


def _need_chain(problem: Problem, engine: str, *, solver_is_named: bool) -> None:
    """Refuse the curve of a noise unless the engine of chains may be used and accepts it."""
    refusal = chain.refusal(problem)
    if solver_is_named:
        refusal = "a solver, a method or a raw answer is asked for"
    elif refusal is None and engine not in ("auto", "chain"):
        refusal = f"the engine {engine} is asked for"
    if refusal is not None:
        delta = as_text(problem.privacy.delta or Fraction(0))
        message = (
            f"`privacy` must be pairs of epsilon and delta, since {refusal}; got {problem.privacy}, a whole "
            "curve: only the theorem of chains covers that. A pair that it keeps is epsilon "
            f"{as_text(problem.privacy.epsilon)}, delta {delta}; its `delta_at` says "
            "more, and several may be asked for at once."
        )
        raise NotAcceptedError(message)


def _need_few_truths(problem: Problem) -> None:
    query = problem.query
    if isinstance(query, AllPairs) and query.no_matrix is not None and not is_in_two_numbers(problem):
        message = (
            f"{query.title} must be fewer for this question: {query.no_matrix}, unless the least loss under "
            f"pure privacy alone is asked for, which two numbers answer; {no_two_costs(problem)}. Put rare "
            "ones together."
        )
        raise NotAcceptedError(message)
    if problem.query.num_truths > MOST_TRUTHS:
        no_noise = chain.refusal(problem) or "a solver was asked for"
        message = (
            f"{problem.query.title} must have at most {MOST_TRUTHS:,} true answers for a matrix; got "
            f"{problem.query.num_truths:,}. {_INSTEAD.format(no_noise)} {problem.query.if_too_large}"
        )
        raise NotAcceptedError(message)


def gives_distribution(problem: Problem, engine: str = "auto", *, solver_is_named: bool = False) -> bool:
    """Whether the mechanism is a distribution: because of its size, or of the requested engine.

    >>> import optmech as om
    >>> [gives_distribution(om.croft(om.count(largest), 1)) for largest in (299, 300)]
    [False, True]
    """
    return _no_matrix(problem, engine, solver_is_named=solver_is_named) is not None


def _no_matrix(problem: Problem, engine: str, *, solver_is_named: bool) -> str | None:
    """Return why the mechanism is a distribution, ``None`` where it is a matrix."""
    if solver_is_named or engine not in ("auto", "chain") or not chain.is_distribution(problem):
        return None
    if chain.refusal(problem) is not None:
        return None
    # For losses by distance, prices prove bounds that lines cannot; for others a matrix has multipliers.
    if _may_be_matrix(problem) and not chain.is_proved_by_prices(problem) and no_convexity(problem):
        return None
    return problem.query.no_matrix or _SMALLER


def seconds_of_noise(problem: Problem, engine: str = "auto", *, solver_is_named: bool = False) -> float:
    """Return an estimate of the seconds for the noise of a chain and its proof where they are many, else 0.

    >>> import optmech as om
    >>> problem = om.question(om.count(1000), privacy=om.as_private_as("gaussian", sigma=30))
    >>> round(seconds_of_noise(problem))
    90
    """
    if solver_is_named or engine not in ("auto", "chain") or chain.refusal(problem) is not None:
        return 0.0
    return orbits_of(problem).seconds(problem.query.num_truths)


def engine_of_matrix(problem: Problem) -> EngineName:
    """Return the engine of a problem's matrix with multipliers, where ``"auto"`` would give noise.

    >>> import optmech as om
    >>> engine_of_matrix(om.croft(om.count(500), 1)), engine_of_matrix(om.croft(om.mean(3, 2), 1))
    ('closed-form', 'auto')
    """
    if not _may_be_matrix(problem) or "chain" not in choose(problem).order:
        return "auto"
    if theorem_with_matrix(problem)[1]:
        return "closed-form"
    return "program" if rays.refusal(problem) else "rays"


def _may_be_matrix(problem: Problem) -> bool:
    """Whether a matrix of it has multipliers that prove it: of pure privacy, and not too large."""
    return Shape.of(problem).one_pure_privacy and problem.query.no_matrix is None


def too_short(engine: str, problem: Problem, request: Request, end: float) -> ProblemError | None:
    """Return the error of a time limit that is too short for the engine of that name, else ``None``."""
    return _ENGINES[engine].too_short(problem, request, end)


def run(engine: str, problem: Problem, request: Request) -> EngineResult:
    """Return the result of the engine of that name."""
    return _ENGINES[engine].design(problem, request)
