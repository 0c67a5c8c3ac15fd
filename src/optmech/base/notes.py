"""Sentences for people that keep what they are as data: nothing reads it back from their words.

A `Note` is a sentence and the kind it is of; a `TextLine` is a line of text that knows whose word its numbers
are. Both are texts like any other. The kind of a note decides its colour and whether it is a warning.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self


class NoteKind(StrEnum):
    """The subject of a note, from what must never be overlooked to what is good to know."""

    PRIVACY = "privacy"
    """Somebody is less protected than a reader may think, or a promise does not hold."""
    CAUTION = "caution"
    """Epsilon or delta is so large that it allows much."""
    ACCURACY = "accuracy"
    """A mechanism is less good than it may be, or was found otherwise than asked."""
    INFORMATION = "information"
    """A fact that surprises, and is no fault."""

    @property
    def is_loud(self) -> bool:
        """Whether it is told even to those who want to hear of errors only."""
        return self in (NoteKind.PRIVACY, NoteKind.CAUTION)


_LEADS = {NoteKind.CAUTION: "Caution: "}


class Note(str):
    """A sentence and its kind; as a text, a caution begins with that word.

    Examples
    --------
    >>> note = Note(NoteKind.CAUTION, "nothing is protected.")
    >>> print(note, "|", note.text, "|", note.kind)
    Caution: nothing is protected. | nothing is protected. | caution
    """

    __slots__ = ("kind", "text")

    kind: NoteKind
    text: str

    def __new__(cls, kind: NoteKind, text: str) -> Self:
        """Return the note."""
        note = super().__new__(cls, f"{_LEADS.get(kind, '')}{text}")
        note.kind, note.text = kind, text
        return note

    def __getnewargs__(self) -> tuple[NoteKind, str]:  # type: ignore[override]
        """Return what `copy` and `pickle` make it of again."""
        return self.kind, self.text


class Failure(StrEnum):
    """A verdict that must not be overlooked."""

    FAIL = "FAIL"
    FAILS = "FAILS"


class TextLine(str):
    """A line of text that keeps its pieces: a `Provenance` or a `Failure` among them is still one.

    Examples
    --------
    >>> line = TextLine("objective  2   ", Failure.FAILS)
    >>> print(line, line.pieces[-1] is Failure.FAILS)
    objective  2   FAILS True
    """

    __slots__ = ("pieces",)

    pieces: tuple[str, ...]

    def __new__(cls, *pieces: str) -> Self:
        """Return the pieces as one text; those of a line among them are its own."""
        line = super().__new__(cls, "".join(pieces))
        line.pieces = tuple(part for piece in pieces for part in getattr(piece, "pieces", (piece,)))
        return line

    def __getnewargs__(self) -> tuple[str, ...]:  # type: ignore[override]
        """Return what `copy` and `pickle` make it of again."""
        return self.pieces
