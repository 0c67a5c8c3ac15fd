"""How objects are shown in a notebook: each as a small page.

What shows a kind of object is loaded when the first one is shown. Pages are HTML
without scripts and style sheets, escaped, and take text and ground from the notebook around them.
"""

from __future__ import annotations

from importlib import import_module

__all__ = ["html_of"]

# Which module shows a kind of object, and by which function.
_PAGES = {
    "Certificate": ("mechanisms", "html_of_certificate"),
    "Certification": ("findings", "html_of_certification"),
    "Comparison": ("findings", "html_of_comparison"),
    "Design": ("mechanisms", "html_of_design"),
    "Frontier": ("findings", "html_of_frontier"),
    "Mechanism": ("mechanisms", "html_of_mechanism"),
    "Problem": ("mechanisms", "html_of_problem"),
    "Query": ("mechanisms", "html_of_query"),
    "Report": ("findings", "html_of_report"),
}


def html_of(thing: object) -> str:
    """Return one of `_PAGES` as a piece of HTML; what its labels and names say is escaped."""
    name = next(kind.__name__ for kind in type(thing).__mro__ if kind.__name__ in _PAGES)
    module, function = _PAGES[name]
    page: str = getattr(import_module(f"optmech.reports.display.{module}"), function)(thing)
    return page
