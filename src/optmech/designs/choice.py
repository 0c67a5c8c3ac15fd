"""Choose the engine for a problem and give the reason; `docs/engines.md` describes each."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.errors import NotAcceptedError, broken_rule
from optmech.base.numbers import as_text
from optmech.designs.by_chain import by_chain, is_distribution, is_proved_by_prices, no_chain
from optmech.designs.by_program import by_program
from optmech.designs.by_rays import by_rays
from optmech.designs.chain.curve_orbits import orbits_of
from optmech.designs.closed_form import by_theorem, theorem_with_matrix
from optmech.designs.rays.private_rows import objection
from optmech.proofs.file_limits import MOST_TRUTHS
from optmech.question.kinds.kind import reach_of
from optmech.question.losses import WorstLoss
from optmech.question.properties import COLUMN_MONOTONE, FAIR
from optmech.question.step_weights import has_equal_steps
from optmech.theorems.chain import no_convexity

if TYPE_CHECKING:
    from optmech.designs.engine_result import EngineResult
    from optmech.models.solvers.interface import Solver
    from optmech.models.solvers.options import SolveOptions
    from optmech.question.problem import Problem

ENGINES = ("closed-form", "chain", "rays", "program")
"""Names that `engine` may have besides ``"auto"``."""

_INSTEAD = "From there on mechanisms are distributions, which are for counts, but {}."


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineChoice:
    """Engines to try, and what speaks for or against each."""

    order: tuple[str, ...]  # names, the best first
    reasons: dict[str, str]  # a sentence for each engine, whether it is in `order` or not


def choose(problem: Problem, engine: str = "auto", *, solver_is_named: bool = False) -> EngineChoice:
    """Return which engines to try for a problem; one that is named is the only one tried.

    Where somebody asked for one solver, one method or its raw answer its program is solved. A ProblemError
    says that there is no such engine, a NotAcceptedError that there are more true answers than a matrix may
    have, and no distribution fits.

    >>> import optmech as om
    >>> choose(om.croft(om.mean(3, 2), 1)).order
    ('rays', 'program')
    >>> choose(om.croft(om.count(9), 1)).reasons["closed-form"]
    'the theorem croft-variant-1-count gives the optimal matrix and its proof'
    """
    if engine not in ("auto", *ENGINES):
        raise broken_rule("engine", f"be auto or one of {', '.join(ENGINES)}", repr(engine))
    if problem.privacy.curve is not None:
        return _of_curve(problem, engine, solver_is_named=solver_is_named)
    chainless = no_chain(problem)
    without_matrix = gives_distribution(problem, engine, solver_is_named=solver_is_named)
    large = problem.query.is_large
    if without_matrix and (large or not problem.further_privacy):
        return _by_size(problem, large=large)
    _need_few_truths(problem, chainless)
    reasons = {"program": "a program can be solved for every problem"}
    order = ["program"]
    strange = objection(problem)
    reasons["rays"] = strange or "private rows are mixed: private by construction, with a bound at every step"
    if strange is None:
        slower = _why_slower(problem)
        reasons["rays"] += "" if slower is None else f"; but {slower}"
        order.insert(0 if slower is None else 1, "rays")
    _add_chain(problem, chainless, order, reasons)
    _add_closed_form(problem, order, reasons)
    fitting = order
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
    return EngineChoice(order=tuple(order), reasons={name: reasons[name] for name in ENGINES})


def _of_curve(problem: Problem, engine: str, *, solver_is_named: bool) -> EngineChoice:
    """Return the choice of the one engine that knows a whole curve."""
    trouble = no_chain(problem)
    if solver_is_named:
        trouble = "a solver, a method or a raw answer is asked for"
    elif trouble is None and engine not in ("auto", "chain"):
        trouble = f"the engine {engine} is asked for"
    if trouble is not None:
        delta = as_text(problem.privacy.delta or Fraction(0))
        message = (
            f"`privacy` must be pairs of epsilon and delta, since {trouble}; got {problem.privacy}, a whole "
            "curve: the theorem of chains alone speaks of that. A pair that it keeps is epsilon "
            f"{as_text(problem.privacy.epsilon)}, delta {delta}; its `delta_at` says "
            "more, and several may be asked for at once."
        )
        raise NotAcceptedError(message)
    reasons = dict.fromkeys(ENGINES, "it knows pairs of epsilon and delta, and no whole curve")
    reasons["chain"] = "the theorem of chains speaks of every curve: it gives the thresholds and their proof"
    return EngineChoice(order=("chain",), reasons=reasons)


def _add_chain(problem: Problem, chainless: str | None, order: list[str], reasons: dict[str, str]) -> None:
    reasons["chain"] = chainless or "the theorem of chains gives the optimal thresholds and their proof"
    if chainless is None and _is_pure(problem) and orbits_of(problem).reaches_tails(problem.query.num_truths):
        reasons["chain"] = "the theorem of chains fits as well, but it gives noise with tails, and no matrix"
    elif chainless is None:
        order.insert(0, "chain")


def _add_closed_form(problem: Problem, order: list[str], reasons: dict[str, str]) -> None:
    theorem, priced = theorem_with_matrix(problem)
    if theorem is None:
        reasons["closed-form"] = "no theorem writes down the optimal matrix"
    elif priced:
        # Noise is as good, and short; the matrix of a chain without one noise is neither.
        is_noise = has_equal_steps(problem.query) and not isinstance(problem.objective, WorstLoss)
        order.insert(1 if order[0] == "chain" and is_noise else 0, "closed-form")
        reasons["closed-form"] = f"the theorem {theorem.name} gives the optimal matrix and its proof"
    else:
        reasons["closed-form"] = (
            f"the theorem {theorem.name} gives the optimal matrix, but no multipliers to prove it with"
        )


def _need_few_truths(problem: Problem, no_path: str | None) -> None:
    if problem.query.num_truths > MOST_TRUTHS:
        message = (
            f"{problem.query.title} must have at most {MOST_TRUTHS:,} true answers for a matrix; got "
            f"{problem.query.num_truths:,}. {_INSTEAD.format(no_path or 'a solver was asked for')} "
            f"{problem.query.if_too_large}"
        )
        raise NotAcceptedError(message)


def gives_distribution(problem: Problem, engine: str = "auto", *, solver_is_named: bool = False) -> bool:
    """Whether the mechanism is a distribution: by its size, or because the engine that is asked for says so.

    >>> import optmech as om
    >>> [gives_distribution(om.croft(om.count(largest), 1)) for largest in (299, 300)]
    [False, True]
    """
    if solver_is_named or engine not in ("auto", "chain") or not is_distribution(problem):
        return False
    if no_chain(problem) is not None:
        return False
    # Prices prove what lines do not, of losses by distance; of others a matrix has multipliers.
    return not _may_be_matrix(problem) or is_proved_by_prices(problem) or no_convexity(problem) is None


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
    return "program" if objection(problem) else "rays"


def _is_pure(problem: Problem) -> bool:
    """Whether one pure privacy is all that is asked, of which tails never end."""
    return problem.privacy.is_pure and not problem.further_privacy


def _may_be_matrix(problem: Problem) -> bool:
    """Whether a matrix of it has multipliers that prove it: of pure privacy, and not too large."""
    return _is_pure(problem) and not problem.query.is_large


def _by_size(problem: Problem, *, large: bool) -> EngineChoice:
    """Return the choice of a distribution; what other engines would need is not looked at."""
    why = "not asked: a distribution is proved at once, and small; closed-form, rays, program give matrices"
    if large:
        why = "not asked: its matrix would have more than 4,000,000 entries"
    reasons = dict.fromkeys(ENGINES, why)
    reasons["chain"] = f"a distribution needs no matrix of {problem.query.num_truths:,} columns"
    return EngineChoice(order=("chain",), reasons=reasons)


def run(
    engine: str, problem: Problem, solver: str | Solver, options: SolveOptions, *, in_full: bool = False
) -> EngineResult:
    """Return what the engine of that name finds; a program may have to be solved `in_full`."""
    if engine == "closed-form":
        return by_theorem(problem)
    if engine == "chain":
        return by_chain(problem, options)
    if engine == "rays":
        return by_rays(problem, solver, options)
    return by_program(problem, solver, options, in_full=in_full)


def _why_slower(problem: Problem) -> str | None:
    """Return why one program is quicker than rays, as measured, or ``None`` where it is not."""
    query, properties = problem.query, problem.properties
    if COLUMN_MONOTONE in properties:
        return "column monotony ties most entries to others, and one program is quicker"
    if FAIR in properties and reach_of(query) == 1:
        return "with neighbours one step apart a fair program has few rows, and is quicker"
    return None
