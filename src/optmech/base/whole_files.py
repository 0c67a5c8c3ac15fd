"""Writing files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import need_path, takes
from optmech.base.deferred_interrupt import deferred_interrupt
from optmech.base.errors import FileFormatError, reason_of, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from os import PathLike

# Bytes of a name that others are added to; file systems take 255.
_LONGEST_PREFIX = 200


def resolved(path: str | PathLike[str]) -> Path:
    """Return a path without links; a link to itself stays as it is, and no system can open it."""
    return Path(os.path.realpath(path))


@takes(path=need_path)
def check_writable(path: str | PathLike[str], *endings: str) -> None:
    """Raise FileFormatError now if `write_whole` could not write `path` later. Nothing is left behind.

    Where `endings` are given, such as ``.csv``, the path must have one of them, which says what it holds.
    """
    try:
        target = resolved(path)
        exists = target.exists()
    except (OSError, ValueError) as error:  # a path with a zero in it is a ValueError
        message = f"`{path}` must be writable; got: {reason_of(error)}."
        raise FileFormatError(message) from None
    if target.is_symlink():
        message = f"`{target}` must be a file to write; got a link to itself. Choose another path."
        raise FileFormatError(message)
    if exists and not target.is_file():
        kind = "a folder" if target.is_dir() else "a device"
        message = f"`{target}` must be a file to write; got {kind}. Choose another path."
        raise FileFormatError(message)
    if endings and not str(path).lower().endswith(endings):
        message = f"`{path}` must end in {' or '.join(endings)}, which says what is written there."
        raise FileFormatError(message)
    _mode_of_new(target)


def is_file(path: Path) -> bool:
    """Whether there is such a file; there is none of a name that no file can have."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


@takes(path=need_path)
def read_text(path: str | PathLike[str], encoding: str = "utf-8-sig") -> str:
    """Return the text of a file in UTF-8, without the byte order mark that others put before it."""
    try:
        return Path(path).read_text(encoding=encoding)
    except UnicodeDecodeError as error:
        message = f"`{path}` must be text in UTF-8; got: {error}."
        raise FileFormatError(message) from None
    except (OSError, ValueError) as error:  # a path with a zero in it is a ValueError
        raise unreadable(path, error) from None


def read_toml(path: str | PathLike[str]) -> dict[str, Any]:
    """Return the content of a TOML file."""
    import tomllib  # noqa: PLC0415 - every command writes files, and few read TOML

    text = read_text(path)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # no TOML, or beyond what a reader can nest
        message = f"`{path}` must be TOML text in UTF-8; got: {error}."
        raise FileFormatError(message) from None


def write_whole(path: str | PathLike[str], text: str) -> None:
    """Write `text` to `path`: an old file stays untouched until the new one is complete."""
    write_together({path: text})


def write_together(contents: Mapping[str | PathLike[str], str | bytes]) -> None:
    """Write each content to its path, all or none: the first is renamed when the last is on the disk.

    Text is written in UTF-8. Systems rename one file at a time: who looks, or kills, just between two renames
    finds some of the files new, some old or missing, each whole. Ctrl-C and SIGTERM wait for the last one.
    """
    with whole_files(contents) as files:
        for path, file, content in zip(contents, files, contents.values(), strict=True):
            with refusals(path):
                file.write_bytes(_encode(content, path))


def _encode(content: str | bytes, path: str | PathLike[str]) -> bytes:
    try:
        return content.encode() if isinstance(content, str) else content
    except UnicodeEncodeError:
        message = (
            f"`{path}` must be text in UTF-8; got half of a character, a lone surrogate, to write there."
        )
        raise FileFormatError(message) from None


@contextmanager
def whole_files(paths: Iterable[str | PathLike[str]]) -> Iterator[list[Path]]:
    """Yield a file beside each path to be filled; they are renamed when the block ends, the first path first.

    Until then they are called ``.optmech-*.part`` and only their owner can read them. An error in the block
    removes them and leaves every path as it was; a process that is killed leaves them behind.
    """
    with ExitStack() as stack:
        files = []
        every = list(paths)
        for path in every:
            check_writable(path)
        targets = [resolved(path) for path in every]  # what a link points to is written, the link stays
        for target in targets:
            with refusals(target), deferred_interrupt():
                handle, name = tempfile.mkstemp(dir=target.parent, prefix=".optmech-", suffix=".part")
                os.close(handle)
                stack.callback(Path(name).unlink, missing_ok=True)
            files.append(Path(name))
        yield files
        for file, target in zip(files, targets, strict=True):
            with refusals(target):
                with file.open("rb+") as stream:
                    os.fsync(stream.fileno())
                file.chmod(target.stat().st_mode & 0o777 if target.exists() else _mode_of_new(target))
        with deferred_interrupt():
            for file, target in zip(files, targets, strict=True):
                with refusals(target):
                    file.replace(target)


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Let one command at a time do what it does in a folder; one that ends, or is killed, makes way.

    It is for a look at a file and the renaming that follows from it. Where a system has no such locks, on
    Windows and on some network drives, nobody waits.
    """
    with ExitStack() as stack:
        with suppress(ImportError, OSError):
            import fcntl  # noqa: PLC0415 - absent on Windows

            handle = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


@contextmanager
def refusals(target: str | PathLike[str]) -> Iterator[None]:
    """Raise what the system says of writing `target` as a FileFormatError."""
    try:
        yield
    except OSError as error:
        message = f"`{target}` must be writable; got: {reason_of(error)}. Choose another path."
        raise FileFormatError(message) from None


def _mode_of_new(target: Path) -> int:
    """Return the mode that the system gives to a new file beside `target`; nothing is left behind.

    A mask can only be read by setting it, for all threads: a file is made, and the system applies its mask.
    """
    # Never under the name itself, where a process that is killed just then would leave an empty file.
    begin = os.fsdecode(os.fsencode(target.name)[:_LONGEST_PREFIX])
    probe = target.parent / f".optmech-{begin}-{token_hex(4)}.part"
    with refusals(target), deferred_interrupt():
        handle = os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            return os.fstat(handle).st_mode & 0o777
        finally:
            os.close(handle)
            probe.unlink()


def made_folder(name: str) -> Path:
    """Return the folder of that name, made if it is not there."""
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"`{folder}` must be a folder that can be made; got: {reason_of(error)}. Choose another."
        raise FileFormatError(message) from None
    return folder
