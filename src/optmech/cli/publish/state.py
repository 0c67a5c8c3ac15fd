"""The answers so far, as the screens fill them in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.cli.publish.answers import Counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FOUND, LIST, BINS, SECRET = "found", "list", "bins", "secret"


class State:
    """What was answered: `given` has the keys of `Answers`, the others what was said of columns of groups."""

    def __init__(self, table: str, names: Sequence[str], levels: Callable[[str], Sequence[str]]) -> None:
        """Keep the file, its public header, and what reads the levels of a column that are public."""
        self.table, self.names = table, list(names)
        self.given: dict[str, Any] = {}
        self.ways: dict[str, str] = {}
        self.lists: dict[str, tuple[str, ...]] = {}
        self.edges: dict[str, str] = {}
        self.levels = levels

    @property
    def content(self) -> dict[str, Any]:
        """The answers as a table of TOML."""
        columns = self.given["columns"]
        plain = [name for name in columns if self.ways[name] != BINS]
        told = {name: value for name, value in self.given.items() if name != "columns" and self.asks(name)}
        bins = {name: self.edges[name] for name in columns if name not in plain}
        groups = (
            {"from_data": plain} if self.is_secret else {"groups": {n: list(self.lists[n]) for n in plain}}
        )
        every = {"table": self.table, **told, **groups, "bins": bins}
        return {name: value for name, value in every.items() if value not in ("", [], {})}

    @property
    def is_secret(self) -> bool:
        """Whether the levels of a column are not public."""
        return SECRET in (self.ways.get(name) for name in self.given["columns"])

    @property
    def counted(self) -> str:
        """Rows, people, sum or mean."""
        return str(self.given["counted"])

    @property
    def adds_up(self) -> bool:
        """Whether numbers of a column are added up."""
        return self.counted in (Counted.SUM, Counted.MEAN)

    def asks(self, name: str) -> bool:
        """Whether a question follows from the answers before it; what was answered else is left out."""
        columns, is_secret = self.given["columns"], self.is_secret
        needs_bound = bool(self.given["person"] and columns)
        return {
            "of": self.adds_up,
            "between": self.adds_up,
            "others": any(self.ways[each] in (LIST, BINS) for each in columns),
            "empty": bool(columns),
            "at_most": needs_bound,
            "most_people": is_secret,
            "totals": bool(columns) and not is_secret and self.counted != Counted.MEAN,
        }.get(name, True)

    def put(self, **values: Any) -> None:  # noqa: ANN401 - whatever a key holds
        """Keep answers."""
        self.given.update(values)

    def before(self, key: str, separator: str = "", none: str = "") -> str:
        """Return the answer that was given before, as text."""
        if key not in self.given:
            return ""
        value = self.given[key]
        return (separator.join(value) or none) if isinstance(value, list) else str(value)
