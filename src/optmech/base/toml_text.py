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
    # JSON escapes what TOML does, but for one character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_lines(table: dict[str, Any]) -> str:
    """Return a table as a line for each of its keys.

    >>> print(toml_lines({"least": "loss", "at": [1, 2]}), end="")
    least = "loss"
    at = [1, 2]
    """
    return "".join(f"{_key(name)} = {toml_value(value)}\n" for name, value in table.items())


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else toml_value(name)
