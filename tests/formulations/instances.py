"""The data of a formulation's instance, built from the papers' definitions alone.

`data_of` turns ``[instance.question]`` of a ``formulations/*.toml`` into the sets and parameters
that the ``.mod`` beside it declares. Nothing of `optmech` is used: this is the second statement,
and the builders are compared with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from tests.formulations.algebra import Index, Number, Section

Problem: TypeAlias = Mapping[str, Any]
Sections: TypeAlias = dict[str, Section]

LOSSES: Mapping[str, Callable[[Fraction, Fraction], Fraction]] = {
    "absolute": lambda response, truth: abs(response - truth),
    "squared": lambda response, truth: (response - truth) ** 2,
    "zero-one": lambda response, truth: Fraction(response != truth),
}

COSTS: Mapping[str, Callable[[int, int], int]] = {
    "error-rate": lambda eta, _: int(eta != 0),  # Kadam (10)
    "squared": lambda eta, _: eta**2,  # Kadam (11)
    "circular": lambda eta, modulus: min(eta, modulus - eta) ** 2,
    "wrapped": lambda eta, modulus: eta * (modulus - eta),
}


def data_of(name: str, question: Mapping[str, Any]) -> Sections:
    """State an instance as the sections of a MathProg data section.

    Parameters
    ----------
    name : str
        A formulation: the name of its file without the suffix.
    question : mapping
        The table ``[instance.question]``.

    Returns
    -------
    dict
        The input of `algebra.data_text`: numbers and indexed numbers are parameters, the rest sets.
    """
    return _BUILDERS[name](_flat(question))


def _flat(question: Mapping[str, Any]) -> Problem:
    """Lay the parts of a question beside each other, under the names that the builders below read."""
    query, objective = question["query"], question["objective"]
    flat = {**query, **question["privacy"], **question.get("structure", {}), **objective}
    flat["query"] = query["kind"]
    if "smallest" in query:
        flat["range"] = f"{query['smallest']}:{query['largest']}"
    flat["symmetric"] = query.get("directions") != "one"
    if query["kind"] == "graph":
        places = query["truths"]
        flat["edges"] = [
            (Fraction(places[left]), Fraction(places[right]), *weight)
            for left, right, *weight in query["neighbours"]
        ]
    if isinstance(objective.get("loss"), dict):
        flat["loss"] = objective["loss"]["by_noise"]
    flat["properties"] = question.get("properties", [])
    flat["bounds"] = [
        f"{'worst' if bound.get('worst_case') else 'mean'} {_name_of(bound['loss'])} <= {bound['at_most']}"
        for bound in question.get("bounds", [])
    ]
    return flat


def _name_of(loss: Any) -> str:
    return loss if isinstance(loss, str) else loss["by_noise"]


def _croft_variant_1(problem: Problem) -> Sections:
    values, reach = _truths(problem)
    positions = range(len(values))
    loss = LOSSES[problem.get("loss", "absolute")]
    return {
        "E": _e_to_the(problem["epsilon"]),
        "R": positions,  # the response categories are the truths themselves
        "F": positions,
        "A": [(f, g) for f in positions for g in positions if 1 <= abs(f - g) <= reach],
        "p": dict.fromkeys(positions, 1),  # Croft's objective is the plain sum over the truths
        "l": {(r, f): _exact(loss(values[r], values[f])) for r in positions for f in positions},
    }


def _croft_variant_2(problem: Problem) -> Sections:
    values, _ = _truths(problem)
    points = {position: _exact(value) for position, value in enumerate(values)}
    return _croft_variant_1(problem) | {
        "home": {position: position for position in points},
        "value": points,
        "lower": points,
        "upper": points,
    }


def _truths(problem: Problem) -> tuple[list[Fraction], int]:
    """List the true responses, and how many steps one changed record can move them.

    One record in ``low..high`` replaced by another moves a count by one, the sum behind a mean by
    up to ``high - low``, and a maximum, minimum or median from anywhere to anywhere.
    """
    low, high = _range(problem["range"])
    match problem["query"]:
        case "count":
            return [Fraction(value) for value in range(low, high + 1)], 1
        case "extremum":
            return [Fraction(value) for value in range(low, high + 1)], high - low
        case "mean":
            records, largest = problem["records"], high - low
            steps = range(records * largest + 1)
            return [low + Fraction(step, records) for step in steps], largest
        case query:
            raise ValueError(query)


def _sadeghi(problem: Problem) -> Sections:
    first, last = _range(problem["range"])
    return _sadeghi_symmetric(problem) | {"N": last, "first": first}


def _sadeghi_symmetric(problem: Problem) -> Sections:
    return {
        "D": problem["half_width"],
        "eta": float(problem["accuracy"]),
        "E": _e_to_the(problem["epsilon"]),
    }


def _sadeghi_symmetric_given_delta(problem: Problem) -> Sections:
    return _sadeghi_symmetric(problem) | {"delta": float(problem["delta"])}


def _approximate(problem: Problem) -> Sections:
    return _averaged(problem) | {"delta": float(problem["delta"])}


def _approximate_least_delta(problem: Problem) -> Sections:
    whole = _averaged(problem)
    return {name: whole[name] for name in ("E", "R", "F", "A", "p")} | _bounds(problem)


def _worst_loss(problem: Problem) -> Sections:
    whole = _averaged(problem)
    return {name: whole[name] for name in ("E", "R", "F", "A", "l")}


def _properties(problem: Problem) -> Sections:
    values, _ = _truths(problem)
    points = {position: _exact(value) for position, value in enumerate(values)}
    expected = [name.split() for name in problem["properties"]]
    numbers = {tuple(name[:-1]): float(name[-1]) for name in expected if len(name) > 1}
    exactly = ("accuracy", "=")
    return (
        _averaged(problem)
        | {
            "home": {position: position for position in points},
            "value": points,
            "mid": points,
            "CH": int(["column-honest"] in expected),
            "RH": int(["row-honest"] in expected),
            "WH": int(["weakly-honest"] in expected),
            "UB": int(["unbiased"] in expected),
            "eta": numbers.get(exactly, numbers.get(("accuracy", ">="), 0)),
            "eta_most": numbers.get(exactly, 1),
            "reach": numbers.get(("within",), 2 * max(abs(point) for point in points.values())),
            "Never": [
                position
                for name in expected
                if name[0] == "without"
                for position, point in points.items()
                if str(point) in name[1:]
            ],
        }
        | _bounds(problem)
    )


def _metric(problem: Problem) -> Sections:
    values = sorted({node for left, right, _ in problem["edges"] for node in (left, right)})
    place = {value: position for position, value in enumerate(values)}
    steps: dict[Index, Number] = {}
    for left, right, weight in problem["edges"]:
        steps[place[left], place[right]] = steps[place[right], place[left]] = weight
    loss = _loss(problem.get("loss", "absolute"))
    positions = range(len(values))
    return {
        "E": _e_to_the(problem["epsilon"]),
        "R": positions,
        "F": positions,
        "A": list(steps),
        "d": steps,
        "p": dict.fromkeys(positions, 1 / len(values)),
        "l": {(r, f): _exact(Fraction(loss(values[r], values[f]))) for r in positions for f in positions},
    }


def _bounds(problem: Problem) -> Sections:
    """Read bounds such as "worst beyond 2 <= 0.05", numbered as they are listed."""
    values, _ = _truths(problem)
    losses: dict[Index, Number] = {}
    limits: dict[Index, Number] = {}
    kinds: dict[str, list[Index]] = {"mean": [], "worst": []}
    for i, text in enumerate(problem.get("bounds", [])):
        (kind, *loss), limit = text.partition("<=")[0].split(), text.partition("<=")[2]
        kinds[kind].append(i)
        limits[i] = float(limit)
        for r, response in enumerate(values):
            for f, truth in enumerate(values):
                losses[i, r, f] = _exact(_loss(" ".join(loss))(response, truth))
    return {"Mean": kinds["mean"], "Worst": kinds["worst"], "k": losses, "b": limits}


def _averaged(problem: Problem) -> Sections:
    """State a question about a free matrix; its loss is averaged unless the plain sum is asked for."""
    values, reach = _truths(problem)
    positions = range(len(values))
    prior = problem.get("prior", "uniform")
    shares = {"uniform": [1 / len(values)] * len(values), "sum": [1] * len(values)}
    loss = _loss(problem.get("loss", "absolute"))
    return {
        "E": _e_to_the(problem["epsilon"]),
        "R": positions,
        "F": positions,
        "A": [(f, g) for f in positions for g in positions if 1 <= abs(f - g) <= reach],
        "p": dict(enumerate(shares[prior] if isinstance(prior, str) else map(float, prior))),
        "l": {(r, f): _exact(loss(values[r], values[f])) for r in positions for f in positions},
    }


def _loss(name: str) -> Callable[[Fraction, Fraction], Fraction]:
    word, _, number = name.partition(" ")
    if word == "beyond":
        return lambda response, truth: Fraction(abs(response - truth) > Fraction(number))
    return LOSSES[name]


def _noise_from_a_range(problem: Problem) -> Sections:
    first, last = _range(problem["range"])
    return _sadeghi_symmetric(problem) | {"N": last, "first": first}


def _modular_approximate(problem: Problem) -> Sections:
    return _kadam_pure(problem) | {"delta": float(problem["delta"])}


def _modular_approximate_least_delta(problem: Problem) -> Sections:
    (bound,) = problem["bounds"]
    _, cost, _, limit = bound.split()
    return _kadam_pure(problem | {"loss": cost}) | {"at_most": float(limit)}


def _kadam(problem: Problem) -> Sections:
    return _kadam_pure(problem) | {"delta": float(problem["delta"])}


def _kadam_least_delta(problem: Problem) -> Sections:
    return _kadam_pure(problem) | {"at_most": float(problem["at_most"])}


def _kadam_vector(problem: Problem) -> Sections:
    return _kadam_vector_pure(problem) | {"delta": float(problem["delta"])}


def _kadam_vector_pure(problem: Problem) -> Sections:
    """State noise on pairs."""
    (first, second), distances = problem["moduli"], {tuple(step) for step in problem["distances"]}
    if problem["symmetric"]:
        distances |= {(-a % first, -b % second) for a, b in distances}
    cost = COSTS[problem["loss"]]
    pairs = [(a, b) for a in range(first) for b in range(second)]
    costs = {(a, b): cost(a, first) + cost(b, second) for a, b in pairs}
    if problem["loss"] == "error-rate":
        costs = {pair: int(pair != (0, 0)) for pair in pairs}
    return {
        "n": {1: first - 1, 2: second - 1},
        "Mu": sorted(distances - {(0, 0)}),
        "E": _e_to_the(problem["epsilon"]),
        "rho": costs,
    }


def _kadam_pure(problem: Problem) -> Sections:
    modulus = problem["modulus"]
    distances = set(problem["distances"])
    if problem["symmetric"]:
        distances |= {modulus - distance for distance in distances}
    cost = COSTS[problem["loss"]]
    return {
        "n": modulus - 1,
        "Mu": sorted(distances),
        "E": _e_to_the(problem["epsilon"]),
        "rho": {eta: cost(eta, modulus) for eta in range(modulus)},
    }


_BUILDERS: Mapping[str, Callable[[Problem], Sections]] = {
    "approximate": _approximate,
    "approximate_least_delta": _approximate_least_delta,
    "croft_variant_1": _croft_variant_1,
    "croft_variant_2": _croft_variant_2,
    "metric": _metric,
    "modular_approximate": _modular_approximate,
    "modular_approximate_least_delta": _modular_approximate_least_delta,
    "properties": _properties,
    "sadeghi": _sadeghi,
    "sadeghi_approximate": _noise_from_a_range,
    "sadeghi_symmetric": _sadeghi_symmetric,
    "sadeghi_symmetric_approximate": _sadeghi_symmetric,
    "sadeghi_symmetric_given_delta": _sadeghi_symmetric_given_delta,
    "worst_loss": _worst_loss,
    "sadeghi_symmetric_paper": _sadeghi_symmetric,
    "kadam": _kadam,
    "kadam_pure": _kadam_pure,
    "kadam_vector": _kadam_vector,
    "kadam_vector_pure": _kadam_vector_pure,
    "kadam_printed": _kadam,
    "kadam_least_delta": _kadam_least_delta,
    "kadam_least_delta_printed": _kadam_least_delta,
}


def _range(text: str) -> tuple[int, int]:
    low, high = text.split(":")
    return int(low), int(high)


def _e_to_the(epsilon: str) -> float:
    return math.exp(float(epsilon))


def _exact(value: Fraction) -> int | float:
    """Give the nearest double, or the integer itself."""
    return value.numerator if value.denominator == 1 else float(value)
