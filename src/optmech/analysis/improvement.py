"""Improve the result of a given noise by the best function of it alone.

Model
-----
    release r_j with the least j for which truth + noise <= u_j,      u_0 <= u_1 <= ... <= u_(n-1), u_n = inf

By the theorem of chains (`docs/theory/chain.md`, corollary 2) the best such table loses the least among *all*
mechanisms that are as private as the noise, for every prior and every loss that is convex for each truth.
It is applied after the noise and sees nothing else, so that it costs no privacy.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import an_instance, takes
from optmech.base.errors import NotAcceptedError
from optmech.base.notes import TextLine
from optmech.base.numbers import as_text
from optmech.base.provenance import Provenance
from optmech.base.rendering import Renderable
from optmech.base.whole_files import check_writable, write_whole
from optmech.base.wrapping import wrapped
from optmech.designs.chain.curve_orbits import orbits_of
from optmech.designs.design import design
from optmech.proofs.chain.certificate import NoiseCertificate
from optmech.question.distance_loss import losses_by_distance
from optmech.question.losses import ExpectedLoss
from optmech.question.privacy.as_private_as import noise_privacy_of
from optmech.question.problems.question import question
from optmech.question.query import Query

if TYPE_CHECKING:
    from os import PathLike

    from numpy.typing import ArrayLike

    from optmech.designs.design import Design
    from optmech.question.grid import Grid
    from optmech.question.loss import LossName
    from optmech.question.privacy import NoisePrivacy
    from optmech.question.privacy.noise_law import NoiseLaw
    from optmech.question.problem import Problem


_ROUNDING = 1e-12
# Thresholds of a continuous noise are told as doubles.
_LONG = 10**12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Improvement(Renderable):
    """A table to apply after a noise, and what it gains.

    Attributes
    ----------
    noise : NoiseLaw
        The noise that is added to the true answer.
    design : Design
        The same as a mechanism, with its certificate: its objective is the optimum, proved.
    up_to : tuple of Fraction or float
        For each response the largest noisy answer that it is released for; minus infinity of those before the
        first that is released, and infinity of the last one. A response with the same number as the one
        before it is never released.
    clamped : float
        The loss of noisy answers that are only rounded and clamped to the range, recomputed.
    unchanged : float or None
        That of noisy answers as they are, recomputed; ``None`` where the loss says nothing beyond the range.
    """

    noise: NoiseLaw
    design: Design
    up_to: tuple[Fraction | float, ...]
    clamped: float
    unchanged: float | None

    @property
    def optimum(self) -> float:
        """The loss of the table, proved: no mechanism that is as private as the noise loses less."""
        return self.design.objective

    @property
    def responses(self) -> tuple[Fraction, ...]:
        """The released numbers, in order."""
        return tuple(part.midpoint for part in self.design.problem.query.responses)

    def remap(self, noisy: ArrayLike) -> Any:  # noqa: ANN401 - a number for a number, else an array
        """Return the released answers for noisy ones.

        Examples
        --------
        >>> import optmech as om
        >>> om.analysis.improve("discrete-gaussian:2", om.count(10)).remap([-3, 0, 1, 2, 5, 14])
        array([ 0.,  1.,  2.,  2.,  5., 10.])
        """
        limits = np.array([float(limit) for limit in self.up_to[:-1]])
        responses = np.array([float(response) for response in self.responses])
        indices = responses[limits.searchsorted(np.asarray(noisy, dtype=float))]
        return indices.item() if indices.ndim == 0 else indices

    @property
    def content(self) -> dict[str, Any]:
        """The table and its numbers as values of JSON."""
        return {
            "noise": self.noise.content,
            "problem": str(self.design.problem),
            "question": self.design.problem.to_dict(),
            "optimum": self.optimum,
            "clamped": self.clamped,
            "unchanged": self.unchanged,
            "table": [{"response": response, "up_to": limit} for response, limit in self._rows()],
        }

    def write(self, path: str | PathLike[str]) -> None:
        """Write the table as CSV or JSON, by the ending of its name, whole or not at all."""
        check_writable(path, ".csv", ".json")
        if str(path).lower().endswith(".json"):
            write_whole(path, json.dumps(self.content, indent=1) + "\n")
            return
        rows = [f"{response},{limit}" for response, limit in self._rows()]
        write_whole(path, "\n".join(["response,up_to", *rows]) + "\n")

    def _rows(self) -> list[tuple[str, str]]:
        return [
            (as_text(response), _text(limit))
            for response, limit in zip(self.responses, self.up_to, strict=True)
        ]

    def _line(self) -> str:
        return "; ".join(self.lines)

    @property
    def lines(self) -> list[str]:
        """The noise, and what it loses remapped, clamped and as it is, a line each."""
        name = self.noise.into_range
        none_better = ": no mechanism as private loses less"
        lines: list[str] = [
            f"noise              {self.noise}",
            TextLine(f"remapped           {self.optimum:.10g}   ", Provenance.PROVED, none_better),
            f"{name:19}{self.clamped:.10g}   {_more(self.clamped, self.optimum)}",
        ]
        if self.unchanged is not None:
            lines.append(f"as it is           {self.unchanged:.10g}   {_more(self.unchanged, self.optimum)}")
        return lines

    def __str__(self) -> str:
        return "\n".join(wrapped(self.lines))


@takes(query=an_instance(Query))
def improve(
    noise: str | NoisePrivacy,
    query: Query,
    *,
    loss: LossName | ArrayLike = "absolute",
    prior: str | ArrayLike | None = "uniform",
) -> Improvement:
    """Return the best function of a noisy answer: the optimum among all mechanisms as private as the noise.

    Parameters
    ----------
    noise : str or NoisePrivacy
        Such as ``"discrete-gaussian:2"``, ``"skellam:2"``, ``"binomial:16"``, ``"weights:1,4,6,4,1"`` or the
        continuous ``"gaussian:2"``, or from `as_private_as`. It is added to the true answer, in steps
        of the query.
    query : Query
        True answers in a row, such as ``count(10)``.
    loss, prior
        As in `question`; the loss must be convex for each true answer.

    Raises
    ------
    NotAcceptedError
        If the theorem does not apply to the question, or its thresholds cross.
    ProblemError
        If an argument breaks its rule.

    Examples
    --------
    >>> import optmech as om
    >>> print(om.analysis.improve("discrete-gaussian:2", om.count(10), loss="squared"))
    noise              discrete Gaussian noise of sigma 2
    remapped           2.731539857   proved: no mechanism as private loses less
    clamped            3.067929373   12.3 % above it, recomputed
    as it is           4   46.4 % above it, recomputed
    """
    privacy = noise_privacy_of(noise, "noise")
    _need_path(query)
    return improvement_of(question(query, privacy=privacy, loss=loss, prior=prior))


def improvement_of(problem: Problem) -> Improvement:
    """Return the best function of a noisy answer, of a question that names the noise: see `improve`."""
    privacy, objective = problem.privacy, problem.objective
    law = privacy.curve
    if law is None or not isinstance(objective, ExpectedLoss):
        message = (
            "`question` must name a noise, whose answers are improved, and ask for the least expected loss; "
            f"got {problem}. On the command line it is --as-private-as, such as discrete-gaussian:2."
        )
        raise NotAcceptedError(message)
    path = _need_path(problem.query)
    best = design(problem)
    certificate = best.certificate
    assert isinstance(certificate, NoiseCertificate)  # noqa: S101 - a curve has no other
    if certificate.gap > _ROUNDING * certificate.largest_cost:
        message = (
            "`loss` must be convex for each true answer, as the theorem of chains asks: the best thresholds "
            f"cross, and {best.objective:.6g} is no optimum. Take absolute or squared."
        )
        raise NotAcceptedError(message)
    up_to = [
        limit if limit in (-math.inf, math.inf) else path.first + limit * path.step
        for limit in orbits_of(problem).limits(certificate)
    ]
    return Improvement(
        noise=law,
        design=best,
        up_to=(*up_to, math.inf),
        clamped=_clamping_loss(objective, law),
        unchanged=_loss_of_noise(objective, law),
    )


def _need_path(query: Query) -> Grid:
    """Return the true answers in a row; others are refused."""
    path = query.path()
    if path is None:
        message = (
            f"`query` must have its true answers in a row, equally far apart, as the theorem of chains asks; "
            f"got {query.title}. Ask a count."
        )
        raise NotAcceptedError(message)
    return path


def _clamping_loss(objective: ExpectedLoss, law: NoiseLaw) -> float:
    losses, (first, masses) = objective.loss, law.nearest_doubles
    values = np.arange(len(masses)) + first
    last = len(losses) - 1
    mean = [masses @ losses[np.clip(truth + values, 0, last), truth] for truth in range(last + 1)]
    return float(np.array(mean) @ objective.weights)


def _loss_of_noise(objective: ExpectedLoss, law: NoiseLaw) -> float | None:
    """Return the loss of the noise as it is; ``None`` where that is no matter of the distance alone."""
    by_distance, name = losses_by_distance(objective.loss), objective.loss_name
    if by_distance is None:
        return None
    power = {"absolute": 1, "squared": 2}.get(name or "")
    mean = law.mean_loss(by_distance) if power is None else law.mean_power(power) * by_distance[1]
    return None if mean is None else float(mean * objective.weights.sum())


def _more(loss: float, optimum: float) -> str:
    if optimum <= 0:
        return "recomputed"
    return f"{100 * (loss / optimum - 1):.3g} % above it, recomputed"


def _text(limit: Fraction | float) -> str:
    return as_text(limit) if isinstance(limit, Fraction) and limit.denominator < _LONG else str(float(limit))
