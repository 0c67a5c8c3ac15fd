"""Facts of a release that no log holds: the data, the protected people, and the publisher.

TOML; `data` are the data as logs name them, and `tables` further names that logs have for the same data::

    title = "Satisfaction by ward"
    data = "Ward survey 2026"
    unit = "one resident, who answered once"
    controller = "City of Aller, statistics office"
    date = 2026-05-04
    contact = "statistics@aller.example"
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from optmech.base.errors import FileFormatError
from optmech.base.whole_files import read_toml

if TYPE_CHECKING:
    from os import PathLike

_MOST = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """A release in the words of its publisher.

    `data` is what is published, as its logs name it; `unit` is who is protected, `contact` whom to ask. A
    field that nobody fills is empty. `tables` are further names that logs have for the same data, such as
    those of tables made from them.
    """

    title: str
    data: str
    unit: str = ""
    controller: str = ""
    date: str = ""
    contact: str = ""
    tables: tuple[str, ...] = ()


def read_description(path: str | PathLike[str]) -> Description:
    """Return the description in a file; FileFormatError without title or data, or with something else."""
    content = read_toml(path)
    names = [field.name for field in fields(Description)]
    wrong = [name for name in content if name not in names] or [
        name for name in ("title", "data") if not content.get(name)
    ]
    if wrong:
        message = (
            f"`{path}` must say `title` and `data`, and of {', '.join(names[2:])} what it can; "
            f"see {wrong[0]!r}."
        )
        raise FileFormatError(message)
    return Description(**{name: _read(name, value, path) for name, value in content.items()})


def _read(name: str, value: Any, path: str | PathLike[str]) -> Any:  # noqa: ANN401 - any TOML value
    if name == "tables" and isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    if name == "date" and isinstance(value, (dt.date, dt.datetime)):
        return value.isoformat()
    if name == "tables" or not isinstance(value, str) or len(value) > _MOST:
        kind = "a list of texts" if name == "tables" else f"a text of at most {_MOST} characters"
        message = f"`{path}` must have {kind} for `{name}`; got {str(value)[:40]!r}."
        raise FileFormatError(message)
    return value
