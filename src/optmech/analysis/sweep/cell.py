"""One design of a sweep: what is asked, how it is to be solved, and the key that it is known by."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from optmech.base.toml_text import toml_value
from optmech.question.normal_table import normal_table
from optmech.question.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

SETTINGS = ("engine", "solver", "method", "time_limit", "threads")
"""Options of a cell for its solver; each goes to `design` only if it is given."""
EFFORT = ("time_limit", "threads")
"""Those of `SETTINGS` that say how much a cell may use up, and are no part of its key."""

_KEY_LENGTH = 16  # 64 bits: of a million cells two alike once in 30 million sweeps


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One design of a sweep: `question` is its table in normal form, `settings` are for `design`.

    Two cells that ask the same in other words, ``0.50`` for ``"0.5"`` or a default written out, have one key,
    and so have those that differ in `EFFORT` alone: with more time a cell without a mechanism can be tried
    again.
    """

    question: dict[str, Any]
    settings: dict[str, Any]
    key: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "question", normal_table(self.question))
        fields = {name: value for name, value in self.settings.items() if name not in EFFORT}
        digest = hashlib.sha256(self._line(fields).encode()).hexdigest()
        object.__setattr__(self, "key", digest[:_KEY_LENGTH])

    @property
    def parameters(self) -> str:
        """Everything that is asked, as one line of JSON in which equal cells are equal."""
        return self._line(self.settings)

    def _line(self, settings: Mapping[str, Any]) -> str:
        return json.dumps({"question": self.question, **settings}, sort_keys=True, ensure_ascii=False)

    def problem(self) -> Problem:
        """Return the question of this cell; ProblemError if its parts do not go together."""
        return Problem.from_dict(self.question)

    def __str__(self) -> str:
        return ", ".join(f"{name} = {toml_value(value)}" for name, value in self._parts().items())

    def _parts(self) -> dict[str, Any]:
        return {**self.question, **self.settings}
