"""One mechanism of a library with its parameters: what it claims, and the law of what it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from optmech.base.arguments import Word

if TYPE_CHECKING:
    from benchmarks.audit.library.law import FiniteLaw


class LawSource(Word):
    """Where the distribution of a mechanism is taken from."""

    ENUMERATED = "the library's own code, run on every draw of its random source"
    RECOMPUTED = "the closed form of the rule in its source, with its parameters as exact numbers"


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryCase:
    """A mechanism, its law on the inputs that are named, and the claim of the library.

    `delta` is 0 where the library claims pure privacy. `remark` says where a difference comes from.
    """

    mechanism: str
    inputs: str
    source: LawSource
    law: FiniteLaw
    epsilon: float
    delta: float = 0.0
    remark: str = ""


Untyped: TypeAlias = Any
"""A module, or an object, of a library without types."""
CaseMaker: TypeAlias = Callable[[Any], LibraryCase]
"""A function that makes a case from the module of a library."""
