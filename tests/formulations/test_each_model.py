"""Each model as algebra has its instances, a builder that names it, and a place in the table of models."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from optmech.question.problems.instances import read_instances
from tests.each import each

ROOT = Path(__file__).parents[2]
MODELS = sorted(ROOT.glob("formulations/*.mod"))
ROOMS = ("models/formulations", "question/structures", "question/problems")
BUILDERS = "".join(path.read_text() for room in ROOMS for path in (ROOT / "src/optmech" / room).glob("*.py"))


@each("model", MODELS, every=2)
def test_a_model_has_instances_that_are_problems(model):
    instances = read_instances(model.with_suffix(".toml"))
    names = [instance.name for instance in instances]
    assert len(set(names)) == len(names) >= 4
    for instance in instances:
        instance.problem()
        float(instance.known["objective"])


@each("model", MODELS)
def test_a_model_is_named_by_its_builder_and_in_the_table(model):
    family = re.sub(r"_least_delta.*", "_least_delta", model.stem)
    assert family in BUILDERS
    assert f"`{model.stem}`" in (ROOT / "formulations/README.md").read_text()


@each("model", MODELS)
def test_a_model_says_where_it_comes_from_and_how_it_differs(model):
    text = model.read_text()
    assert "# Source:" in text
    assert "# Differs from the paper in:" in text


@each("model", MODELS)
def test_every_letter_of_a_model_has_a_word(model):
    declared = set(
        re.findall(r"^(?:set|param|var) (\w+)|; *(?:set|param) (\w+)", model.read_text(), re.MULTILINE)
    )
    letters = {first or second for first, second in declared}
    symbols = tomllib.loads(model.with_suffix(".toml").read_text())["symbols"]
    glossary = (ROOT / "docs/glossary.md").read_text().partition("## Letters")[2]
    assert letters <= set(re.findall(r"^\| `(\w+)` \|", glossary, re.MULTILINE))
    assert letters & set(symbols)
