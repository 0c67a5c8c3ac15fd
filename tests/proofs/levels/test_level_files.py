"""Files of proofs on levels: both readers accept and refuse the same ones, and no change proves too much."""

from __future__ import annotations

import copy
import json
import random
import re
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import pytest

import optmech as om
from optmech.mechanisms.certificates.level_text import read_levels
from optmech.mechanisms.certificates.runs import text_of_runs
from optmech.proofs.levels.tree import LevelLeaf
from optmech.reports.card.proofs import proof_facts
from tests.readers import by_checker, by_package, checker, levels_checker

FILES = sorted((Path(__file__).parents[2] / "vectors" / "accept").glob("levels-*.json"))
CASES = ("yes", "no", "both", "neither", "one")


def with_little_told(content):
    """Return the file of a noise that tells nothing in place of its own, so that a bound may be too large."""
    size = len(content["question"]["query"]["truths"])
    content["mechanism"] = {"denominator": str(size), "rows": [" ".join("1" * size)] * size}
    content |= {"delta": "0", "objective": str(Fraction(size - 1, size))}
    return content


def nodes(tree):
    parts = [tree[name] for name in CASES if name in tree] if isinstance(tree, dict) else []
    return [tree, *(node for part in parts for node in nodes(part))]


def splits(proof):
    return [node for node in nodes(proof["tree"]) if isinstance(node, dict)]


def numbers(text):
    runs = (run.partition("*") for run in text.split(" "))
    return [int(each) for number, _, times in runs for each in [number] * int(times or 1)]


def other(draw, number):
    changed = (number + 1, number - 1, 2 * number, number * 3 // 4, 0, -number, draw.getrandbits(45))
    return draw.choice(changed)


def change_leaf(proof, draw):
    holders = [(node, name) for node in splits(proof) for name in CASES if isinstance(node.get(name), str)]
    holder, name = draw.choice([*holders, *([(proof, "tree")] if isinstance(proof["tree"], str) else [])])
    listed = numbers(holder[name])
    for _ in range(draw.randint(1, 3)):
        at = draw.randrange(len(listed))
        listed[at] = other(draw, listed[at])
    listed = listed[: len(listed) - (draw.random() < 0.05)] + [0] * (draw.random() < 0.05)
    holder[name] = text_of_runs(listed)


def change_split(proof, draw):
    node = draw.choice(splits(proof) or [{"value": 0, "level": 0}])
    name = draw.choice(("value", "level"))
    number = int(node[name])
    node[name] = draw.choice((number + 1, number - 1, -number, str(number), True))


def exchange_cases(proof, draw):
    node = draw.choice(splits(proof) or [{"no": ""}])
    one, another = (draw.choice([name for name in CASES if name in node]) for _ in range(2))
    node[one], node[another] = node[another], copy.deepcopy(node[draw.choice((one, another))])


def change_kind(proof, draw):
    node = draw.choice(splits(proof) or [{"no": ""}])
    parts = [node.pop(name) for name in CASES if name in node]
    names = draw.choice((CASES[:2], CASES[2:], CASES[:1]))
    node |= {name: draw.choice(parts) for name in names}


def cut_off(proof, draw):
    node = draw.choice(splits(proof) or [proof])
    name = draw.choice([name for name in (*CASES, "tree") if name in node])
    node[name] = draw.choice([part for part in nodes(proof["tree"]) if isinstance(part, str)])


def split_again(proof, draw):
    """Split a case once more, as often as not so that it is sound."""
    node = draw.choice([*splits(proof), proof])
    name = draw.choice([name for name in (*CASES, "tree") if name in node])
    names = draw.choice((CASES[:2], CASES[2:]))
    parts = {other: copy.deepcopy(node[name]) for other in names}
    node[name] = {"value": draw.randint(0, 8), "level": draw.randint(1, 4), **parts}


def change_tops(proof, draw):
    listed = numbers(proof["tops"])
    at = draw.randrange(len(listed))
    listed[at] = draw.choice((listed[at] + 1, listed[at] - 1, 0))
    proof["tops"] = text_of_runs(listed)


def change_cap(proof, draw):
    ratio = Fraction(draw.randint(1, 60), 30) if draw.random() < 0.8 else Fraction(1 + draw.randint(-9, 9), 1)
    proof["cap"] = str(Fraction(proof["cap"]) * ratio)


def change_cuts(proof, draw):
    cuts = proof[draw.choice(("leak_cuts", "mass_cuts"))]
    if cuts and draw.random() < 0.5:
        listed = [int(number) for number in cuts[-1].split(" ")]
        at = draw.randrange(len(listed))
        listed[at] = other(draw, listed[at])
        cuts[-1] = " ".join(map(str, listed))
        return
    drawn = [draw.randint(1, 2), *(draw.randint(0, 2) for _ in range(draw.randint(1, 2))), draw.randint(0, 4)]
    cuts.append(" ".join(map(str, drawn)))
    if draw.random() < 0.7:  # each leaf has multipliers of it at its end
        add = " ".join(str(draw.choice((0, draw.getrandbits(40)))) for _ in range(draw.choice((1, 2, 6))))
        text = json.dumps(proof["tree"])
        proof["tree"] = json.loads(re.sub(r'([0-9])"(?=[,}]|$)', rf'\1 {add}"', text))


def change_fields(proof, draw):
    holder = draw.choice([*splits(proof), proof])
    name = draw.choice([*holder])
    match draw.randrange(4):
        case 0:
            del holder[name]
        case 1:
            holder[f"{name}s"] = holder[name]
        case 2:
            holder[name] = draw.choice(([], {}, None, 1, "1", ""))
        case _:
            holder[name] = [holder[name]]


CHANGES = [
    *(change_leaf, change_leaf, change_split, exchange_cases, change_kind, cut_off, split_again),
    *(change_tops, change_cap, change_cuts),
]


def let_bound_follow(content):
    """Write the bound that the checker computes of a proof, as far as it does."""
    question = checker.Question(content["question"], 2**40)
    question.compile()
    with suppress(Exception):
        bound = checker.short_bound(levels_checker.bound(question, content["proof"]["levels"]))
        content |= {"bound": str(bound), "gap": str(Fraction(content["objective"]) - bound)}


def changed(seed):
    """Return a file of which one thing or two are changed, and the optimum of its question."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    content = json.loads(draw.choice(FILES).read_text(encoding="utf-8"))
    optimum = Fraction(content["objective"])
    if content["question"]["objective"]["least"] == "loss":
        with_little_told(content)
    proof = content["proof"]["levels"]
    for change in draw.choices(CHANGES, k=draw.choice((1, 1, 2))):
        change(proof, draw)
    if draw.random() < 0.05:
        change_fields(proof, draw)
    if draw.random() < 0.9:
        let_bound_follow(content)
    return content, optimum


def is_accepted_by_checker(text):
    """Whether the checker accepts a file; whatever it stumbles over is no proof, as on the command line."""
    with suppress(Exception):
        return bool(checker.check(text))
    return False


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(40), id="quick"),
        pytest.param(range(40, 370), id="others", marks=pytest.mark.slow),
        pytest.param(range(370, 10_000), id="rest", marks=pytest.mark.long),
    ],
)
def test_changed_files_are_accepted_by_both_readers_or_neither_and_prove_nothing_false(seeds):
    outcomes = Counter()
    for seed in seeds:
        content, optimum = changed(seed)
        text = json.dumps(content)
        refusal = by_package(text)
        assert (refusal is None) is is_accepted_by_checker(text), (seed, refusal)
        assert refusal is not None or Fraction(content["bound"]) <= optimum, seed
        outcomes[refusal is None] += 1
    assert min(outcomes[True], outcomes[False]) > len(seeds) // 5, outcomes


@pytest.mark.parametrize("cut", ["2", "2 1", "1 1 1 1 1 1 1 1 1 1 9", "", "x"])
def test_a_cut_without_as_many_numbers_as_a_cut_has_is_refused_in_words(cut):
    content = json.loads(FILES[0].read_text(encoding="utf-8"))
    content["proof"]["levels"]["leak_cuts"] = [cut]
    text = json.dumps(content)
    assert by_package(text)
    assert by_checker(text)


def test_a_leaf_with_too_few_multipliers_is_no_leaf():
    content = json.loads((FILES[0].parent / "levels-mirrored.json").read_text(encoding="utf-8"))
    proof = content["proof"]["levels"]
    query = om.read_certificate(FILES[0].parent / "levels-mirrored.json").problem.query
    proof["tree"] = "1"
    with pytest.raises(ValueError, match="multiplier of each budget and cut"):
        read_levels(proof, query)


def test_a_card_counts_the_multipliers_and_says_that_the_bound_is_proved():
    certificate = om.read_certificate(FILES[0].with_name("levels-mirrored.json"))
    proof = proof_facts(certificate)
    assert proof.multipliers == sum(map(bool, all_numbers(certificate.proof.tree))) > 0
    assert (proof.bound.provenance, proof.bound.value) == ("proved", pytest.approx(0.581339117098, abs=1e-12))
    assert "in each of 3 cases" in proof.how


def all_numbers(tree):
    return (
        tree.numbers if isinstance(tree, LevelLeaf) else [y for part in tree.parts for y in all_numbers(part)]
    )
