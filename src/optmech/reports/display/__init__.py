"""Small pages that show objects in a notebook.

The module that shows a kind of object is loaded when the first one is shown. Pages are HTML
without scripts and style sheets, escaped, and take text and ground from the notebook around them.
"""

from __future__ import annotations

from importlib import import_module

__all__ = ["html_of"]

# Modules and the kinds of objects that they show, each by the function of its name.
_KINDS = {
    "findings": ("Certification", "Comparison", "Frontier", "Report"),
    "mechanisms": ("AnyDesign", "Certificate", "Mechanism", "Problem", "Query"),
}


def html_of(thing: object) -> str:
    """Return one of `_KINDS` as a piece of HTML; what its labels and names say is escaped."""
    modules = {kind: module for module, kinds in _KINDS.items() for kind in kinds}
    name = next(kind.__name__ for kind in type(thing).__mro__ if kind.__name__ in modules)
    module = import_module(f"optmech.reports.display.{modules[name]}")
    page: str = getattr(module, f"html_of_{name.lower()}")(thing)
    return page
