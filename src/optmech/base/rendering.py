"""Rendering hooks: a noun says itself in one line, and asks for every other view of it by name.

A mechanism holds facts; it knows neither HTML nor Matplotlib, and imports nothing from the rooms that do.
Each *view* is a function that takes the object first. The public face registers where views are; the module
that holds one is imported when the first object is viewed, never before.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any

_VIEWS: dict[str, str] = {}


def register(**views: str) -> None:
    """Say where views are, each as ``"module:function"``; a later one takes the place of an earlier one.

    >>> register(shouted="builtins:str.upper")
    >>> view("shouted", "quietly")
    'QUIETLY'
    """
    _VIEWS.update(views)


def view(name: str, thing: object, *details: object) -> Any:  # noqa: ANN401 - text, or axes of Matplotlib
    """Return a view of a thing, by what was registered under this name."""
    return resolve_name(_VIEWS[name])(thing, *details)


class Renderable:
    """An object with a text of one line, a caution first, and a small page in a notebook."""

    __slots__ = ()

    def _line(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        # In angle brackets, for it is no code that would make the thing.
        caution = getattr(self, "caution", None)
        return f"<{type(self).__name__}: {caution + ' ' if caution else ''}{self._line()}>"

    def _repr_html_(self) -> str:
        page: str = view("html", self)
        return page
