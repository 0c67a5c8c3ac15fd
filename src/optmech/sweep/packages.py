"""Packages that only a sweep needs, asked for when it needs them."""

from __future__ import annotations

import importlib
from typing import Any

from optmech.errors import ProblemError

__all__ = ["package"]


def package(name: str, extra: str = "sweep") -> Any:  # noqa: ANN401 - a module without types of its own
    """Return the module `name`, which ``pip install "optmech[extra]"`` brings.

    Raises
    ------
    ProblemError
        If it is not installed.

    Examples
    --------
    >>> package("no_such_package")
    Traceback (most recent call last):
    ...
    optmech.errors.ProblemError: a sweep needs no_such_package, which is not installed. \
Run `pip install "optmech[sweep]"`.
    """
    try:
        return importlib.import_module(name)
    except ImportError as trouble:
        missing = trouble.name or name
        message = f'a sweep needs {missing}, which is not installed. Run `pip install "optmech[{extra}]"`.'
        raise ProblemError(message) from None
