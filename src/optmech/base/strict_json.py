"""JSON that every reader reads alike: no field twice, and no number that is none."""

from __future__ import annotations

import json
from typing import Any


def parse_json(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """Return the content of JSON text; ValueError if it is none, RecursionError if it is nested too deeply.

    >>> parse_json('{"epsilon": "1", "epsilon": "2"}')
    Traceback (most recent call last):
    ...
    ValueError: an object has a field twice
    """
    return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_twins)


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        message = "an object has a field twice"
        raise ValueError(message)
    return content


def _no_constant(name: str) -> float:
    message = f"{name} is no number"
    raise ValueError(message)
