"""Packages that only some users need, asked for when they are needed."""

from __future__ import annotations

from typing import Any

from optmech.base.deferred_interrupt import load_module
from optmech.base.errors import ProblemError


def package(name: str, extra: str, who: str) -> Any:  # noqa: ANN401 - a module without types
    """Return the module `name`, which ``pip install "optmech[extra]"`` brings."""
    try:
        return load_module(name)
    except ImportError as error:
        missing = error.name or name
        message = f'{who} needs {missing}, which is not installed. Run `pip install "optmech[{extra}]"`.'
        raise ProblemError(message) from None
