from itertools import pairwise

import pytest

from optmech.base.numbers import exact
from optmech.reports.studio.input_checks import DELTA_STEPS, EPSILON_STEPS, nearest_step
from optmech.reports.studio.inputs import Inputs
from tests.each import each


@pytest.mark.parametrize(("name", "steps"), [("epsilon", EPSILON_STEPS), ("delta", DELTA_STEPS)])
def test_each_step_of_a_slider_can_be_asked_for_and_they_rise(name, steps):
    assert all(getattr(Inputs(**{name: step}), name) == step for step in steps)
    values = [exact(step, name) for step in steps]
    assert all(low < high for low, high in pairwise(values))


def test_a_step_of_epsilon_is_never_more_than_a_tenth():
    assert max(float(high) / float(low) for low, high in pairwise(EPSILON_STEPS)) <= 1.1 + 1e-12


@pytest.mark.parametrize("steps", [EPSILON_STEPS, DELTA_STEPS])
def test_each_step_is_nearest_to_itself(steps):
    assert [nearest_step(steps, step) for step in steps] == list(range(len(steps)))


@each(("text", "step"), [("0", "0.01"), ("99", "10"), ("1.04", "1"), ("1.06", "1.1"), ("ln 1e399", "10")])
def test_what_lies_between_or_beyond_the_steps_has_a_nearest_one(text, step):
    assert EPSILON_STEPS[nearest_step(EPSILON_STEPS, text)] == step


@each("text", ["", "nan", "1e999", "x", "ln -1"])
def test_what_is_no_number_has_none(text):
    assert nearest_step(EPSILON_STEPS, text) is None
