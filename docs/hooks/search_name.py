"""A name for the search, which the theme makes a dialog without one: screen readers say it."""

from __future__ import annotations

_DIALOG = 'data-md-component="search" role="dialog"'


def on_post_page(output: str, **_: object) -> str:
    """Name the dialog."""
    return output.replace(_DIALOG, f'{_DIALOG} aria-label="Search"')
