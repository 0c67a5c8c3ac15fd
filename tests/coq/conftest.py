"""The proved checker, built once."""

from __future__ import annotations

import pytest

from tests.coq.proved_checker import build


@pytest.fixture(scope="session")
def proved_checker(tmp_path_factory):
    """Return the path of optmech-check."""
    return build(tmp_path_factory.mktemp("optmech-check"))
