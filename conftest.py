"""Skip, with a word, what needs a package that is not installed: `.[test]` brings the light ones alone."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import TypeVar

    _Report = TypeVar("_Report", pytest.CollectReport, pytest.TestReport)

# Modules of packages that only `.[test-all]` brings, and of those that `.[test]` does.
_HEAVY = re.compile(
    "axe_playwright_python|cell_key_perturbation|dask|diffprivlib|distributed|dp_accounting|fastapi|ipykernel|"
    "nbclient|nbformat|nicegui|opendp|playwright|polars|pypdfium2|sklearn"
)
_LIGHT = re.compile("duckdb|filelock|hypothesis|joblib|jsonschema|matplotlib|pandas|swiglpk")
_MISSING = re.compile(
    r"""No module named ['"]([\w-]+)|needs ([\w-]+)(?:\.[\w.]+)?,\s+which\s+is\s+not\s+installed"""
)


# A file of tests that another imports, of which Python keeps a half after the first error, and why.
_HALF = re.compile(r"cannot import name '\w+' from '([\w.]+)'")
_IMPORTED = re.compile(r"^(tests/[\w/]+)\.py:\d+: in <module>", re.MULTILINE)
_halves: dict[str, str] = {}


def _reason(text: str) -> str | None:
    """Return why nothing runs, if a text of an error names a package that may be missing, and is."""
    half = _HALF.search(text)
    if half is not None and half[1] in _halves:
        return _halves[half[1]]
    for match in _MISSING.finditer(text):
        name = (match[1] or match[2]).replace("-", "_")
        for modules, extra in ((_HEAVY, "test-all"), (_LIGHT, "test")):
            if modules.fullmatch(name) and find_spec(name) is None:
                return f'needs {name}: pip install ".[{extra}]"'
    return None


def _skipped(report: _Report, path: object) -> _Report:
    reason = _reason(report.longreprtext) if report.failed else None
    if reason is not None:
        _halves.update(
            dict.fromkeys((name.replace("/", ".") for name in _IMPORTED.findall(report.longreprtext)), reason)
        )
        report.outcome, report.longrepr = "skipped", (str(path), 0, f"Skipped: {reason}")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip a module that cannot be imported without such a package."""
    return _skipped((yield), collector.path)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Skip a test that met such a package only when it ran."""
    return _skipped((yield), item.path)
