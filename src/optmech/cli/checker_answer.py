"""The answer of another checker as data: one JSON object in one line, as docs/trust.md describes it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

from optmech.base.logarithm import Logarithm
from optmech.base.strict_json import parse_json
from optmech.base.visible import visible
from optmech.mechanisms.quantiles.quantile_certificate import QuantileCertificate
from optmech.mechanisms.tables.table_certificate import TableCertificate

if TYPE_CHECKING:
    from optmech.proofs.certificate import Certificate

MOST_BYTES = 1 << 22
"""An answer that is longer is none."""
_SHOWN = 60  # characters of what is no answer
_NUMBER = re.compile(r"-?[0-9]{1,4000}(?:[./][0-9]{1,4000})?")
_OVER_ZERO = re.compile("/0+$")
_LOGARITHM = "ln "


class CheckerVerdict(StrEnum):
    """The word of a checker on a certificate."""

    PROVED = "proved"
    REFUSED = "refused"
    NOT_COVERED = "not covered"


_CODES = {CheckerVerdict.PROVED: 0, CheckerVerdict.REFUSED: 1, CheckerVerdict.NOT_COVERED: 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvedNumbers:
    """The numbers that a checker proves, exactly.

    Attributes
    ----------
    objective : Fraction or None
        The minimised value; of quantiles the rank bound, None where none is proved.
    bound : Fraction or None
        No mechanism has less; None where nothing is proved.
    epsilon : Fraction or Logarithm
        That of the first privacy.
    delta : Fraction or None
        That of the first privacy; None where it is sought.
    """

    objective: Fraction | None
    bound: Fraction | None
    epsilon: Fraction | Logarithm
    delta: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckerAnswer:
    """A verdict, with the numbers where something is proved, else with the reason."""

    verdict: CheckerVerdict
    numbers: ProvedNumbers | None = None
    reason: str = ""


def numbers_of(certificate: Certificate | TableCertificate | QuantileCertificate) -> ProvedNumbers:
    """Return the numbers that a certificate proves."""
    if isinstance(certificate, QuantileCertificate):
        return ProvedNumbers(
            objective=certificate.rank_bound, bound=None, epsilon=certificate.epsilon, delta=certificate.delta
        )
    if isinstance(certificate, TableCertificate):
        return ProvedNumbers(
            objective=certificate.objective,
            bound=certificate.bound,
            epsilon=certificate.epsilon,
            delta=certificate.delta,
        )
    privacy = certificate.problem.privacy
    return ProvedNumbers(
        objective=certificate.objective,
        bound=certificate.bound,
        epsilon=privacy.epsilon,
        delta=privacy.delta,
    )


def read_answer(printed: bytes, code: int) -> CheckerAnswer:
    r"""Return the answer that a program printed and ended with this code.

    Raises
    ------
    ValueError
        If it is none: the sentence says what was printed in its place.

    Examples
    --------
    >>> read_answer(b'{"verdict": "refused", "reason": "a sum is not one"}\n', 1).reason
    'a sum is not one'
    >>> read_answer(b"all is well\n", 0)
    Traceback (most recent call last):
    ...
    ValueError: no JSON object but `all is well`
    """
    content = _object(printed)
    told = content.get("verdict")
    if not isinstance(told, str) or told not in _CODES:
        _no_answer(f"an object without a `verdict` that is {', '.join(CheckerVerdict)}")
    verdict = CheckerVerdict(told)
    if code != _CODES[verdict]:
        _no_answer(f"the verdict `{verdict}`, whose code is {_CODES[verdict]}")
    if verdict != CheckerVerdict.PROVED:
        return CheckerAnswer(verdict=verdict, reason=_text(content, "reason"))
    numbers = ProvedNumbers(
        objective=_number_or_none(content, "objective"),
        bound=_number_or_none(content, "bound"),
        epsilon=_epsilon(content),
        delta=_number_or_none(content, "delta"),
    )
    return CheckerAnswer(verdict=verdict, numbers=numbers)


def _no_answer(printed: str) -> NoReturn:
    raise ValueError(printed)


def _object(printed: bytes) -> dict[str, Any]:
    """Return the JSON object of one line."""
    if len(printed) > MOST_BYTES:
        _no_answer(f"more than {MOST_BYTES:,} bytes")
    try:
        text = printed.decode("utf-8")
    except UnicodeDecodeError:
        _no_answer("bytes that are no UTF-8")
    # Not splitlines: JSON may hold other line breaks of Unicode in a text.
    lines = text.removesuffix("\n").split("\n")
    if not text:
        _no_answer("nothing")
    try:
        content = parse_json(lines[0])
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        _no_answer(f"no JSON object but `{visible(lines[0][:_SHOWN])}`")
    if len(lines) > 1:
        _no_answer(f"{len(lines):,} lines in place of one")
    return content


def _text(content: dict[str, Any], name: str) -> str:
    value = content.get(name)
    if not isinstance(value, str):
        _no_answer(f"an object without a `{name}` that is text")
    return value


def _number(content: dict[str, Any], name: str, before: str = "") -> Fraction:
    """Return the number of a field, behind `before`."""
    text = _text(content, name)
    number = text.removeprefix(before)
    if _NUMBER.fullmatch(number) is None or _OVER_ZERO.search(number):
        _no_answer(f"an object whose `{name}` is no exact number but `{visible(text[:_SHOWN])}`")
    return Fraction(number)


def _number_or_none(content: dict[str, Any], name: str) -> Fraction | None:
    return None if name in content and content[name] is None else _number(content, name)


def _epsilon(content: dict[str, Any]) -> Fraction | Logarithm:
    text = _text(content, "epsilon")
    number = _number(content, "epsilon", _LOGARITHM)
    if not text.startswith(_LOGARITHM):
        return number
    if number <= 0:
        _no_answer(f"an object whose `epsilon` is no logarithm but `{visible(text[:_SHOWN])}`")
    return Logarithm(number)
