"""The words of a command line that ask a question, from its table: the inverse of `named_problem`.

Not every question can be typed: listed neighbours, losses entry by entry and linear rules stand in a file.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from optmech.base.numbers import as_text
from optmech.question.loss import NOISE_COSTS
from optmech.question.privacy import as_private_as
from optmech.question.problems.named import FORMULATIONS
from optmech.question.problems.named_query import typed_responses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from optmech.question.problem import Problem

    Table = Mapping[str, Any]
    Choices = dict[str, Any]

FLAGS = {"properties": "--property", "bounds": "--bound", "symmetric": "--one-sided"}
"""Options with another name than their choice."""
# A shell takes some 100,000 characters; a reader takes fewer.
_LONGEST = 4000


class _CannotBeTypedError(Exception):
    """A part of the question cannot be typed."""


def command_line(problem: Problem, *further: str, command: str = "design", formulation: str = "") -> str:
    """Return the command line for a question, with `further` words; empty where there is none.

    `formulation` is another one that takes the same choices: ``"histogram"`` for the count in its cells.

    >>> from optmech.question.problems.croft import croft
    >>> from optmech.question.queries import count
    >>> command_line(croft(count(5), "0.5", properties=["fair"]), "--json")
    'optmech design count --range 0:5 --epsilon 0.5 --property fair --prior sum --json'
    """
    typed = typed_choices(problem)
    if typed is None:
        return ""
    own, choices = typed
    words = [word for name, value in choices.items() for word in _option(name, value)]
    line = shlex.join(["optmech", command, formulation or own, *words, *further])
    return line if len(line) <= _LONGEST else ""


def typed_choices(problem: Problem) -> tuple[str, Choices] | None:
    """Return the formulation and the choices from which `named_problem` makes the question.

    ``None`` where the question cannot be typed.

    >>> from optmech.question.problems.kadam import kadam
    >>> from optmech.question.queries import residues
    >>> typed_choices(kadam(residues(5, [1]), 1, "0.1"))[1]["structure"]
    'modular'
    """
    table = problem.to_dict()
    try:
        formulation, query = _query(table, problem)
        choices = {
            **query,
            **_privacy(table["privacy"]),
            **_structure(table),
            **({"properties": table["properties"]} if "properties" in table else {}),
            **_objective(table, formulation),
        }
    except _CannotBeTypedError:
        return None
    known = FORMULATIONS[formulation]
    return (formulation, choices) if choices.keys() <= {*known.required, *known.optional} else None


def example_line(command: str, formulation: str, *left_out: str, **changed: str) -> str:
    """Return an example line for a command and a formulation, without some of its choices.

    >>> example_line("find epsilon", "mean", "epsilon", range="0:1")
    'optmech find epsilon mean --range 0:1 --records 10'
    """
    example = {**FORMULATIONS[formulation].example, **changed}
    words = [word for name in example if name not in left_out for word in (flag_of(name), example[name])]
    return shlex.join(["optmech", *command.split(), formulation, *words])


def flag_of(name: str) -> str:
    """Return the option of a choice."""
    return FLAGS.get(name, f"--{name.replace('_', '-')}")


def _option(name: str, value: Any) -> list[str]:  # noqa: ANN401 - a choice is of its own kind
    if isinstance(value, bool):
        return [flag_of(name)]
    if name in ("properties", "bounds"):
        return [word for each in value for word in (flag_of(name), str(each))]
    if isinstance(value, list):
        rows = value if isinstance(value[0], list) else [value]
        # One row of several that there could be ends in a semicolon.
        end = ";" if rows is value and len(rows) == 1 else ""
        value = ";".join(",".join(map(str, row)) for row in rows) + end
    return [flag_of(name), str(value)]


def _query(table: Table, problem: Problem) -> tuple[str, Choices]:
    """Return the kind of a query and its choices."""
    query = dict(table["query"])
    kind = query.pop("kind")
    has_one_answer = "smallest" in query and query["smallest"] == query["largest"]
    listed = query.pop("responses", None)
    typed = None if listed is None else typed_responses(problem.query)
    if "rules" in table or (listed is not None and typed is None) or kind not in _QUERIES:
        raise _CannotBeTypedError
    if has_one_answer and "structure" not in table:  # only questions on noise have words for it
        raise _CannotBeTypedError
    return kind, {**_QUERIES[kind](query), **({} if typed is None else {"responses": typed})}


def _range(query: Choices) -> Choices:
    return {"range": f"{query.pop('smallest')}:{query.pop('largest')}", **query}


def _circle(query: Choices) -> Choices:
    directions = query.pop("directions", "both")
    return {**query, **({} if directions == "both" else {"symmetric": False})}


def _categories(query: Choices) -> Choices:
    labels = query.pop("labels")
    _need_plain(labels, ",")
    distance = {name: [list(map(str, row)) for row in rows] for name, rows in query.items()}
    return {"of": labels, **distance}


_QUERIES: dict[str, Callable[[Choices], Choices]] = {
    **dict.fromkeys(("count", "mean", "total", "extremum"), _range),
    "residues": _circle,
    "vector": _circle,
    "categories": _categories,
}


def _need_plain(texts: Iterable[str], separators: str) -> None:
    """Refuse texts that a list on a command line would take apart."""
    if any(text != text.strip() or set(text) & set(separators) for text in texts):
        raise _CannotBeTypedError


def _privacy(privacy: Table | list[Table]) -> Choices:
    if isinstance(privacy, list):
        if any(one["kind"] not in ("pure", "approximate") for one in privacy):
            raise _CannotBeTypedError
        return {"privacy": "; ".join(f"{one['epsilon']},{one.get('delta', '0')}" for one in privacy)}
    values = dict(privacy)
    kind = values.pop("kind")
    if kind == "as-private-as":
        law, parameter = values["noise"].values()
        usual = as_private_as(law, **{name: parameter for name in values["noise"] if name != "law"})
        if as_text(usual.epsilon) != values["epsilon"]:
            raise _CannotBeTypedError
        return {"as_private_as": f"{law}:{parameter}"}
    if values.keys() > {"epsilon", "delta"} or values.get("delta") == "0":
        raise _CannotBeTypedError
    return values if kind in ("pure", "approximate") else {**values, "definition": kind}


def _structure(table: Table) -> Choices:
    structure = dict(table.get("structure", {"kind": "free"}))
    kind = structure.pop("kind")
    if kind == "free":
        return {}
    if "moduli" in structure or "records_per_person" in table["query"]:
        raise _CannotBeTypedError
    return {"structure": kind, **structure}


def _objective(table: Table, formulation: str) -> Choices:
    """Return the objective and the bounds, which share its prior."""
    objective, bounds = table.get("objective", {}), table.get("bounds", [])
    priors = {bound.get("prior", "uniform") for bound in bounds if _is_averaged(bound)}
    if objective.get("least") == "delta":
        if len(objective) > 1:
            raise _CannotBeTypedError
        choices: Choices = {"least": "delta"}
    else:
        loss = _loss(objective, table)
        usual = "zero-one" if formulation == "categories" else "absolute"
        choices = {} if loss == usual else {"loss": loss}
        if objective.get("worst_case"):
            choices["worst_case"] = True
        elif _is_averaged(objective):
            priors.add(_prior(objective))
        elif "prior" in objective:
            raise _CannotBeTypedError
    if len(priors) > 1:
        raise _CannotBeTypedError
    prior = next(iter(priors), "uniform")
    return {
        **choices,
        **({} if prior == "uniform" else {"prior": prior}),
        **({"bounds": [_bound(bound, table) for bound in bounds]} if bounds else {}),
    }


def _is_averaged(loss: Table) -> bool:
    """Whether a prior matters: it does not for the worst truth, nor for noise, which is equal at all."""
    return not loss.get("worst_case") and not (isinstance(loss["loss"], dict) and "by_noise" in loss["loss"])


def _prior(loss: Table) -> str:
    prior = loss.get("prior", "uniform")
    return prior if isinstance(prior, str) else ",".join(prior)


def _loss(objective: Table, table: Table) -> str:
    loss = objective["loss"]
    turns = table.get("structure", {}).get("kind") == "modular"
    if isinstance(loss, str):
        if turns and loss in NOISE_COSTS:  # a typed one would be the cost of noise values
            raise _CannotBeTypedError
        return str(loss)
    ((kind, listed),) = loss.items()
    if kind == "by_entry":
        if listed != [list(map(str, row)) for row in table["query"].get("distance", [])]:
            raise _CannotBeTypedError
        return "distance"
    return listed if isinstance(listed, str) else ",".join(listed)


def _bound(bound: Table, table: Table) -> str:
    loss = _loss(bound, table)
    if "name" in bound or (not isinstance(bound["loss"], str) and loss not in NOISE_COSTS):
        raise _CannotBeTypedError
    over = "worst" if bound.get("worst_case") else "mean"
    return f"{over} {loss} <= {bound['at_most']}"
