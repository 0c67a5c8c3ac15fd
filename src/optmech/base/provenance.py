"""Provenance: the standing of a number."""

from __future__ import annotations

from optmech.base.arguments import Word


class Provenance(Word):
    """The standing of a number: who vouches for it, from the surest to the unchecked.

    Examples
    --------
    >>> Provenance("proved") is Provenance.PROVED, Provenance.PROVED == "proved"
    (True, True)
    """

    PROVED = "proved"
    """Computed in exact arithmetic from a matrix of whole numbers, which was checked just before."""
    RECOMPUTED = "recomputed"
    """Computed in floating point, or exactly from doubles of which nothing is proved."""
    CLAIMED = "claimed"
    """A solver says so."""
    REPORTED = "reported"
    """A file says so of itself; nothing checks it."""


def weakest(*words: Provenance) -> Provenance:
    """Return the provenance of a number that follows from several.

    >>> weakest(Provenance.PROVED, Provenance.CLAIMED, Provenance.RECOMPUTED)
    'claimed'
    """
    return max(words, key=list(Provenance).index)
