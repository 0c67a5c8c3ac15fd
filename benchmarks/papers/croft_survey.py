"""Figures 8 and 9 of Croft, Sack, Shi 2020, section 4.3.5: mean and max of survey groups of ten.

The paper asks Statistics Canada's National Household Survey 2011 for family sizes, 1 to 7, a file that is not
public. Here the American National Election Studies 1996 stand in (public domain): the left-right
self-placement, 1 to 7 as well, of 944 respondents, in groups of ten in file order, the last four left out.
Where the paper draws 1000 answers for each group, the expectation over answers is computed.

The smooth-sensitivity release depends on the whole group, not on its maximum alone. For a user who remaps its
answers, the law of an answer given the maximum is averaged over groups of ten independent, uniform records.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaln
from scipy.stats import cauchy

from benchmarks.papers.croft_curves import (
    EPSILON,
    FACE,
    FEW_EPSILONS,
    FIVE,
    GUESSED,
    LAPLACE,
    NO_PROGRAM,
    SILENT,
    STAIRCASE,
    V1,
    V2,
    Panels,
    claim,
    drawer,
    largest_ratio,
    make,
    panels_of,
    read_off,
)
from benchmarks.papers.digits import not_reproducible
from benchmarks.papers.item import Reproduction
from benchmarks.papers.smooth_cauchy import smooth_cauchy, smooth_sensitivity
from benchmarks.papers.survey import groups_of_ten
from optmech.analysis.baselines.cells import edge_offsets, snap
from optmech.analysis.utility import bayesian_guess
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.question.loss import loss_matrix
from optmech.question.queries import extremum, mean

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchmarks.papers.item import Line
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.question.query import Query

    Floats = NDArray[np.float64]

__all__ = ["average_smooth_release", "groups_of_answers", "survey_max", "survey_mean"]

_SMALLEST, _LARGEST, _GROUP = 1, 7, 10
_SMOOTH = "smooth sensitivity"
_FACTOR = 8  # of the Cauchy noise, as printed


def groups_of_answers() -> list[list[int]]:
    """Return the answers in groups of ten; the last, incomplete group is left out."""
    return groups_of_ten("selfLR")


def average_smooth_release(query: Query, epsilon: float, records: int) -> Mechanism:
    """Return the answer's law for each maximum, over data sets of independent, uniform records.

    For utility only: the release looks at more than the maximum, so this matrix says nothing of its privacy.
    """
    sets = np.array(list(combinations_with_replacement(range(query.num_truths), records)))
    counts = (sets[:, :, None] == np.arange(query.num_truths)).sum(axis=1)
    weights = np.exp(gammaln(records + 1) - gammaln(counts + 1).sum(axis=1))
    grid = query.truth_values
    smooth = smooth_sensitivity(grid[sets], "max", epsilon / 2, float(grid[0]), float(grid[-1]))
    offsets = edge_offsets(query)
    matrix = np.zeros((query.num_responses, query.num_truths))
    for truth in range(query.num_truths):
        here = sets[:, -1] == truth
        scales, which = np.unique(smooth[here].round(12), return_inverse=True)
        share = np.bincount(which, weights=weights[here])
        columns = [snap(cauchy(scale=_FACTOR * s / epsilon), offsets[:, [truth]])[:, 0] for s in scales]
        matrix[:, truth] = share @ np.array(columns) / share.sum()
    return MatrixMechanism.answering(query, matrix)


def _two_errors(law: Mechanism, query: Query, truths: list[Fraction], columns: Floats) -> tuple[float, float]:
    """Return the mean error over groups, at face value and remapped by a user who knows `law`.

    Parameters
    ----------
    law : Mechanism
        The distribution that the user assumes for the answers; the prior is uniform.
    query : Query
        The question.
    truths : list of Fraction, length num_groups
        True answers of the groups.
    columns : ndarray, shape (num_responses, num_groups)
        Law of each group's answer.
    """
    places = np.searchsorted(query.truth_values, [float(truth) for truth in truths])
    loss = loss_matrix("absolute", query)
    guesses = [query.truths.index(guess) for guess in bayesian_guess(law, "absolute").guesses]
    face, guessed = (
        float((table[:, places] * columns).sum(axis=0).mean()) for table in (loss, loss[guesses])
    )
    return face, guessed


def _curves(query: Query, truths: list[Fraction]) -> dict[str, list[tuple[float, float]]]:
    places = [query.truths.index(truth) for truth in truths]
    points: dict[str, list[tuple[float, float]]] = {name: [] for name in FIVE}
    for name in FIVE:
        for epsilon in FEW_EPSILONS:
            mechanism = make(name, query, epsilon)
            points[name].append(_two_errors(mechanism, query, truths, mechanism.matrix[:, places]))
    return points


def _reproduction(query: Query, panels: Panels, claims: list[Line]) -> Reproduction:
    return Reproduction(
        lines=(*claims, *read_off(EPSILON, FEW_EPSILONS, panels)),
        draw=drawer(EPSILON, FEW_EPSILONS, panels),
        note=f"{query.title}: left-right self-placement, ANES 1996, "
        f"{len(groups_of_answers())} groups of ten, "
        "in place of Statistics Canada's family sizes, a file that is not public: what the text claims of "
        f"its data cannot be decided, the notes say whether it holds here. Expectations, not draws. {SILENT}",
    )


def _elsewhere(quantity: str, computed: float, *, more: str = "") -> Line:
    """Return a claim that a number is below 1, made of other data."""
    verb = "holds" if computed < 1 else "fails"
    return claim(quantity, "below 1", computed, true=None, note=f"other data; {verb} on these{more}")


def _shared_claims(panels: Panels, others: tuple[str, ...]) -> list[Line]:
    face = panels[FACE]
    high_privacy = {name: values[:1] for name, values in face.items()}
    return [
        _elsewhere(
            "epsilon = 0.1: Variant 1 over the best of the others",
            largest_ratio(high_privacy, V1, (V2, *others)),
        ),
        _elsewhere(
            "Variant 1 over the best of the others, at most",
            largest_ratio(face, V1, (V2, *others)),
            more=": it is best for a uniform prior, and no real answers are uniform",
        ),
        _elsewhere(
            "Variant 2 over the best that is no program, at most",
            largest_ratio(face, V2, others),
        ),
    ]


def survey_mean() -> Reproduction:
    """Return Figure 8: the mean answer of each group."""
    groups = groups_of_answers()
    query = mean(_GROUP, _SMALLEST, _LARGEST)
    truths = [Fraction(sum(group), _GROUP) for group in groups]
    panels = panels_of(_curves(query, truths))
    guessed = panels[GUESSED]
    claims = [
        not_reproducible(
            "mean answer over all groups", "2.02", float(sum(truths) / len(truths)), "other data"
        ),
        *_shared_claims(panels, NO_PROGRAM),
        _elsewhere(
            "post-processed, epsilon = 0.1: Variant 2 over Variant 1", guessed[V2][0] / guessed[V1][0]
        ),
    ]
    return _reproduction(query, panels, claims)


def survey_max() -> Reproduction:
    """Return Figure 9: the largest answer of each group."""
    groups = groups_of_answers()
    query = extremum(_SMALLEST, _LARGEST)
    truths = [Fraction(max(group)) for group in groups]
    points = _curves(query, truths)
    points[_SMOOTH] = [
        _two_errors(
            average_smooth_release(query, epsilon, _GROUP),
            query,
            truths,
            np.array([smooth_cauchy(query, epsilon, group).column for group in groups]).T,
        )
        for epsilon in FEW_EPSILONS
    ]
    panels = panels_of(points)
    face = panels[FACE]
    claims = [
        *_shared_claims(panels, (*NO_PROGRAM, _SMOOTH)),
        _elsewhere(
            "snapped Laplace or staircase over smooth sensitivity, at most",
            max(largest_ratio(face, name, (_SMOOTH,)) for name in (LAPLACE, STAIRCASE)),
            more="; the paper does not print beta, here epsilon/2",
        ),
    ]
    return _reproduction(query, panels, claims)
