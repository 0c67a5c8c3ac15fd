"""The interface of every property of a mechanism matrix."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar, Self

from optmech.base.errors import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats
    from optmech.base.blocks import Demand
    from optmech.question.query import Query


class Property(str):
    """A requirement on a matrix besides privacy; its text is its name."""

    __slots__ = ()

    word: ClassVar[str]
    """Its name, as a certificate writes it."""
    sentence: ClassVar[str]
    """Its meaning, for people."""
    phrase: ClassVar[str]
    """The same in a few words, to stand beside its name."""
    of_order: ClassVar[bool] = False
    """Whether it has no meaning where answers are categories or vectors."""
    of_homes: ClassVar[bool] = False
    """Whether it has no meaning where a truth is in no response."""
    needs_delta: ClassVar[bool] = False
    """Whether under pure privacy only mechanisms that ignore the truth have it."""

    def __new__(cls) -> Self:
        """Return the property; ProblemError for the interface of all."""
        if not hasattr(cls, "word"):
            message = "`Property` must be one of its kinds, such as `fair` by name; got the interface of all."
            raise ProblemError(message)
        return super().__new__(cls, cls.word)

    def __reduce__(self) -> tuple[type[Self], tuple[()]]:
        """Pickle its parts without its text: another process builds it again."""
        return type(self), ()

    def fits(self, query: Query) -> None:
        """Refuse a query that it does not fit."""

    @abstractmethod
    def blocks(self, query: Query) -> Iterator[Demand]:
        """Yield its constraints on the entries of a matrix of `query`."""

    @abstractmethod
    def gap(self, matrix: Floats, query: Query) -> float:
        """Return the violation by a matrix, from the definition; zero where the property holds."""

    def is_kept_by(self, matrix: Floats, query: Query, *, within: float) -> bool:
        """Whether a matrix has it within a tolerance. Without an order, no matrix has a property of order."""
        return not (self.of_order and query.labels) and self.gap(matrix, query) <= within

    def envelope(self, matrix: Floats, query: Query) -> None:
        """Raise `matrix`, in place, to the least matrix above it with the property, if one pass can."""
