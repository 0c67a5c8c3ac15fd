"""A certificate reads back to the same bytes, and says nothing that is not so: no word can be changed."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from math import inf

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import optmech as om
from optmech.mechanisms.certificates.certificate_text import certificate_text, read_certificate_text
from optmech.proofs.enclosure import Enclosure
from optmech.proofs.matrix import ExactMatrix
from optmech.proofs.matrix_certificate import MatrixCertificate
from optmech.proofs.multipliers import BITS, Leaf, Rule
from optmech.question.properties import FAIR
from tests.each import each
from tests.proofs.by_hand import factor_of, problems
from tests.search import search

QUESTIONS = {
    "count": om.croft(om.count(3), "0.5"),
    "variant 2": om.croft(om.count(3), "ln 2", variant=2, prior=[0.1, 0.2, 0.3, 0.4]),
    "typed": om.croft(
        om.Query([0, 1, 3], [(0, 2), (2, 3)], [(0, 2), (1, 2)]), 1, loss=[[0, 0.1, 2], [1, 0.7, 0]]
    ),
    "mean": om.croft(om.mean(2, 2), "1/3", prior="uniform", loss="squared"),
    "zero-bias": om.sadeghi(1, "0.5", 2, counts=(1, 3)),
    "symmetric": om.sadeghi_symmetric("2.18", "0.8", 3),
    "modular": om.kadam(om.residues(5, [1, 2]), "1.5", "0.1"),
    "one modulus": om.question(om.residues(4, [1]), 1, structure=om.ModularNoise((4,))),
    "least delta": om.kadam_least_delta(om.residues(5, [1]), 1, at_most="0.4"),
}
# Noise has a certificate of another form: `tests/proofs/chain`.
ENGINES = {"count": "closed-form"}
CERTIFICATES = {
    name: om.design(problem, engine=ENGINES.get(name, "auto")).certificate
    for name, problem in QUESTIONS.items()
}
TEXTS = {name: certificate_text(certificate) for name, certificate in CERTIFICATES.items()}
# Told and not proved, in words: who made it, what a solver said.
TOLD = ("claimed_bounds", "repair", "raw", "made_by")


@each("name", TEXTS)
def test_what_is_read_is_what_was_written_byte_for_byte(name):
    read = read_certificate_text(TEXTS[name])
    assert certificate_text(read) == TEXTS[name]
    for field in ("delta", "objective", "bound", "gap"):
        assert getattr(read, field) == getattr(CERTIFICATES[name], field)
    assert read.matrix.sha256() == CERTIFICATES[name].matrix.sha256()


@pytest.mark.parametrize("denominator", ["0", "-1", "-1024"])
def test_a_proof_is_over_a_positive_denominator(denominator):
    content = json.loads(TEXTS["count"])
    content["proof"]["denominator"] = denominator
    with pytest.raises(om.FileFormatError, match="must have all its parts"):
        read_certificate_text(json.dumps(content))


def test_weights_are_over_one_denominator_that_is_not_too_long():
    refusals, long = ["0.1", "0.2", "0.3", "0.4"], [f"1/{10**3000 + k}" for k in (1, 3, 7, 9)]
    assert json.dumps(refusals) in TEXTS["variant 2"]
    with pytest.raises(om.FileFormatError, match="over one denominator of at most"):
        read_certificate_text(TEXTS["variant 2"].replace(json.dumps(refusals), json.dumps(long)))


@pytest.mark.slow
def test_a_factor_without_powers_may_stand_in_any_number_of_ratios():
    certificate = om.design(om.croft(om.extremum(0, 300), "0.5")).certificate
    read = read_certificate_text(certificate_text(certificate))
    assert read.matrix.sha256() == certificate.matrix.sha256()


@search(60, problems())
def test_any_question_can_be_certified_and_read(problem):
    try:
        text = certificate_text(om.design(problem).certificate)
    except om.NotAcceptedError:
        assume(condition=False)
    assert certificate_text(read_certificate_text(text)) == text


@pytest.mark.slow
def test_two_processes_write_the_same_bytes():
    made = "import optmech as om, optmech.mechanisms.certificates.certificate_text as file; "
    made += (
        "print(file.certificate_text(om.design(om.croft(om.count(4), '0.5', variant=2)).certificate), end='')"
    )
    one, two = (
        subprocess.run(
            [sys.executable, "-c", made],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    )
    assert one == two
    assert read_certificate_text(one.decode()).relative_gap < 1e-9


def places(content, path=()):
    """Yield the path of each value inside."""
    yield path
    inside = (
        content.items()
        if isinstance(content, dict)
        else enumerate(content)
        if isinstance(content, list)
        else ()
    )
    for name, value in inside:
        yield from places(value, (*path, name))


def at(content, path):
    for name in path:
        content = content[name]
    return content


def mutants(value, rng):
    """Return other values of each kind, and near ones."""
    others = [
        None,
        True,
        False,
        -1,
        0,
        1,
        7,
        10**30,
        -(10**30),
        0.5,
        1.0,
        1e308,
        "",
        " ",
        "x",
        "nan",
        "inf",
        "0",
        "1",
    ]
    others += [
        "-1",
        "1e5",
        "1e400",
        "1/0",
        "0x10",
        "9" * 5000,
        "1_0",
        "\u0661",
        [],
        {},
        [[]],
        [None],
        {"a": None},
    ]
    if isinstance(value, str):
        others += [value + "0", value[:-1], value + " ", f" {value}", f"-{value}", value[::-1], value.upper()]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        others += [value + 1, value - 1, str(value), float(value)]
    if isinstance(value, list):
        others += [value[:-1], value[1:], value + value[-1:], value[::-1], [*value, None], [value]]
    if isinstance(value, dict):
        others += [{**value, "more": 1}, dict(list(value.items())[1:]), list(value.items()), [value]]
    return rng.sample(others, min(len(others), 8))


def is_same(one, other):
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@each("most", [10, pytest.param(50, marks=pytest.mark.slow)])
@each("name", TEXTS, every=12, slow_every=12)
def test_no_value_can_be_changed_without_a_refusal_in_a_sentence(name, most):
    """Each value is replaced, left out or moved; what is proved must be as it was, or be refused."""
    rng = random.Random(name)  # noqa: S311
    good = json.loads(TEXTS[name])
    listed = list(places(good))[1:]
    refusals = []
    for path in rng.sample(listed, min(len(listed), most)) + [(key,) for key in good]:
        *above, last = path
        for value in [..., *mutants(at(good, path), rng)]:
            content = copy.deepcopy(good)
            part = at(content, above)
            if value is ...:
                del part[last]
            else:
                part[last] = value
            if is_same(content, good):
                continue
            try:
                read = read_certificate_text(json.dumps(content))
            except om.OptmechError as refusal:
                refusals.append(str(refusal))
                continue
            assert is_consistent(path, read, content), (path, value)
    assert len(refusals) > 2.5 * most
    assert all(text.startswith("`certificate` ") and text.endswith(".") for text in refusals)


def is_consistent(path, read, content):
    """Say whether an accepted change is one of words, or of a proof that still proves the same."""
    is_note = path[0] in TOLD or path == ("question", "query", "name")
    # A wider factor, other multipliers of weight without effect, a larger epsilon: all was proved anew.
    return is_note or is_same(json.loads(certificate_text(read)), content)


@settings(max_examples=150)
@given(st.sampled_from(sorted(TEXTS)), st.integers(0, 2**32 - 1))
def test_a_file_with_some_bytes_changed_cut_or_doubled_is_refused_in_a_sentence(name, seed):
    rng = random.Random(seed)  # noqa: S311
    text = TEXTS[name]
    start = rng.randrange(len(text))
    stop = min(len(text), start + rng.choice([1, 1, 2, 10, 1000, len(text)]))
    put = rng.choice(["", "0", "9", "-", '"', "}", "\x00", "\u00e9", "null", text[start:stop] * 2])
    changed = text[:start] + put + text[stop:]
    try:
        read = read_certificate_text(changed)
    except om.OptmechError:
        return
    again = json.loads(certificate_text(read))
    assert is_same(again, json.loads(changed))


@each(
    "text",
    [
        "",
        "null",
        "[]",
        "0",
        '"optmech certificate"',
        "{}",
        '{"format": "optmech certificate"}',
        '{"format": "optmech certificate", "version": 2}',
        '{"format": "optmech certificate", "version": 1}',
        "[" * 100_000,
        '{"a": NaN}',
        '{"a": Infinity}',
        "\ufeff{}",
    ],
)
def test_what_is_no_certificate_is_refused(text):
    with pytest.raises(om.FileFormatError, match=r"^`certificate` must .*Nothing in it is proved\.$"):
        read_certificate_text(text)


def test_another_version_says_what_to_do():
    with pytest.raises(om.FileFormatError, match=r"must have version 2; got 3"):
        read_certificate_text(TEXTS["count"].replace('"version": 2', '"version": 3'))


def test_a_name_that_stands_twice_is_refused():
    """JSON readers differ in which of the two they take."""
    text = TEXTS["count"].replace('"version": 2', '"version": 2,\n"objective": "0"')
    with pytest.raises(om.FileFormatError, match="twice"):
        read_certificate_text(text)


@each("depth", [50, 400, *range(900, 1000, 33), 3000])
def test_a_deep_tree_is_read_or_refused_in_a_sentence(depth):
    """A tree of empty leaves proves the least cost of all noise, zero, at any depth that can be read."""
    design = om.design(QUESTIONS["modular"], engine="program")
    content = json.loads(certificate_text(design.certificate))
    empty = json.dumps({"prior": "", "totals": "0*5", "privacy": [[]], "rules": {}})
    comparisons = [[r, f, (f + step) % 5] for r in range(5) for f in range(5) for step in (1, 4)]
    node = empty
    for place in range(depth):
        split = comparisons[place % len(comparisons)]
        node = f'{{"split": {split}, "kept": {node}, "violated": {empty}}}'
    content["proof"]["tree"] = "HERE"
    content["bound"], content["gap"] = "0", content["objective"]
    text = json.dumps(content).replace('"HERE"', node)
    try:
        assert read_certificate_text(text).bound == 0
        assert depth <= len(comparisons)
    except om.FileFormatError:
        assert depth > 50


@each("name", ["objective", "bound", "gap", "delta"])
@each("question", ["count", "zero-bias", "modular"])
def test_a_number_that_does_not_follow_is_refused_by_name(question, name):
    content = json.loads(TEXTS[question])
    content[name] = str(Fraction(content[name]) + Fraction(1, 10**30))
    with pytest.raises(om.VerificationError, match=f"another {name}"):
        read_certificate_text(json.dumps(content))


def test_a_better_objective_cannot_be_claimed_with_a_changed_matrix():
    """A millionth from response 1 to 0, where 0 is true: privacy was kept by less than that."""
    content = json.loads(TEXTS["count"])
    rows = [list(map(int, row.split())) for row in content["mechanism"]["rows"]]
    unit = int(content["mechanism"]["denominator"]) // 10**6
    rows[0][0] += unit
    rows[1][0] -= unit
    content["mechanism"]["rows"] = [" ".join(map(str, row)) for row in rows]
    with pytest.raises(om.VerificationError, match="e\\^epsilon times"):
        read_certificate_text(json.dumps(content))


def test_a_smaller_epsilon_cannot_be_claimed():
    content = json.loads(TEXTS["count"])
    content["question"]["privacy"][0]["epsilon"] = "0.49"
    with pytest.raises(om.VerificationError, match="factor must enclose"):
        read_certificate_text(json.dumps(content))
    exact = factor_of(om.croft(om.count(3), "0.49"))
    content["question"]["privacy"][0] |= {"lower": str(exact.lower), "upper": str(exact.upper)}
    with pytest.raises(om.VerificationError, match="e\\^epsilon times"):
        read_certificate_text(json.dumps(content))


def test_a_decimal_that_no_double_stands_for_is_not_taken_for_its_neighbour():
    """A cost of 1/3 would be computed as 0.3333333333333333."""
    content = json.loads(TEXTS["typed"])
    content["question"]["objective"]["loss"]["matrix"][0][1] = "1/3"
    with pytest.raises(om.OptmechError):
        read_certificate_text(json.dumps(content))


def made(certificate, **changes):
    parts = ("problem", "factor", "matrix", "proof")
    return MatrixCertificate(**{**{part: getattr(certificate, part) for part in parts}, **changes})


def test_no_certificate_can_be_made_of_what_does_not_hold():
    good = CERTIFICATES["count"]
    assert made(good).bound == good.bound
    problem = replace(good.problem, privacy=om.croft(om.count(3), "0.4").privacy)
    with pytest.raises(om.VerificationError, match="factor must enclose"):
        made(good, problem=problem)
    with pytest.raises(om.VerificationError, match="It cannot be certified"):
        made(good, problem=problem, factor=factor_of(problem))
    with pytest.raises(om.VerificationError, match="factor must enclose"):
        made(good, factor=Enclosure(Fraction(10), Fraction(10)))
    with pytest.raises(om.VerificationError, match="It cannot be certified"):
        made(good, problem=replace(good.problem, properties=frozenset({FAIR})))
    weights = np.empty(1, dtype=object)
    weights[:] = [-1]
    negative = Leaf(rules={"privacy": Rule(places=np.array([[0, 0, 1]]), weights=weights)})
    with pytest.raises(om.VerificationError, match="negative"):
        made(good, proof=negative)


def test_a_gap_is_as_wide_as_it_is():
    good = CERTIFICATES["count"]
    none = made(good, proof=None)
    assert (none.bound, none.gap, none.relative_gap) == (None, None, None)
    least = made(good, proof=Leaf())
    assert read_certificate_text(certificate_text(least)).bound == 0
    assert (least.bound, least.gap, least.relative_gap) == (0, good.objective, 1.0)


def test_a_gap_of_an_objective_of_zero_is_zero_or_infinite():
    """Always the same answer costs nothing if nothing costs; a multiplier of 1 then proves 0 - E."""
    problem = om.croft(om.count(1), "ln 2", loss=[[0, 0], [0, 0]])
    matrix = ExactMatrix(numerators=[[1, 1], [1, 1]], denominator=2)
    parts = {"problem": problem, "factor": factor_of(problem), "matrix": matrix}
    assert MatrixCertificate(**parts, proof=Leaf()).relative_gap == 0.0
    weights = np.empty(1, dtype=object)
    weights[:] = [2**BITS]
    wasteful = Leaf(rules={"privacy": Rule(places=np.array([[0, 0, 1]]), weights=weights)})
    certificate = MatrixCertificate(**parts, proof=wasteful)
    assert certificate.bound == -2
    assert certificate.relative_gap == inf
