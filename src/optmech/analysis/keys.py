"""A mechanism that a number of keys can draw: all of its probabilities are multiples of one over that.

Model
-----
    the program of the question, its entries M[r,f] = x[r,f] / K with whole numbers x >= 0

Statistical offices draw noise by a cell key, one of 256 or 4,096. A solver finds whole numbers by branch and
bound; what is returned is proved of them, exactly. The lower bound is that of the question, for mechanisms
with any probabilities; that nothing with as many keys does better is the solver's claim alone.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import singledispatch
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.base.arguments import an_instance, optional, takes, whole_number
from optmech.base.errors import NoSolutionError, ProblemError, VerificationError, broken_rule
from optmech.base.notes import Note, NoteKind
from optmech.base.number_format import at_least
from optmech.base.wording import plural
from optmech.designs.design import Design
from optmech.designs.unreleased_answers import unreleased_note
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.models import solvers
from optmech.models.formulations.assemble import assemble
from optmech.models.formulations.layout import ENTRIES
from optmech.models.solvers.options import SolveOptions, need_time
from optmech.proofs.matrix import ExactMatrix
from optmech.proofs.matrix_certificate import MatrixCertificate

if TYPE_CHECKING:
    from optmech.base.arrays import Integers
    from optmech.models.solution import Solution
    from optmech.proofs.certificate import Certificate
    from optmech.question.problem import Problem

_MOST_KEYS = 65_536
# Branch and bound finds good tables in seconds, and may prove for days that there are no better ones.
_SECONDS = 60.0


@takes(result=an_instance(Design), time_limit=optional(need_time))
def with_keys(result: Design, keys: int, *, time_limit: float | None = None) -> Design:
    """Return the best mechanism found whose probabilities are multiples of ``1 / keys``, certified.

    Parameters
    ----------
    result : Design
        A certified design of any matrix by a program, such as one of `p_table`. Its multipliers prove the
        lower bound.
    keys : int
        The number of keys, 1 to 65,536; offices use 256 and 4,096.
    time_limit : float, optional
        Seconds for the search; by default 60. Then the best so far is taken.

    Returns
    -------
    Design
        Its certificate holds the whole numbers over `keys`. A note says what the solver claims of all other
        mechanisms with as many keys.

    Raises
    ------
    ProblemError
        If an argument breaks its rule.
    NoSolutionError
        If none was found.
    VerificationError
        If the whole numbers miss a rule by what the solver takes for rounding.

    Examples
    --------
    >>> import optmech as om
    >>> design = om.design(om.p_table(2, 1, variance=1, unbiased=True))
    >>> print(with_keys(design, 4).certificate.matrix.denominator)
    4
    """
    start = time.perf_counter()
    problem, first = result.problem, result.certificate
    if not 1 <= whole_number(keys, "keys") <= _MOST_KEYS:
        raise broken_rule("keys", f"be a number from 1 to {_MOST_KEYS:,}", keys)
    if first is None or first.lacks_multipliers or first.bound is None:
        raise _refusal(problem)
    numerators, solution = _whole_numbers(problem, keys, _SECONDS if time_limit is None else time_limit)
    try:
        certificate = _with_matrix(first, ExactMatrix(numerators=numerators, denominator=keys))
    except (ProblemError, VerificationError) as error:
        message = f"the solver's whole numbers break a rule: {error} Take another number of keys than {keys}."
        raise VerificationError(message) from None
    mechanism = MatrixMechanism.certified(certificate)
    note = f"multiples of 1/{keys:,} alone"
    if solution.bound is not None:
        note += f"; that no others have less than {at_least(solution.bound)} is claimed"
    return replace(
        result,
        mechanism=mechanism,
        objective=float(certificate.objective),
        certificate=certificate,
        solution=solution,
        seconds=result.seconds + time.perf_counter() - start,
        notes=(
            *(old for old in result.notes if old != unreleased_note(problem, result.mechanism)),
            *filter(None, [unreleased_note(problem, mechanism)]),
            Note(NoteKind.INFORMATION, note),
        ),
    )


def _refusal(problem: Problem) -> ProblemError:
    message = (
        "keys can be counted of a certified design of any matrix; got another one of "
        f"{problem.query.title}. Design it with the engine `program`, and not raw."
    )
    return ProblemError(message)


@singledispatch
def _with_matrix(first: Certificate, matrix: ExactMatrix) -> MatrixCertificate:  # noqa: ARG001 - none is that of noise
    """Return the certificate of a matrix of multiples, in place of the mechanism of another one."""
    raise _refusal(first.problem)


@_with_matrix.register(MatrixCertificate)
def _(first: MatrixCertificate, matrix: ExactMatrix) -> MatrixCertificate:
    how = {"how": f"whole multiples of 1/{matrix.denominator}", "cost": "unknown"}
    return replace(first, matrix=matrix, repair=how, raw={})


def _whole_numbers(problem: Problem, keys: int, seconds: float) -> tuple[Integers, Solution]:
    """Return the numerators of the best mechanism that a solver finds, and what it says of them."""
    formulation = assemble(problem)
    model = formulation.model
    entries = model.columns_from(ENTRIES)
    if (
        entries.stop - entries.start < problem.query.num_responses * problem.query.num_truths
    ):  # some equal others
        raise _refusal(problem)
    unit, integer = np.ones(model.num_columns), model.integer.copy()
    unit[entries], integer[entries] = 1 / keys, True
    counted = replace(
        model,
        matrix=sparse.csr_array(model.matrix.multiply(unit[None, :])),
        cost=model.cost * unit,
        column_lower=model.column_lower / unit,
        column_upper=model.column_upper / unit,
        integer=integer,
    )
    solution = solvers.solver("highs").solve(counted, SolveOptions(time_limit=seconds))
    if solution.values is None:
        message = (
            f"no mechanism for {problem.query.title} with {plural(keys, 'key')} was found in {seconds:g} s: "
            f"{solution.status}. Take more keys, or more time."
        )
        raise NoSolutionError(message, solution)
    matrix = formulation.matrix(solution.values * unit)
    numerators = np.array([[round(keys * value) for value in row] for row in matrix.tolist()], dtype=object)
    return numerators, solution
