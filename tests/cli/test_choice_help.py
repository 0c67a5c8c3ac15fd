"""The help of each choice: its text is there, its default is the true one, and its example can be typed."""

from __future__ import annotations

import re

from optmech.cli.choice_help import help_of
from optmech.cli.choices import CHOICES
from optmech.question.content import question_of
from optmech.question.problems.named import FORMULATIONS, named_problem
from optmech.question.problems.named_query import QUERY_CHOICES
from tests.each import each

DEFAULT = re.compile(r"default: ([\w.-]+)(?:$|,)")
ASKED = [name for name in FORMULATIONS if name != "question"]
# Those of several kinds of query, whose choices are asked of each kind alone.
OF_SEVERAL = ("croft", "kadam")


def typed(name, text):
    """Return the value that an option makes of a text."""
    read = CHOICES[name].read
    return text if read is None else read(text)


def example_of(formulation):
    return {name: typed(name, text) for name, text in FORMULATIONS[formulation].example.items()}


@each("formulation", ASKED)
def test_what_help_calls_the_default_is_what_is_asked_without_it(formulation):
    known, example = FORMULATIONS[formulation], example_of(formulation)
    asked = question_of(named_problem(formulation, example))
    for name in known.optional:
        sentence = help_of(formulation, name)
        assert sentence, name
        default = DEFAULT.search(sentence)
        is_elsewhere = formulation in OF_SEVERAL and name in QUERY_CHOICES
        if default and name not in example and not is_elsewhere:
            choices = {**example, name: typed(name, default[1])}
            assert question_of(named_problem(formulation, choices)) == asked, name


@each("formulation", ASKED)
def test_each_example_has_all_that_is_required_and_help_shows_the_lists_of_it(formulation):
    known = FORMULATIONS[formulation]
    assert set(known.required) <= set(known.example)
    for name in known.required:
        if CHOICES[name].example:
            assert known.example[name] in help_of(formulation, name)


def test_a_choice_of_some_structures_says_which():
    assert help_of("count", "half_width").startswith("with --structure symmetric or zero-bias: ")
    assert not help_of("sadeghi", "half_width").startswith("with")
    assert help_of("residues", "structure").startswith("the set of allowed mechanisms: free or modular;")
