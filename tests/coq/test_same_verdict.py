"""The proved checker and check_certificate.py give the same verdicts, of tampered files as well."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest

import optmech as om
from tests.coq.proved_checker import NOT_COVERED, PROVED, REFUSED, run
from tests.each import each
from tests.proofs.test_noise_values import with_leaves
from tests.readers import by_checker, checker

VECTORS = Path(__file__).parents[1] / "vectors"
FILES = sorted(path for path in VECTORS.glob("*/*.json") if not path.name.startswith("csv-"))
ACCEPTED = [path for path in FILES if path.parent.name == "accept"]


def is_covered(content):
    """Whether the proved checker covers a certificate."""
    return "elsewhere" not in content["mechanism"] and all(
        own["kind"] != "as-private-as" for own in content["question"]["privacy"]
    )


COVERED = [path for path in ACCEPTED if is_covered(json.loads(path.read_text()))]
ROWS = [path for path in COVERED if "noise" in json.loads(path.read_text())["mechanism"]]
MATRICES = [path for path in COVERED if path not in ROWS]
KINDS = {"pure": "sets", "approximate": "sets", "per-outcome": "outcomes", "probabilistic": "mass"}


def test_all_but_privacy_as_a_noise_has_it_and_two_numbers_is_covered(proved_checker):
    assert len(MATRICES) > 60
    assert len(ROWS) > 30
    assert {"rays.json", "column-of-residues.json", "chains-of-nobody.json"} <= {
        path.name for path in MATRICES
    }
    for path in ACCEPTED:
        done = run(proved_checker, path)
        assert done.returncode == (PROVED if path in COVERED else NOT_COVERED), path.name + done.stderr
        assert done.stderr.startswith("" if path in COVERED else "not covered: ")


def test_many_cases_of_modular_noise_are_added_up_by_noise_values(proved_checker, tmp_path):
    path = tmp_path / "cases.json"
    path.write_text(with_leaves(om.kadam(om.residues(48, [1]), "0.5", "0.05"), 600), encoding="utf-8")
    done = run(proved_checker, path)
    assert (done.returncode, done.stderr) == (PROVED, "")


@each("path", FILES, every=6)
def test_it_accepts_and_refuses_what_the_folder_says(proved_checker, path):
    done = run(proved_checker, path)
    assert done.returncode in (
        (PROVED, NOT_COVERED) if path.parent.name == "accept" else (REFUSED, NOT_COVERED)
    )
    assert done.stdout.startswith("proved: " if done.returncode == PROVED else "")
    assert done.stderr.count("\n") == (0 if done.returncode == PROVED else 1)
    assert done.stderr.startswith(("", "refused: ", "not covered: ")[done.returncode])


# ---- What it understood: the question in numbers, as check_certificate.py derives them.
def in_numbers(text):
    """Return the question of a certificate as check_certificate.py compiles it, in one form for both."""
    q = checker.Question(json.loads(text)["question"], checker.WORK + checker.WORK_OF_A_CHARACTER * len(text))
    q.compile()
    names = [*range(q.tall * q.wide)] if q.names is None else q.names
    ordered = [pair for pairs in q.orders().values() for pair in pairs]
    sums = [rule for rules in q.sums.values() for rule in rules]
    return {
        "aim": "least delta" if q.delta is None else "worst loss" if q.loss.worst else "total loss",
        "neighbours": [[*pair] for pair in q.neighbours],
        "privacies": [
            [KINDS[own.kind], *epsilon_of(own.text), None if own.delta is None else fraction(own.delta)]
            for own in q.guarantees
        ],
        "names": [names.index(name) for name in names],
        "limits": {
            names.index(name): [fraction(low), fraction(high)] for name, (low, high) in q.limits.items()
        },
        "rules": [["<=", [0, 1], {a: [1, 1], b: [-1, 1]}] for a, b in ordered]
        + [
            [
                rule.sense,
                fraction(Fraction(rule.right) / rule.unit),
                {
                    e: fraction(Fraction(c, rule.unit))
                    for e, c in zip(rule.entries, rule.values, strict=True)
                    if c
                },
            ]
            for rule in sums
        ],
        "costs": [fraction(Fraction(c, q.loss.unit)) for c in q.loss.costs],
    }


def epsilon_of(text):
    is_logarithm = text.startswith("ln ")
    return ["log" if is_logarithm else "ratio", *fraction(Fraction(text.removeprefix("ln ")))]


def fraction(value):
    return [*Fraction(value).as_integer_ratio()]


def in_one_form(shown, expected):
    """Return the numbers that the proved checker prints in the form of `in_numbers`.

    The numbers of a rule are multiplied there by a unit of its own, which is taken from what is expected.
    """
    wide = len(shown["costs"][0])
    names = [name for row in shown["names"] for name in row]
    ends = {}
    for r, f, low, high in shown["limits"]:
        name = names.index(names[r * wide + f])
        a, b = ends.get(name, (Fraction(0), Fraction(1)))
        unit = shown["limit_unit"]
        ends[name] = max(a, Fraction(low, unit)), min(b, Fraction(high, unit))
    rules = []
    for (sense, right, terms), (_, _, values) in zip(shown["rules"], expected["rules"], strict=True):
        by_place = {r * wide + f: c for r, f, c in terms if c}
        place = next(iter(by_place))
        unit = Fraction(by_place[place]) / Fraction(*values[place])
        rules.append([sense, fraction(right / unit), {e: fraction(c / unit) for e, c in by_place.items()}])
        assert unit > 0
    return {
        **{name: shown[name] for name in ("aim", "neighbours", "privacies")},
        "names": [names.index(name) for name in names],
        "limits": {name: [fraction(low), fraction(high)] for name, (low, high) in ends.items()},
        "rules": rules,
        "costs": [fraction(Fraction(c, shown["cost_unit"])) for row in shown["costs"] for c in row],
    }


@each("path", MATRICES, every=4)
def test_it_understands_the_question_as_the_other_checker_does(proved_checker, path):
    text = path.read_text(encoding="utf-8")
    expected = in_numbers(text)
    shown = json.loads(run(proved_checker, "--question", path).stdout.splitlines()[-1])
    assert in_one_form(shown, expected) == expected


def in_canonical_form(question):
    """Return a question in canonical form: the modulus of a single coordinate goes without saying."""
    moduli = question["structure"]["moduli"]
    structure = {**question["structure"], "moduli": moduli if len(moduli) > 1 else []}
    return {**question, "structure": structure}


@each("path", MATRICES, every=4)
def test_it_prints_the_question_that_it_read(proved_checker, path):
    question = json.loads(path.read_text(encoding="utf-8"))["question"]
    words = run(proved_checker, "--question", path).stdout.splitlines()[-2]
    assert json.loads(words) == in_canonical_form(question)


# ---- Tampered files
def places(part, path=()):
    """Yield where a part of a file has a value that is no object and no list."""
    if isinstance(part, dict | list):
        for name, value in part.items() if isinstance(part, dict) else enumerate(part):
            yield from places(value, (*path, name))
    else:
        yield path


def changed(value, draw):
    """Return another value in place of one: a number in a text one more or less, longer, or gone."""
    if isinstance(value, bool) or value is None:
        return draw.choice([True, False, None, "0"])
    if isinstance(value, int):
        return value + draw.choice([-1, 1])
    words = value.split(" ")
    at = draw.randrange(len(words))
    digits = [i for i, c in enumerate(words[at]) if c.isdigit()]
    if digits and draw.random() < 0.8:
        i = draw.choice(digits)
        words[at] = words[at][:i] + draw.choice("0123456789") + words[at][i + 1 :]
    else:
        words[at : at + 1] = draw.choice([[], ["0"], [words[at], words[at]], ["-" + words[at]], [""]])
    return " ".join(words)


def changed_in_one_place(content, draw):
    """Return a certificate with one value changed."""
    *rest, last = draw.choice([*places({name: content[name] for name in content if name != "reported"})])
    part = content
    for name in rest:
        part = part[name]
    part[last] = changed(part[last], draw)
    return content


@pytest.mark.parametrize(
    "tries", [40, pytest.param(90, marks=pytest.mark.slow), pytest.param(10_000, marks=pytest.mark.long)]
)
def test_tampered_files_get_the_same_verdict(proved_checker, tmp_path, tries):
    draw = random.Random(tries)  # noqa: S311 - the same files in every run
    covered = 0
    for _ in range(tries):
        path = draw.choice(MATRICES)
        text = json.dumps(changed_in_one_place(json.loads(path.read_text()), draw))
        copy = tmp_path / "tampered.json"
        copy.write_text(text, encoding="utf-8")
        done = run(proved_checker, copy)
        if done.returncode == NOT_COVERED:
            continue
        covered += 1
        try:
            trouble = by_checker(text)
        except Exception as fault:  # noqa: BLE001 - as a program it refuses these, too
            trouble = str(fault)
        assert (done.returncode == PROVED) == (trouble is None), (
            f"{path.name}: {trouble}; {done.stderr}\n{text}"
        )
    assert covered > tries * 0.9


def with_claims(text):
    """Return a tampered certificate with the claims that check_certificate.py computes of it, if any."""
    content = json.loads(text)
    mechanism, most = content["mechanism"], checker.WORK_OF_RAYS + checker.WORK_OF_A_CHARACTER * len(text)
    try:
        q = checker.Question(content["question"], most)
        if "rays" in mechanism:
            rows = checker.Rays(mechanism).rows(q.wide)
        elif "column" in mechanism:
            noise = [int(x) for x in mechanism["column"].split(" ")]
            rows = [[noise[q.structure.noise(r, f)] for f in range(q.wide)] for r in range(q.tall)]
        else:
            rows = [[int(x) for x in line.split(" ")] for line in mechanism["rows"]]
        q.compile()
        matrix, total = [m for row in rows for m in row], int(mechanism["denominator"])
        spent, value, proved = checker.proved_numbers(q, matrix, total, content["proof"])
    except Exception:  # noqa: BLE001 - it breaks a rule, and is refused with any claims
        return text
    bound, gap = (None, None) if proved is None else (str(proved), str(value - proved))
    return json.dumps({**content, "delta": str(spent), "objective": str(value), "bound": bound, "gap": gap})


@pytest.mark.parametrize(
    "tries", [40, pytest.param(90, marks=pytest.mark.slow), pytest.param(5_000, marks=pytest.mark.long)]
)
def test_claims_that_follow_from_tampered_numbers_get_the_same_verdict(proved_checker, tmp_path, tries):
    draw, accepted = random.Random(tries), 0  # noqa: S311 - the same files in every run
    for _ in range(tries):
        path = draw.choice(MATRICES)
        text = with_claims(json.dumps(changed_in_one_place(json.loads(path.read_text()), draw)))
        copy = tmp_path / "tampered.json"
        copy.write_text(text, encoding="utf-8")
        done = run(proved_checker, copy)
        try:
            trouble = by_checker(text)
        except Exception as fault:  # noqa: BLE001 - as a program it refuses these, too
            trouble = str(fault)
        assert (done.returncode == PROVED) == (trouble is None), (
            f"{path.name}: {trouble}; {done.stderr}\n{text}"
        )
        accepted += trouble is None
    assert accepted > tries / 10
