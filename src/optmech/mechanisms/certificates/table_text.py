"""Write and read certificates of tables: numbers are fractions in lowest terms, margins have one spelling."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optmech.base.errors import FileFormatError, OptmechError, VerificationError
from optmech.base.strict_json import parse_json
from optmech.mechanisms.tables.table_certificate import TableCertificate
from optmech.mechanisms.tables.table_noise import LatticeNoise, MarginNoise, NormalMargins, TableNoise
from optmech.proofs.tables.count_bound import CountMultipliers
from optmech.question.tables.budget import TableBudget
from optmech.question.tables.margins import margin_of, need_axes, subsets
from optmech.question.tables.person import TablePerson
from optmech.question.tables.record_sums import RecordSums, asked_by
from optmech.question.tables.table_problem import Goal, TableAxis, TableProblem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from optmech.question.tables.margins import Axes

_FORMAT, _VERSION = "optmech certificate", 2
MOST_CHARACTERS = 20_000_000
"""Longer files are refused before they are read."""


def table_text(certificate: TableCertificate, bound: Fraction | None = None) -> str:
    """Return the certificate as JSON, a line for each field, with reproducible bytes.

    It says the bound that is proved, or a lower one.
    """
    content = _content(certificate, certificate.bound if bound is None else bound)
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in content.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def is_table(content: object) -> bool:
    """Return whether JSON values are a certificate of a table."""
    question = content.get("question") if isinstance(content, dict) else None
    return isinstance(question, dict) and question.get("kind") == "table"


def is_table_text(text: str) -> bool:
    """Return whether text is the certificate of a table, so far as it can be read.

    >>> is_table_text('{"question": {"kind": "table"}}'), is_table_text("no JSON")
    (True, False)
    """
    try:
        return '"table"' in text and is_table(parse_json(text))
    except (ValueError, RecursionError):
        return False


def read_table_text(text: str, path: str = "certificate") -> TableCertificate:
    """Return the certificate, after proving everything in it again.

    Raises
    ------
    FileFormatError
        If the text is no certificate of a table, as it is written.
    VerificationError
        If something in it does not hold.
    """
    try:
        if len(text) > MOST_CHARACTERS:
            message = "it is too long"
            raise ValueError(message)
        content = parse_json(text)
        certificate = _certificate(content)
        objective, bound, gap = (_number(content[name]) for name in ("objective", "bound", "gap"))
        text_again, proved = table_text(certificate, bound), certificate.bound
    except VerificationError as error:
        message = f"`{path}` does not hold: {error}. Do not use its mechanism."
        raise VerificationError(message) from None
    except (OptmechError, *_ODD) as error:
        reason = (
            str(error).removesuffix(".") if isinstance(error, OptmechError) else "a part is missing or odd"
        )
        message = (
            f"`{path}` must have all its parts, each as described; {reason:.300}. Nothing in it is proved."
        )
        raise FileFormatError(message) from None
    if not 0 <= bound <= proved or (objective, gap) != (certificate.objective, objective - bound):
        message = f"`{path}` says another objective, bound or gap than it proves. Do not use its mechanism."
        raise VerificationError(message)
    if text != text_again:
        message = f"`{path}` must be written as described and as short as can be. Nothing in it is proved."
        raise FileFormatError(message)
    return certificate


_ODD = (KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError, RecursionError)


def _content(certificate: TableCertificate, bound: Fraction) -> dict[str, Any]:
    problem, noise = certificate.problem, certificate.noise
    budget, person, records = problem.budget, problem.person, problem.records
    goal = problem.goal if isinstance(problem.goal, Goal) else _by_name(problem, problem.goal, problem.totals)
    question: dict[str, Any] = {
        "kind": "table",
        "axes": [[axis.name, list(axis.categories) or axis.size] for axis in problem.axes],
        "totals": [problem.name_of(margin) for margin in problem.totals],
        "weights": goal,
        "at_most": person.at_most,
        "at_most_per_cell": person.at_most_per_cell,
        "is_sum": person.is_sum,
        "zcdp": _text(budget.rho),
        "epsilon": _text(budget.epsilon),
        "delta": str(budget.delta),
    }
    if records is not None:
        question["records"] = {
            "low": int(records.low / records.unit),
            "high": int(records.high / records.unit),
            "unit": str(records.unit),
            "at_most": records.at_most,
            "at_most_per_group": records.at_most_per_group,
        }
    if isinstance(noise, LatticeNoise):
        mechanism: dict[str, Any] = {
            "lattice": _by_name(problem, noise.variances, subsets(problem.shape.every))
        }
    else:
        by_ratio = isinstance(noise, MarginNoise)
        numbers = noise.ratios if isinstance(noise, MarginNoise) else noise.spreads
        mechanism = {
            "ratios" if by_ratio else "spreads": _by_name(problem, numbers, subsets(problem.shape.every)),
            "bits": noise.bits,
            "weights": [
                [problem.name_of(part), problem.name_of(margin), noise.weights[part, margin]]
                for part in subsets(problem.shape.every)
                for margin in subsets(problem.shape.every)
                if (part, margin) in noise.weights
            ],
        }
    count, prices = certificate.count, certificate.prices
    proof = {
        "centre": None if certificate.centre is None else [*map(str, certificate.centre)],
        "prices": None if prices is None else _by_name(problem, prices, problem.totals),
        "count": _count_content(count)
        if isinstance(count, CountMultipliers)
        else count and [*map(str, count)],
    }
    return {
        "format": _FORMAT,
        "version": _VERSION,
        "question": question,
        "mechanism": mechanism,
        "epsilon": str(certificate.epsilon),
        "objective": str(certificate.objective),
        "bound": str(bound),
        "gap": str(certificate.objective - bound),
        "proof": proof,
    }


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


def _by_name(problem: TableProblem, values: Mapping[Axes, Fraction], order: Iterable[Axes]) -> dict[str, str]:
    return {problem.name_of(margin): str(values[margin]) for margin in order if margin in values}


def _count_content(count: CountMultipliers) -> dict[str, Any]:
    return {
        "rows": count.rows,
        "points": count.points,
        "weight": str(count.weight),
        "bits": count.bits,
        "logarithms": list(count.logarithms),
    }


def _certificate(content: dict[str, Any]) -> TableCertificate:
    problem = _problem(content["question"])
    mechanism, proof, names = content["mechanism"], content["proof"], problem.names
    noise: TableNoise
    if "lattice" in mechanism:
        noise = LatticeNoise(problem.shape.sizes, _margins(mechanism["lattice"], names))
    else:
        weights = {
            (margin_of(part, names), margin_of(margin, names)): _whole(weight)
            for part, margin, weight in mechanism["weights"]
        }
        bits, is_pure = _whole(mechanism["bits"]), "ratios" in mechanism
        told = _margins(mechanism["ratios" if is_pure else "spreads"], names)
        noise = (MarginNoise if is_pure else NormalMargins)(problem.shape.sizes, told, weights, bits)
    centre, prices, count = proof["centre"], proof["prices"], proof["count"]
    multipliers: CountMultipliers | tuple[Fraction, Fraction] | None = None
    if isinstance(count, dict):
        logarithms = tuple(map(_whole, count["logarithms"]))
        numbers = {name: _whole(count[name]) for name in ("rows", "points", "bits")}
        multipliers = CountMultipliers(**numbers, weight=_number(count["weight"]), logarithms=logarithms)
    elif count is not None:
        multipliers = _pair(count)
    return TableCertificate(
        problem=problem,
        noise=noise,
        epsilon=_number(content["epsilon"]),
        centre=None if centre is None else _pair(centre),
        prices=None if prices is None else _margins(prices, names),
        count=multipliers,
    )


def _problem(question: dict[str, Any]) -> TableProblem:
    axes = tuple(_axis(*pair) for pair in question["axes"])
    names = [axis.name for axis in axes]
    need_axes(len(names))
    weights = question["weights"]
    rho, epsilon = (None if question[key] is None else _number(question[key]) for key in ("zcdp", "epsilon"))
    return TableProblem(
        axes=axes,
        totals=tuple(margin_of(text, names) for text in question["totals"]),
        goal=Goal(weights) if isinstance(weights, str) else _margins(weights, names),
        person=TablePerson(**{key: question[key] for key in ("at_most", "at_most_per_cell", "is_sum")}),
        budget=TableBudget(rho=rho, epsilon=epsilon, delta=_number(question["delta"])),
        records=_records(question["records"], axes) if "records" in question else None,
    )


def _records(content: dict[str, Any], axes: tuple[TableAxis, ...]) -> RecordSums:
    """Return the sums of records that cells are; the names of the cells say which."""
    unit = _number(content["unit"])
    return RecordSums(
        low=_whole(content["low"]) * unit,
        high=_whole(content["high"]) * unit,
        unit=unit,
        asked=asked_by(axes[0].categories if axes else ()),
        at_most=_whole(content["at_most"]),
        at_most_per_group=_whole(content["at_most_per_group"]),
    )


def _axis(name: str, told: Any) -> TableAxis:  # noqa: ANN401 - JSON
    if isinstance(told, list):
        return TableAxis(name=name, size=len(told), categories=tuple(told))
    return TableAxis(name=name, size=_whole(told))


def _margins(content: Mapping[str, str], names: tuple[str, ...] | list[str]) -> dict[Axes, Fraction]:
    return {margin_of(name, names): _number(value) for name, value in content.items()}


def _pair(content: list[str]) -> tuple[Fraction, Fraction]:
    first, second = map(_number, content)
    return first, second


def _number(text: str) -> Fraction:
    return Fraction(*map(int, text.split("/")))


def _whole(value: Any) -> int:  # noqa: ANN401 - JSON
    if type(value) is not int:
        raise TypeError(value)
    return value
