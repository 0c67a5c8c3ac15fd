"""One design of a sweep: what is asked, how it is to be solved, and the key that it is known by."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text, exact
from optmech.question.epsilon import exact_epsilon, one_epsilon
from optmech.question.problems.named import named_problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.question.problem import Problem

SETTINGS = ("engine", "solver", "method", "time_limit", "threads")
"""What a cell may say of how it is solved; each goes to `design` only if it is given."""
EFFORT = ("time_limit", "threads")
"""Those of `SETTINGS` that say how much a cell may use up, and are no part of its key."""
EXACT = ("accuracy", "delta", "at_most")
"""Choices that are numbers kept as they were typed, besides epsilon."""

_RANGES = ("range", "counts")
_KEY_LENGTH = 16  # 64 bits: of a million cells two alike once in 30 million sweeps


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One design of a sweep: `choices` are for `named_problem`, in canonical form, `settings` for `design`.

    Two cells that ask the same in other words, ``0.50`` for ``"0.5"`` or ``exp_epsilon = 2`` for ``epsilon =
    "ln 2"``, have one key, and so have those that differ in `EFFORT` alone: with more time a cell without a
    mechanism can be tried again. A default written out is another key than one left out.
    """

    formulation: str
    choices: dict[str, Any]
    settings: dict[str, Any]
    key: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "choices", _canonical(self.choices))
        fields = {name: value for name, value in self.settings.items() if name not in EFFORT}
        digest = hashlib.sha256(self._line(fields).encode()).hexdigest()
        object.__setattr__(self, "key", digest[:_KEY_LENGTH])

    @property
    def parameters(self) -> str:
        """Everything that is asked, as one line of JSON in which equal cells are equal."""
        return self._line(self.settings)

    def _line(self, settings: Mapping[str, Any]) -> str:
        content = {"formulation": self.formulation, **self.choices, **settings}
        return json.dumps(content, sort_keys=True, ensure_ascii=False)

    def problem(self) -> Problem:
        """Return the question of this cell; ProblemError if a choice breaks its rule."""
        try:
            return named_problem(self.formulation, self.choices)
        except (TypeError, AttributeError, OverflowError) as trouble:  # text where a number belongs
            message = f"{self.formulation} must be given values of the right type; got: {trouble}."
            raise ProblemError(message) from None

    def __str__(self) -> str:
        words = [self.formulation]
        for name, value in (*self.choices.items(), *self.settings.items()):
            words.append(f"{name}={value if isinstance(value, str) else json.dumps(value)}")
        return ", ".join(words)


def _canonical(choices: Mapping[str, Any]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for name, value in choices.items():
        if name == "exp_epsilon":
            content["epsilon"] = as_text(one_epsilon(choices.get("epsilon"), value))
        elif name == "epsilon":
            content[name] = as_text(exact_epsilon(value))
        elif name in EXACT:
            content[name] = as_text(exact(value, name))
        elif name in _RANGES and isinstance(value, str):
            content[name] = "".join(value.split())
        elif name == "properties" and isinstance(value, list):
            content[name] = sorted(set(map(str, value)))
        else:
            content[name] = value
    return content
