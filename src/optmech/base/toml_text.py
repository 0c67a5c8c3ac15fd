"""Values as TOML text: what `tomllib` reads back."""

from __future__ import annotations

import json
import re
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_value(value: Any) -> str:  # noqa: ANN401 - text, number, list or table
    r"""Return a value as TOML on one line.

    Examples
    --------
    >>> print(toml_value({"kind": "count", "largest": 5, "labels": ['a "b"', "ü"], "open": True}))
    {kind = "count", largest = 5, labels = ["a \"b\"", "ü"], open = true}
    """
    if isinstance(value, dict):
        parts = (f"{_key(name)} = {toml_value(part)}" for name, part in value.items())
        return f"{{{', '.join(parts)}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(toml_value, value))}]"
    text = json.dumps(value, ensure_ascii=False)  # JSON escapes what TOML must, but for one character
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(letter: str) -> str:
    """Return a character, as an escape if it is invisible."""
    return letter if letter.isprintable() else f"\\U{ord(letter):08x}"


def toml_lines(table: dict[str, Any]) -> str:
    """Return a table as a line for each of its keys.

    >>> print(toml_lines({"least": "loss", "at": [1, 2]}), end="")
    least = "loss"
    at = [1, 2]
    """
    return "".join(f"{_key(name)} = {toml_value(value)}\n" for name, value in table.items())


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else toml_value(name)
