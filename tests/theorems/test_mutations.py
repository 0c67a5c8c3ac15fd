"""The comparison of optima and theorems fails when a theorem has a mistake in it.

Each function that a theorem's value runs through is changed in one place: an index shifted, a sign turned, a
term dropped. Mistakes that the comparison does not notice are listed in `survivors`, with the reason. The
slow test tries every mistake on every problem; the others look for one of each kind in each theorem.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache, partial
from typing import TYPE_CHECKING

import pytest

from optmech.theorems.registry import THEOREMS
from optmech.theorems.theorem import Relation, Truth
from optmech.verify.crosscheck.compare import CrosscheckVerdict, comparison
from tests.theorems.mutation import (
    KINDS,
    EndlessError,
    Mutant,
    first_that,
    functions_run,
    mutants_of,
    patience,
)
from tests.theorems.mutation_cases import cases, optimum
from tests.theorems.survivors import EQUAL, UNSEEN, places

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FunctionType

    from optmech.question.problem import Problem
    from optmech.verify.crosscheck.grid import Case


NAMED = {theorem.name: theorem for theorem in THEOREMS}
SAME, WEAKER = places(EQUAL), places(UNSEEN)
# Shares of all mistakes, and of those that change a value: the rest are bounds that get weaker.
LEAST_SHARE, LEAST_SHARE_OF_CHANGES = 0.85, 0.95

# Most mistakes show in every so many-th problem.
FEW = 7

# Mistakes in a theorem that is a bound, unseen by any optimum: every mistake of the kind weakens it.
SILENT = {
    ("kadam-single-limit", "sign"): "e^epsilon in place of e^-epsilon is a larger upper bound",
    ("kadam-single-limit", "term"): "its terms are of letters that the limit does not read",
    ("kadam-bounded-limit", "term"): "a term or a distance that is left out makes a larger upper bound",
    ("kadam-lemma-1", "term"): "each term that is left out raises the upper bound, up to one",
}


def each_spoken_of(name: str) -> Iterator[tuple[Case, Problem]]:
    """Yield the problems that a theorem applies to."""
    family = name.split("-", 1)[0]
    questions = ((case, case.ask()) for case in cases() if case.family == family)
    return ((case, problem) for case, problem in questions if NAMED[name].objection(problem) is None)


@cache
def spoken_of(name: str) -> tuple[tuple[Case, Problem], ...]:
    return tuple(each_spoken_of(name))


@cache
def functions_of(name: str) -> list[FunctionType]:
    return functions_run(
        lambda problem=problem: NAMED[name].value(problem) for _, problem in spoken_of(name)[::3]
    )


@cache
def verdict(name: str, case: Case) -> CrosscheckVerdict:
    """Return what the comparison says of the theorem as it is."""
    return comparison(case, case.ask(), NAMED[name], *optimum(case)).verdict


@cache
def places_of(name: str) -> list[int]:
    """Return where the theorem's problems stand among them; `notices` puts them in another order."""
    return [*range(len(spoken_of(name)))]


def notices(name: str, mutant: Mutant, every: int = 1) -> bool:
    """Whether the comparison says something else of the theorem with this mistake, on some problem."""

    def says_else(place: int) -> bool:
        if place % every:
            return False
        case, problem = spoken_of(name)[place]
        sound, solved = verdict(name, case), optimum(case)
        try:
            with mutant.in_place(), patience():
                return comparison(case, problem, NAMED[name], *solved).verdict is not sound
        except EndlessError:
            return True

    return first_that(says_else, places_of(name)) is not None


def first_noticed(name: str, kind: str, passes: tuple[int, ...] = (FEW, 1)) -> Mutant | None:
    """Return a mistake of a kind that is noticed, looked for in the theorem's own functions first."""
    expected = [
        mutant
        for function in functions_of(name)[::-1]
        for mutant in mutants_of(function)
        if mutant.kind == kind and str(mutant) not in SAME | WEAKER
    ]
    for every in passes:
        for mutant in expected:
            if notices(name, mutant, every):
                return mutant
    return None


@pytest.mark.slow  # a second and a half each
@pytest.mark.parametrize("name", [name for name in NAMED if NAMED[name].truth is not Truth.FALSE][::12])
def test_each_theorem_is_caught_with_a_mistake_of_each_kind(name):
    assert spoken_of(name), "no problem in the list is one that the theorem applies to"
    kinds = {mutant.kind for function in functions_of(name) for mutant in mutants_of(function)}
    for kind in sorted(kinds):
        if (name, kind) in SILENT:
            assert first_noticed(name, kind, passes=(FEW,)) is None, SILENT[name, kind]
        else:
            assert first_noticed(name, kind) is not None, f"no {kind} of {name} is noticed"


@pytest.mark.slow
def test_a_mutant_is_its_function_with_one_place_changed_and_leaves_no_trace():
    name = "kadam-theorem-2"
    function = next(f for f in functions_of(name) if f.__name__ == "_pieces")
    sound, listed = function.__code__, mutants_of(function)
    assert {mutant.kind for mutant in listed} == set(KINDS)
    assert len({str(mutant) for mutant in listed}) == len(listed)
    shifted = next(m for m in listed if m.was == "1 + rest" and m.now == "1 - rest")
    assert notices(name, shifted)
    assert function.__code__ is sound
    case = spoken_of(name)[0][0]
    assert verdict(name, case) is comparison(case, case.ask(), NAMED[name], *optimum(case)).verdict


@pytest.mark.slow
def test_a_closed_form_that_raises_or_never_ends_does_not_agree():
    name = "kadam-theorem-2"
    case, problem = next(each_spoken_of(name))
    functions = functions_run([lambda: NAMED[name].value(problem)])
    function = next(f for f in functions if f.__name__ == "_pieces")
    sound = function.__code__
    function.__code__ = (lambda powers, *_, symmetric: powers.nothing[symmetric]).__code__
    try:
        row = comparison(case, problem, NAMED[name], *optimum(case))
    finally:
        function.__code__ = sound
    assert row.verdict is CrosscheckVerdict.FAILS
    assert "AttributeError" in row.note


@cache
def users() -> dict[FunctionType, list[str]]:
    """Return each function with the theorems whose value runs through it, equalities first."""
    result = defaultdict(list)
    for name in sorted(NAMED, key=lambda name: NAMED[name].relation is not Relation.EQUAL):
        for function in functions_of(name):
            result[function].append(name)
    return result


@pytest.mark.long
def test_every_mistake_is_noticed_or_listed_with_a_reason():
    mutants = [(mutant, names) for function, names in users().items() for mutant in mutants_of(function)]
    assert {str(mutant) for mutant, _ in mutants} >= SAME | WEAKER, "listed, yet gone"
    tried = mutants[::6]  # for time
    noticed = {str(mutant) for mutant, names in tried if first_that(partial(notices, mutant=mutant), names)}
    missed = {str(mutant) for mutant, _ in tried} - noticed
    same, weaker = SAME & (missed | noticed), WEAKER & (missed | noticed)
    assert sorted(missed - same - weaker) == [], "not noticed, and no reason is given"
    assert sorted((same | weaker) & noticed) == [], "listed, yet noticed"
    assert len(noticed) >= LEAST_SHARE * len(tried)
    assert len(noticed) >= LEAST_SHARE_OF_CHANGES * (len(tried) - len(same))
