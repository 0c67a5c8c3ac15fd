"""Read and write the file that gives each group of a table its mechanism.

TOML, with an optional mechanism for all other groups::

    default = "other.certificate.json"

    [groups]
    north = "north.certificate.json"
    south = "south.certificate.json"

or CSV with the columns ``group`` and ``certificate``. Paths are relative to the folder of the file and stay
in it: a list from a third party must not read other files.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any

from optmech.base.errors import FileFormatError
from optmech.base.whole_files import read_text, read_toml, resolved
from optmech.release.tables.csv_rows import CsvRows

if TYPE_CHECKING:
    from os import PathLike

_HEADER = ["group", "certificate"]


def read_groups(path: str | PathLike[str]) -> dict[str | None, Path]:
    """Return the path of each group's mechanism, under ``None`` the default, or raise FileFormatError."""
    reader = {".toml": _from_toml, ".csv": _from_csv}.get(Path(path).suffix.lower())
    if reader is None:
        raise _refusal(path, "the suffix .toml or .csv and list the mechanism of each group", "another file")
    names = reader(path)
    if not names:
        raise _refusal(path, "at least one group", "none")
    folder = Path(path).parent
    for name in names.values():
        ways = PurePosixPath(name), PureWindowsPath(name)
        if any(way.anchor or ".." in way.parts for way in ways):
            raise _refusal(path, "paths from its own folder, without `..`", repr(name))
        check_inside(folder, folder / name)
    return {group: folder / name for group, name in names.items()}


def check_inside(folder: Path, path: Path) -> None:
    """Raise FileFormatError for a path that leaves a folder through a link."""
    try:
        inside = resolved(path).is_relative_to(resolved(folder))
    except (OSError, ValueError, RuntimeError):  # no path at all, or links in a circle
        inside = False
    if not inside:
        message = (
            f"`{path}` must lead to a file in the folder of the list of groups; it does not. Copy it there."
        )
        raise FileFormatError(message)


def lists_groups(path: str | PathLike[str]) -> bool:
    """Whether a file has the form of a list of mechanisms of groups."""
    suffix = Path(path).suffix.lower()
    return suffix == ".toml" or (
        suffix == ".csv" and read_text(path).partition("\n")[0].strip() == ",".join(_HEADER)
    )


def _from_toml(path: str | PathLike[str]) -> dict[str | None, str]:
    content = read_toml(path)
    groups: Any = content.pop("groups", None)
    default = content.pop("default", None)
    if content or not isinstance(groups, dict):
        raise _refusal(
            path, "a table [groups] and, if wanted, a `default`", ", ".join(content) or "no groups"
        )
    names: dict[str | None, Any] = dict(groups)
    if default is not None:
        names[None] = default
    for group, name in names.items():
        if not isinstance(name, str):
            raise _refusal(path, "the path of a certificate for each group", f"{name!r} for {group}")
    return names


def _from_csv(path: str | PathLike[str]) -> dict[str | None, str]:
    with CsvRows(path) as file:
        if list(file.header) != _HEADER:
            raise _refusal(path, "rows of two cells, under group,certificate", ",".join(file.header))
        blocks = [[rows.cells(place).to_pylist() for place in range(len(_HEADER))] for rows in file.blocks()]
    names, paths = ([text for block in blocks for text in block[place]] for place in range(len(_HEADER)))
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise _refusal(path, "each group once", f"{twice!r} twice")
    return dict(zip(names, paths, strict=True))


def _refusal(path: str | PathLike[str], rule: str, description: str) -> FileFormatError:
    return FileFormatError(f"`{path}` must have {rule}; got {description}. See `optmech apply --help`.")
