"""Check the arguments of public calls: a wrong one is refused by its own name, where it is given."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from enum import StrEnum
from functools import wraps
from itertools import islice
from operator import index
from os import PathLike
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np

from optmech.base.errors import OptmechError, ProblemError, broken_rule

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from optmech.base.arrays import Floats

P = ParamSpec("P")
R = TypeVar("R")
Rule = Callable[[Any, str], object]

_LONGEST = 60
# Longer lists are refused before they fill the memory.
_MOST_ITEMS = 10_000_000
_REMEDIES = {
    "Query": "Make one, such as `count(5)` or `Query(range(6))`.",
    "Problem": "Ask one of a query, such as `croft(count(5), 1)`.",
    "Design": "`design(problem)` returns one, without `raw`.",
    "Mechanism": "A design has one as `.mechanism`, a file by `MatrixMechanism.from_csv`.",
    "Certificate": "A design has one as `.certificate`, a file by `read_certificate`.",
    "Card": "`card_of(certificate)` returns one.",
}


class Word(StrEnum):
    """A text of a closed set. It is shown as the text that it is."""

    __repr__ = str.__repr__


def takes(**rules: Rule) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Hold arguments of a function to rules, each of which is called with a value and its name.

    >>> @takes(size=whole_number)
    ... def zeros(size):
    ...     return [0] * size
    >>> zeros("three")
    Traceback (most recent call last):
    ...
    optmech.base.errors.ProblemError: `size` must be a whole number; got 'three'.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            values = signature.bind(*args, **kwargs).arguments
            for name, rule in rules.items():
                if name in values:
                    rule(values[name], name)
            return function(*args, **kwargs)

        return call

    return decorate


def of_form(name: str, rule: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Refuse arguments of another form by a sentence, for a function that reads parts of what it is given.

    >>> @of_form("pair", "be two numbers")
    ... def total(pair):
    ...     return pair[0] + pair[1]
    >>> total(None)
    Traceback (most recent call last):
    ...
    optmech.base.errors.ProblemError: `pair` must be two numbers; got something of another form.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            signature.bind(*args, **kwargs)  # what is missing, or too much, is said by Python
            try:
                return function(*args, **kwargs)
            except OptmechError:
                raise
            except (AttributeError, TypeError, LookupError, ValueError, ArithmeticError):
                raise broken_rule(name, rule, "something of another form") from None

        return call

    return decorate


def an_instance(*kinds: type) -> Rule:
    """Return the rule that a value is of one of these classes."""

    def rule(value: Any, name: str) -> None:  # noqa: ANN401 - any argument
        if not isinstance(value, kinds):
            classes = [kind.__name__ for kind in kinds]
            remedy = _REMEDIES.get(classes[0], "")
            message = f"`{name}` must be a {' or a '.join(classes)}; got {brief(value)}. {remedy}"
            raise ProblemError(message.rstrip())

    return rule


def optional(rule: Rule) -> Rule:
    """Return the rule for a value that may be left out."""
    return lambda value, name: None if value is None else rule(value, name)


def flag(value: object, name: str) -> bool:
    """Return a value that is true or false."""
    if not isinstance(value, (bool, np.bool_)):
        raise broken_rule(name, "be true or false", brief(value))
    return bool(value)


def need_text(value: object, name: str) -> None:
    """Refuse what is no text, or no text that a file can hold."""
    if not isinstance(value, str):
        raise broken_rule(name, "be text", brief(value))
    try:
        value.encode()
    except UnicodeEncodeError:
        message = f"`{name}` must be text that a file can hold; got {brief(value)}, with a lone surrogate."
        raise ProblemError(message) from None


def one_of(value: Any, choices: Iterable[str], name: str) -> str:  # noqa: ANN401 - any argument
    """Return a value that is one of some texts.

    >>> one_of("add", ("add", "remove"), "change")
    'add'
    """
    texts = tuple(choices)
    if not isinstance(value, str) or value not in texts:
        raise broken_rule(name, f"be one of {', '.join(texts)}", brief(value))
    return value


def need_path(value: object, name: str) -> None:
    """Refuse what is no path."""
    if not isinstance(value, (str, PathLike)):
        raise broken_rule(name, "be a path", brief(value))


def function(value: object, name: str) -> None:
    """Refuse what cannot be called."""
    if not callable(value):
        raise broken_rule(name, "be a function", brief(value))


def whole_number(value: Any, name: str) -> int:  # noqa: ANN401 - any argument
    """Return a value that is a whole number.

    >>> whole_number(np.int64(3), "size")
    3
    """
    with suppress(TypeError):
        if not isinstance(value, (bool, np.bool_)):
            return index(value)
    raise broken_rule(name, "be a whole number", brief(value))


def items(values: Any, name: str, what: str = "a list") -> list[Any]:  # noqa: ANN401 - any argument
    """Return the items of what is a list of some kind.

    >>> items(range(3), "truths")
    [0, 1, 2]
    """
    each: Any = None if isinstance(values, bytes) else values  # whose items would be numbers
    try:
        members = list(islice(each, _MOST_ITEMS + 1))
    except TypeError:
        raise broken_rule(name, f"be {what}", brief(values)) from None
    if len(members) > _MOST_ITEMS:
        raise broken_rule(name, f"have at most {_MOST_ITEMS:,} entries", "more")
    return members


def finite_numbers(values: ArrayLike, name: str) -> Floats:
    """Return doubles in equal rows, all of them finite."""
    array = numbers(values, name)
    if not np.isfinite(array).all():
        position = np.argwhere(~np.isfinite(array))[0].tolist()
        raise broken_rule(name, "be finite", f"{array[tuple(position)]} at {position}")
    return array


def numbers(values: ArrayLike, name: str, shape: tuple[int, ...] | None = None) -> Floats:
    """Return doubles in equal rows, of this shape where one is given."""
    if isinstance(values, Sequence) and len(values) > _MOST_ITEMS:
        raise broken_rule(name, f"have at most {_MOST_ITEMS:,} entries", f"{len(values):,}")
    try:
        array = np.array(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise broken_rule(name, "hold numbers in equal rows", brief(values)) from None
    if shape is not None and array.shape != shape:
        raise broken_rule(name, f"have shape {shape}", array.shape)
    return array


def brief(values: object) -> str:
    """Return a given value as text, short enough for a sentence.

    >>> brief([1, 2])
    '[1, 2]'
    """
    try:
        text = " ".join(repr(values).split())
    except ValueError:  # of whole numbers of more digits than Python prints
        text = f"a very long {type(values).__name__}"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
