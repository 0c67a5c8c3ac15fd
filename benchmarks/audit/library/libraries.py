"""The libraries that are audited, what is installed of them, and their rows."""

from __future__ import annotations

import importlib.metadata
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import ctx

from benchmarks.audit.library.law import BITS
from benchmarks.audit.library.verdict import ClaimVerdict, LibraryRow, row_of
from optmech.base.deferred_interrupt import load_module
from optmech.base.errors import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.audit.library.case import CaseMaker, Untyped

_LONGEST = 120
_CASES = "benchmarks.audit.library"


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A library as a package, the module that its cases take, and ours that has them.

    `read_at` is the version whose sources and docstrings the closed forms of the cases were read in, and
    `needs` what else must be installed for it to load.
    """

    name: str
    module: str
    cases: str
    read_at: str
    needs: str = ""

    @property
    def version(self) -> str | None:
        """The version that is installed, ``None`` without any."""
        try:
            return importlib.metadata.version(self.name)
        except importlib.metadata.PackageNotFoundError:
            return None


LIBRARIES = {
    library.name: library
    for library in (
        Library(
            name="diffprivlib",
            module="diffprivlib",
            cases="diffprivlib_cases",
            read_at="0.6.6",
            needs="scikit-learn<1.9",
        ),
        Library(name="dp-accounting", module="dp_accounting", cases="dp_accounting_cases", read_at="0.6.0"),
        Library(name="opendp", module="opendp.prelude", cases="opendp_cases", read_at="0.16.0"),
    )
}
"""Libraries by name."""


def libraries(names: Sequence[str] = ()) -> list[Library]:
    """Return the libraries that are named, or all.

    Raises
    ------
    ProblemError
        If a name is of no library that can be audited, or none of them is installed.
    """
    for name in names:
        if name not in LIBRARIES:
            message = f"a library must be one of {', '.join(LIBRARIES)}; got {name!r}."
            raise ProblemError(message)
    chosen = [LIBRARIES[name] for name in dict.fromkeys(names or LIBRARIES)]
    if not any(library.version for library in chosen):
        missing = [library.name for library in chosen]
        message = (
            f"a library must be installed to be audited; {' and '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} not. Run `pip install {' '.join(missing)}`."
        )
        raise ProblemError(message)
    return chosen


def audit(library: Library) -> Iterator[LibraryRow]:
    """Yield a row for each case of a library that is installed; what cannot be run is a row that says so."""
    version = library.version or ""
    try:
        module = _loaded(library.module)
    except Exception as error:  # noqa: BLE001 - a broken library may raise anything at all
        remedy = f"; it may need {library.needs}" if library.needs else ""
        yield _unknown(library.name, version, "does not load", error, remedy)
        return
    makers: tuple[CaseMaker, ...] = load_module(f"{_CASES}.{library.cases}").CASES
    for maker in makers:
        yield _row(library.name, version, module, maker)


def _loaded(name: str) -> Untyped:
    """Return the module of a library, with what OpenDP calls contributed allowed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of the library about itself
        module = load_module(name)
    if hasattr(module, "enable_features"):
        module.enable_features("contrib")
    return module


def _row(name: str, version: str, module: Untyped, maker: CaseMaker) -> LibraryRow:
    with warnings.catch_warnings(), ctx.workprec(BITS):
        warnings.simplefilter("ignore")
        try:
            return row_of(name, version, maker(module))
        except Exception as error:  # noqa: BLE001 - another version may raise anything at all
            return _unknown(name, version, maker.__name__.replace("_", " "), error)


def _unknown(name: str, version: str, mechanism: str, error: Exception, remedy: str = "") -> LibraryRow:
    reason = " ".join(str(error).split())
    if isinstance(error, ImportError):
        reason = reason.partition(" (")[0]  # the path of a file
    return LibraryRow(
        library=name,
        version=version,
        mechanism=mechanism,
        verdict=ClaimVerdict.UNKNOWN.name,
        remark=(reason[:_LONGEST] or type(error).__name__) + remedy,
    )
