r"""The secret part of the page's address: of one run, or of every run at one port.

A token that stays lies in a file that its owner alone can read, below the folder where programs hold their
state: ``$XDG_STATE_HOME/optmech``, else ``~/.local/state/optmech``; on Windows ``%LOCALAPPDATA%\optmech``.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
from pathlib import Path

from optmech.base.errors import ProblemError, broken_rule, reason_of

_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")
_LONGEST = 64
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def new_token() -> str:
    """Return a random token of 128 bits, fit for a path."""
    return secrets.token_urlsafe(16)


def state_folder() -> Path:
    """Return the folder where programs of this user hold their state, absolute as it must be."""
    folder = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_STATE_HOME", "")
    return (Path(folder) if Path(folder).is_absolute() else Path.home() / ".local" / "state") / "optmech"


def lasting_token(port: int) -> str:
    """Return the token of a port, the same in every run; it is made where there is none.

    ProblemError if its file cannot be written or read, belongs to somebody else, can be read by others, or
    holds something else.
    """
    path = state_folder() / f"studio-{port}.token"
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            return _write(path)
        except FileExistsError:
            return _read(path)
    except (OSError, RuntimeError) as error:  # a user without a home is a RuntimeError
        message = f"`{path}` must be a file of your own to hold the address; got: {reason_of(error)}."
        raise ProblemError(message) from None


def _write(path: Path) -> str:
    token = new_token()
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(token)
    return token


def _read(path: Path) -> str:
    # Never through a link, and looked at once it is open: somebody may put another in its place.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, encoding="ascii", errors="replace") as file:
        facts = os.fstat(handle)
        if os.name == "posix" and (facts.st_uid != os.getuid() or facts.st_mode & _OTHERS):
            message = (
                f"`{path}` must be yours and closed to others; got the mode {stat.filemode(facts.st_mode)}. "
                "Others may know the address: delete the file, and a new address is made."
            )
            raise ProblemError(message)
        token = file.read(_LONGEST).strip()
    if not _TOKEN.fullmatch(token):
        raise broken_rule(path, "hold a token of 22 letters", "something else", "Delete it.")
    return token
