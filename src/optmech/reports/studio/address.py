"""The question that the address of a page states."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from optmech.base.errors import broken_rule
from optmech.base.numbers import brief
from optmech.reports.studio.inputs import Inputs, inputs_of
from optmech.reports.studio.stated import values_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
# The longest question that the controls state is far shorter.
_LONGEST = 10_000


def inputs_at(address: Mapping[str, str]) -> Inputs:
    """Return the inputs that a page's address states; raises ProblemError as `inputs_of`."""
    values: dict[str, object] = {}
    for name, text in address.items():
        if name == "question":
            values |= values_of(_table_of(text))
        elif name == "seconds":
            values[name] = int(text) if _WHOLE.fullmatch(text) else text
        else:
            raise broken_rule("address", "hold a question, and seconds", brief(name), "Reload the page.")
    return inputs_of(values)


def _table_of(text: str) -> object:
    try:
        return json.loads(text[:_LONGEST])
    except (ValueError, RecursionError):
        raise broken_rule(
            "question", "be a table in JSON, as the page writes it", brief(text), "Reload the page."
        ) from None
