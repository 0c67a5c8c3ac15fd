"""The program as a whole, an oracle for the other engines: both prove the optimum of one question."""

from __future__ import annotations

import pytest

import optmech as om
from optmech.mechanisms.certificates.certificate_text import certificate_text
from tests.readers import by_checker, by_package


def found(problem, engine, *, raw=False):
    """Return the design by an engine, ``None`` where it finds none: some demands clash."""
    try:
        return om.design(problem, engine=engine, raw=raw)
    except (om.NoSolutionError, om.VerificationError):
        return None


def compare_with_program(problem, engine, *, gap, doubles=0.0, **alike):
    """Compare the design of an engine with that of the program, and return it.

    Its relative gap is less than `gap`. Both bounds are proved, so that neither is above the objective of the
    other, but for their last digits and `doubles`. Objectives are as near to each other as `pytest.approx`
    says with what is in `alike`.
    """
    ours, whole = (found(problem, name) for name in (engine, "program"))
    assert (ours is None) == (whole is None)
    if ours is None or whole is None:
        return None
    assert ours.engine == engine
    assert ours.lower_bound_standing == "proved"
    assert ours.certificate.relative_gap < gap
    for one, other in ((ours, whole), (whole, ours)):
        assert one.lower_bound <= other.objective + 1e-15 * abs(other.objective) + doubles
    if alike:
        assert ours.objective == pytest.approx(whole.objective, **alike)
    return ours


def need_both_readers(problem, engine):
    """Hold the certificate of a design by an engine to both readers, which accept it."""
    text = certificate_text(om.design(problem, engine=engine).certificate)
    assert by_package(text) is None
    assert by_checker(text) is None
