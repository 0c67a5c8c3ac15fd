"""Writing files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from optmech.errors import FileFormatError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from os import PathLike

__all__ = ["check_writable", "made_folder", "read_text", "write_together", "write_whole"]


def check_writable(path: str | PathLike[str]) -> None:
    """Raise FileFormatError now if `write_whole` could not write `path` later. Nothing is left behind."""
    target = Path(path).resolve()
    try:
        exists = target.exists()
    except OSError as trouble:
        message = f"`{path}` must be writable; got: {(trouble.strerror or str(trouble)).lower()}."
        raise FileFormatError(message) from None
    if exists and not target.is_file():
        kind = "a folder" if target.is_dir() else "a device"
        message = f"`{target}` must be a file to write; got {kind}. Choose another path."
        raise FileFormatError(message)
    with _refused(target):
        with tempfile.TemporaryFile(dir=target.parent):
            pass
        if not exists:
            os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            target.unlink()


def read_text(path: str | PathLike[str]) -> str:
    """Return the text of a file in UTF-8.

    Raises
    ------
    FileFormatError
        If it cannot be read.
    """
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as trouble:
        reason = (trouble.strerror or str(trouble)).lower()
        message = f"`{path}` must be a file that can be read; got {reason}."
        raise FileFormatError(message) from None
    except UnicodeDecodeError as trouble:
        message = f"`{path}` must be text in UTF-8; got: {trouble}."
        raise FileFormatError(message) from None


def write_whole(path: str | PathLike[str], text: str) -> None:
    """Write `text` to `path`: an old file stays untouched until the new one is complete.

    Raises
    ------
    FileFormatError
        If the path cannot be written.
    """
    write_together({path: text})


def write_together(contents: Mapping[str | PathLike[str], str | bytes]) -> None:
    """Write each content to its path, all of them or none: the first is renamed when the last is on the disk.

    Text is written in UTF-8. Systems rename one file at a time: what comes just between two renames finds
    some of the files new, some old or missing, each whole.

    Raises
    ------
    FileFormatError
        If a path cannot be written.
    """
    targets = [Path(path).resolve() for path in contents]  # what a link points to is written, the link stays
    with ExitStack() as stack:
        complete = []
        for path, target, content in zip(contents, targets, contents.values(), strict=True):
            check_writable(path)
            with _refused(target):
                handle, name = tempfile.mkstemp(dir=target.parent, prefix=".optmech-", suffix=".part")
                stack.callback(Path(name).unlink, missing_ok=True)
                with os.fdopen(handle, "wb") as file:
                    file.write(content.encode() if isinstance(content, str) else content)
                    file.flush()
                    os.fsync(file.fileno())
                mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
                Path(name).chmod(mode)
            complete.append(Path(name))
        for temporary, target in zip(complete, targets, strict=True):
            with _refused(target):
                temporary.replace(target)


@contextmanager
def _refused(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as trouble:
        reason = trouble.strerror or str(trouble)
        message = f"`{target}` must be writable; got: {reason.lower()}. Choose another path."
        raise FileFormatError(message) from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def made_folder(name: str) -> Path:
    """Return the folder of that name, made if it is not there.

    Raises
    ------
    FileFormatError
        If it cannot be made.
    """
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as trouble:
        reason = (trouble.strerror or str(trouble)).lower()
        message = f"`{folder}` must be a folder that can be made; got: {reason}. Choose another."
        raise FileFormatError(message) from None
    return folder
