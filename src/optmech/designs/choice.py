"""Choose the engine for a problem and give the reason; `docs/engines.md` describes each."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.errors import ModelError, NotAcceptedError, broken_rule
from optmech.base.numbers import as_text
from optmech.designs.chain.curve_orbits import orbits_of
from optmech.designs.chain.orbits import WHOLE_TAILS
from optmech.designs.closed_form import theorem_with_matrix
from optmech.designs.engines import chain, interior, levels, program, rays, theorem
from optmech.proofs.file_limits import MOST_TRUTHS
from optmech.question.shape import Shape
from optmech.theorems.chain import no_convexity

if TYPE_CHECKING:
    from optmech.base.errors import ProblemError
    from optmech.designs.engine_result import EngineResult
    from optmech.designs.engines.engine import Engine, Fit, Request
    from optmech.question.problem import Problem

_IN_ORDER: tuple[Engine, ...] = (theorem, chain, rays, interior, levels, program)
_ENGINES = {engine.NAME: engine for engine in _IN_ORDER}
ENGINES = tuple(_ENGINES)
"""Values of `engine` besides ``"auto"``, in the order in which engines are tried."""

_INSTEAD = "From there on mechanisms are distributions, which are for counts, but {}."
_SMALLER = "a distribution is proved at once, and small; closed-form, rays, program give matrices"


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineChoice:
    """Engines to try, and the reason for or against each."""

    order: tuple[str, ...]  # names, the best first
    reasons: dict[str, str]  # a sentence for each engine, whether it is in `order` or not
    fits: dict[str, Fit]  # the word of each engine that does not refuse, as far as they were asked
    is_whole: bool = True  # False: the engines behind the first were not looked at


def choose(
    problem: Problem, engine: str = "auto", *, solver_is_named: bool = False, stop_at_theorem: bool = False
) -> EngineChoice:
    """Return the engines to try for a problem; a named engine is the only one.

    A given solver or method, or a raw answer, selects the program. With `stop_at_theorem` the engines behind
    a theorem are not looked at where true answers are many: that takes longer than its design.

    ProblemError: no such engine. NotAcceptedError: there are more true answers than a matrix may have, and no
    distribution fits.

    >>> import optmech as om
    >>> choose(om.croft(om.mean(3, 2), 1)).order
    ('rays', 'program', 'interior')
    >>> choose(om.croft(om.count(9), 1)).reasons["closed-form"]
    'the theorem croft-variant-1-count gives the optimal matrix and its proof'
    """
    if engine not in ("auto", *ENGINES):
        raise broken_rule("engine", f"be auto or one of {', '.join(ENGINES)}", repr(engine))
    if problem.privacy.no_rows is not None:
        _need_chain(problem, engine, solver_is_named=solver_is_named)
    else:
        without = _no_matrix(problem, engine, solver_is_named=solver_is_named)
        if without is not None and (problem.query.no_matrix is not None or not problem.further_privacy):
            return _of_distribution(problem, without)
        _need_few_truths(problem)
    may_stop = stop_at_theorem and engine == "auto" and not solver_is_named
    first, refusals, fits = _words(problem, stop=may_stop and problem.query.num_truths > WHOLE_TAILS)
    if first is not None:
        return _of_theorem(first, refusals, fits)
    if not fits:
        remedy = f"It does not: {refusals['program']}. Take a smaller epsilon."
        raise broken_rule("problem", "fit one of the engines", problem, remedy)
    reasons = {name: refusal or fits[name].reason for name, refusal in refusals.items()}
    fitting = order = _order(fits)
    if engine != "auto":
        reasons[engine] = f"asked for; {reasons[engine]}"
        order = [engine]
    elif solver_is_named:
        reasons["program"] = "a solver, a method or a raw answer was asked for, and that is one of a program"
        order = ["program"]
    elif order[0] == "program":
        reasons["program"] = "a program is solved for every problem, and here nothing is quicker"
    for name in set(fitting) - set(order):
        reasons[name] = f"not asked, though it fits: {reasons[name]}"
    return EngineChoice(order=tuple(order), reasons=reasons, fits=fits)


def _words(problem: Problem, *, stop: bool) -> tuple[str | None, dict[str, str | None], dict[str, Fit]]:
    """Return the refusal of each engine, or its fit.

    With `stop` the engines behind one that is asked first and writes its mechanism down are not looked at;
    its name is returned as well.
    """
    refusals: dict[str, str | None] = {}
    fits: dict[str, Fit] = {}
    for name, engine in _ENGINES.items():
        refusals[name] = engine.refusal(problem)
        if refusals[name] is not None:
            continue
        fit = fits[name] = engine.fit(problem)
        if stop and fit.is_written_down and fit.after is None and _order(fits)[:1] == [name]:
            return name, refusals, fits
    return None, refusals, fits


def _of_theorem(name: str, refusals: dict[str, str | None], fits: dict[str, Fit]) -> EngineChoice:
    """Return the choice of a theorem's engine without those that were not looked at."""
    unasked = f"not asked: {fits[name].reason}"
    reasons = {other: refusals.get(other) or unasked for other in ENGINES} | {name: fits[name].reason}
    return EngineChoice(order=(name,), reasons=reasons, fits=fits, is_whole=False)


def _order(fits: dict[str, Fit]) -> list[str]:
    """Return the names of engines that fit, the one that is asked first in front."""
    asked = [name for name in ENGINES if name in fits and not fits[name].if_named]

    def turn(name: str) -> tuple[int, int]:
        before, own = fits[name].after, ENGINES.index(name)
        if before not in (None, *ENGINES):
            message = f"the engine {name} must be asked after one of {', '.join(ENGINES)}; got {before}"
            raise ModelError(message)
        return (ENGINES.index(before), own + 1) if before in asked else (own, 0)

    return sorted(asked, key=turn)


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


def engine_of_matrix(problem: Problem) -> str:
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


def _of_distribution(problem: Problem, without: str) -> EngineChoice:
    """Return the choice of a distribution; what other engines would need is not looked at."""
    reasons = dict.fromkeys(ENGINES, f"not asked: {without}")
    reasons["chain"] = f"a distribution needs no matrix of {problem.query.num_truths:,} columns"
    return EngineChoice(order=("chain",), reasons=reasons, fits={"chain": chain.fit(problem)})


def too_short(engine: str, problem: Problem, request: Request, end: float) -> ProblemError | None:
    """Return the error of a time limit that is too short for the engine of that name, else ``None``."""
    return _ENGINES[engine].too_short(problem, request, end)


def run(engine: str, problem: Problem, request: Request) -> EngineResult:
    """Return the result of the engine of that name."""
    return _ENGINES[engine].design(problem, request)
