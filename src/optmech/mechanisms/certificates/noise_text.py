"""Write and read the parts of a certificate of noise and thresholds; see `docs/certificate.md`."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text, exact
from optmech.mechanisms.certificates.runs import numbers_of_runs, one_each, text_of_runs, text_of_steps
from optmech.proofs.chain.certificate import NoiseCertificate
from optmech.proofs.chain.noise import MOST_BITS, MOST_POINTS, Noise
from optmech.proofs.chain.price_bound import MOST_SMOOTHING, TruthPrices
from optmech.proofs.enclosure import Enclosure
from optmech.proofs.file_limits import MOST_TRUTHS
from optmech.question.answers import are_points
from optmech.question.chain_question import listed_losses
from optmech.question.costs import exact_losses, given_weights
from optmech.question.grid import LARGEST_MATRIX
from optmech.question.kinds import kind_of
from optmech.question.loss import loss_of_distance
from optmech.question.privacy import privacy_of
from optmech.question.problems.question import question
from optmech.question.queries import count
from optmech.question.query import Query
from optmech.question.structures import FreeMatrix

if TYPE_CHECKING:
    from optmech.question.losses import ExpectedLoss
    from optmech.question.problem import Problem

# With at most this many truths, losses may be a matrix with entries as long as those of the truths.
_IN_A_MATRIX, _MATRIX_BITS = 2000, 2**30


# Each truth is the neighbour of the next alone, both ways; the mean loss is least.
_IN_A_ROW: dict[str, Any] = {"reach": 1, "pairs": [], "weights": [], "labels": []}
_LEAST = {"least": "loss", "at_most": None, "worst": False}


def noise_content(certificate: NoiseCertificate) -> dict[str, Any]:
    """Return question, distribution and proof as JSON values."""
    noise, prices = certificate.noise, certificate.prices
    return {
        "question": _question(certificate),
        "mechanism": {
            "noise": {
                "period": noise.period,
                "first": noise.first,
                "bits": noise.bits,
                "tail": str(noise.tail),
                "cumulative": text_of_steps(noise.cumulative),
            },
            "thresholds": text_of_steps(certificate.thresholds),
        },
        **_proved_numbers(certificate),
        "proof": {"prices": None if prices is None else _prices(prices)},
        "reported": {},
    }


def read_noise_certificate(content: dict[str, Any]) -> NoiseCertificate:
    """Return the certificate that `noise_content` wrote, after proving everything again."""
    statement = content["question"]
    problem = _problem(statement)
    factors = [
        Enclosure(exact(each["lower"], "factor"), exact(each["upper"], "factor"))
        for each in statement["privacy"]
    ]
    mechanism, prices_fields = content["mechanism"], content["proof"]["prices"]
    noise_fields = mechanism["noise"]
    bits = _whole(noise_fields["bits"], 1, MOST_BITS)
    noise = Noise(
        _whole(noise_fields["period"], 1, MOST_POINTS),
        _whole(noise_fields["first"], -MOST_POINTS, MOST_POINTS),
        tuple(accumulate(numbers_of_runs(noise_fields["cumulative"], MOST_POINTS))),
        bits,
        int(noise_fields["tail"]),
    )
    thresholds = one_each(mechanism["thresholds"], problem.query.num_responses - 1)
    truths = problem.query.num_truths
    prices = None if prices_fields is None else _read_prices(prices_fields, truths)
    return NoiseCertificate(
        problem=problem,
        factor=replace(factors[0], further=tuple(factors[1:])),
        noise=noise,
        thresholds=tuple(accumulate(thresholds)),
        prices=prices,
    )


def _prices(prices: TruthPrices) -> dict[str, Any]:
    return {
        "bits": prices.bits,
        "smoothing": prices.smoothing,
        "extras": text_of_runs(prices.extras),
    }


def _read_prices(content: dict[str, Any], number: int) -> TruthPrices:
    smoothing = content["smoothing"]
    return TruthPrices(
        tuple(one_each(content["extras"], number)),
        _whole(content["bits"], 0, MOST_BITS),
        None if smoothing is None else _whole(smoothing, 0, MOST_SMOOTHING),
    )


def _question(certificate: NoiseCertificate) -> dict[str, Any]:
    problem, factors = certificate.problem, certificate.factor.each
    query = problem.query
    path = query.path()
    truths: Any = [as_text(truth) for truth in query.truths] if path is None else None
    responses = None
    if path is not None:
        truths = {"first": as_text(path.first), "step": as_text(path.step), "number": path.number}
    elif not are_points(query.responses, query.truths):
        responses = [[as_text(part.lower), as_text(part.upper)] for part in query.responses]
    return {
        "query": {**_query_fields(query), "truths": truths, "responses": responses, **_IN_A_ROW},
        "structure": FreeMatrix().content,
        "privacy": [
            {
                "kind": privacy.content["kind"],
                "epsilon": privacy.content["epsilon"],
                "delta": privacy.content["delta"] or "0",
                "lower": str(factor.lower),
                "upper": str(factor.upper),
                **{key: value for key, value in privacy.content.items() if key == "noise"},
            }
            for privacy, factor in zip(problem.privacies, factors, strict=True)
        ],
        "properties": sorted(map(str, problem.properties)),
        "limits": [],
        "objective": _LEAST | _loss_fields(certificate.expected_loss, query),
        "bounds": [],
        "rules": [],
    }


def _query_fields(query: Query) -> dict[str, Any]:
    """Return the kind and parameters of the query, without its answers."""
    return {
        "kind": query.kind,
        "parameters": query.parameters,
        "scope": str(query.scope),
        "name": query.given_name,
    }


def _loss_fields(objective: ExpectedLoss, query: Query) -> dict[str, Any]:
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


def _proved_numbers(certificate: NoiseCertificate) -> dict[str, str]:
    """Return the proved numbers of a distribution."""
    return {name: str(getattr(certificate, name)) for name in ("delta", "objective", "bound", "gap")}


def _problem(statement: dict[str, Any]) -> Problem:
    query, objective = _query(statement["query"]), statement["objective"]
    loss, prior = objective["loss"], objective["weights"]
    if isinstance(loss, dict):
        loss = [[float(exact(cost, "loss")) for cost in row] for row in loss["matrix"]]
    else:
        loss = loss_of_distance(loss)
    privacies = [
        privacy_of(
            {
                "kind": each["kind"],
                "noise": each.get("noise"),
                "printed": False,
                "epsilon": each["epsilon"],
                "delta": each["delta"],
            }
        )
        for each in statement["privacy"]
    ]
    problem = question(
        query,
        privacy=privacies,
        loss=loss,
        prior=None if prior == "sum" else prior,
        properties=statement["properties"],
    )
    main, *further = privacies
    return replace(problem, name="certified", privacy=main, further_privacy=tuple(further))


def _query(fields: dict[str, Any]) -> Query:
    kind, truths = kind_of(fields["kind"], fields["parameters"]), fields["truths"]
    if isinstance(truths, list):
        listed = fields["responses"]
        responses = [(truth, truth) for truth in truths] if listed is None else list(map(tuple, listed))
        if len(truths) * len(responses) > LARGEST_MATRIX:
            message = f"`truths` must be few enough for a matrix of {LARGEST_MATRIX:,} entries."
            raise ProblemError(message)
        return Query(truths, responses, neighbours=1, kind=kind, name=fields["name"], scope=fields["scope"])
    if fields["responses"] is not None:
        message = "`responses` must be null where the truths are counted out"
        raise ProblemError(message)
    if fields["kind"] == "count":
        return count(**kind.parameters)
    first, step = exact(truths["first"], "truths"), exact(truths["step"], "truths")
    number = _whole(truths["number"], 2, MOST_TRUTHS)
    longest = max(end.bit_length() for value in (first, step) for end in value.as_integer_ratio())
    if min(number, _IN_A_MATRIX) ** 2 * longest > _MATRIX_BITS:
        most = _MATRIX_BITS // min(number, _IN_A_MATRIX) ** 2
        message = f"`first` and `step` of {number:,} truths must have at most {most:,} bits; got {longest:,}."
        raise ProblemError(message)
    values = [first + index * step for index in range(number)]
    return Query(values, kind=kind, neighbours=1, name=fields["name"], scope=fields["scope"])


def _whole(value: object, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        message = f"a number must be whole and from {least} to {most}; got {value!r:.40}"
        raise ValueError(message)
    return value
