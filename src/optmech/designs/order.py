"""Where engines hand over to each other: who is asked, from which size, epsilon and kind on.

Each number has the measurement behind it, in seconds of a processor of the 2020s, and
`tests/designs/test_seams.py` walks across each. An engine's `refusal`, and all that is asked here, is a look
at the question. Whatever builds a program belongs to `design`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from optmech.designs.chain.curve_orbits import orbits_of
from optmech.designs.closed_form import is_exact, theorem_with_matrix
from optmech.models.formulations.reduced import least_ratios_of
from optmech.question.properties import COLUMN_MONOTONE, FAIR
from optmech.question.shape import Shape
from optmech.question.two_costs import no_two_costs

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from optmech.question.problem import Problem

ENGINES = ("closed-form", "chain", "rays", "interior", "levels", "program")
"""Values of `engine` besides ``"auto"``, in the order in which engines are asked."""

# epsilon between neighbours from which on no matrix is searched for. e^12 = 160,000 protects nobody, and an
# error is then e^-12, which solvers hardly tell from 0: gaps of 1e-9 come to 0.3 or 1 at the worst truth.
_LARGEST_EPSILON = 12.0
# The same of the heaviest neighbours, where others are lighter: e^36 = 2^52 has all digits of a double. Up to
# there gaps of graphs with weights of 1 to 30 stay below 1e-9; from e^60 on solvers find no mechanism.
_LARGEST_EXPONENT = 36.0

# Ratios of the smallest program from which on interior points are asked first. The program's matrix is a
# vertex, whose zeros are zeros, and worth a second: at a delta means of 5 records 0..4 (3,108 ratios) take
# 0.8 s and 0.5, of 7 (6,148) 2.7 and 0.7, of 8 (8,052) 5.5 and 0.9; of 10 (12,628) the program has no end.
_FEW_RATIOS = 5_000
# The same where a row is tied to the next; under pure privacy a step of interior points takes longer there,
# by so much for each ratio.
_FEW_RATIOS_OF_TIES, _OF_A_RATIO = 8_000, 0.6
# True answers from which on a matrix of two numbers is written as these. Entry by entry 100 categories take
# 0.3 s and a file of 0.6 MB, 200 take 0.8 s and 2.4 MB, and 600 take 22 s; as two numbers 2,925 take 0.8 s
# and 0.1 MB.
_FEW_OF_TWO_NUMBERS = 200
# True answers from which on interior points prove the worst loss sooner than the prior of a chain: at 99 2.1
# s against 4.7 at a delta, and 1.0 against 0.8 without; at 130 2.2 s, and the program of the prior fails.
_FEW_AT_WORST = 100
# Ratios at the worst truth from which on rays are asked before the program; with fewer it takes no longer.
# Of a mean of 100 records they take 14 s, interior points 59; of a count 0..446 12 s and 24.
_FEW_RATIOS_AT_WORST = 5_000
# Relative gap from which on the next engine is asked as well; and where a program has so many ratios that it
# would take minutes, which are worth it for a gap that a reader notices.
_GOOD_GAP, _GAP_OF_MANY, _MANY_RATIOS = 1e-6, 1e-4, 20_000


def too_large_epsilon(problem: Problem) -> str | None:
    """Return why no matrix is searched for at so large an epsilon, ``None`` where one is.

    >>> import optmech as om
    >>> [too_large_epsilon(om.question(om.mean(5, 3), epsilon)) is None for epsilon in ("11.9", 12)]
    [True, False]
    """
    weights = problem.query.weights
    if not len(weights):
        return None
    epsilons = [float(privacy.epsilon) for privacy in problem.privacies]
    if min(epsilons) * int(weights.min()) >= _LARGEST_EPSILON:
        return "e^epsilon above 160,000 between all neighbours protects nobody"
    if max(epsilons) * int(weights.max()) > _LARGEST_EXPONENT:
        return "e^epsilon between the heaviest neighbours has no digits left"
    return None


def is_in_two_numbers(problem: Problem) -> bool:
    """Whether the optimum is written as two numbers: of many true answers, or where none is searched for.

    >>> import optmech as om
    >>> [is_in_two_numbers(om.question(om.categories("abc"), epsilon)) for epsilon in (11, 12)]
    [False, True]
    """
    many = problem.query.num_truths >= _FEW_OF_TWO_NUMBERS
    return (many or too_large_epsilon(problem) is not None) and no_two_costs(problem) is None


def is_wide(gap: float, problem: Problem) -> bool:
    """Whether a relative gap is so wide that the next engine is asked as well."""
    if gap <= _GOOD_GAP:
        return False
    return gap > (_GOOD_GAP if least_ratios_of(problem) <= _MANY_RATIOS else _GAP_OF_MANY)


class HandOver(NamedTuple):
    """The engine `first` is asked before `then`, though it stands behind it, where `holds` says so."""

    first: str
    then: str
    why: str
    holds: Callable[[Problem], bool]


def _is_noise(problem: Problem) -> bool:
    shape = Shape.of(problem)
    return shape.equal_steps and shape.worst_loss is None


def _has_few_ratios(problem: Problem) -> bool:
    return least_ratios_of(problem) < _FEW_RATIOS


def _has_few_at_worst(problem: Problem) -> bool:
    if Shape.of(problem).worst_loss is None:
        return False
    return problem.query.num_responses * len(problem.query.pairs) < _FEW_RATIOS_AT_WORST


def _is_long_at_worst(problem: Problem) -> bool:
    return Shape.of(problem).worst_loss is not None and problem.query.num_truths > _FEW_AT_WORST


def _ties_rows(problem: Problem) -> bool:
    return COLUMN_MONOTONE in problem.properties


def _ties_few_rows(problem: Problem) -> bool:
    query = problem.query
    own = query.num_responses * len(query.pairs) if Shape.of(problem).one_pure_privacy else 0
    return _ties_rows(problem) and least_ratios_of(problem) < _FEW_RATIOS_OF_TIES + _OF_A_RATIO * own


# Fair counts 0..40 take 0.3 s by the program and 0.8 by rays; 0..100 take 1 to 8 s by the program, 4 to 5 by
# rays, and 0.7 to 1.4 by interior points.
def _is_fair_row(problem: Problem) -> bool:
    return FAIR in problem.properties and Shape.of(problem).reach == 1


HAND_OVERS = (
    HandOver("chain", "closed-form", "noise is as good, and short", _is_noise),
    HandOver("rays", "chain", "rays prove so many true answers sooner", _is_long_at_worst),
    HandOver("interior", "chain", "interior points prove so many true answers sooner", _is_long_at_worst),
    HandOver("program", "interior", "a program of few ratios is as quick, and more exact", _has_few_ratios),
    HandOver("program", "interior", "rows tied to each other make one program quicker", _ties_few_rows),
    HandOver(
        "program",
        "rays",
        "a program of few ratios is as quick, and its matrix is a vertex",
        _has_few_at_worst,
    ),
    HandOver("program", "rays", "a fair program of neighbours one apart is quicker", _is_fair_row),
    HandOver("program", "rays", "column monotony ties most entries, and one program is quicker", _ties_rows),
)


def only_if_named(engine: str, problem: Problem) -> str | None:
    """Return why an engine that fits waits until somebody names it, ``None`` where it is asked."""
    if engine == "closed-form":
        if is_in_two_numbers(problem):
            return None
        theorem, is_priced = theorem_with_matrix(problem)
        if theorem is None or not is_priced:
            return "the theorem gives the optimal matrix, but no multipliers to prove it with"
        # In doubles a gap of 1e-11 at epsilon 13 becomes 1e-6 at 30, and 1 at 50.
        return None if theorem.whole or is_exact(theorem, problem) else too_large_epsilon(problem)
    shape = Shape.of(problem)
    is_pure = engine == "chain" and shape.one_pure_privacy and shape.worst_loss is None
    if is_pure and orbits_of(problem).reaches_tails(problem.query.num_truths):
        return "the theorem of chains gives noise with tails, and no matrix"
    return None


def is_written_down(engine: str, problem: Problem) -> bool:
    """Whether the mechanism of an engine is that of a theorem, and no solver is asked."""
    of_noise = engine == "chain" and Shape.of(problem).worst_loss is None
    return engine == "closed-form" or of_noise


def turns(problem: Problem, fitting: Collection[str]) -> tuple[str, ...]:
    """Return the engines that fit in the order in which they are asked.

    >>> import optmech as om
    >>> turns(om.question(om.mean(3, 2), 1), ("rays", "interior", "program"))
    ('rays', 'program', 'interior')
    """
    asked = [name for name in ENGINES if name in fitting and only_if_named(name, problem) is None]
    for over in HAND_OVERS:
        if over.first in asked and over.then in asked and over.holds(problem):
            before, after = asked.index(over.first), asked.index(over.then)
            if after < before:
                asked.insert(before, asked.pop(after))
    return tuple(asked)


def why_later(engine: str, problem: Problem, fitting: Collection[str]) -> str | None:
    """Return why an engine that fits is asked after another, ``None`` where it is not."""
    overs = (over for over in HAND_OVERS if over.then == engine and over.first in fitting)
    return next((over.why for over in overs if over.holds(problem)), None)
