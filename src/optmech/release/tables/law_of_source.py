"""The law of a released cell, from a mechanism and its certificate."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.analysis.p_tables.certified import p_table_of
from optmech.base.errors import ProblemError
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.question.properties import UNBIASED
from optmech.question.step_weights import mean_reach, unit_reach
from optmech.release.tables.cell_law import LARGEST_COUNT, CellLaw

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.analysis.p_tables.table import PTable
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.proofs.certificate import Certificate
    from optmech.question.query import Query

    Positions = NDArray[np.int64]


def law_of(mechanism: Mechanism, certificate: Certificate | None = None) -> CellLaw:
    """Return the law of a mechanism; its certificate says which true answers there are, and neighbours.

    >>> import optmech as om
    >>> small, all_counts = om.croft(om.count(5), "0.5"), om.p_table(2, 1, variance=1, unbiased=True)
    >>> for asked in (small, all_counts):
    ...     design = om.design(asked)
    ...     print(law_of(design.mechanism, design.certificate).among)
    0..5
    all counts from 0 on
    """
    if certificate is None:
        return CellLaw(answers=mechanism.truths, labels=mechanism.labels, mechanism=mechanism)
    problem = certificate.problem
    query = problem.query
    facts: dict[str, Any] = {
        "mechanism": mechanism,
        "reach": unit_reach(query),
        "mean_reach": mean_reach(query),
        "is_unbiased": UNBIASED in problem.properties,
        "is_circular": query.kind == "residues",
    }
    table = _table_of_all_counts(certificate)
    if table is not None:
        return CellLaw(answers=range(LARGEST_COUNT + 1), has_ends=True, table=table, **facts)
    return _listed(mechanism, query, facts)


@singledispatch
def _listed(mechanism: Mechanism, query: Query, facts: dict[str, Any]) -> CellLaw:
    has_ends, labels = query.all_are_neighbours or _is_a_scale(query.pairs), mechanism.labels
    return CellLaw(answers=mechanism.truths, labels=labels, has_ends=has_ends, **facts)


@_listed.register(NoiseMechanism)
def _(mechanism: NoiseMechanism, query: Query, facts: dict[str, Any]) -> CellLaw:  # noqa: ARG001 - as above
    answers = range(int(mechanism.truths[0]), int(mechanism.truths[-1]) + 1)
    return CellLaw(answers=answers, has_ends=True, **facts)


def _is_a_scale(pairs: Positions) -> bool:
    """Whether the neighbours are all truths within a distance, also after clamping."""
    for way in (pairs, pairs[:, ::-1]):
        first, second = way[way[:, 0] < way[:, 1]].T
        counts = np.bincount(first)
        farthest = np.zeros(counts.size, np.int64)
        np.maximum.at(farthest, first, second - first)
        if (counts != farthest).any():
            return False
    return True


def _table_of_all_counts(certificate: Certificate) -> PTable | None:
    """Return the noise of each count where the last listed one has that of all larger ones."""
    query = certificate.problem.query
    if certificate.exact is None or (query.all_are_neighbours and query.num_truths > 2):  # noqa: PLR2004 - one apart
        return None
    pairs = np.asarray(query.pairs)
    # Privacy between the last two counts must be all that larger ones need.
    if not pairs.size or np.abs(pairs[:, 0] - pairs[:, 1]).max() != 1:
        return None
    try:
        return p_table_of(certificate)
    except ProblemError:
        return None
