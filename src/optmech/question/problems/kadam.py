"""Modular noise of least expected cost under probabilistic privacy.

Model
-----
    min   sum_eta rho_eta f[eta]                                                        (13a)
    s.t.  sum_eta f[eta] = 1                        total                               (13b)
          for each distance mu, the mass of all eta with f[eta] > e^epsilon f[eta+mu]
          is at most delta                          ratio, remainder, violation, budget (13c)-(13h)

`kadam` seeks the least cost at a given delta, `kadam_least_delta` the least delta at a given cost, (15).
The reading "definition" has an indicator for each distance *and* outcome and a budget for each distance, as
the paper's Definition 2 demands. The reading "printed" is the paper's own program of 3(n+1) columns, which
shares the indicators among distances and so forbids some mechanisms that are private. It is a model, of which
nothing is proved.

Answers may be vectors: eta and mu are then vectors, added modulo each coordinate, and the program is that of
the joint distribution, section "Optimal noise mechanism for vector queries".

Source: Kadam et al. 2024, (9)-(15).
Algebra: formulations/kadam.mod, kadam_pure.mod, kadam_printed.mod, kadam_least_delta*.mod, kadam_vector*.mod.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.arguments import an_instance, takes
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, exact
from optmech.question.epsilon import one_epsilon
from optmech.question.loss import need_numbers, noise_cost
from optmech.question.losses import ExpectedLoss, LeastDelta
from optmech.question.privacy import ProbabilisticPrivacy, Reading
from optmech.question.problem import Problem
from optmech.question.query import Query
from optmech.question.structures import ModularNoise, distances_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from optmech.base.numbers import Number
    from optmech.question.loss import CostName


def modular_cost(query: Query, structure: ModularNoise, cost: CostName | ArrayLike) -> ExpectedLoss:
    """Return the expected cost of the noise, with the costs of `noise_cost`."""
    size = query.num_truths
    if isinstance(cost, str) and cost != "error-rate" and not structure.moduli:
        need_numbers(query, cost)
    # Such noise costs the same at every truth, so the cost is read at truth 0 alone.
    at_zero = np.zeros(size)
    at_zero[0] = 1.0
    return ExpectedLoss(noise_cost(cost, structure.moduli or size)[structure.noise(size)], at_zero)


@takes(query=an_instance(Query))
def kadam(
    query: Query,
    epsilon: Number | None = None,
    delta: Number = 0,
    cost: CostName | ArrayLike = "error-rate",
    reading: str = Reading.DEFINITION,
    *,
    exp_epsilon: Number | None = None,
) -> Problem:
    """Ask for the modular noise of least expected cost.

    Parameters
    ----------
    query : Query
        A query on a circle, such as ``residues(9, [1, 2, 3])``, or a ``vector``. With ``symmetric=False``
        the guarantee holds from one neighbour to the other only, as printed in the paper: not differential
        privacy.
    epsilon, delta : str, int, float or Fraction
        Privacy: epsilon positive, delta between 0 and 1. With delta = 0 the program is the LP (14). An
        epsilon of ``"ln 2"`` is the natural logarithm of 2, exactly.
    cost : {"error-rate", "squared", "circular", "wrapped"} or array_like, shape (modulus,)
        Cost of each noise value; of vectors the sum over the coordinates, or shape (m1, m2, …).
    reading : {"definition", "printed"}
        The program. The printed one is a model, for `assemble` and ``design(raw=True)``: nothing is proved
        of it.
    exp_epsilon : str, int, float or Fraction
        ``e^epsilon``, in place of `epsilon`.

    Raises
    ------
    ProblemError
        If an argument breaks its rule.

    Examples
    --------
    >>> from optmech.question.queries import residues
    >>> print(kadam(residues(5, [1]), "1.5", "0.1"))  # doctest: +NORMALIZE_WHITESPACE
    kadam: residues modulo 5, distances 1; noise added modulo the number of answers;
    epsilon = 1.5, probabilistic delta = 0.1; no further property; least expected loss
    """
    if delta is None:
        message = "`delta` must be given for `kadam`; to seek the least one use `kadam_least_delta`."
        raise ProblemError(message)
    privacy = ProbabilisticPrivacy(one_epsilon(epsilon, exp_epsilon), delta, reading)  # type: ignore[arg-type]
    return Problem(
        name="kadam",
        query=query,
        structure=ModularNoise(query.moduli),
        privacy=privacy,
        properties=frozenset(),
        objective=_expected_cost(query, cost),
    )


@takes(query=an_instance(Query))
def kadam_least_delta(
    query: Query,
    epsilon: Number | None = None,
    cost: CostName | ArrayLike = "error-rate",
    at_most: Number | None = None,
    reading: str = Reading.DEFINITION,
    *,
    exp_epsilon: Number | None = None,
) -> Problem:
    """Ask for the modular noise of least delta among those whose expected cost is at most a bound.

    Parameters
    ----------
    query, epsilon, cost, reading, exp_epsilon
        As in `kadam`.
    at_most : str, int, float or Fraction
        The largest expected cost allowed, zero or more. It must be given.

    Raises
    ------
    ProblemError
        If an argument breaks its rule.
    """
    if at_most is None:
        message = "`at_most` must be given: the largest expected cost allowed, such as 0.3."
        raise ProblemError(message)
    bound = exact(at_most, "at_most")
    if bound < 0:
        raise broken_rule("at_most", "be zero or more", as_text(bound), "It bounds the expected cost.")
    return Problem(
        name="kadam-least-delta",
        query=query,
        structure=ModularNoise(query.moduli),
        privacy=ProbabilisticPrivacy(one_epsilon(epsilon, exp_epsilon), None, reading),  # type: ignore[arg-type]
        properties=frozenset(),
        objective=LeastDelta(_expected_cost(query, cost), bound),
    )


def _expected_cost(query: Query, cost: CostName | ArrayLike) -> ExpectedLoss:
    structure = ModularNoise(query.moduli)
    distances_of(query, structure)  # the query must look the same from every answer
    return modular_cost(query, structure, cost)
