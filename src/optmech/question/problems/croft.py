"""Range-constrained mechanism of least expected loss.

Model
-----
    min   sum_{r,f} p_f l(r,f) M[r,f]
    s.t.  sum_r M[r,f] = 1                     total        for each truth f                      (9)
          M[r,f] <= e^epsilon M[r,g]           privacy      for neighbours f, g, each response r  (4)
          M[r,f] >= 0                                                                             (8)
          and, in Variant 2, rows (10)-(15)    question/properties

Size: |R||F| columns, |F| + P|R| rows for P ordered pairs of neighbours.
Source: Croft, Sack, Shi 2020, section 3.4, LP Mechanism Variants 1 and 2.
Algebra: formulations/croft_variant_1.mod, croft_variant_2.mod.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.arguments import an_instance, takes, whole_number
from optmech.base.errors import broken_rule
from optmech.question.epsilon import one_epsilon
from optmech.question.loss import loss_matrix, loss_name, usual_loss
from optmech.question.losses import ExpectedLoss
from optmech.question.privacy import PurePrivacy
from optmech.question.problem import Problem
from optmech.question.properties import VARIANT_2, properties_of
from optmech.question.query import Query
from optmech.question.structures import FreeMatrix

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike

    from optmech.base.numbers import Number
    from optmech.question.loss import LossName


@takes(query=an_instance(Query))
def croft(
    query: Query,
    epsilon: Number | None = None,
    variant: int = 1,
    loss: LossName | ArrayLike | None = None,
    prior: str | ArrayLike | None = None,
    *,
    properties: Iterable[str] | str = (),
    exp_epsilon: Number | None = None,
) -> Problem:
    """Ask for the mechanism of least expected loss among all matrices with pure privacy.

    Parameters
    ----------
    query : Query
        The question; responses other than the truths are allowed.
    epsilon : str, int, float or Fraction
        Privacy, positive, kept exactly as given; ``"ln 2"`` is the natural logarithm of 2, exactly.
    variant : {1, 2}, default 1
        Variant 1 asks for privacy alone. Variant 2 asks for row and column monotonicity, symmetry and
        fairness as well.
    loss : {"absolute", "squared", "zero-one"} or array_like, shape (num_responses, num_truths)
        Loss of a response at a truth. Left out it is absolute, of categories zero-one.
    prior : None, "uniform" or array_like, shape (num_truths,)
        Without a prior the objective is the plain sum over truths, as the paper prints it; with one it is
        the expected loss.
    properties : iterable of str
        Further properties, each of which can be asked for alone: ``"fair"``, ``"symmetric"``,
        ``"row-monotone"``, ``"column-monotone"``.
    exp_epsilon : str, int, float or Fraction
        ``e^epsilon``, in place of `epsilon`.

    Raises
    ------
    ProblemError
        If an argument breaks its rule.

    Examples
    --------
    >>> from optmech.question.queries import count
    >>> print(croft(count(5), "0.5", properties=["fair"]))
    croft: count 0..5; any matrix; epsilon = 0.5; fair; least expected loss
    >>> print(croft(count(5), exp_epsilon=2))
    croft: count 0..5; any matrix; epsilon = ln 2; no further property; least expected loss
    """
    if whole_number(variant, "variant") not in (1, 2):
        raise broken_rule("variant", "be 1 or 2", variant)
    chosen = usual_loss(query) if loss is None else loss
    demands = properties_of(properties) | (VARIANT_2 if variant == 2 else frozenset())  # noqa: PLR2004
    return Problem(
        name="croft",
        query=query,
        structure=FreeMatrix(),
        privacy=PurePrivacy(one_epsilon(epsilon, exp_epsilon)),
        properties=demands,
        objective=ExpectedLoss.under(prior, query, loss_matrix(chosen, query), loss_name(chosen, query)),
    )
