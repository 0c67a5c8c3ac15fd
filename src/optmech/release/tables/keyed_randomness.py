"""Randomness that a task may ask for twice: the same draw again for the same answers, and for no others.

Model
-----
    K is a secret of 32 bytes from the operating system, one for each release
    the bytes for part i with answers f are SHAKE-256(K, i, SHA-256(f), j), for j = 1, 2, ...

A cluster computes a task anew when it loses its result or when a graph is asked for twice. Drawn with fresh
randomness, the second answers would be a second release, and spend epsilon again unseen; drawn like this they
are the first ones. If the answers themselves changed in between, the bytes have nothing to do with the first,
and it is a second release as it should be. No two parts share bytes, though their answers may be the same.

Whoever has K and the released answers can undo the noise: K lives where the true answers do, in the graph and
on the workers, and is shown nowhere.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Secret"]

_BYTES = 32


class Secret:
    """A key that never shows itself."""

    __slots__ = ("_key",)

    def __init__(self) -> None:
        self._key = os.urandom(_BYTES)

    def __repr__(self) -> str:
        return "<secret>"

    def __dask_tokenize__(self) -> str:
        """Return what tells this secret from others without telling it."""
        return hashlib.sha256(b"name of a secret" + self._key).hexdigest()

    def random_bytes(self, part: int, answers: bytes) -> Callable[[int], bytes]:
        """Return a source for one part of a table; `answers` are its true answers in any fixed form."""
        start = self._key + part.to_bytes(8, "little") + hashlib.sha256(answers).digest()
        count = 0

        def more(number: int) -> bytes:
            nonlocal count
            count += 1
            return hashlib.shake_256(start + count.to_bytes(8, "little")).digest(number)

        return more
