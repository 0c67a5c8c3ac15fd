"""Ids of people in a column: marks of missing persons, and several spellings of one id.

Each id has a normal spelling, the same for all its variants. Two rows with one normal spelling belong to one
person, or to nobody; a table with two variants would count one person as two.

    spelling(id)   NFKC of the id without case and without characters that have no shape (Unicode, D147),
                   without white space around it; a number in its shortest decimals
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from optmech.base.arguments import items, need_text
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.visible import quote
from optmech.release.tables.missing_marks import folded, is_mark
from optmech.release.tabulate.joined_names import joined, parted

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

_PLAIN = r"^[ -~]*$"
# A number that is 0 has a sign before its exponent, as software writes it: 0e12 and 0e13 are two ids.
_NUMBER = r"^[+-]?((\d+\.?\d*|\.\d+)(e[+-]\d{1,3})?|(0*[1-9]\d*\.?\d*|0*\.0*[1-9]\d*)e\d{1,3})$"
_SHORTEST = r"^(0|-?[1-9]\d*)$"
# Removable parts of a number: leading zeros, trailing zeros behind a point, and an empty remainder.
_SHORTER = ((r"^\+?(-?)0*", r"\1"), (r"\.0*$", ""), (r"(\.\d*[1-9])0+$", r"\1"), (r"^-?$", "0"))


class PersonIds:
    """The rule for ids: texts that mark nobody, and the treatment of two spellings of one id.

    Parameters
    ----------
    missing : iterable of str
        Texts that mark nobody, besides those of `is_mark`; in any spelling.
    may_be : iterable of str
        Texts that would mark nobody, but are ids here.
    as_written : bool
        Treat different texts as ids of different people.
    """

    def __init__(
        self, missing: Iterable[str] = (), may_be: Iterable[str] = (), *, as_written: bool = False
    ) -> None:
        further, allowed = _texts(missing, "missing"), _texts(may_be, "id_may_be")
        marks = {*_spellings_of(further)}
        for text in allowed:
            if not self.is_usual_mark(text) or {*_spellings_of([text])} & marks:
                remedy = "Those are NA, n.a., (missing), ?, .a and the like; any other text is an id already."
                raise broken_rule("id_may_be", "be a text that marks nobody otherwise", quote(text), remedy)
        self._allowed = pa.array(sorted({*_spellings_of(allowed)}), pa.string())
        self.num_allowed = len(self._allowed)
        self.as_written = as_written
        self._further = pa.array(sorted(marks), pa.string())

    def is_nobody(self, people: pa.Array) -> NDArray[np.bool_] | None:
        """Return for each row whether it has no person, ``None`` where each row has one."""
        distinct = people.unique()
        texts = spellings(distinct)
        is_usual = pc.and_not(is_mark(texts), pc.is_in(texts, value_set=self._allowed))
        is_nobody = pc.fill_null(pc.or_(is_usual, pc.is_in(texts, value_set=self._further)), fill_value=True)
        if not pc.any(is_nobody).as_py():
            return None
        mask: NDArray[np.bool_] = pc.is_in(people, value_set=distinct.filter(is_nobody)).to_numpy(
            zero_copy_only=False
        )
        return mask

    @staticmethod
    def is_usual_mark(text: str) -> bool:
        """Whether a text, which is not blank, marks what is missing, unless it is said to be an id."""
        spelling = spellings(pa.array([text], pa.string()))
        return bool(spelling[0].as_py()) and bool(is_mark(spelling)[0].as_py())


def spellings(ids: pa.Array) -> pa.Array:
    r"""Return the normal spelling of each id, null where there is no id.

    >>> spellings(pa.array(["A 1", " a 1\u200b", "0101", "101.0", "-.50", "12e4"])).to_pylist()
    ['a 1', 'a 1', '101', '101', '-.5', '120000']
    """
    is_plain = pc.match_substring_regex(ids, _PLAIN)
    texts = ids
    if not pc.all(is_plain).as_py():
        others = ids.filter(pc.invert(is_plain))
        plain = pa.array(map(folded, others.to_pylist()), ids.type)
        texts = pc.replace_with_mask(ids, pc.fill_null(pc.invert(is_plain), fill_value=False), plain)
    texts = pc.ascii_lower(pc.ascii_trim_whitespace(texts))
    is_number = pc.match_substring_regex(texts, _NUMBER)
    if not pc.any(is_number).as_py():
        return texts
    is_longer = pc.fill_null(
        pc.and_not(is_number, pc.match_substring_regex(texts, _SHORTEST)), fill_value=False
    )
    return pc.replace_with_mask(texts, is_longer, _shortened(texts.filter(is_longer)))


def spellings_of_joined(ids: pa.Array, num_columns: int) -> pa.Array:
    """Return the normal spelling of each id that several columns were joined to, by `joined`."""
    if num_columns <= 1:
        return spellings(ids)
    parts = [parted(text) for text in ids.to_pylist()]
    columns = (pa.array([part[place] for part in parts], pa.string()) for place in range(num_columns))
    return joined([spellings(column) for column in columns])


def _shortened(numbers: pa.Array) -> pa.Array:
    """Return numbers in their shortest decimals."""
    has_exponent = pc.match_substring(numbers, "e")
    if pc.any(has_exponent).as_py():
        written_out = [f"{Decimal(text):f}" for text in numbers.filter(has_exponent).to_pylist()]
        numbers = pc.replace_with_mask(numbers, has_exponent, pa.array(written_out, numbers.type))
    for pattern, shorter in _SHORTER:
        numbers = pc.replace_substring_regex(numbers, pattern, shorter)
    return numbers


def _texts(values: Any, name: str) -> list[str]:  # noqa: ANN401 - any argument
    if isinstance(values, str):
        message = f"`{name}` must be a list of texts; got {quote(values)}. Put it into a list."
        raise ProblemError(message)
    texts = items(values, name, "a list of texts")
    for text in texts:
        need_text(text, name)
    return texts


def _spellings_of(texts: list[str]) -> list[str]:
    return list(spellings(pa.array(texts, pa.string())).to_pylist())
