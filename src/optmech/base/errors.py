"""Everything that optmech raises on purpose, in one tree.

A message follows one pattern, so that a reader knows where to look::

    `argument` must RULE; got VALUE. REMEDY

``RULE`` is what must hold, ``VALUE`` what was given, ``REMEDY`` what to do next.
"""

from __future__ import annotations

import inspect
import warnings
from typing import TYPE_CHECKING, Any, TypeVar

from optmech.base.visible import visible

if TYPE_CHECKING:
    from os import PathLike


E = TypeVar("E", bound="OptmechError")


class OptmechError(Exception):
    """Base of every error that optmech raises on purpose: one line for any text that it quotes.

    Attributes
    ----------
    quotes_data : bool
        Whether the message quotes a cell of data about people, so that it is not to be published.
    """

    quotes_data = False

    def __init__(self, message: str = "") -> None:
        super().__init__(visible(message))


class ProblemError(OptmechError, ValueError):
    """The question cannot be asked: an argument breaks a rule."""


class NotAcceptedError(OptmechError, ValueError):
    """The question is sound, but this structure, privacy or engine does not fit it."""


class ModelError(OptmechError, RuntimeError):
    """A builder broke a law of the model: our bug, never the user's."""


class SolverMissingError(OptmechError, ImportError):
    """The solver asked for is not installed, or does not run.

    Attributes
    ----------
    remedy : str
        The remedy, a sentence that the message ends with; empty where the message has it elsewhere.
    """

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(f"{message} {remedy}" if remedy else message)
        self.remedy = remedy


class NoSolutionError(OptmechError, RuntimeError):
    """A solver ended without a mechanism.

    Attributes
    ----------
    solution : Solution
        The solver's answer, with its status and the attempts made.
    """

    def __init__(self, message: str, solution: Any) -> None:  # noqa: ANN401 - of a room above
        super().__init__(message)
        self.solution = solution


class VerificationError(OptmechError, RuntimeError):
    """Exact arithmetic does not confirm what was to be certified. Nothing is handed out."""


class FileFormatError(OptmechError, ValueError):
    """A file cannot be read as what it claims to be, or cannot be written."""


def quoting_data(error: E) -> E:
    """Return an error with the mark that it quotes data about people."""
    error.quotes_data = True
    return error


def reason_of(error: Exception) -> str:
    """Return in words why the system refuses a file.

    >>> reason_of(FileNotFoundError(2, "No such file or directory"))
    'no such file or directory'
    >>> reason_of(IsADirectoryError(21, "Is a directory"))
    'a folder'
    """
    if isinstance(error, IsADirectoryError):
        return "a folder"
    return (getattr(error, "strerror", None) or str(error)).lower()


def unreadable(path: str | PathLike[str], error: Exception) -> FileFormatError:
    """Return the error of a file that the system does not let us read."""
    return FileFormatError(f"`{path}` must be a file that can be read; got {reason_of(error)}.")


def warn_caller(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the first line outside this package: the caller's, behind any number of our frames."""
    steps, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "optmech":
        steps, frame = steps + 1, frame.f_back
    warnings.warn(message, category, stacklevel=steps)


def broken_rule(argument: object, rule: str, value: object, remedy: str = "") -> ProblemError:
    """Return the error of an argument that breaks a rule, such as "be positive", by what was given."""
    return ProblemError(f"`{argument}` must {rule}; got {value}.{remedy and ' ' + remedy}")
