"""Exports of a perturbation table say of counts beyond the listed ones what its law says, or refuse it."""

from __future__ import annotations

import pytest

import optmech as om
from optmech.base.errors import NotAcceptedError
from optmech.release.tables.column_of_source import column_mechanism

# Its delta allows harm, and a library that keeps no text is warned of that.
pytestmark = pytest.mark.filterwarnings("ignore:Caution")
SENTENCE = "A count beyond 4 has the noise of 4: draw for 4, and add what the count exceeds it by."


@pytest.fixture(scope="module")
def certificate():
    return om.design(om.p_table(2, 1, variance=2, zero_stays_zero=True)).certificate


def test_every_export_tells_of_counts_beyond_the_list(certificate):
    law = column_mechanism(certificate).law
    assert law.beyond_list == SENTENCE
    for listed, beyond in ((4, 9), (4, 1000)):
        shifted = {
            released + beyond - listed: share for released, share in law.table.published(listed).items()
        }
        assert law.table.published(beyond) == shifted
    for text in (om.release.to_c(certificate, name="p"), om.release.to_rust(certificate)):
        assert SENTENCE in " ".join(text.replace("//!", " ").split())
    small = om.design(om.croft(om.count(4), 1)).certificate
    assert "beyond 4" not in om.release.to_c(small, name="p")


def test_opendp_refuses_a_law_that_it_would_clamp(certificate):
    opendp = pytest.importorskip("opendp.prelude")
    opendp.enable_features("contrib", "honest-but-curious")
    with pytest.raises(NotAcceptedError, match="All counts from 3 on have the same noise"):
        om.release.to_opendp(certificate)
