"""Implicit mechanisms as JSON text, the same bytes each time, and back; see `docs/certificate.md`."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import OptmechError, VerificationError
from optmech.base.numbers import as_text
from optmech.base.whole_files import read_text, write_whole
from optmech.designs.implicit.decay import Decay
from optmech.designs.implicit.mechanism import ImplicitMechanism
from optmech.designs.implicit.proof import Prices
from optmech.designs.implicit.question import ImplicitCount
from optmech.proofs.certificate_text import not_so, part_of, refusal

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction
    from os import PathLike

__all__ = ["implicit_text", "read_implicit", "read_implicit_text", "says_implicit", "write_implicit"]

_FORMAT, _VERSION = "optmech implicit certificate", 1
_MOST_SMOOTHING = 2**10


def says_implicit(text: str) -> bool:
    """Whether the text of a file begins as `implicit_text` does."""
    return _FORMAT in text[:100]


def write_implicit(mechanism: ImplicitMechanism, path: str | PathLike[str]) -> None:
    """Write a mechanism with its proof as JSON, whole or not at all; the same question gives the same bytes.

    Raises
    ------
    FileFormatError
        If the path cannot be written.
    """
    write_whole(path, implicit_text(mechanism))


def read_implicit(path: str | PathLike[str]) -> ImplicitMechanism:
    """Return the mechanism of a file, with everything in it proved again.

    Raises
    ------
    FileFormatError
        If the file cannot be read or is no implicit certificate.
    VerificationError
        If something in it does not hold.
    """
    return read_implicit_text(read_text(path), str(path))


def implicit_text(mechanism: ImplicitMechanism) -> str:
    """Return the mechanism as JSON, a line for each field.

    Examples
    --------
    >>> from optmech.designs.implicit import implicit_count
    >>> text = implicit_text(implicit_count(100_000, "1"))
    >>> len(text) < 10_000, read_implicit_text(text).relative_gap < 1e-9
    (True, True)
    """
    question, prices = mechanism.question, mechanism.prices
    content = {
        "format": _FORMAT,
        "version": _VERSION,
        "question": {
            "largest": question.largest,
            "epsilon": as_text(question.epsilon),
            "loss": _words(question.loss),
            "prior": _words(question.prior),
        },
        "decay": {"numerator": str(mechanism.decay.numerator), "bits": mechanism.decay.bits},
        "floor": {"numerator": str(mechanism.floor.numerator), "bits": mechanism.floor.bits},
        "remap": _runs(np.diff(mechanism.remap, prepend=0).tolist()),
        "smoothing": mechanism.smoothing,
        "prices": {"bits": prices.bits, "extras": _runs(prices.extras)},
        "objective": str(mechanism.objective),
        "bound": str(mechanism.bound),
    }
    return (
        "{\n"
        + ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in content.items())
        + "\n}\n"
    )


def read_implicit_text(text: str, path: str = "certificate") -> ImplicitMechanism:
    """Return the mechanism, with everything that is claimed of it proved again.

    Raises
    ------
    FileFormatError
        If it is no implicit certificate of this version.
    VerificationError
        If something in it does not hold.
    """
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as trouble:
        raise refusal(path, f"must be JSON; got: {trouble}") from None
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise refusal(path, f"must have the format {_FORMAT!r}")
    if content.get("version") != _VERSION:
        raise refusal(path, f"must have version {_VERSION}; got {content.get('version')!r}. Update optmech")
    try:
        mechanism = _mechanism(content)
        again = implicit_text(mechanism)
    except VerificationError as trouble:
        raise not_so(path, f"does not hold: {str(trouble).removesuffix('.')}") from None
    except (OptmechError, KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as trouble:
        raise refusal(path, f"must have all its parts, each as described; {part_of(trouble)}") from None
    # As text: a number of a few letters, such as 1e30000000, may take hours to make.
    if (content.get("objective"), content.get("bound")) != (str(mechanism.objective), str(mechanism.bound)):
        raise not_so(path, "says another objective or bound than its parts prove")
    # Byte for byte, so that no field is there twice, or beside those described.
    if text != again:
        raise refusal(path, "must be written as described and as short as can be")
    return mechanism


def _mechanism(content: dict[str, Any]) -> ImplicitMechanism:
    asked = content["question"]
    prior = None if asked["prior"] == "sum" else asked["prior"]
    question = ImplicitCount.asked(asked["largest"], asked["epsilon"], asked["loss"], prior)
    count = question.largest + 1
    prices = content["prices"]
    steps = _expanded(content["remap"], count)
    smoothing = content["smoothing"]
    if smoothing is not None and not 0 <= int(smoothing) <= _MOST_SMOOTHING:
        message = f"smoothing is not in 0..{_MOST_SMOOTHING}"
        raise ValueError(message)
    if max(steps) > count:  # sums of longer ones might not fit into 64 bits
        message = "the remap leaves the range"
        raise ValueError(message)
    return ImplicitMechanism(
        question=question,
        decay=_decay(content["decay"]),
        floor=_decay(content["floor"]),
        remap=np.cumsum(np.array(steps, dtype=np.int64)),
        prices=Prices(tuple(_expanded(prices["extras"], count)), int(prices["bits"])),
        smoothing=None if smoothing is None else int(smoothing),
    )


def _decay(content: dict[str, Any]) -> Decay:
    return Decay(int(content["numerator"]), int(content["bits"]))


def _words(value: str | tuple[Fraction, ...]) -> str | list[str]:
    return value if isinstance(value, str) else [as_text(number) for number in value]


def _runs(numbers: Iterable[int]) -> str:
    """Return the numbers with spaces between, equal ones as ``number*count``.

    Examples
    --------
    >>> _runs([7, 0, 0, 0])
    '7 0*3'
    """
    runs = [(number, sum(1 for _ in same)) for number, same in groupby(numbers)]
    return " ".join(f"{number}*{count}" if count > 1 else f"{number}" for number, count in runs)


def _expanded(text: str, count: int) -> list[int]:
    numbers: list[int] = []
    for part in text.split(" "):
        number, _, times = part.partition("*")
        length = int(times or 1)
        if length > count - len(numbers):
            break
        numbers += [int(number)] * length
    else:
        if len(numbers) == count:
            return numbers
    message = f"there are not {count} numbers, one for each truth"
    raise ValueError(message)
