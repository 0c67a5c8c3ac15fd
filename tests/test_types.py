"""The types that users write against: they say what comes back, and keep to the registries."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from typing import get_args

import pytest

import optmech as om
from optmech.designs.choice import ENGINES
from optmech.designs.engines.engine import EngineName
from optmech.models.solvers import interface
from optmech.models.solvers.interface import SolverName
from optmech.models.solvers.options import Method, MethodName
from optmech.question.loss import LOSSES, NOISE_COSTS, CostName, LossName
from tests.docs.shown import ROOT, blocks_of

# mypy reads this as a user's file: each line that names an error must have it, and no other line any.
USES = """
    from typing import assert_type

    import numpy as np
    from numpy.typing import NDArray
    from typing import Any

    import optmech as om

    problem = om.question(om.count(10), epsilon=1, loss="squared")
    proved = om.design(problem, engine="chain", solver="cbc", method="simplex")
    assert_type(proved, om.Design)
    assert_type(proved.certificate, om.Certificate)
    raw = om.design(problem, raw=True)
    assert_type(raw, om.RawDesign)
    assert_type(raw.certificate, None)
    mechanism = om.mechanism(om.read_certificate("mechanism.certificate.json"))
    assert_type(mechanism, om.Mechanism)
    assert_type(mechanism.sample(3), int | float)
    assert_type(mechanism.sample("yes"), str | int | float)
    assert_type(mechanism.sample([3, 0]), NDArray[Any])
    assert_type(mechanism.sample(np.array([3, 0])), NDArray[Any])
    assert_type(mechanism.sample(3, 2), NDArray[Any])
    om.design(problem, engine="nonsense")  # call-overload
    om.design(problem, solver="nonsense")  # call-overload
    om.design(problem, method="nonsense")  # call-overload
    {problem, problem.query, proved.certificate}
"""


def test_the_words_of_types_are_those_of_the_registries():
    assert get_args(EngineName) == ("auto", *ENGINES)
    assert get_args(SolverName) == ("auto", *(each.name for each in interface._SOLVERS))
    assert get_args(MethodName) == tuple(Method)
    assert (get_args(LossName), get_args(CostName)) == (LOSSES, NOISE_COSTS)


def mypy(path):
    pytest.importorskip("mypy")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--config-file=", str(path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=path.parent,
    )
    return [line for line in done.stdout.splitlines() if ": note:" not in line]


@pytest.mark.slow
def test_the_python_of_the_readme_passes_mypy_strictly(tmp_path):
    path = tmp_path / "readme.py"
    path.write_text("\n".join(each.text for each in blocks_of(ROOT / "README.md") if each.kind == "python"))
    assert mypy(path) == []


@pytest.mark.slow
def test_a_user_has_the_types_that_are_promised(tmp_path):
    path = tmp_path / "uses.py"
    path.write_text(textwrap.dedent(USES).lstrip())
    expected = [
        (number, line.partition("# ")[2])
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if "  # " in line
    ]
    errors = mypy(path)
    assert [(int(line.split(":")[1]), line.rpartition("[")[2].rstrip("]")) for line in errors] == expected


def test_what_is_drawn_has_the_type_that_is_told():
    counts = om.design(om.question(om.count(5), 1)).mechanism
    labels = om.design(om.question(om.categories(["a", "b"]), 1)).mechanism
    assert isinstance(counts.sample(3), int)
    assert isinstance(labels.sample("a"), str)
    assert counts.sample(3, 2).shape == (2,)


def test_what_draws_comes_of_every_kind_of_certificate(tmp_path):
    for number, problem in enumerate(
        (om.croft(om.count(3), 1, variant=2), om.question(om.count(30_000), 1), om.p_table(2, 1, variance=1))
    ):
        design = om.design(problem)
        path = tmp_path / f"{number}.json"
        om.write_certificate(design, path)
        certificate = om.read_certificate(path)
        for mechanism in (om.mechanism(certificate), certificate.mechanism, om.mechanism(design)):
            assert type(mechanism) is type(design.mechanism)
            assert mechanism.truths == design.mechanism.truths
            assert mechanism.sample([0, 1]).shape == (2,)
    with pytest.raises(om.ProblemError, match="`source` must be a design, a certificate or a mechanism"):
        om.mechanism("mechanism.json")
