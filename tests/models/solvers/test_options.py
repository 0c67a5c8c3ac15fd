from __future__ import annotations

import dataclasses

import pytest

from optmech.base.errors import ProblemError
from optmech.models.solvers.options import Method, SolveOptions
from tests.each import each

BROKEN = {
    "method": (
        "newton",
        "`method` must be one of auto, simplex, ipm, hipo; got 'newton'. If unsure take 'auto'.",
    ),
    "time_limit": (0, "`time_limit` must be positive; got 0. For no limit leave it out."),
    "threads": (
        0,
        "`threads` must be a whole number from 1 to 256; got 0. To let the solver choose leave it out.",
    ),
    "feasibility_tolerance": (
        0.0,
        "`feasibility_tolerance` must lie between 0 and 1; got 0.0. The default is 1e-9.",
    ),
    "optimality_tolerance": (
        2.0,
        "`optimality_tolerance` must lie between 0 and 1; got 2.0. The default is 1e-9.",
    ),
    "mip_gap": (-0.1, "`mip_gap` must not be negative; got -0.1. The default is 1e-7."),
    "seed": (-1, "`seed` must be a whole number from 0 to 2147483647; got -1. The default is 0."),
}


@each("name", BROKEN)
def test_a_setting_that_breaks_its_rule_is_refused_with_rule_value_and_remedy(name):
    value, sentence = BROKEN[name]
    with pytest.raises(ProblemError) as refusal:
        SolveOptions(**{name: value})
    assert str(refusal.value) == sentence


@pytest.mark.parametrize("name", ["time_limit", "feasibility_tolerance", "optimality_tolerance", "mip_gap"])
def test_nan_is_no_number_to_set(name):
    with pytest.raises(ProblemError, match="got nan"):
        SolveOptions(**{name: float("nan")})


@pytest.mark.parametrize("name", ["feasibility_tolerance", "optimality_tolerance", "mip_gap"])
def test_a_text_is_no_number_to_set(name):
    with pytest.raises(ProblemError, match="got '1'"):
        SolveOptions(**{name: "1"})


@pytest.mark.parametrize(
    ("name", "value"), [("threads", 1.5), ("threads", True), ("seed", 0.5), ("seed", False)]
)
def test_threads_and_seed_are_whole_numbers(name, value):
    with pytest.raises(ProblemError, match=f"got {value}"):
        SolveOptions(**{name: value})


def test_a_gap_and_a_seed_of_zero_may_be_asked_for():
    options = SolveOptions(mip_gap=0, seed=0)
    assert (options.mip_gap, options.seed) == (0, 0)


def test_a_method_may_be_given_as_text():
    assert SolveOptions(method="ipm").method is Method.IPM
    assert dataclasses.replace(SolveOptions(), method="simplex").method is Method.SIMPLEX


def test_options_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        SolveOptions().seed = 3
