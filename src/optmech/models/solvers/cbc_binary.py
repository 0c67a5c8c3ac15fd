"""Find a CBC that can be run, and ask it for its version and the options that it knows.

Builds differ in their options, and some end with code 0 at the first one that they do not know. So each is
asked once, in one run, about all that optmech may give it. To ``-threads?`` one that knows it says
``thread(s) :`` and a sentence, or after 2.10 ``Match for `threads': thread(s)``. The brackets hold what may
be left out.
"""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from optmech.base.deferred_interrupt import load_module

PATIENCE = 10.0
"""Seconds for an answer."""

NEEDED = (
    *("solve", "dualSimplex", "barrier", "preprocess"),
    *("printingOptions", "solution", "saveSolution"),
)
"""Options without which no answer can be had, trusted or read."""

WANTED = (
    *("presolve", "primalTolerance", "dualTolerance", "integerTolerance", "ratioGap", "allowableGap"),
    *("increment", "randomSeed", "randomCbcSeed", "timeMode", "seconds", "threads"),
    *("singletonBounds", "boundPropLevel", "rowReductions", "preRootLPStr"),
)
"""Options that are left out where a build does not know them."""

_VERSION = re.compile(r"^Version: (\S+)|^CBC (devel \(git:\w+\)|\S+)", re.MULTILINE)
_BUILD = re.compile(r"^Build Date: (.+?)\s*$", re.MULTILINE)
_OPTION = re.compile(r"^(?:Match for `\w+': )?(\w+)(?:\((\w+)\))?(?: : .*)?\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CbcBinary:
    """A CBC on this machine.

    Attributes
    ----------
    path : str
        The program.
    version : str
        Version of its greeting, such as ``"2.10.3"``; of builds between releases with their day.
    options : frozenset of str
        The options that it knows among those that optmech may give it.
    """

    path: str
    version: str
    options: frozenset[str]

    def words(self, settings: dict[str, str]) -> list[str]:
        """Return the settings that it knows, as words of its command line."""
        pairs = ((f"-{name}", value) for name, value in settings.items() if name in self.options)
        return [word for pair in pairs for word in pair]


def find() -> CbcBinary | None:
    """Return the CBC of this machine, None if there is none that answers and can be read."""
    path = executable()
    return None if path is None else ask(path)


def executable() -> str | None:
    """Return the path of CBC: in PuLP, on the system path, or in cbcbox, which PuLP 4 uses."""
    try:
        path = Path(load_module("pulp").PULP_CBC_CMD.pulp_cbc_path)
    except (ImportError, AttributeError):  # PuLP 4 has none
        path = None
    if path is not None and shutil.which(path):
        return str(path)
    if on_path := shutil.which("cbc"):
        return on_path
    try:
        path_of_box: str = load_module("cbcbox").cbc_bin_path()
    except (ImportError, AttributeError):
        return None
    return shutil.which(path_of_box)


@functools.cache
def ask(path: str) -> CbcBinary | None:
    """Return the CBC at `path`, None if it does not run, or lacks an option that is needed."""
    try:
        done = subprocess.run(  # noqa: S603 - the path comes from a package or from PATH, not from a user
            [path, *(f"-{name}?" for name in (*NEEDED, *WANTED)), "-quit"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=PATIENCE,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    version, options = version_in(done.stdout), options_in(done.stdout)
    if version is None or not options.issuperset(NEEDED):
        return None
    return CbcBinary(path=path, version=version, options=options)


def version_in(greeting: str) -> str | None:
    r"""Return the version that CBC greets with, None if this is no greeting of CBC.

    >>> version_in("Welcome to the CBC MILP Solver\nVersion: Devel (unstable)\nBuild Date: Mar 23 2026\n")
    'devel of Mar 23 2026'
    """
    match = _VERSION.search(greeting)
    if match is None:
        return None
    day = _BUILD.search(greeting)
    is_release = match[1] is None or match[1][0].isdigit()
    return str(match[1] or match[2]) if is_release or day is None else f"{match[1].lower()} of {day[1]}"


def options_in(answers: str) -> frozenset[str]:
    r"""Return which of the needed and wanted options CBC describes in its answers.

    >>> answers = "thread(s) : Number of threads\nNo match for singletonBounds - ? for list of commands\n"
    >>> sorted(options_in(answers + "Match for `preRootLPStr': preRootLPStr(enghtening)\n"))
    ['preRootLPStr', 'threads']
    """
    ends = [(head.lower(), f"{head}{tail}".lower()) for head, tail in _OPTION.findall(answers)]
    return frozenset(
        name
        for name in (*NEEDED, *WANTED)
        if any(name.lower().startswith(head) and full.startswith(name.lower()) for head, full in ends)
    )
