"""Keys of the tables that state a question: each notion declares its keys, one reader checks them all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import brief, flag, items, need_text, one_of, whole_number
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, exact
from optmech.base.wording import join_words
from optmech.question.epsilon import exact_epsilon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_TEXT = {"type": "string"}
_NUMBER = {"type": ["string", "number"]}


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyForm:
    """The values that a key takes.

    Attributes
    ----------
    words : str
        Such as ``"a whole number"``, for errors and pages.
    read : callable
        Returns a value of JSON or TOML as Python needs it, from it and the name of its key, or raises
        ProblemError.
    write : callable
        Returns the value of JSON that `read` reads back.
    schema : dict
        The same rule as a JSON Schema.
    """

    words: str
    read: Callable[[Any, str], Any]
    write: Callable[[Any], Any]
    schema: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One key of a table: its name, the values it takes, and a sentence on it for people.

    Without `is_needed` the key is optional, with the value `default`; `left_out` explains a default that
    needs more words than its value.
    """

    name: str
    form: KeyForm
    about: str
    default: Any = None
    is_needed: bool = False
    left_out: str = ""

    @property
    def description(self) -> str:
        """The sentence with the meaning of a missing key, for pages and editors."""
        return f"{self.about}; left out: {self.left_out}" if self.left_out else self.about


def needed(name: str, form: KeyForm, about: str) -> Key:
    """Return a key that must be given."""
    return Key(name=name, form=form, about=about, is_needed=True)


def _same(value: Any) -> Any:  # noqa: ANN401 - any value of JSON
    return value


def _text(value: Any, name: str) -> str:  # noqa: ANN401 - whatever a file holds
    need_text(value, name)
    return str(value)


WHOLE = KeyForm(words="a whole number", read=whole_number, write=_same, schema={"type": "integer"})
NUMBER = KeyForm(
    words='a number, kept exactly: 0.5, "1e-6" or "1/3"', read=exact, write=as_text, schema=_NUMBER
)
EPSILON = KeyForm(
    words='a number, kept exactly, or a logarithm, such as "0.5", "1/3" or "ln 2"',
    read=exact_epsilon,
    write=as_text,
    schema=_NUMBER,
)
TEXT = KeyForm(words="text", read=_text, write=_same, schema=_TEXT)
FLAG = KeyForm(words="true or false", read=flag, write=_same, schema={"type": "boolean"})


def word_of(words: Iterable[str]) -> KeyForm:
    """Return the form of a text of a closed set."""
    texts = tuple(map(str, words))
    return KeyForm(
        words=join_words(texts, "or"),
        read=lambda value, name: one_of(value, texts, name),
        write=str,
        schema={"enum": list(texts)},
    )


def list_of(form: KeyForm, words: str) -> KeyForm:
    """Return the form of a list, each item of a form."""
    return KeyForm(
        words=words,
        read=lambda value, name: tuple(form.read(each, name) for each in _list(value, name, words)),
        write=lambda values: [form.write(each) for each in values],
        schema={"type": "array", "items": form.schema},
    )


def _list(value: Any, name: str, words: str) -> list[Any]:  # noqa: ANN401 - whatever a file holds
    if not isinstance(value, (list, tuple)):
        raise broken_rule(name, f"be {words}", brief(value))
    return items(value, name)


def read_keys(table: object, keys: Iterable[Key], where: str, owner: str) -> dict[str, Any]:
    """Return the value of each key of a table, with defaults for missing keys.

    Parameters
    ----------
    table : mapping
        As JSON or TOML holds it.
    keys : iterable of Key
        All keys that the table may have.
    where, owner : str
        The name of the table in errors, such as ``"question.query"``, and whose keys they are.

    Raises
    ------
    ProblemError
        If a key is unknown or missing, or a value breaks its rule. The message names the key and its values.

    Examples
    --------
    >>> keys = [needed("largest", WHOLE, "the largest count")]
    >>> read_keys({"largest": 5}, keys, "question.query", "count")
    {'largest': 5}
    >>> read_keys({}, keys, "question.query", "count")
    Traceback (most recent call last):
    ...
    optmech.base.errors.ProblemError: `question.query.largest` must be given for count: a whole number, the \
largest count.
    """
    known = {key.name: key for key in keys}
    content = need_table(table, where, f"{owner}, with {_names(known)}")
    for name in content:
        if name not in known:
            message = f"`{where}.{name}` must be left out: no key of {owner}, which takes {_names(known)}."
            raise ProblemError(message)
    for key in known.values():
        if key.is_needed and key.name not in content:
            message = f"`{where}.{key.name}` must be given for {owner}: {key.form.words}, {key.about}."
            raise ProblemError(message)
    return {
        name: key.form.read(content[name], f"{where}.{name}") if name in content else key.default
        for name, key in known.items()
    }


def written_keys(values: Mapping[str, Any], keys: Iterable[Key]) -> dict[str, Any]:
    """Return the table of these values, without defaults.

    >>> written_keys({"largest": 5}, [needed("largest", WHOLE, "the largest count")])
    {'largest': 5}
    """
    return {
        key.name: key.form.write(values[key.name])
        for key in keys
        if key.is_needed or values[key.name] != key.default
    }


def need_table(table: object, where: str, owner: str) -> dict[str, Any]:
    """Return `value` if it is a table with texts as keys, else raise ProblemError."""
    if not isinstance(table, dict) or not all(isinstance(name, str) for name in table):
        raise broken_rule(where, f"be a table of {owner}", brief(table))
    return table


def kind_in(table: object, kinds: Iterable[str], where: str) -> tuple[str, dict[str, Any]]:
    """Return the kind that a table names, and the rest of the table.

    >>> kind_in({"kind": "count", "largest": 5}, ["count", "mean"], "question.query")
    ('count', {'largest': 5})
    """
    words = tuple(kinds)
    content = dict(
        need_table(table, where, f"a `kind`, {join_words(words, 'or')}, and the keys of that kind")
    )
    if "kind" not in content:
        message = f"`{where}.kind` must be given: {join_words(words, 'or')}."
        raise ProblemError(message)
    return one_of(content.pop("kind"), words, f"{where}.kind"), content


def _names(keys: Iterable[str]) -> str:
    texts = tuple(keys)
    return join_words(texts) if texts else "nothing"
