"""The help of each choice of a question, from the key that it gives in a question's table."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from optmech.base.wording import join_words
from optmech.cli.choices import CHOICES, PROPERTY_NAMES, SEVERAL
from optmech.cli.options import Option
from optmech.question.keys import EPSILON
from optmech.question.kinds import KINDS
from optmech.question.kinds.bounded_records import ADJACENCIES
from optmech.question.loss import LOSSES
from optmech.question.losses.tables import OBJECTIVE_KEYS
from optmech.question.problems.command_words import flag_of
from optmech.question.problems.histogram import HISTOGRAM_ADJACENCY
from optmech.question.problems.named import FORMULATIONS, WITHOUT_ORDER, structures_of
from optmech.question.schema import KEYS_OF_KIND
from optmech.question.table import PARTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.question.keys import Key

# Where a formulation means another thing by a choice than the key says.
_OWN = {
    ("histogram", "range"): "smallest and largest count of a cell",
    ("histogram", "epsilon"): f"of the whole histogram: {EPSILON.words}",
    (
        "histogram",
        "adjacency",
    ): f"what one person may do with their records: {join_words(ADJACENCIES, 'or')}; "
    f"default: {HISTOGRAM_ADJACENCY}, as in a table of `optmech tabulate`",
    ("p-table", "properties"): "what else must hold of every count: 'accuracy >= 0.3' or 'accuracy = 0.3', "
    f"column-monotone, column-honest, fair; {SEVERAL}",
    ("p-table", "delta"): "with it the loss is least; left out: delta is least",
    ("p-table", "least"): "what is to be least: delta, or with --delta the loss",
    ("p-table", "loss"): "with --delta, the loss of the worst count: absolute, zero-one or 'beyond 2'; "
    "left out: squared",
    ("kadam", "distances"): "by how much one person may move the answer, such as 1,2,3, or with --moduli "
    "'0,1;1,0'",
    ("croft", "prior"): "uniform, or a probability for each true answer; default: the plain sum over them",
    ("croft", "properties"): f"what else must hold: {PROPERTY_NAMES}; {SEVERAL}",
}


def choice_option(name: str, formulation: str, *, is_required: bool) -> Option:
    """Return the option of a choice; its help says whether it is required."""
    sentence = ("required: " if is_required else "") + help_of(formulation, name)
    return Option(
        (flag_of(name),), {"dest": name, "help": sentence.replace("%", "%%"), **CHOICES[name].settings}
    )


def help_of(formulation: str, name: str) -> str:
    """Return the help of a choice: what it means, how it is typed, and its default.

    >>> help_of("vector", "moduli"), help_of("mean", "range")
    ('how many values each coordinate has, such as 3,3', 'smallest and largest value of a record')
    >>> help_of("mean", "least")
    'what is to be least: loss or delta; default: loss'
    """
    if (formulation, name) in _OWN:
        return _OWN[formulation, name]
    if name in _OF_FORMULATION:
        return _OF_FORMULATION[name](formulation)
    choice = CHOICES[name]
    if choice.about:
        text, how, default = choice.about, "", choice.default
    else:
        key = _key_of(formulation, choice.key or name)
        words = key.form.words if "enum" in key.form.schema else ""
        text, how = key.about, choice.how or words
        default = choice.default or (str(key.default) if type(key.default) in (str, int) else "")
    example = FORMULATIONS[formulation].example.get(name, choice.example) if choice.example else ""
    return "".join(
        (
            _conditions(formulation, name),
            text,
            f": {how}" if how else "",
            f", such as {shlex.quote(example)}" if example else "",
            f"; default: {default}" if default else "",
        )
    )


def _key_of(formulation: str, name: str) -> Key:
    """Return the key of a table that a choice gives, of a query of the formulation's kind if it has one."""
    queries = KEYS_OF_KIND["query"]
    of_query = [queries[formulation]] if formulation in queries else list(queries.values())
    others = (part.values() for part in KEYS_OF_KIND.values())
    tables = (*of_query, *(keys for part in others for keys in part), OBJECTIVE_KEYS, PARTS)
    return next(key for keys in tables for key in keys if key.name == name)


def _conditions(formulation: str, name: str) -> str:
    """Return which structures a choice of theirs is for, where a structure can be chosen."""
    if "structure" not in FORMULATIONS[formulation].optional or name in FORMULATIONS[formulation].required:
        return ""
    owners = [kind.word for kind in structures_of(formulation) if name in [key.name for key in kind.keys]]
    return f"with --structure {join_words(owners, 'or')}: " if owners else ""


def _range(formulation: str) -> str:
    kinds = [KINDS[formulation]] if formulation in KINDS else KINDS.values()
    nouns = dict.fromkeys(kind.ranged for kind in kinds if kind.ranged)
    return f"smallest and largest {join_words(nouns, 'or')}"


def _structure(formulation: str) -> str:
    key = _key_of(formulation, "structure")
    words = [kind.word for kind in structures_of(formulation)]
    return f"{key.about}: {join_words(words, 'or')}; default: {key.default['kind']}"


def _loss(formulation: str) -> str:
    text = _key_of(formulation, "loss").about
    if formulation in WITHOUT_ORDER:
        further = (
            " or, where one is given, distance" if "distance" in FORMULATIONS[formulation].optional else ""
        )
        return f"{text}: zero-one{further}; default: zero-one"
    return (
        f"{text}: {', '.join(LOSSES)}, or 'beyond 2': the probability of a larger error; of a count also "
        f"losses at distance 0, 1, … with commas, the last one for all beyond; default: {LOSSES[0]}"
    )


_OF_FORMULATION: dict[str, Callable[[str], str]] = {"range": _range, "structure": _structure, "loss": _loss}
