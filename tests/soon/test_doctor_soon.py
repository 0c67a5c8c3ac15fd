"""The doctor has looked at everything before anybody goes for a coffee."""

from __future__ import annotations

import os

from optmech.analysis.doctor import examine, questions


def test_all_parts_are_examined_within_five_seconds():
    start = sum(os.times()[:4])
    seconds = {one.name: one.seconds for one in examine(questions())}
    # Seconds of processors, with those that solvers use: others may be busy.
    assert sum(os.times()[:4]) - start < 5 * 2, seconds
