"""The interface of every property of a mechanism matrix."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar, Self

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats
    from optmech.base.blocks import Demand
    from optmech.question.query import Query


class Property(str):
    """Something that a matrix is asked to satisfy besides privacy; as a text it is its own name."""

    __slots__ = ()

    word: ClassVar[str]
    """Its name, as a certificate writes it."""
    sentence: ClassVar[str]
    """Its meaning, for people."""
    phrase: ClassVar[str]
    """The same in a few words, to stand beside its name."""
    of_order: ClassVar[bool] = False
    """Whether it means nothing where answers are categories or vectors."""
    of_homes: ClassVar[bool] = False
    """Whether it means nothing where a truth is in no response."""
    needs_delta: ClassVar[bool] = False
    """Whether under pure privacy nothing has it but releasing the same whatever is true."""

    def __new__(cls) -> Self:
        """Return the property."""
        return super().__new__(cls, cls.word)

    def __reduce__(self) -> tuple[type[Self], tuple[()]]:
        """Take it apart as it was made, without its text: another process makes it again."""
        return type(self), ()

    def fits(self, query: Query) -> None:
        """Refuse a query that it cannot be asked of."""

    @abstractmethod
    def blocks(self, query: Query) -> Iterator[Demand]:
        """Yield what it demands of the entries of a matrix of `query`."""

    @abstractmethod
    def gap(self, matrix: Floats, query: Query) -> float:
        """Return by how much a matrix misses it, by its definition; zero where it holds."""

    def is_kept_by(self, matrix: Floats, query: Query, *, within: float) -> bool:
        """Whether a matrix has it but for so much; one of order no matrix has where there is none."""
        return not (self.of_order and query.labels) and self.gap(matrix, query) <= within

    def envelope(self, matrix: Floats, query: Query) -> None:
        """Raise `matrix`, in place, to the least one above that has the property, if one pass does it."""
