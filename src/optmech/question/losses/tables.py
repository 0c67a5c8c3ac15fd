"""Objectives and bounds as tables, exactly, and back."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import brief
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, exact
from optmech.base.wording import join_words
from optmech.question.costs import exact_losses, given_weights
from optmech.question.distance_loss import losses_by_distance
from optmech.question.keys import FLAG, NUMBER, TEXT, Key, KeyForm, list_of, needed, read_keys, word_of
from optmech.question.loss import NOISE_COSTS, loss_matrix, loss_name, noise_cost
from optmech.question.losses.expected import ExpectedLoss, WorstLoss
from optmech.question.losses.least_delta import LeastDelta, LossBound
from optmech.question.structures import ModularNoise

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.question.losses.objective import Loss, Objective
    from optmech.question.query import Query
    from optmech.question.structures import Structure

_NUMBERS = list_of(NUMBER, "a list of numbers")
_ROWS = list_of(_NUMBERS, "a list of rows")
_NOISE = KeyForm(
    words=f"{join_words(NOISE_COSTS, 'or')}, or a list of numbers",
    read=lambda value, name: (word_of(NOISE_COSTS) if isinstance(value, str) else _NUMBERS).read(value, name),
    write=lambda costs: costs if isinstance(costs, str) else _NUMBERS.write(costs),
    schema={"anyOf": [{"enum": list(NOISE_COSTS)}, _NUMBERS.schema]},
)
_BY_DISTANCE, _BY_NOISE, _BY_ENTRY = "by_distance", "by_noise", "by_entry"
_LISTS = {_BY_DISTANCE: _NUMBERS, _BY_NOISE: _NOISE, _BY_ENTRY: _ROWS}
_PRIORS = ("uniform", "sum")


def _read_loss(value: Any, name: str) -> str | tuple[str, Any]:  # noqa: ANN401 - whatever a file holds
    if isinstance(value, str):
        return value
    if not isinstance(value, dict) or len(value) != 1 or not value.keys() <= _LISTS.keys():
        raise broken_rule(name, f"be {_LOSS_WORDS}", brief(value))
    ((kind, listed),) = value.items()
    return kind, _LISTS[kind].read(listed, f"{name}.{kind}")


def _write_loss(loss: str | tuple[str, Any]) -> Any:  # noqa: ANN401 - a value of JSON
    return loss if isinstance(loss, str) else {loss[0]: _LISTS[loss[0]].write(loss[1])}


_LOSS_WORDS = (
    "absolute, squared, zero-one, beyond 2 or the like, or a table of one list: by_distance, the loss at 0, "
    "1, … steps, by_noise, what each noise costs, or by_entry, a row for each response"
)
_LOSS = KeyForm(
    words=_LOSS_WORDS,
    read=_read_loss,
    write=_write_loss,
    schema={
        "anyOf": [
            TEXT.schema,
            {
                "type": "object",
                "properties": {kind: form.schema for kind, form in _LISTS.items()},
                "additionalProperties": False,
                "minProperties": 1,
                "maxProperties": 1,
            },
        ]
    },
)
_PRIOR = KeyForm(
    words="uniform, sum, or a list of a probability for each true answer",
    read=lambda value, name: (word_of(_PRIORS) if isinstance(value, str) else _NUMBERS).read(value, name),
    write=lambda prior: prior if isinstance(prior, str) else _NUMBERS.write(prior),
    schema={"anyOf": [{"enum": list(_PRIORS)}, _NUMBERS.schema]},
)
_LOSS_KEYS = (
    Key(name="loss", form=_LOSS, about="the loss of a response at a true answer"),
    Key(
        name="prior",
        form=_PRIOR,
        about="the weights of the true answers in the average",
        left_out="uniform, and of noise one true answer, which stands for all",
    ),
    Key(
        name="worst_case",
        form=FLAG,
        about="the loss at the worst true answer counts, not the average; a prior is then not used",
        default=False,
    ),
)
OBJECTIVE_KEYS = (
    Key(name="least", form=word_of(("loss", "delta")), about="what is to be least", default="loss"),
    *_LOSS_KEYS,
    Key(name="at_most", form=NUMBER, about="for a least delta, the largest loss allowed"),
)
"""The keys of an objective."""
BOUND_KEYS = (
    *_LOSS_KEYS,
    needed("at_most", NUMBER, "how large the loss may be"),
    Key(name="name", form=TEXT, about="how the loss was asked for, where it is listed"),
)
"""The keys of a further loss and its bound."""


def objective_table(objective: Objective, query: Query, structure: Structure) -> dict[str, Any]:
    """Return the objective as a table that `objective_from` reads."""
    if not isinstance(objective, LeastDelta):
        loss = objective.as_loss
        assert loss is not None  # noqa: S101 - all others are losses
        return _loss_table(loss, query, structure)
    cost = {} if objective.cost is None else _loss_table(objective.cost, query, structure)
    bound = {} if objective.at_most is None else {"at_most": as_text(objective.at_most)}
    return {"least": "delta", **cost, **bound}


def objective_from(table: object, query: Query, structure: Structure, where: str) -> Objective:
    """Return the objective that a table states, or raise ProblemError."""
    values = read_keys(table, OBJECTIVE_KEYS, where, "an objective")
    if values["least"] == "loss":
        if values["at_most"] is not None:
            message = f"`{where}.at_most` must be left out where a loss is to be least; bounds are `bounds`."
            raise ProblemError(message)
        return _loss_from(values, query, structure)
    if values["loss"] is None:
        for name in ("prior", "worst_case", "at_most"):
            if values[name]:
                message = f"`{where}.loss` must be given with `{name}`: the loss that is bounded."
                raise ProblemError(message)
        return LeastDelta()
    cost = _loss_from(values, query, structure)
    if not isinstance(cost, ExpectedLoss):
        message = f"`{where}.worst_case` must be left out where delta is to be least; put it into `bounds`."
        raise ProblemError(message)
    return LeastDelta(cost, values["at_most"])


def bound_table(bound: LossBound, query: Query, structure: Structure) -> dict[str, Any]:
    """Return a bound as a table that `bound_from` reads."""
    table = {**_loss_table(bound.loss, query, structure), "at_most": as_text(bound.at_most)}
    name = _name_of(_listed(bound.loss, query, structure), bound.loss)
    is_told = bound.loss.loss_name is None and bound.name not in (None, name)
    return {**table, "name": bound.name} if is_told else table


def bound_from(table: object, query: Query, structure: Structure, where: str) -> LossBound:
    """Return the bound that a table states, or raise ProblemError."""
    values = read_keys(table, BOUND_KEYS, where, "a bound")
    if values["at_most"] < 0:
        message = f"`{where}.at_most` must be zero or more; got {as_text(values['at_most'])}."
        raise ProblemError(message)
    loss = _loss_from(values, query, structure)
    return LossBound(loss, values["at_most"], values["name"] or _name_of(values["loss"], loss))


def _name_of(kind: str | tuple[str, Any] | None, loss: Loss) -> str | None:
    """Return the name of a loss: its own, or that of its noise costs."""
    by_noise = kind[1] if isinstance(kind, tuple) else None
    return by_noise if isinstance(by_noise, str) else loss.loss_name


def _loss_table(loss: Loss, query: Query, structure: Structure) -> dict[str, Any]:
    kind = _listed(loss, query, structure)
    table = {"loss": _write_loss(kind)}
    if loss.is_worst:
        return {**table, "worst_case": True}
    prior = loss.weights_name or tuple(given_weights(loss))
    return table if prior == _default_prior(kind, query) else {**table, "prior": _PRIOR.write(prior)}


def _listed(loss: Loss, query: Query, structure: Structure) -> str | tuple[str, Any]:
    """Return the name of a loss, or its numbers in the shortest of the lists."""
    if loss.loss_name is not None:
        return loss.loss_name
    by_distance = None if query.path() is None else losses_by_distance(loss.loss)
    if by_distance is not None:
        changes = np.flatnonzero(np.diff(by_distance))
        last = changes[-1] + 2 if len(changes) else 1
        return _BY_DISTANCE, tuple(exact(cost, "loss") for cost in by_distance[:last].tolist())
    losses = exact_losses(loss, query)
    costs = structure.noise_costs(losses)
    if costs is None:
        return _BY_ENTRY, tuple(map(tuple, losses.tolist()))
    sizes = structure.moduli or len(costs)
    named = (name for name in NOISE_COSTS if noise_cost(name, sizes).tolist() == costs.tolist())
    return _BY_NOISE, next(named, tuple(costs))


def _default_prior(loss: str | tuple[str, Any], query: Query) -> str | tuple[Fraction, ...]:
    """Return the default prior: noise costs the same at every true answer."""
    if isinstance(loss, tuple) and loss[0] == _BY_NOISE:
        return (Fraction(1), *[Fraction(0)] * (query.num_truths - 1))
    return "uniform"


def _loss_from(values: dict[str, Any], query: Query, structure: Structure) -> ExpectedLoss | WorstLoss:
    loss = values["loss"] or ("zero-one" if query.labels else "absolute")
    entries, name = _entries(loss, query, structure), None
    if isinstance(loss, str):
        name = loss_name(loss, query)
    if values["worst_case"]:
        return WorstLoss(entries, name)
    prior = _default_prior(loss, query) if values["prior"] is None else values["prior"]
    weights: Any = None if prior == "sum" else prior
    return ExpectedLoss.under(weights, query, entries, name)


def _entries(loss: str | tuple[str, Any], query: Query, structure: Structure) -> Floats:
    if isinstance(loss, str):
        with np.errstate(over="ignore"):  # of numbers beyond doubles: the exact loss is another matter
            return loss_matrix(loss, query)
    kind, listed = loss
    if kind == _BY_ENTRY:
        return loss_matrix([list(map(_double, row)) for row in listed], query)
    if kind == _BY_DISTANCE:
        return loss_matrix(list(map(_double, listed)), query)
    if not isinstance(structure, ModularNoise):
        message = "`loss.by_noise` must come with modular noise, each of whose values it says the cost of."
        raise ProblemError(message)
    costs = listed if isinstance(listed, str) else list(map(_double, listed))
    size = query.num_truths
    entries: Floats = noise_cost(costs, structure.moduli or size)[structure.noise(size)]
    return entries


def _double(cost: Fraction) -> float:
    """Return the nearest double of a cost, refused beyond the largest."""
    try:
        return float(cost)
    except OverflowError:
        raise broken_rule("loss", "have costs below 1e308", brief(as_text(cost))) from None
