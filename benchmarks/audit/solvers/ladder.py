"""The problems that solvers are asked, and the backends that are asked.

A ladder climbs counts 0..n at several epsilons, where the entries of a good mechanism fall below every
tolerance; a mean, an extreme, bounded and modular noise stand beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError, SolverMissingError
from optmech.models import solvers
from optmech.models.solvers.options import Method
from optmech.question.problems.named import named_problem

if TYPE_CHECKING:
    from optmech.question.problem import Problem

COUNTS = ("count", "count, variant 2")
"""Families that grow with n."""

_LEAST_COUNT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Backend:
    """A solver with one of its methods. Mixed-integer programs go to branch and bound with any method."""

    solver: str
    method: Method

    @property
    def name(self) -> str:
        """Return its name on a command line, such as ``"highs-ipm"``."""
        return f"{self.solver}-{self.method}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One problem, as the choices that `named_problem` understands; `size` is its largest answer."""

    family: str
    size: int
    epsilon: str
    formulation: str
    choices: dict[str, Any]
    integer: bool = False

    @property
    def name(self) -> str:
        """Return a line that describes the problem."""
        return f"{self.family} 0..{self.size}" if self.family in COUNTS else self.family

    def problem(self) -> Problem:
        """Return the problem itself."""
        return named_problem(self.formulation, {**self.choices, "epsilon": self.epsilon})


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """Counts and epsilons of a ladder; the rest is the same for all. Epsilons are text, kept exactly.

    >>> [rung.name for rung in Ladder(counts=(5,), epsilons=("1",)).rungs()][:3]
    ['count 0..5', 'count, variant 2 0..5', 'mean of 10 records 0..4']
    """

    counts: tuple[int, ...]
    epsilons: tuple[str, ...]

    def __post_init__(self) -> None:
        """Hold the ranges to their rules."""
        if not self.counts or min(self.counts) < _LEAST_COUNT:
            message = f"`counts` must be whole numbers from {_LEAST_COUNT} on; got {self.counts}."
            raise ProblemError(message)
        if not self.epsilons:
            message = "`epsilons` must be numbers, such as 0.5,1; got none."
            raise ProblemError(message)

    def with_sizes(
        self, counts: tuple[int, ...] | None = None, epsilons: tuple[str, ...] | None = None
    ) -> Ladder:
        """Return this ladder with other counts or epsilons; ``None`` keeps its own."""
        return replace(
            self,
            counts=self.counts if counts is None else counts,
            epsilons=self.epsilons if epsilons is None else epsilons,
        )

    def rungs(self) -> list[Rung]:
        """Return the problems, the counts first, each checked to be a question that can be asked."""
        members = [
            _count(family, count, epsilon)
            for family in COUNTS
            for epsilon in self.epsilons
            for count in dict.fromkeys(sorted(self.counts))
        ]
        for epsilon in self.epsilons:
            members += [
                _croft(
                    "mean of 10 records 0..4", 4, epsilon, {"query": "mean", "records": 10, "range": "0:4"}
                ),
                _croft("extreme 0..9", 9, epsilon, {"query": "extremum", "range": "0:9"}),
            ]
        members += _NOISES
        for rung in members:
            rung.problem()
        return members


def _count(family: str, largest: int, epsilon: str) -> Rung:
    choices = {"query": "count", "range": f"0:{largest}", "variant": 1 + COUNTS.index(family)}
    return _croft(family, largest, epsilon, choices)


def _croft(family: str, size: int, epsilon: str, choices: dict[str, Any]) -> Rung:
    return Rung(family=family, size=size, epsilon=epsilon, formulation="croft", choices=choices)


_NOISES = [
    Rung(
        family="zero-bias noise, counts 1..30",
        size=30,
        epsilon="1",
        formulation="sadeghi",
        choices={"accuracy": "0.5", "half_width": 2, "counts": "1:30"},
    ),
    Rung(
        family="zero-bias noise, counts 2..7",  # steep: the least delta is 1.1e-5
        size=7,
        epsilon="10",
        formulation="sadeghi",
        choices={"accuracy": "0.5", "half_width": 2, "counts": "2:7"},
    ),
    Rung(
        family="symmetric noise within 6",
        size=6,
        epsilon="2.18",
        formulation="sadeghi-symmetric",
        choices={"accuracy": "0.8", "half_width": 6},
    ),
    Rung(
        family="modular noise, residues 9, delta 0.1238",
        size=8,
        epsilon="1.5",
        formulation="kadam",
        choices={"modulus": 9, "distances": (1, 2, 3), "delta": "0.1238"},
        integer=True,
    ),
]

QUICK = Ladder(counts=(5, 10, 20), epsilons=("0.5", "1"))
DEFAULT = Ladder(counts=(5, 10, 20, 50, 100), epsilons=("0.1", "0.5", "1", "2"))
FULL = DEFAULT.with_sizes(counts=(*DEFAULT.counts, 150, 200, 300))


def backends(names: tuple[str, ...] = ()) -> list[Backend]:
    """Return the backends that are installed, or those of them that are named.

    Names are of solvers, such as ``"highs"``, for all their methods, or of backends, such as ``"highs-ipm"``.
    """
    members = [
        Backend(solver=solver.name, method=method)
        for solver in solvers.installed_solvers()
        for method in solver.methods
        if method is not Method.AUTO  # it is one of the others
    ]
    names_of_backends = list(
        dict.fromkeys(name for backend in members for name in (backend.solver, backend.name))
    )
    for name in names:
        if name not in names_of_backends:
            message = (
                f"`solver` must be one of {', '.join(names_of_backends)}; got {name!r}. "
                "`optmech doctor` says what is installed."
            )
            raise SolverMissingError(message)
    selection = [backend for backend in members if not names or {backend.solver, backend.name} & set(names)]
    if not selection:
        message = "no solver is available. Install one with `pip install highspy`."
        raise SolverMissingError(message)
    return selection
