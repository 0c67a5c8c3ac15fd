"""Write and read certificates of quantiles: below a kilobyte, and one spelling of each."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optmech.base.errors import FileFormatError, OptmechError, VerificationError
from optmech.base.strict_json import parse_json
from optmech.base.whole_files import read_text
from optmech.mechanisms.quantiles.quantile_certificate import PROBABILITY, QuantileCertificate, QuantileMethod
from optmech.mechanisms.quantiles.quantile_draws import PLACES
from optmech.question.quantiles.quantile_problem import Neighbours, QuantileProblem

if TYPE_CHECKING:
    from os import PathLike

_FORMAT, _VERSION, _KIND, _MOST = "optmech certificate", 2, "quantiles", 10_000
_ODD = (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)


def quantiles_text(certificate: QuantileCertificate) -> str:
    """Return the certificate as JSON, a line for each field, with reproducible bytes."""
    problem, bound = certificate.problem, certificate.rank_bound
    is_tree = certificate.method is QuantileMethod.TREE
    content = {
        "format": _FORMAT,
        "version": _VERSION,
        "question": {
            "kind": _KIND,
            "range": [str(problem.low), str(problem.high)],
            "step": str(problem.step),
            "of": [*map(str, problem.quantiles)],
            "at_most": problem.at_most,
            "neighbours": problem.neighbours.value,
            "zcdp": None if problem.zcdp is None else str(problem.zcdp),
            "epsilon": None if problem.epsilon is None else str(problem.epsilon),
        },
        "mechanism": {
            "kind": certificate.method.value,
            "levels": certificate.levels,
            "eta": str(certificate.eta),
            "places": PLACES if is_tree else 1,
        },
        "epsilon": str(certificate.epsilon),
        "rank_bound": None if bound is None else {"probability": str(PROBABILITY), "records": str(bound)},
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in content.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def is_quantiles_text(text: str) -> bool:
    """Return whether text is the certificate of quantiles, so far as it can be read.

    >>> is_quantiles_text('{"question": {"kind": "quantiles"}}'), is_quantiles_text("no JSON")
    (True, False)
    """
    try:
        return f'"{_KIND}"' in text[:_MOST] and is_of_quantiles(parse_json(text))
    except _ODD:
        return False


def is_of_quantiles(content: object) -> bool:
    """Return whether JSON values are a certificate of quantiles."""
    question = content.get("question") if isinstance(content, dict) else None
    return isinstance(question, dict) and question.get("kind") == _KIND


def read_quantiles_text(text: str, path: str = "certificate") -> QuantileCertificate:
    """Return the certificate, after proving everything in it again.

    Raises
    ------
    FileFormatError
        If the text is no certificate of quantiles.
    VerificationError
        If something in it does not hold.
    """
    try:
        if len(text) > _MOST:
            message = "it is too long"
            raise ValueError(message)
        certificate = QuantileCertificate(problem=_problem(parse_json(text)["question"]))
    except (OptmechError, *_ODD) as error:
        reason = (
            str(error).removesuffix(".") if isinstance(error, OptmechError) else "a part is missing or odd"
        )
        message = (
            f"`{path}` must have all its parts, each as described; {reason:.300}. Nothing in it is proved."
        )
        raise FileFormatError(message) from None
    if text != quantiles_text(certificate):
        message = f"`{path}` says something else than follows from its question. Do not use its mechanism."
        raise VerificationError(message)
    return certificate


def read_quantiles(path: str | PathLike[str]) -> QuantileCertificate:
    """Return the certificate of quantiles in a file, after proving everything in it again.

    Raises
    ------
    FileFormatError
        If the file cannot be read or is no certificate of quantiles.
    VerificationError
        If something in it does not hold.
    """
    return read_quantiles_text(read_text(path, "utf-8"), str(path))


def _problem(question: dict[str, Any]) -> QuantileProblem:
    if type(question["at_most"]) is not int:
        raise TypeError(question)
    low, high = map(_number, question["range"])
    budget = {
        name: None if question[name] is None else _number(question[name]) for name in ("epsilon", "zcdp")
    }
    return QuantileProblem(
        low=low,
        high=high,
        step=_number(question["step"]),
        quantiles=tuple(map(_number, question["of"])),
        at_most=question["at_most"],
        neighbours=Neighbours(question["neighbours"]),
        **budget,
    )


def _number(text: str) -> Fraction:
    return Fraction(*map(int, text.split("/")))
