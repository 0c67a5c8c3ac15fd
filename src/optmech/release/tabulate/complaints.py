"""All that is wrong with the rows of a table, each kind once, with its first row and how many there are."""

from __future__ import annotations

import re

from optmech.base.errors import FileFormatError, ProblemError, quoting_data
from optmech.base.wording import plural

_MOST = 6
_NUMBER = re.compile(r"\d[\d.,]*")


class Complaints:
    """Rules that rows of a file or a frame break: facts about the data, for their owner alone."""

    def __init__(self, source: str | None) -> None:
        self.source = source
        self._kinds: dict[tuple[str, str], tuple[str, str]] = {}
        self._rows: dict[tuple[str, str], int] = {}

    def add(self, rule: str, got: str, where: str, remedy: str, rows: int = 1) -> None:
        """Add rows that break a rule: the first one is `where`, and got `got`."""
        kind = rule, _NUMBER.sub("0", remedy)
        self._kinds.setdefault(kind, (f"{rule}; got {got} in {where}", remedy))
        self._rows[kind] = self._rows.get(kind, 0) + rows

    def refuse(self) -> None:
        """Raise one error for all of them, FileFormatError or ProblemError, if there are any."""
        if not self._kinds:
            return
        sentences = []
        for kind, (rule, remedy) in list(self._kinds.items())[:_MOST]:
            more = self._rows[kind] - 1
            others = f" and {plural(more, 'other row')}" if more else ""
            sentences.append(f"{rule}{others}. {remedy}".rstrip())
        rest = len(self._kinds) - _MOST
        sentences += [f"fewer mistakes: {plural(rest, 'other kind')} follow."] if rest > 0 else []
        raise refused(self.source, " It must have ".join(sentences).removesuffix("."))


def refused(source: str | None, rule: str, remedy: str = "") -> FileFormatError | ProblemError:
    """Return the error of rows that break a rule, in a file or in a frame in memory."""
    kind = ProblemError if source is None else FileFormatError
    return quoting_data(kind(f"`{source or 'table'}` must have {rule}. {remedy}".rstrip()))
