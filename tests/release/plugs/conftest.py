"""Certified mechanisms of every kind that a plug meets."""

from __future__ import annotations

import pytest

from tests.release.plugs.certified import KINDS, QUICK, designed


@pytest.fixture(
    scope="session",
    params=[kind if kind in QUICK else pytest.param(kind, marks=pytest.mark.slow) for kind in sorted(KINDS)],
)
def certificate(request):
    return designed(request.param)
