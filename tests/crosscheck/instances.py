"""The data of a formulation's instance, built from the papers' definitions alone.

`data_of` turns ``[instance.problem]`` of a ``formulations/*.toml`` into the sets and parameters
that the ``.mod`` beside it declares. Nothing of `optmech` is used: this is the second statement,
and the builders are compared with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from algebra import Section

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


def data_of(name: str, problem: Problem) -> Sections:
    """State an instance as the sections of a MathProg data section.

    Parameters
    ----------
    name : str
        A formulation: the name of its file without the suffix.
    problem : mapping
        The keys of ``[instance.problem]``.

    Returns
    -------
    dict
        What `algebra.data_text` takes: numbers and indexed numbers are parameters, the rest sets.
    """
    return _BUILDERS[name](problem)


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
    first, last = _range(problem["counts"])
    return _sadeghi_symmetric(problem) | {"N": last, "first": first}


def _sadeghi_symmetric(problem: Problem) -> Sections:
    return {
        "D": problem["half_width"],
        "eta": float(problem["accuracy"]),
        "E": _e_to_the(problem["epsilon"]),
    }


def _kadam(problem: Problem) -> Sections:
    return _kadam_pure(problem) | {"delta": float(problem["delta"])}


def _kadam_least_delta(problem: Problem) -> Sections:
    return _kadam_pure(problem) | {"at_most": float(problem["at_most"])}


def _kadam_pure(problem: Problem) -> Sections:
    modulus = problem["modulus"]
    distances = set(problem["distances"])
    if problem["symmetric"]:
        distances |= {modulus - distance for distance in distances}
    cost = COSTS[problem["cost"]]
    return {
        "n": modulus - 1,
        "Mu": sorted(distances),
        "E": _e_to_the(problem["epsilon"]),
        "rho": {eta: cost(eta, modulus) for eta in range(modulus)},
    }


_BUILDERS: Mapping[str, Callable[[Problem], Sections]] = {
    "croft_variant_1": _croft_variant_1,
    "croft_variant_2": _croft_variant_2,
    "sadeghi": _sadeghi,
    "sadeghi_symmetric": _sadeghi_symmetric,
    "sadeghi_symmetric_paper": _sadeghi_symmetric,
    "kadam": _kadam,
    "kadam_pure": _kadam_pure,
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
