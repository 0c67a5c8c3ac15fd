"""Two tables that are the same to the public are released as the same bytes, through every door.

Draws ignore the true answers, so that all that is left of a release is everything but the draws. The first
of several tables that are alike makes a pair with each of the others.
"""

from __future__ import annotations

import random

from tests.each import each
from tests.noninterference.doors import COMMANDS, FILES, FRAMES, PAGES, from_dask
from tests.noninterference.tables import tables_alike

PAIRS = 4  # made of so many tables and one


def check(doors, seed, certificates, folder, *, pairs=PAIRS, **options):
    """Release tables that are alike through a door, and compare."""
    door, alike = doors[seed % len(doors)], tables_alike(random.Random(seed), 1 + pairs, **options)  # noqa: S311 - a test repeats it
    one, *others = (door(side, alike, certificates, folder) for side in alike.sides)
    for other in others:
        assert one == other


@each("seed", range(4000 // PAIRS), every=25, slow_every=2)
def test_a_frame_tells_of_nothing_that_is_not_public(certificates, tmp_path, seed):
    check([*FRAMES.values()], seed, certificates, tmp_path)


@each("seed", range(1000 // PAIRS), every=16, slow_every=2)
def test_a_file_and_its_log_tell_of_nothing_that_is_not_public(certificates, tmp_path, seed):
    check([*FILES.values()], seed, certificates, tmp_path)


@each("seed", range(48), every=6)
def test_a_command_tells_of_nothing_that_is_not_public(certified, tmp_path, seed):
    check([*COMMANDS.values()], seed, certified, tmp_path, pairs=1)


@each("seed", range(16), every=8)
def test_the_page_of_a_release_tells_of_nothing_that_is_not_public(certified, tmp_path, seed):
    check([*PAGES.values()], seed, certified, tmp_path, pairs=1)


@each("seed", range(4))
def test_a_frame_of_dask_tells_of_nothing_that_is_not_public(certificates, tmp_path, seed):
    check([from_dask], seed, certificates, tmp_path, pairs=1, may_drop_zero=False)
