"""Measure one question of scale: the design, its certificate and both readers of it."""

from __future__ import annotations

import importlib.util
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import optmech as om
from benchmarks.cost.scale_questions import QUESTIONS, SMALLEST
from optmech.designs.choice import choose
from optmech.mechanisms.certificates.certificate_text import certificate_text, read_certificate_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.designs.engines.engine import EngineName

__all__ = ["answer"]

_CHECKER = Path(__file__).parents[2] / "check_certificate.py"


def answer(name: str, engine: EngineName, limit: float | None) -> dict[str, Any]:
    """Return processor seconds of a design and of both readers, its gap, and the bytes of its certificate.

    A small question is designed by each engine before, so that nothing is loaded while time runs.
    """
    question = next(each for each in (*QUESTIONS, SMALLEST) if each.name == name)
    for first in ("interior", "program"):
        om.design(SMALLEST.ask(), engine=first)
    problem = question.ask()
    start, now = time.process_time(), time.perf_counter()
    try:
        design = om.design(problem, engine=engine, time_limit=limit)
    except om.OptmechError as error:
        is_refused = isinstance(error, om.ProblemError | om.NotAcceptedError)
        why = "refused" if is_refused else "no mechanism"
        return {
            "said": str(error),
            "why": why,
            "seconds": time.process_time() - start,
            "wall": time.perf_counter() - now,
        }
    seconds, wall = time.process_time() - start, time.perf_counter() - now
    certificate = design.certificate
    assert certificate is not None  # it is not raw
    text, gap = certificate_text(certificate), certificate.relative_gap
    return {
        "engine": design.engine,
        "order": list(choose(problem).order),
        "seconds": seconds,
        "wall": wall,
        "objective": design.objective,
        "gap": None if gap is None else float(gap),
        "bytes": len(text.encode()),
        "package": _seconds(lambda: read_certificate_text(text)),
        "checker": _seconds(lambda: _checker().check(text)),
    }


def _checker() -> Any:  # noqa: ANN401 - a program, and no package
    specification = importlib.util.spec_from_file_location("check_certificate", _CHECKER)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def _seconds(read: Callable[[], object]) -> float:
    start = time.process_time()
    read()
    return time.process_time() - start
