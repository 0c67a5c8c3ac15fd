"""Say in a sentence why a command line is not understood, with a likely correction."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from optmech.base.wording import join_words

if TYPE_CHECKING:
    from collections.abc import Sequence

_ALIKE = 0.6
# Fewer letters are the beginning of too much: `-e`, `--r`.
_SHORTEST = 4
_FEW = 4


class UsageError(Exception):
    """The command line cannot be parsed."""


def unknown_word(program: str, word: str, options: Sequence[str]) -> str:
    """Return why a word that nothing takes must be another, or be left out."""
    word = word.partition("=")[0]
    if not word.startswith("-"):
        return f"`{word}` must be left out: {program} takes nothing more."
    remedy = _elsewhere(program, word) or _suggestion(word, options)
    return f"`{word}` must be an option of {program}; it is unknown.{remedy}"


def unknown_choice(name: str, word: str, choices: Sequence[str], program: str = "") -> str:
    """Return why a word must be one of others; of a `program` it may be what stands behind those."""
    remedy = _suggestion(word, choices)
    if "." in word and "file" in choices:
        remedy = f" The question comes first: {program} {choices[0]} …"
    return f"`{name}` must be one of {', '.join(choices)}; got {word!r}.{remedy}"


def missing_words(program: str, missing: Sequence[str], examples: Sequence[str] = ()) -> str:
    """Return that words must follow.

    >>> missing_words("optmech compose", ["CERTIFICATE.json"])
    '`CERTIFICATE.json` must follow optmech compose; it is missing.'
    """
    such_as = f", such as {', '.join(examples)}" if examples else ""
    absent = "it is missing" if len(missing) == 1 else "they are missing"
    return f"{join_words(f'`{name}`' for name in missing)} must follow {program}{such_as}; {absent}."


def _suggestion(word: str, names: Sequence[str]) -> str:
    word = word.lower()
    begun = [name for name in names if len(word) >= _SHORTEST and name.startswith(word)]
    without_dashes = {name.lstrip("-"): name for name in names}  # which would make all options alike
    close = get_close_matches(word.lstrip("-"), without_dashes, n=2, cutoff=_ALIKE)
    alike = begun[:2] or [without_dashes[name] for name in close]
    return f" Did you mean {' or '.join(alike)}?" if alike else ""


def _elsewhere(program: str, word: str) -> str:
    """Return which questions take an option that a narrower one does not know."""
    *command, formulation = program.split(" ")
    if len(command) <= 1:  # the question is not typed yet
        return ""
    from optmech.question.problems.command_words import flag_of  # noqa: PLC0415 - questions take a moment to load
    from optmech.question.problems.named import FORMULATIONS  # noqa: PLC0415

    names = [
        name
        for name, known in FORMULATIONS.items()
        if name != "question" and word in map(flag_of, (*known.required, *known.optional))
    ]
    if formulation not in FORMULATIONS or formulation in names or not names:
        return ""
    more = ", …" if len(names) > _FEW else ""
    return f" `{' '.join(command)}` takes it with {', '.join(names[:_FEW])}{more}."
