"""The text of a screen, without its breaks."""

from __future__ import annotations

import re


def joined(text):
    """Return a text with one blank for each run of blanks and breaks."""
    return " ".join(text.split())


def unbroken(text):
    """Return a text whose commands stand on one line each, as a shell reads them."""
    return re.sub(r" \\\n\s*", " ", text)
