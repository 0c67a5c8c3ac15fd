"""Keep words with hyphens in code, and numbers and their per cent, on one line."""

from __future__ import annotations

import re

_BLOCK = re.compile(r"(<pre.*?</pre>)", re.DOTALL)
_CODE = re.compile(r"<code>([^<]+)</code>")
_WORD = re.compile(r"[^\s&]*-[^\s&]*")
_PER_CENT = re.compile(r"(?<=\d) (?=%)")
_LONGEST = 24  # letters that a phone has room for


def on_page_content(content: str, **_: object) -> str:
    """Hold together what is in sentences and tables; blocks are to be copied as they are."""
    pieces = _BLOCK.split(content)
    return "".join(piece if place % 2 else _sentences(piece) for place, piece in enumerate(pieces))


def _sentences(piece: str) -> str:
    held = _CODE.sub(lambda code: f"<code>{_WORD.sub(_together, code[1])}</code>", piece)
    return _PER_CENT.sub("&nbsp;", held)


def _together(word: re.Match[str]) -> str:
    return f'<span class="word">{word[0]}</span>' if len(word[0]) <= _LONGEST else word[0]
