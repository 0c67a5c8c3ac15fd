"""Read the draws in a release log, and check each field.

Anybody can change a log. It is refused if a number is negative, missing or inconsistent, if a field is
missing, or if it has fewer draws than it counts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optmech.analysis.composition.curve import epsilon_of_steps
from optmech.analysis.composition.releases import StatedGuarantee
from optmech.base.errors import FileFormatError, ProblemError
from optmech.base.numbers import exact, exact_delta
from optmech.base.wording import plural
from optmech.proofs.privacy import short_delta
from optmech.question.epsilon import LARGEST_EPSILON, exact_epsilon, multiple_of
from optmech.release.tables.keyed import KEYED
from optmech.release.tables.log import PRIVATE, draws_of

if TYPE_CHECKING:
    from fractions import Fraction
    from pathlib import Path

    from optmech.base.logarithm import Logarithm

WHOLE_TABLE, QUANTILES = "table", "quantiles"
"""The kinds of mechanisms that state what one person spends in a whole release: a table, or quantiles."""
_WHOLE = (WHOLE_TABLE, QUANTILES)
_OWN = ("data", "part", "table", "column")


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """The bound of one person in a log: their steps, and the guarantee of all of them together.

    At most `rows` rows of one person were counted, `rows_per_group` of them in one group. If
    `is_one_by_one`, no two steps are in one group, so that each is a use of a cell's mechanism. Where numbers
    were added up, `adds` says how much one person adds.
    """

    rows: int
    rows_per_group: int
    steps: int
    is_one_by_one: bool
    guarantee: StatedGuarantee
    adds: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One draw in a log.

    If `data` is ``None``, the data of the draw are unknown; without a `part` it was of all of them.
    `guarantees` has one for each of the `mechanisms`, ``None`` without a proof. The same draw in two logs has
    the same `key`. `content` has the JSON values of the draw. `cells` identifies the table and its
    released cells where cell keys picked their noise, else it is empty. `rho` is that of zCDP
    for one person in a whole table.
    """

    key: str
    content: Mapping[str, Any]
    data: str | None
    part: str | None
    table: str
    column: str
    made: str
    file: str
    mechanisms: tuple[Mapping[str, Any], ...]
    guarantees: tuple[StatedGuarantee | None, ...]
    is_private: bool
    cells: tuple[str, ...]
    person: Person | None
    rho: Fraction | None = None

    @property
    def is_of_whole_table(self) -> bool:
        """Whether its guarantee is that of one person in all numbers of a release together."""
        return all(one.get("kind") in _WHOLE for one in self.mechanisms)

    @property
    def is_of_quantiles(self) -> bool:
        """Whether quantiles were drawn."""
        return all(one.get("kind") == QUANTILES for one in self.mechanisms)


def entries_in(path: Path, log: Mapping[str, Any]) -> tuple[Entry, ...]:
    """Return the draws in a log; raise FileFormatError if the log was changed."""
    try:
        _need_text(log["data"])
        rows = log["output"]["rows"]
        _need(type(rows) is int and rows >= 0)
        draws = draws_of(dict(log))
        _need(type(log["draws"]) is int and log["draws"] == len(draws))
        return tuple(_entry(draw, log) for draw in draws)
    except (KeyError, TypeError, AttributeError, ValueError):  # a ProblemError is a ValueError
        message = f"`{path}` must be a release log as it was written; something in it is missing or changed."
        raise FileFormatError(message) from None


def data_named_in(log: Mapping[str, Any]) -> list[str] | None:
    """Return the data that a log names, even a broken one; ``None`` if some draw names none."""
    earlier = log.get("earlier")
    if not isinstance(earlier, list) or not all(isinstance(one, Mapping) for one in earlier):
        return None
    names = [log.get("data"), *(one.get("data") for one in earlier)]
    return names if all(isinstance(name, str) and name.strip() for name in names) else None


def _entry(draw: Mapping[str, Any], log: Mapping[str, Any]) -> Entry:
    mechanisms, output = draw["mechanisms"], draw["output"]
    _need(isinstance(mechanisms, list) and bool(mechanisms))
    part = draw.get("part")
    texts = [draw[name] for name in ("id", "made", "randomness")] + [output["file"]]
    for text in texts if part is None else (*texts, part):
        _need_text(text)
    own = {name: draw[name] for name in draw if name not in _OWN}
    guarantees = tuple(map(_guarantee, mechanisms))
    rho = mechanisms[0].get("zcdp")
    if rho is not None:
        _need(len(mechanisms) == 1 and mechanisms[0].get("kind") in _WHOLE and exact(rho, "zcdp") > 0)
    if "data" in draw:
        _need_text(draw["data"])
    # Old logs have table and column only for their last draw.
    table, column = (draw.get(name, log[name]) for name in ("table", "column"))
    for text in (table, column):
        _need(isinstance(text, str))
    return Entry(
        key=json.dumps(own, sort_keys=True),
        content=draw,
        data=draw.get("data"),
        part=part,
        table=table,
        column=column,
        made=draw["made"],
        file=output["file"],
        mechanisms=tuple(mechanisms),
        guarantees=guarantees,
        is_private=draw["randomness"] in (PRIVATE, KEYED),
        cells=_cells(draw),
        rho=None if rho is None else exact(rho, "zcdp"),
        person=_person(draw["person"], [one for one in guarantees if one is not None]),
    )


def _cells(draw: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the name of the table and the SHA-256 of the released rows where cell keys picked their noise.

    A log without that name tells of a table of its own.
    """
    if draw["randomness"] != KEYED:
        return ()
    keys = draw["cell_keys"]
    cells = keys.get("table", draw["id"]), keys["cells"]
    for text in cells:
        _need_text(text)
    return tuple(cells)


def _guarantee(entry: Mapping[str, Any]) -> StatedGuarantee | None:
    """Return the guarantee of a mechanism in an entry, with epsilon times the largest weight."""
    if "epsilon" not in entry:
        return None
    _need_text(entry["certificate_sha256"])
    epsilon = _epsilon(entry["epsilon"])
    epsilon = epsilon_of_steps(epsilon, _count(entry.get("largest_weight", 1)))
    return StatedGuarantee(epsilon, exact_delta(entry.get("delta_of_sets", entry["delta"])))


def _person(content: Mapping[str, Any] | None, guarantees: list[StatedGuarantee]) -> Person | None:
    """Return the bound of one person, checked against the mechanisms."""
    if content is None:
        return None
    steps, most, in_group = (_count(content[name]) for name in ("steps", "at_most", "at_most_per_group"))
    epsilon, delta = exact_epsilon(content["epsilon"]), exact_delta(content["delta"])
    largest = max(guarantee.epsilon for guarantee in guarantees)
    least_delta = steps * max(guarantee.delta for guarantee in guarantees)
    _need(in_group <= most and steps <= most and epsilon == multiple_of(largest, steps))
    is_one_by_one = in_group == 1
    _need(delta == short_delta(least_delta) if is_one_by_one else delta >= least_delta)
    return Person(
        rows=most,
        rows_per_group=in_group,
        steps=steps,
        is_one_by_one=is_one_by_one,
        guarantee=StatedGuarantee(epsilon, delta),
        adds=_adds(content) if "between" in content else "",
    )


def _adds(content: Mapping[str, Any]) -> str:
    """Return how much one person adds to sums or means."""
    low, high = content["between"]
    _need_text(content["value"])
    _need(type(low) is int and type(high) is int and low < high)
    return f"{content['value']} of {low}..{high} in at most {plural(_count(content['most_groups']), 'group')}"


def _epsilon(value: Any) -> Fraction | Logarithm:  # noqa: ANN401 - any JSON value
    epsilon = exact_epsilon(value)
    _need(0 <= epsilon <= LARGEST_EPSILON)
    return epsilon


def _count(value: Any) -> int:  # noqa: ANN401 - as above
    _need(type(value) is int and value >= 1)
    return int(value)


def _need_text(value: object) -> None:
    _need(isinstance(value, str) and bool(value.strip()))


def _need(rule: bool) -> None:  # noqa: FBT001 - it is the statement
    if not rule:
        message = "a field must be as it was written; it is not"
        raise ProblemError(message)
