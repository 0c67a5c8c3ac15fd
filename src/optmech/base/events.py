"""The logger ``optmech``: events of engines and of releases, for a service that keeps a log.

A record tells what the release log, or the question, tells anyway: an engine, a solver's status, a file and a
column by name, what was spent. No record holds a true answer, a drawn number, a cell or a row. Without a
handler of the application nothing is written.
"""

from __future__ import annotations

import logging

LOGGER = logging.getLogger("optmech")
LOGGER.addHandler(logging.NullHandler())


def engine_begins(engine: str, size: str) -> None:
    """Tell that an engine begins, and the size of its task."""
    LOGGER.info("engine %s begins: %s", engine, size)


def engine_failed(engine: str, reason: str) -> None:
    """Tell why an engine gave no mechanism."""
    LOGGER.warning("engine %s gave no mechanism: %s", engine, reason)


def solver_answered(solver: str, method: str, status: str, seconds: float) -> None:
    """Tell the status that a solver claims."""
    LOGGER.debug("%s (%s) after %.3g s: %s", solver, method, seconds, status)


def released(*, column: str, output: str, data: str, mechanisms: list[str], is_private: bool) -> None:
    """Tell of a release what its log tells: column, file, name of the data, and what was spent."""
    if not is_private:
        LOGGER.warning("column %s of %s was drawn from a seed: NOT PRIVATE", column, data)
    LOGGER.info("column %s of %s released as %s: %s", column, data, output, "; ".join(mechanisms))
