"""How objects are shown in a notebook: each as a small page.

There is a module for the page of each kind of object, loaded when the first one is shown. Pages are HTML
without scripts and style sheets, escaped, and take text and ground from the notebook around them.
"""

from __future__ import annotations

from importlib import import_module

__all__ = ["html_of"]

_PAGES = {
    "Certificate": "certificate",
    "Comparison": "comparison",
    "Design": "design",
    "Frontier": "frontier",
    "ImplicitMechanism": "implicit",
    "Mechanism": "mechanism",
    "Problem": "problem",
    "Query": "query",
    "Report": "checks",
}


def html_of(thing: object) -> str:
    """Return a thing as a piece of HTML; what its labels and names say is escaped.

    Parameters
    ----------
    thing : Query, Problem, Design, Mechanism, Certificate, ImplicitMechanism, Report, Comparison or Frontier
        What is to be shown.

    Examples
    --------
    >>> from optmech.question.queries import count
    >>> "How many? A count from 0 to 5." in html_of(count(5))
    True
    """
    name = next(kind.__name__ for kind in type(thing).__mro__ if kind.__name__ in _PAGES)
    page: str = import_module(f"optmech.reports.display.{_PAGES[name]}").html_of(thing)
    return page
