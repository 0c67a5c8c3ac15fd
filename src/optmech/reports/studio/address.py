"""The question that the page's address states."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from optmech.reports.studio.input_checks import BOUNDS
from optmech.reports.studio.inputs import inputs_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.reports.studio.inputs import Inputs

__all__ = ["inputs_at", "values_at"]

_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")


def inputs_at(address: Mapping[str, str]) -> Inputs:
    """Return the inputs that a page's address states; raises ProblemError as `inputs_of`."""
    return inputs_of(values_at(address))


def values_at(address: Mapping[str, str]) -> dict[str, object]:
    """Return the texts of an address as values that a client may send."""
    values: dict[str, object] = dict(address)
    for name, text in address.items():
        if name in BOUNDS and _WHOLE.fullmatch(text):
            values[name] = int(text)
        elif name == "properties":
            values[name] = text.split(",")
    return values
