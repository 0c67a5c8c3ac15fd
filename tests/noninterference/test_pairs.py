"""Two tables that are the same to the public are released as the same bytes, through every door.

Draws ignore the true answers, so that all that is left of a release is everything but the draws.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.noninterference.doors import COMMANDS, FILES, FRAMES, from_dask
from tests.noninterference.tables import pairs

FEW, FEW_FILES, FEW_COMMANDS, MANY = 40, 24, 8, 1000


def check(door, pair, certificates, folder):
    """Release both tables of a pair through a door, and compare."""
    one, other = (door(side, pair, certificates, folder) for side in pair.sides)
    assert one == other


def some(examples):
    return settings(max_examples=examples, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("door", FRAMES)
@some(FEW)
@given(pair=pairs())
def test_a_frame_tells_of_nothing_that_is_not_public(certificates, tmp_path, door, pair):
    check(FRAMES[door], pair, certificates, tmp_path)


@some(FEW_FILES)
@given(door=st.sampled_from(sorted(FILES)), pair=pairs())
def test_a_file_and_its_log_tell_of_nothing_that_is_not_public(certificates, tmp_path, door, pair):
    check(FILES[door], pair, certificates, tmp_path)


@some(FEW_COMMANDS)
@given(door=st.sampled_from(sorted(COMMANDS)), pair=pairs())
def test_a_command_tells_of_nothing_that_is_not_public(certified, tmp_path, door, pair):
    check(COMMANDS[door], pair, certified, tmp_path)


@some(FEW_COMMANDS // 2)
@given(pair=pairs(may_drop_zero=False))
def test_a_frame_of_dask_tells_of_nothing_that_is_not_public(certificates, tmp_path, pair):
    check(from_dask, pair, certificates, tmp_path)


@pytest.mark.slow
@some(4 * MANY)
@given(door=st.sampled_from(sorted(FRAMES)), pair=pairs())
def test_no_frame_tells_of_anything_that_is_not_public(certificates, tmp_path, door, pair):
    check(FRAMES[door], pair, certificates, tmp_path)


@pytest.mark.slow
@some(MANY)
@given(door=st.sampled_from(sorted(FILES)), pair=pairs())
def test_no_file_tells_of_anything_that_is_not_public(certificates, tmp_path, door, pair):
    check(FILES[door], pair, certificates, tmp_path)


@pytest.mark.slow
@some(MANY // 25)
@given(door=st.sampled_from(sorted(COMMANDS)), pair=pairs())
def test_no_command_tells_of_anything_that_is_not_public(certified, tmp_path, door, pair):
    check(COMMANDS[door], pair, certified, tmp_path)
