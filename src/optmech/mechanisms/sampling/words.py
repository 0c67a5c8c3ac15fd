"""Where random bytes come from: the operating system, a caller's device, or a seed for experiments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import ProblemError, warn_caller

if TYPE_CHECKING:
    from collections.abc import Callable

    # `os.urandom`, and anything that answers like it: this many random bytes.
    RandomBytes = Callable[[int], bytes]
    Seed = int | np.random.Generator


class NotPrivateWarning(UserWarning):
    """These draws do not protect as they seem to: they can be repeated, or are no differential privacy."""


def random_text(random_bytes: RandomBytes, number: int) -> bytes:
    """Return a number of random bytes from a source that is not trusted to give as many as it is asked for.

    NumPy would stretch one word over many draws, and they would all be the same.
    """
    text = random_bytes(number)
    if not isinstance(text, (bytes, bytearray)) or len(text) != number:
        description = f"{len(text)}" if isinstance(text, (bytes, bytearray)) else type(text).__name__
        message = (
            f"`random_bytes` must return as many bytes as it is asked for, here {number}; got {description}. "
            "Leave it out for `os.urandom`."
        )
        raise ProblemError(message)
    return text


def seeded_bytes(seed: Seed) -> RandomBytes:
    """Return a source that can be repeated, with a warning that it is not private; a generator goes on."""
    try:
        generator = np.random.default_rng(seed)
    except (TypeError, ValueError):
        message = (
            f"`seed` must be a whole number, zero or more, or a NumPy Generator; got {seed!r}. "
            "Leave it out for randomness of the operating system."
        )
        raise ProblemError(message) from None
    message = (
        "these draws are NOT private: whoever knows or guesses the seed can subtract the noise. "
        "Keep `seed` for experiments and leave it out whenever something is released."
    )
    warn_caller(message, NotPrivateWarning)
    return generator.bytes
