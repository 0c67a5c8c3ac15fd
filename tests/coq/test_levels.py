"""Proofs on levels: the proved checker derives the bounds of check_levels.py and refuses the same files."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest

from tests.coq.proved_checker import PROVED, REFUSED, run
from tests.coq.test_hostile_files import in_little_memory
from tests.coq.test_same_verdict import changed, places
from tests.each import each
from tests.readers import by_checker, checker, levels_checker

ACCEPT = Path(__file__).parents[1] / "vectors" / "accept"
FILES = sorted(ACCEPT.glob("levels-*.json"))
BY_HAND = (ACCEPT / "levels-by-hand.json").read_text(encoding="utf-8")


def with_its_bound(content, size):
    """Return the text of a certificate with the bound that its own proof shows, where that shows any."""
    try:
        question = checker.Question(content["question"], checker.WORK + checker.WORK_OF_A_CHARACTER * size)
        question.compile()
        bound = checker.short_bound(levels_checker.bound(question, content["proof"]["levels"]))
    except Exception:  # noqa: BLE001 - the file is refused whatever its bound
        return json.dumps(content)
    gap = Fraction(content["objective"]) - bound
    return json.dumps({**content, "bound": str(bound), "gap": str(gap)})


def nodes(part, path=()):
    """Yield where a tree has a node that is a split."""
    if isinstance(part, dict):
        yield path
        for name in part:
            yield from nodes(part[name], (*path, name))


def reordered(tree, draw):
    """Return a tree in which one split has its cases exchanged, one of them twice, or other names."""
    names = [*nodes(tree)]
    if not names:
        return tree
    tree = json.loads(json.dumps(tree))
    part = tree
    for name in draw.choice(names):
        part = part[name]
    cases = [name for name in part if name not in ("value", "level")]
    a, b = draw.sample(cases, 2)
    if draw.random() < 0.3:
        part[a], part[b] = part[b], part[a]
    elif draw.random() < 0.5:
        part[a] = part[b]
    else:
        other = ("both", "neither", "one") if "yes" in part else ("yes", "no", "no")
        held = [part.pop(name) for name in cases]
        part.update(zip(other, [*held, held[-1]], strict=False))
    return tree


def with_another_proof(path, draw):
    """Return a certificate with one to three changes of its proof, and the bound that then follows."""
    text = path.read_text(encoding="utf-8")
    content = json.loads(text)
    levels = content["proof"]["levels"]
    for _ in range(draw.choice([1, 1, 2, 3])):
        kind = draw.random()
        if kind < 0.15:
            levels["tree"] = reordered(levels["tree"], draw)
        elif kind < 0.3:
            cut = " ".join(str(draw.randrange(1, 6)) for _ in range(draw.randrange(3, 6)))
            levels[draw.choice(["leak_cuts", "mass_cuts"])].append(cut)
        else:
            *rest, last = draw.choice([*places(levels)])
            part = levels
            for name in rest:
                part = part[name]
            part[last] = changed(part[last], draw)
    return with_its_bound(content, len(text))


@pytest.mark.parametrize(
    "tries", [60, pytest.param(150, marks=pytest.mark.slow), pytest.param(20_000, marks=pytest.mark.long)]
)
def test_other_proofs_get_the_same_verdict_and_the_same_bound(proved_checker, tmp_path, tries):
    draw = random.Random(tries)  # noqa: S311 - the same files in every run
    accepted = 0
    for _ in range(tries):
        path = draw.choice(FILES)
        text = with_another_proof(path, draw)
        copy = tmp_path / "other.json"
        copy.write_text(text, encoding="utf-8")
        done = run(proved_checker, copy)
        try:
            trouble = by_checker(text)
        except Exception as fault:  # noqa: BLE001 - as a program it refuses these, too
            trouble = str(fault)
        assert done.returncode in (PROVED, REFUSED)
        assert (done.returncode == PROVED) == (trouble is None), (
            f"{path.name}: {trouble}; {done.stderr}\n{text}"
        )
        accepted += trouble is None
    assert tries * 0.1 < accepted < tries * 0.9


@each("path", FILES, every=3)
def test_no_higher_bound_is_taken_for_proved(proved_checker, tmp_path, path):
    content = json.loads(path.read_text(encoding="utf-8"))
    objective, bound = Fraction(content["objective"]), Fraction(content["bound"])
    higher = (bound + objective) / 2 if bound < objective else bound + Fraction(1, 10**30)
    content |= {"bound": str(higher), "gap": str(objective - higher)}
    copy = tmp_path / "higher.json"
    copy.write_text(json.dumps(content), encoding="utf-8")
    done = run(proved_checker, copy)
    assert (done.returncode, done.stdout) == (REFUSED, "")


def with_levels(**parts):
    content = json.loads(BY_HAND)
    content["proof"]["levels"] |= parts
    return json.dumps(content)


def deep(splits):
    return '{"value":2,"level":2,"yes":' * splits + '"1 0*4"' + ',"no":"0"}' * splits


@each(
    "text",
    [
        pytest.param(with_levels(tops="0*99999999"), id="last levels of 10^8 values"),
        pytest.param(with_levels(tops="0 1 " + "9" * 3_000 + " 1"), id="a last level of 3000 digits"),
        pytest.param(with_levels(tops="0 1 1000*2"), id="a distance of level 1000"),
        pytest.param(with_levels(tree="1 0*99999999"), id="10^8 multipliers"),
        pytest.param(with_levels(tree="9" * 5_000), id="a multiplier of 5000 digits"),
        pytest.param(
            with_levels(tree={"value": 10**30, "level": 2, "yes": "1", "no": "1"}), id="a value of 10^30"
        ),
        pytest.param(
            with_levels(tree={"value": -1, "level": 2, "yes": "1", "no": "1"}), id="a value below 0"
        ),
        pytest.param(
            with_levels(tree={"value": 2, "level": 10**30, "yes": "1", "no": "1"}), id="a level of 10^30"
        ),
        pytest.param(with_levels(leak_cuts=[f"{10**30} 1 1"]), id="a cut from level 10^30 on"),
        pytest.param(with_levels(leak_cuts=["1 1 1"] * 100_000), id="100000 cuts"),
        pytest.param(with_levels(mass_cuts=["2 1 " + "9" * 5_000]), id="a cut of 5000 digits"),
        pytest.param(with_levels(cap="1" + "0" * 3_900, mass_cuts=["1 1 1"]), id="a cap of 10^3900"),
        pytest.param(with_levels(cap="1" + "0" * 60, mass_cuts=["1 1 1 1"]), id="points of a cap of 10^60"),
        pytest.param(with_levels(tree="TREE").replace('"TREE"', deep(380)), id="splits 380 deep"),
        pytest.param(with_levels(tree="TREE").replace('"TREE"', deep(100_000)), id="splits 100000 deep"),
    ],
)
def test_hostile_proofs_are_refused_with_a_line(proved_checker, tmp_path, text):
    path = tmp_path / "hostile.json"
    path.write_text(text, encoding="utf-8")
    done = run(proved_checker, path, preexec_fn=in_little_memory)
    assert (done.returncode, done.stdout) == (REFUSED, ""), done
    assert done.stderr.startswith("refused: ")
    assert done.stderr.count("\n") == 1
