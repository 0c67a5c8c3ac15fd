"""Values of options as they are typed: lists, names or numbers, and files of numbers."""

from __future__ import annotations

import os
import re
from typing import Any

from optmech.base.errors import FileFormatError, ProblemError
from optmech.base.numbers import exact
from optmech.base.visible import visible
from optmech.base.whole_files import read_text
from optmech.cli.usage import UsageError


def whole_numbers(text: str) -> list[int]:
    """Return ``1,2`` as a list."""
    try:
        return [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        message = f"must be whole numbers with commas, such as 1,2,3; got {text!r}."
        raise UsageError(message) from None


def number_lists(text: str) -> list[Any]:
    """Return ``1,2`` as a list, ``0,1;1,0`` as a list of lists, and ``0,1;`` as one of a single list."""
    parts = text.removesuffix(";").split(";")
    return list(map(whole_numbers, parts)) if ";" in text else whole_numbers(text)


def texts(text: str) -> list[str]:
    """Return ``a, b`` as a list."""
    return [part.strip() for part in text.split(",")]


def text_lists(text: str) -> list[list[str]]:
    """Return ``a,b;c,d`` as a list of lists."""
    return list(map(texts, text.split(";")))


def named_or_numbers(text: str) -> str | list[float]:
    """Return a name as it is, ``0.25,0.75`` as a list."""
    if not re.match(r"[\d.,+\-\s/]", text):
        return text
    try:
        return [float(exact(part.strip(), "number")) for part in text.split(",")]
    except (ProblemError, OverflowError):
        message = f"must be a name, or numbers with commas such as 0.25,0.5,0.25; got {text!r}."
        raise UsageError(message) from None


def prior_of(text: str) -> str | list[str]:
    """Return a name, or the numbers that are typed or stand in a file, as they are typed there."""
    if text in ("uniform", "sum") or not os.path.isfile(text):  # noqa: PTH113 - a list may be too long for a Path
        value = named_or_numbers(text)
        return value if isinstance(value, str) else texts(text)
    try:
        lines = read_text(text).split()
        for line in lines:
            exact(line, "number")
    except (FileFormatError, ProblemError) as error:
        message = f"must be a file with a probability in each line; got {visible(text)}: {error}"
        raise UsageError(message) from None
    return lines
