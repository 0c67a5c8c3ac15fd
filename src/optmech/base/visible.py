r"""Text from outside, such as a name, a label or a path, in which every character can be seen.

A terminal obeys what it is sent: an escape sequence in a name clears the screen, a line break begins a line
that looks like one of ours, a bidirectional mark reorders what stands beside it. So text from outside is made
visible where it is put into a line, and what the command line prints once more, but for its line breaks.
"""

from __future__ import annotations

import json
import re

# More of a text does not fit into a line.
_LONGEST = 80

# A fixed set, not that of `str.isprintable`, which grows with each version of Python: C0, delete and C1; soft
# hyphen; what joins, fills or selects without a shape; bidirectional marks, embeddings and isolates; line and
# paragraph separators; lone surrogates; byte order mark; what is no character; musical and tag controls.
_INVISIBLE = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f"
    "\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ud800-\\udfff\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff"
    "\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0000-\\U000e0fff]"
)
# They have no shape either, but that of what stands before them.
_SELECTORS = re.compile("[\\ufe00-\\ufe0f]")


def visible(text: object) -> str:
    r"""Return the text of something in one line, with an escape for each character that has no shape.

    >>> print(visible("x\x1b[2J\nall proved\u202e"))
    x\x1b[2J\nall proved\u202e
    """
    return _INVISIBLE.sub(_escape, str(text))


def without_invisible(text: str) -> str:
    r"""Return a text without the characters that have no shape, and without what selects one of several.

    >>> without_invisible("a\u200bb\ufe0f\n")
    'ab'
    """
    return _SELECTORS.sub("", _INVISIBLE.sub("", text))


def quote(text: object) -> str:
    r"""Return text from outside in quotation marks, visible, in one line that is not too long.

    >>> print(quote('a "proved"\n bound'))
    "a 'proved'\n bound"
    """
    line = visible(text).replace('"', "'")
    return f'"{line if len(line) <= _LONGEST else line[:_LONGEST] + "…"}"'


def visible_lines(text: str) -> str:
    r"""Return text of several lines of our own: line breaks stay, all else is made visible.

    >>> print(visible_lines("one\ntwo\r"))
    one
    two\r
    """
    return "\n".join(map(visible, text.split("\n")))


def visible_json(text: str) -> str:
    r"""Return JSON of the same content, with an escape for each character of it that has no shape.

    >>> print(visible_json('{"name": "a\u202eb\U000e0001"}'))
    {"name": "a\u202eb\udb40\udc01"}
    """
    return "\n".join(_INVISIBLE.sub(_escape_json, line) for line in text.split("\n"))


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def _escape_json(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]
