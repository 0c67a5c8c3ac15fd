"""The interface of every structure: the matrices that it allows, and the columns of a program for them.

A structure has columns ``x`` and one affine map to the entries of the matrix, ``entries x + constant``. All
else is stated once, *on entries*. Entries are counted row by row: ``(r, f)`` is ``r * num_truths + f``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from optmech.base.errors import NotAcceptedError
from optmech.base.numbers import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scipy import sparse

    from optmech.base.arrays import Floats, Integers, Marks, Whole
    from optmech.base.blocks import Demand
    from optmech.question.keys import Key
    from optmech.question.limits import StatedLimit
    from optmech.question.properties import Property
    from optmech.question.query import Query


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparisons:
    """Pairs of entries that privacy compares, one for each response and pair of neighbours.

    A structure that makes many of them equal lists one of each class only. An entry of `left` may exceed that
    of `right` by the factor ``e^epsilon``; `name` and `subscripts` are those of the rows, as in the algebra.
    `group` says which pair of neighbours a comparison belongs to, with the weights, how many times epsilon
    lie there, and subscripts of each pair.
    """

    name: str
    left: Integers
    right: Integers
    subscripts: Integers
    group: Integers
    group_subscripts: Integers
    group_weights: Integers

    @property
    def weights(self) -> Integers:
        """The multiple of epsilon that each comparison allows."""
        return self.group_weights[self.group]

    def only(self, mask: Marks) -> Comparisons:
        """Return some of them, of the same pairs of neighbours."""
        left, right, subscripts = self.left[mask], self.right[mask], self.subscripts[mask]
        return replace(self, left=left, right=right, subscripts=subscripts, group=self.group[mask])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Columns:
    """A structure for one query, as a program states it. Every column lies between zero and one.

    `name` and `subscripts` are those of the columns, as in the algebra; `entries`, shape (num_entries,
    num_columns), and `constant` make the matrix, of this `shape`; `total`, shape (num_totals, num_columns),
    are sums of columns that are one.
    """

    name: str
    subscripts: Integers
    entries: sparse.csr_array
    constant: Floats
    total: sparse.csr_array
    total_subscripts: Integers
    comparisons: Comparisons
    shape: tuple[int, int]


class Outcomes(NamedTuple):
    """The pairs of neighbours that stand for all, their weights, and the responses; ``None`` for all."""

    pairs: Integers
    weights: Integers
    responses: Integers | None


class Gap(NamedTuple):
    """The violation of a part of a structure by a matrix: its name, the amount, and a sentence."""

    name: str
    amount: float
    text: str


_UNBOUNDED = "the noise must be of bounded width: symmetric or zero-bias"


class Structure(ABC):
    """The matrices that are allowed."""

    __slots__ = ()

    word: ClassVar[str]
    """Its name in a certificate and in a TOML file."""
    of_kinds: ClassVar[tuple[str, ...]] = ()
    """The kinds of query that a command line offers it for; empty for all."""
    keys: ClassVar[tuple[Key, ...]] = ()
    """Its keys in a table, beside its word; each is an attribute and an argument."""
    turns: ClassVar[bool] = False
    """Whether columns are turns of one distribution."""
    is_free: ClassVar[bool] = False
    """Whether any matrix is allowed."""
    of_order: ClassVar[bool] = False
    """Whether it has no meaning where answers are categories or vectors."""
    moduli: tuple[int, ...] = ()

    @property
    @abstractmethod
    def sentence(self) -> str:
        """The mechanisms that are allowed, in a sentence for people."""

    @abstractmethod
    def columns(self, query: Query) -> Columns:
        """Return its columns in a program, or raise NotAcceptedError where it does not fit the query."""

    def mismatch(self, query: Query) -> str | None:  # noqa: ARG002 - any matrix fits all
        """Return why it does not fit a query, in a sentence, or ``None``."""
        return None

    def blocks(self, query: Query) -> Iterator[Demand]:  # noqa: ARG002 - of any matrix nothing is demanded
        """Yield its constraints on the entries of a matrix besides columns that sum to one."""
        return iter(())

    def gaps(self, matrix: Floats, query: Query) -> Iterator[Gap]:  # noqa: ARG002 - as above
        """Yield the violation of each part by a matrix, from the definition and not from `blocks`."""
        return iter(())

    @property
    def as_demands(self) -> tuple[frozenset[Property], frozenset[StatedLimit]] | None:
        """The same as properties and limits of a free matrix, ``None`` where only its columns can say it."""
        return None

    def outcomes(self, query: Query) -> Outcomes:
        """Return the comparisons of neighbours for a privacy of single outcomes."""
        return Outcomes(query.pairs, query.weights, None)

    def noise_costs(self, losses: Whole) -> Whole | None:  # noqa: ARG002 - of one structure only
        """Return the cost of each noise where losses depend on the noise alone, else ``None``.

        `losses` are doubles, or fractions, shape (num_responses, num_truths).
        """
        return None

    def num_ratios(self, query: Query) -> int:  # noqa: ARG002 - the same few, however many truths there are
        """Return the number of ratios of single entries compared, 0 where a noise is compared."""
        return 0

    def averaged(self, costs: Floats) -> Floats:
        """Return costs of entries, averaged over those that it makes one."""
        return costs

    def representative(self, outcome: int, truth: int, other: int) -> tuple[int, int, int]:
        """Return the comparison of two neighbours that stands for this one, counted from the first truth."""
        return outcome, truth, other

    def noise_table(self, size: int) -> Integers | None:  # noqa: ARG002 - as above
        """Return for each response and truth the noise between them, ``None`` where that decides nothing."""
        return None

    def noise_of(self, matrix: Floats) -> Floats | None:  # noqa: ARG002 - as above
        """Return the one distribution that all columns turn, ``None`` where there is none."""
        return None

    def noise_origin(self, query: Query) -> Fraction | None:  # noqa: ARG002 - of some structures only
        """Return the response to the first truth without noise; ``None`` where noise is not one number."""
        return None

    @property
    def width(self) -> int | None:
        """The bound on its noise, ``None`` where there is none."""
        return None

    @property
    def truth_probability(self) -> Fraction | None:
        """The probability of the truth, ``None`` where it is not fixed."""
        return None

    def of_width(self, width: int) -> Self:  # noqa: ARG002 - of bounded noise only
        """Return the same with another bound on its noise; refuse where it has none."""
        raise NotAcceptedError(_UNBOUNDED)

    def of_accuracy(self, accuracy: Fraction) -> Self:  # noqa: ARG002 - of bounded noise only
        """Return the same with another probability of the truth; refuse where its noise has no bound."""
        raise NotAcceptedError(_UNBOUNDED)

    def counts_in(self, smallest: int, largest: int) -> tuple[int, int]:
        """Return the range of counts next to a given one that it fits."""
        return smallest, largest

    @property
    def content(self) -> dict[str, Any]:
        """The structure as values of JSON, as a certificate states it."""
        accuracy = as_text(self.truth_probability or Fraction(0))
        moduli = list(self.moduli)
        return {"kind": self.word, "half_width": self.width or 0, "accuracy": accuracy, "moduli": moduli}

    @classmethod
    def read(cls, content: dict[str, Any]) -> Self:  # noqa: ARG003 - some have no numbers
        """Return the structure that `content` states."""
        return cls()
