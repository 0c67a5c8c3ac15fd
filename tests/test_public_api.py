"""The public face: what is promised is there, documented, and nothing else is."""

from __future__ import annotations

import inspect
import subprocess
import sys
from operator import attrgetter

import optmech as om
from tests.each import each

PROMISED = {
    "count", "croft", "design", "extremum", "kadam", "kadam_least_delta", "mean",
    "residues", "sadeghi", "sadeghi_symmetric", "verify", "Mechanism", "Problem",
    "Query", "Design", "Report",
}  # fmt: skip


def test_what_is_promised_is_there():
    assert set(om.__all__) >= PROMISED
    assert all(hasattr(om, name) for name in om.__all__)


def test_dir_shows_what_is_public_and_nothing_else():
    assert dir(om) == sorted(om.__all__)


ROOMS = ("analysis", "models", "release", "reports")
NAMES = [name for name in om.__all__ if name != "__version__"]
NAMES += [f"{room}.{name}" for room in ROOMS for name in getattr(om, room).__all__]


@each("name", NAMES)
def test_every_public_name_is_documented(name):
    documented = attrgetter(name)(om)
    assert inspect.getdoc(documented)
    for method, member in inspect.getmembers(documented, inspect.isfunction):
        if not method.startswith("_") and member.__module__.startswith("optmech"):
            assert inspect.getdoc(member), f"{name}.{method}"


def test_the_public_face_answers_as_the_readme_says():
    problem = om.croft(om.count(5), epsilon="0.5", variant=2)
    design = om.design(problem, solver="highs")
    assert design.mechanism.matrix.shape == (6, 6)
    assert design.lower_bound <= design.objective + 1e-9
    assert design.mechanism.effective_epsilon(problem.query) <= 0.5 + 1e-9
    assert design.seconds > 0
    assert design.solution.solver.startswith("highs ")
    assert om.verify(design.mechanism, problem)


def test_importing_prints_nothing_and_configures_no_logging():
    code = "import logging, optmech; assert not logging.getLogger().handlers; print(end='')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def loaded_by(code):
    """Return the modules that a new process has after this code."""
    code = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_package_loads_none_of_its_rooms():
    rooms = {name.split(".")[1] for name in loaded_by("import optmech") if name.startswith("optmech.")}
    assert rooms == {"base"}


def test_a_question_loads_no_engine():
    loaded = loaded_by(
        "import optmech.question.queries, optmech as om; om.question(om.count(5), 1); om.Problem"
    )
    rooms = {name.split(".")[1] for name in loaded if name.startswith("optmech.")}
    assert rooms == {"base", "question"}
    assert not loaded & {"highspy", "pulp", "scipy.optimize", "matplotlib", "IPython"}


@each("name", ["question", "verify"], slow_every=2)
@each(
    "code",
    [
        "import optmech.{0}",
        "from optmech.question.query import Query; from optmech.verify.report import Report",
        "import optmech; optmech.{0}; import optmech.verify.checks, optmech.question.problems.croft",
        "from optmech import {0}; import importlib; importlib.import_module('optmech.{0}')",
    ],
    every=6,
)
def test_a_function_is_never_replaced_by_the_package_of_its_name(name, code):
    code = f"{code.format(name)}\nimport optmech as om\nassert callable(om.{name}), om.{name}"
    assert f"optmech.{name}" in loaded_by(code)


def test_every_error_is_an_optmech_error():
    errors = [getattr(om, name) for name in om.__all__ if name.endswith("Error")]
    assert len(errors) == 8
    assert all(issubclass(error, om.OptmechError) for error in errors)
