"""Read which categories of each axis a sum is over: ``region=3|4, age>=10``."""

from __future__ import annotations

import operator
import re
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import exact
from optmech.base.wording import join_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from optmech.base.arrays import Marks

_COMPARED = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt}
_CONDITION = re.compile(r'\s*([^<>=!,]+?)\s*(!=|<=|>=|=|<|>)\s*("[^"]*"|[^,]*?)\s*(?:,|$)')


def marks_of(text: str, categories: Mapping[str, Sequence[str]]) -> dict[str, Marks]:
    """Return the categories of each axis that meet all conditions; those of no condition are all there.

    Raises
    ------
    ProblemError
        If a condition cannot be read, names no axis or no category, or leaves none.

    Examples
    --------
    >>> marks_of("age>=10", {"age": ["5", "10", "15"]})["age"].tolist()
    [False, True, True]
    """
    marks = {name: np.ones(len(known), dtype=bool) for name, known in categories.items()}
    at = 0
    while text[at:].strip():
        found = _CONDITION.match(text, at)
        if found is None:
            remedy = 'Text with a comma stands in quotes: region="a, b".'
            raise broken_rule("sum", "be conditions such as region=3, age>=10", text, remedy)
        name, sign, value = found.groups()
        if name not in marks:
            raise broken_rule("sum", f"name axes among {join_words(categories)}", name)
        marks[name] &= _meets(name, sign, value.strip('"'), categories[name])
        at = found.end()
    for name, kept in marks.items():
        if not kept.any():
            raise broken_rule("sum", f"leave some category of {name}", text)
    return marks


def _meets(name: str, sign: str, value: str, known: Sequence[str]) -> Marks:
    if sign in ("=", "!="):
        values = [value] if value in known else [part.strip() for part in value.split("|")]
        for part in values:
            if part not in known:
                raise broken_rule("sum", f"name a category of {name}, or several with |", part)
        return np.array([(category in values) == (sign == "=") for category in known])
    try:
        limit = exact(value, "sum")
        numbers = [exact(category, "sum") for category in known]
    except ProblemError:
        message = f"`sum` must compare numbers by {sign}: the categories of {name}, and {value}, are not all."
        raise ProblemError(message) from None
    return np.array([_COMPARED[sign](number, limit) for number in numbers])
