"""From a problem to a mechanism: the one call most users make."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from optmech.base import events
from optmech.base.arguments import an_instance, flag, need_text, optional, takes
from optmech.base.errors import NoSolutionError, NotAcceptedError, VerificationError
from optmech.base.notes import Note, NoteKind
from optmech.base.provenance import Provenance
from optmech.base.reached import begin, reach
from optmech.base.rendering import Renderable
from optmech.base.time_left import limited_time, seconds_left, time_is_up, with_overtime
from optmech.designs.attempts import Deadline
from optmech.designs.certain_disclosure import certain_disclosure
from optmech.designs.certify import certify
from optmech.designs.choice import choose, run, too_short
from optmech.designs.engine_result import is_better
from optmech.designs.engines.engine import Request
from optmech.designs.means_out_of_reach import need_means_in_reach
from optmech.designs.no_solution import clash_sentence, need_delta, no_solution
from optmech.designs.order import is_wide
from optmech.designs.tables.design_table import TableDesign, design_table
from optmech.designs.unreleased_answers import unreleased_note
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.mechanisms.quantiles.quantile_certificate import QuantileCertificate
from optmech.mechanisms.source import mechanism_of
from optmech.models import solvers
from optmech.models.solution import Status
from optmech.models.solvers.options import Method, SolveOptions
from optmech.question.caution import caution_of
from optmech.question.problem import Problem
from optmech.question.quantiles.quantile_problem import QuantileProblem
from optmech.question.tables.table_problem import TableProblem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.errors import ProblemError
    from optmech.designs.choice import EngineChoice
    from optmech.designs.engine_result import Answer, EngineResult
    from optmech.designs.engines.engine import EngineName
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.models.solution import Solution
    from optmech.models.solvers.interface import Solver, SolverName
    from optmech.models.solvers.options import MethodName
    from optmech.proofs.certificate import Certificate

_TEXTS = dict.fromkeys(("engine", "method"), need_text)
# A bound that an answer misses by more than this, relatively, is worth a word.
_WORTH_A_WORD = 1e-6
_ABSOLUTE = 1e-30
# Share of a time limit for the search for a mechanism; the rest is for repair and proof.
_TO_SEARCH = 2 / 3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AnyDesign(Renderable, ABC):
    """A mechanism, and how it was found: a `Design` with its proof, or a `RawDesign` without one."""

    problem: Problem
    mechanism: Mechanism
    objective: float
    objective_standing: Provenance
    lower_bound: float
    lower_bound_standing: Provenance
    solution: Solution
    seconds: float
    notes: tuple[Note, ...] = ()
    engine: str = "program"
    choice: EngineChoice | None = None

    @property
    def reasons(self) -> dict[str, str]:
        """For each engine what spoke for it or against it."""
        return {} if self.choice is None else self.choice.reasons

    @property
    @abstractmethod
    def certificate(self) -> Certificate | None:
        """The mechanism in whole numbers with its proofs, if it is proved."""

    @property
    @abstractmethod
    def caution(self) -> Note | None:
        """In words what epsilon and delta allow where that is much, ``None`` where it is not."""

    def _line(self) -> str:
        objective = f"objective {self.objective:.10g} [{self.objective_standing}]"
        return (
            f"{self.problem}; {objective}, lower bound {self.lower_bound:.10g} [{self.lower_bound_standing}]"
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Design(AnyDesign):
    """A mechanism with its proof, and how it was found.

    Attributes
    ----------
    problem : Problem
        The question.
    mechanism : Mechanism
        The answer: a matrix, or where that is too large a distribution, a `NoiseMechanism`.
    objective : float
        The minimised value: of `croft` the sum over truths of expected losses (the expected
        loss under a prior, if one is given), of `sadeghi` delta, of `kadam` the expected cost.
    objective_standing : Provenance
        ``"proved"``: exact, rounded to a double. Of a `RawDesign` ``"recomputed"`` from the mechanism, or
        ``"claimed"`` where it is the solver's own delta.
    lower_bound : float
        No mechanism of this problem does better.
    lower_bound_standing : Provenance
        ``"proved"`` by multipliers in exact arithmetic, ``"recomputed"`` from the solver's duals or
        ``"claimed"`` by the solver.
    solution : Solution
        The solver's answer.
    seconds : float
        Wall time of everything.
    notes : tuple of Note
        Sentences that a careful user should know about this answer, each with its kind.
    certificate : Certificate
        The mechanism in whole numbers with its proofs.
    engine : {"closed-form", "chain", "rays", "interior", "levels", "program"}
        The engine that made it.
    choice : EngineChoice or None
        The engines that were to be asked; `reasons` are computed when they are read.
    """

    certificate: Certificate = field()

    @property
    def caution(self) -> Note | None:
        """In words what epsilon and delta allow where that is much, ``None`` where it is not."""
        return self.certificate.caution


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RawDesign(AnyDesign):
    """An engine's own answer in doubles, of which nothing is proved; see `Design` for what it says."""

    certificate: None = None

    @property
    def caution(self) -> Note | None:
        """In words what the question allows where that is much; `verify` says what the matrix spends."""
        return caution_of(self.problem.privacy, heaviest=self.problem.query.heaviest)


@overload
def design(
    problem: Problem,
    *,
    engine: EngineName = ...,
    solver: SolverName | Solver = ...,
    method: MethodName = ...,
    time_limit: float | None = ...,
    threads: int | None = ...,
    options: SolveOptions | None = ...,
    raw: Literal[False] = ...,
) -> Design: ...


@overload
def design(
    problem: Problem,
    *,
    engine: EngineName = ...,
    solver: SolverName | Solver = ...,
    method: MethodName = ...,
    time_limit: float | None = ...,
    threads: int | None = ...,
    options: SolveOptions | None = ...,
    raw: Literal[True],
) -> RawDesign: ...


@overload
def design(problem: TableProblem) -> TableDesign: ...


@overload
def design(problem: QuantileProblem) -> QuantileCertificate: ...


@takes(
    problem=an_instance(Problem, TableProblem, QuantileProblem),
    options=optional(an_instance(SolveOptions)),
    raw=flag,
    **_TEXTS,
)
def design(
    problem: Problem | TableProblem | QuantileProblem,
    *,
    engine: EngineName = "auto",
    solver: SolverName | Solver = "auto",
    method: MethodName = "auto",
    time_limit: float | None = None,
    threads: int | None = None,
    options: SolveOptions | None = None,
    raw: bool = False,
) -> AnyDesign | TableDesign | QuantileCertificate:
    """Find the optimal mechanism of a problem, and prove it private.

    Parameters
    ----------
    problem : Problem, TableProblem or QuantileProblem
        From `croft`, `sadeghi`, `sadeghi_symmetric`, `kadam` or `kadam_least_delta`; or from `table` or
        `quantiles`, whose closed forms need no engine and take no further argument.
    engine : {"auto", "closed-form", "chain", "rays", "interior", "levels", "program"}
        The way the mechanism is made: as a theorem writes it down, as noise and thresholds, as a mixture of
        private rows, by an interior-point method on rows, by the levels of noise, or by the program as a
        whole. ``"auto"`` takes the first that fits, of counts noise and thresholds, the program where
        `solver`, `method` or `raw` asks for one, and the next where one fails; ``Design.reasons`` says why.
    solver : {"auto", "highs", "cbc"} or Solver
        The solver of programs. ``"auto"`` takes HiGHS and falls back to CBC. A solver of your own is an
        object that can be asked what `optmech.models.solvers.Solver` says.
    method : {"auto", "simplex", "ipm", "hipo"}
        Algorithm for linear programs.
    time_limit : float, optional
        Seconds for everything. A mechanism is sought for two thirds of it, repair and proof get the rest and
        then hand over the best that is proved: a tenth later, or a second, at most. Where that cannot be,
        because of the size, it is refused at once.
    threads : int, optional
        Threads for the solver.
    options : SolveOptions, optional
        All settings at once; the three arguments above are laid over them.
    raw : bool, default False
        Hand out the engine's own answer in doubles, that of a program as the papers print it. A solver's is
        often *not* private, and nothing is proved of it.

    Returns
    -------
    Design, TableDesign or QuantileCertificate
        With its certificate, or that itself; with `raw` a `RawDesign`, which has none.

    Raises
    ------
    ProblemError
        If a setting breaks its rule, the engine asked for cannot make this mechanism, or a property leaves
        nothing to design without a delta.
    NotAcceptedError
        If the structure does not fit the query, or the program of the engine asked for would be too large.
    SolverMissingError
        If the solver is not installed.
    NoSolutionError
        If no solver gives a mechanism and no theorem does: the problem is infeasible, or a limit came first.
    VerificationError
        If no matrix of whole numbers could be made that keeps all promises exactly.

    Examples
    --------
    >>> from optmech.question.problems.croft import croft
    >>> from optmech.question.queries import count
    >>> result = design(croft(count(5), "0.5", variant=2), solver="highs")
    >>> round(result.objective, 9)  # Croft et al. 2020, Table 4
    6.828620091
    >>> result.certificate.relative_gap < 1e-9
    True
    """
    start = time.perf_counter()
    if isinstance(problem, QuantileProblem):
        return QuantileCertificate(problem=problem)
    if isinstance(problem, TableProblem):
        return design_table(problem)
    if not raw:
        problem.need_definition()
    need_delta(problem)
    need_means_in_reach(problem)
    for privacy in problem.privacies:
        privacy.factors(np.array([problem.query.heaviest]))  # before powers of millions are taken
    settings = _settings(options or SolveOptions(), method, time_limit, threads)
    if not isinstance(solver, str) or solver != "auto":
        solvers.solver(solver)  # what nobody can ask is refused, whoever is asked in the end
    names_solver = solver != "auto" or settings.method is not Method.AUTO or raw
    limit = settings.time_limit
    deadline = Deadline.after(None if limit is None else limit * _TO_SEARCH)
    with limited_time(limit):  # a question of many truths takes seconds to read
        choice = choose(problem, engine, solver_is_named=names_solver, stop_at_theorem=True)
        request = Request(solver=solver, options=settings, in_full=raw)
        best = _best_design(_Turns(problem=problem, choice=choice, request=request, deadline=deadline))
    return replace(best, seconds=time.perf_counter() - start)


def _best_design(turns: _Turns) -> AnyDesign:
    """Return the best design of the engines that are tried in turn."""
    for name in turns.names():
        if not turns.ask(name):
            break
    return turns.outcome()


@dataclass(slots=True, kw_only=True)
class _Turns:
    """The engines that are asked in turn, with the best design so far and the errors of those without one."""

    problem: Problem
    choice: EngineChoice
    request: Request
    deadline: Deadline  # of the search for a mechanism
    best: AnyDesign | None = None
    error: NoSolutionError | VerificationError | None = None
    refused: ProblemError | NotAcceptedError | None = None  # of a short time limit, or a large program
    notes: list[Note] = field(default_factory=list)

    def names(self) -> Iterator[str]:
        """Yield the engines in turn: all others where a theorem alone was chosen, and that did not do."""
        asked = self.choice.order
        yield from asked
        if not self.choice.is_whole:
            self.choice = choose(self.problem)
            yield from (name for name in self.choice.order if name not in asked)

    def ask(self, name: str) -> bool:
        """Ask an engine for a design, and return whether to ask the next engine as well."""
        last, result = self.choice.is_whole and name == self.choice.order[-1], None
        try:
            if self._is_too_late_for(name):
                if self.best is None:
                    self._tell(f"the engine {name} was not asked: the time limit is too short for it")
                return self.best is None
            answer = self._answer_of(name)
            # When the time is up, other proposals of this engine are better than what the next makes of none.
            last = last or answer.solution.status is Status.INFEASIBLE or self.deadline.is_up
            result = _design_of(self.problem, answer, raw=self.request.in_full, last=last)
        except (NoSolutionError, VerificationError) as error:
            self.error = error
            events.engine_failed(name, str(error))
        except NotAcceptedError as refusal:  # no limit would do; a longer one may for an engine before
            self.refused = self.refused or refusal
            said = {**self.choice.said, name: str(refusal)}
            self.choice = replace(self.choice, said=said)
            return not last
        if result is not None:
            self._keep_the_better(replace(result, engine=name, choice=self.choice))
        if last or self._is_good_enough():
            return False
        self._tell(f"the engine {name} gave no mechanism" + (" that is proved good" if result else ""))
        return True

    def outcome(self) -> AnyDesign:
        """Return the best design with its notes, or raise the error of the engine that was asked last."""
        if self.best is None:
            raise self.error or self.refused or VerificationError(f"no engine was tried for {self.problem}")
        return replace(self.best, notes=(*self.notes, *self.best.notes))

    def _is_too_late_for(self, name: str) -> bool:
        """Whether too little of the time limit is left for an engine; its refusal is kept."""
        limit = self.request.options.time_limit
        if limit is None:
            return False
        end = with_overtime(min(limit, seconds_left() or 0.0))
        refusal = too_short(name, self.problem, self.request, end)
        self.refused = self.refused or refusal  # the seconds that the best engine needs
        return refusal is not None

    def _answer_of(self, name: str) -> EngineResult:
        minimised = "delta" if self.problem.least_loss is None else "error"
        begin(name, _size_of(self.problem, name), minimised)
        options = self.deadline.within(self.request.options)
        answer = run(name, self.problem, replace(self.request, options=options))
        reach(best=answer.solution.objective, bound=answer.solution.bound)
        return answer

    def _keep_the_better(self, result: AnyDesign) -> None:
        best = self.best
        if best is None or is_better(_ends(result), _ends(best)):
            self.best = result

    def _is_good_enough(self) -> bool:
        """Whether there is a design, and no time for a better one or no need of it."""
        return self.best is not None and (self.deadline.is_up or not _is_far_off(self.best))

    def _tell(self, text: str) -> None:
        self.notes.append(Note(NoteKind.ACCURACY, text))


def _ends(result: AnyDesign) -> tuple[float, float]:
    return result.objective, result.lower_bound


def _size_of(problem: Problem, engine: str) -> str:
    truths = problem.query.num_truths
    if engine == "chain":
        return f"{truths:,} true answers"
    return f"{problem.query.num_responses:,} by {truths:,} probabilities"


def _is_far_off(best: AnyDesign) -> bool:
    """Whether the gap is so wide that the next engine may do better."""
    gap = None if best.certificate is None else best.certificate.relative_gap
    return gap is not None and is_wide(gap, best.problem)


def solved_design(
    problem: Problem, *, solver: SolverName | Solver = "auto", time_limit: float | None = None
) -> RawDesign:
    """Return the solver's own answer to the program in full: ``design(problem, raw=True)``."""
    return design(problem, solver=solver, time_limit=time_limit, raw=True)


def _design_of(problem: Problem, engine_result: EngineResult, *, raw: bool, last: bool) -> AnyDesign | None:
    """Return the design of an engine's answer, ``None`` where it has none and another engine is left.

    The last engine's other proposals are tried without an answer too.
    """
    if engine_result.longer is not None:
        return _early_or_longer(problem, engine_result, raw=raw, last=last)
    answer, solution = engine_result.answer, engine_result.solution
    if engine_result.certificate is not None:
        return _certified_design(engine_result.certificate, None, solution)
    if answer is None and not last:
        return None
    if answer is None and (raw or solution.status is Status.INFEASIBLE):
        raise NoSolutionError(no_solution(problem, solution) + clash_sentence(problem, solution), solution)
    if raw and answer is not None:
        return _raw_design(problem, answer, solution)
    try:
        certificate = certify(problem, engine_result)
    except VerificationError:
        disclosure = certain_disclosure(problem)
        if disclosure is not None:
            message = f"{disclosure} The solver's own answer is there with `raw`."
            raise NoSolutionError(message, solution) from None
        if answer is None:
            raise NoSolutionError(no_solution(problem, solution), solution) from None
        raise
    return _certified_design(certificate, answer, solution)


def _early_or_longer(
    problem: Problem, engine_result: EngineResult, *, raw: bool, last: bool
) -> AnyDesign | None:
    """Return the design of an answer that came early, or the one of a longer search where that is better."""
    early: AnyDesign | None = None
    with suppress(NoSolutionError, VerificationError):
        early = _design_of(problem, replace(engine_result, longer=None), raw=raw, last=last)
    gap = None if early is None or early.certificate is None else early.certificate.relative_gap
    if early is not None and (time_is_up() or (gap is not None and gap <= _WORTH_A_WORD)):
        return early
    assert engine_result.longer is not None  # noqa: S101 - asked by the caller
    try:
        late = _design_of(problem, engine_result.longer(), raw=raw, last=last)
    except (NoSolutionError, VerificationError):
        if early is None:
            raise
        return early
    if early is None or late is None:
        return late or early
    figures = [(each.objective, each.lower_bound) for each in (late, early)]
    return early if is_better(figures[1], figures[0]) else late


def _raw_design(problem: Problem, answer: Answer, solution: Solution) -> RawDesign:
    notes = list(answer.notes)
    if solution.status is Status.LIMIT:
        text = f"a limit stopped the solver; no mechanism does better than {answer.bound:.12g} (claimed)"
        notes.append(Note(NoteKind.ACCURACY, text))
    elif answer.objective - answer.bound > _WORTH_A_WORD * abs(answer.objective) + _ABSOLUTE:
        text = (
            f"this mechanism has objective {answer.objective:.12g}, the bound is {answer.bound:.12g}: "
            "the optimum lies between them"
        )
        notes.append(Note(NoteKind.ACCURACY, text))
    return RawDesign(
        problem=problem,
        mechanism=MatrixMechanism.answering(problem.query, answer.matrix),
        objective=answer.objective,
        objective_standing=answer.provenance,
        lower_bound=answer.bound,
        lower_bound_standing=answer.bound_provenance,
        solution=solution,
        seconds=0.0,
        notes=(*notes, *_one_sided(problem)),
    )


def _certified_design(certificate: Certificate, answer: Answer | None, solution: Solution) -> Design:
    problem, objective = certificate.problem, float(certificate.objective)
    notes = [] if answer is None else list(answer.notes)
    if answer is None and certificate.repair:
        how = certificate.repair["how"]
        text = f"{solution.solver} gave no mechanism ({solution.message}): this is a {how}"
        notes.append(Note(NoteKind.ACCURACY, text))
    bound, provenance = solution.bound, Provenance.CLAIMED
    if certificate.bound is not None:
        bound, provenance = min(float(certificate.bound), objective), Provenance.PROVED
    bound = -np.inf if bound is None else bound
    if objective - bound > _WORTH_A_WORD * abs(objective) + _ABSOLUTE:
        text = (
            f"the objective is {objective:.12g}, the {provenance} bound {bound:.12g}: "
            "the optimum lies between"
        )
        stopped = "a limit stopped the solver; " if solution.status is Status.LIMIT else ""
        notes.append(Note(NoteKind.ACCURACY, stopped + text))
    mechanism = mechanism_of(certificate)
    return Design(
        problem=problem,
        mechanism=mechanism,
        objective=objective,
        objective_standing=Provenance.PROVED,
        lower_bound=bound,
        lower_bound_standing=provenance,
        solution=solution,
        seconds=0.0,
        notes=(*notes, *_one_sided(problem), *filter(None, [unreleased_note(problem, mechanism)])),
        certificate=certificate,
    )


def _one_sided(problem: Problem) -> list[Note]:
    if problem.query.symmetric:
        return []
    text = "one-sided: of two neighbours only one is protected; this is not differential privacy"
    return [Note(NoteKind.PRIVACY, text)]


def _settings(
    options: SolveOptions, method: str, time_limit: float | None, threads: int | None
) -> SolveOptions:
    settings: dict[str, Any] = {"time_limit": time_limit, "threads": threads}
    if method != Method.AUTO:
        settings["method"] = method
    return replace(options, **{name: it for name, it in settings.items() if it is not None})
