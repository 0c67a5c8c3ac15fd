"""The parts of a certificate of a distribution, as JSON values and back; see `docs/certificate.md`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text
from optmech.mechanisms.certificates.runs import one_each, text_of_runs, text_of_steps
from optmech.proofs.file_limits import MOST_TRUTHS
from optmech.proofs.geometric_bound import Prices
from optmech.proofs.geometric_certificate import GeometricCertificate
from optmech.proofs.geometric_sums import Decay
from optmech.question.costs import exact_losses, given_weights
from optmech.question.kinds import kind_of
from optmech.question.loss import loss_of_distance
from optmech.question.path_question import listed_losses
from optmech.question.problems.question import question
from optmech.question.queries import count
from optmech.question.query import Query

if TYPE_CHECKING:
    from optmech.proofs.distribution_certificate import DistributionCertificate
    from optmech.question.losses import ExpectedLoss
    from optmech.question.problem import Problem

_MOST_SMOOTHING = 2**10


def geometric_content(certificate: GeometricCertificate) -> dict[str, Any]:
    """Return question, distribution and proof as JSON values."""
    problem, prices = certificate.problem, certificate.prices
    query = problem.query
    return {
        "question": {
            "query": {
                **query_fields(query),
                "first": as_text(query.truths[0]),
                "truths": query.num_truths,
            },
            "epsilon": as_text(problem.privacy.epsilon),
            **loss_fields(certificate.expected_loss, query),
        },
        "distribution": {
            "decay": _decay_text(certificate.decay),
            "remap": text_of_steps(certificate.remap.tolist()),
        },
        **proved_numbers(certificate),
        "proof": {
            "floor": _decay_text(certificate.floor),
            "smoothing": certificate.smoothing,
            "prices": {"bits": prices.bits, "extras": text_of_runs(prices.extras)},
        },
    }


def query_fields(query: Query) -> dict[str, Any]:
    """Return what says which kind of query it is, without its answers."""
    return {
        "kind": query.kind,
        "parameters": query.parameters,
        "scope": str(query.scope),
        "name": query.given_name,
    }


def loss_fields(objective: ExpectedLoss, query: Query) -> dict[str, Any]:
    """Return the loss, as a name, a list by distance or a table, and the weights."""
    loss: Any = objective.loss_name
    if loss is None:
        losses = listed_losses(objective) if query.path() is not None else None
        if losses is not None:
            loss = list(map(as_text, losses))
        else:
            table = exact_losses(objective, query).tolist()
            loss = {"matrix": [[as_text(loss) for loss in row] for row in table]}
    weights = objective.weights_name or list(map(as_text, given_weights(objective)))
    return {"loss": loss, "weights": weights}


def proved_numbers(certificate: DistributionCertificate) -> dict[str, str]:
    """Return the numbers that a distribution proves."""
    return {name: str(getattr(certificate, name)) for name in ("delta", "objective", "bound", "gap")}


def read_geometric(content: dict[str, Any]) -> GeometricCertificate:
    """Return the certificate that `geometric_content` wrote, with everything proved again."""
    problem = _problem(content["question"])
    number, proof = problem.query.num_truths, content["proof"]
    prices, smoothing = proof["prices"], proof["smoothing"]
    steps = one_each(content["distribution"]["remap"], number)
    if smoothing is not None and not 0 <= int(smoothing) <= _MOST_SMOOTHING:
        message = f"smoothing is not in 0..{_MOST_SMOOTHING}"
        raise ValueError(message)
    if max(steps) > number:  # sums of longer ones might not fit into 64 bits
        message = "the remap leaves the range"
        raise ValueError(message)
    return GeometricCertificate(
        problem=problem,
        decay=_decay(content["distribution"]["decay"]),
        floor=_decay(proof["floor"]),
        remap=np.cumsum(np.array(steps, dtype=np.int64)),
        prices=Prices(tuple(one_each(prices["extras"], number)), int(prices["bits"])),
        smoothing=None if smoothing is None else int(smoothing),
    )


def _problem(content: dict[str, Any]) -> Problem:
    fields, prior = content["query"], content["weights"]
    kind, first = kind_of(fields["kind"], fields["parameters"]), int(fields["first"])
    if fields["kind"] == "count":
        smallest, largest = kind.parameters["smallest"], kind.parameters["largest"]
        # Of more than two answers several records a person make no path: what is read then differs.
        group = kind.parameters["records_per_person"] if largest - smallest == 1 else 1
        query = count(smallest, largest, records_per_person=group)
    else:
        number = int(fields["truths"])
        if number > MOST_TRUTHS:
            message = f"`truths` must be at most {MOST_TRUTHS:,} of a {fields['kind']} query; got {number:,}."
            raise ProblemError(message)
        truths = range(first, first + number)
        query = Query(truths, kind=kind, name=fields["name"], scope=fields["scope"])
    loss = loss_of_distance(content["loss"])
    problem = question(query, content["epsilon"], loss=loss, prior=None if prior == "sum" else prior)
    return replace(problem, name="certified")


def _decay_text(decay: Decay) -> dict[str, Any]:
    return {"numerator": str(decay.numerator), "bits": decay.bits}


def _decay(content: dict[str, Any]) -> Decay:
    return Decay(int(content["numerator"]), int(content["bits"]))
