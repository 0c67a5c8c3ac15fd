"""Real certificates, changed in one place: what makes the claim false is refused, by checker and library."""

from __future__ import annotations

import copy
import hashlib
import importlib.util
import json
import random
from fractions import Fraction
from pathlib import Path

import pytest

import optmech as om
from optmech.exact.bound import NotAProofError, proved_bound
from optmech.exact.certificate_text import _read_tree, certificate_text, read_certificate_text

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("standalone_checker", ROOT / "check_certificate.py")
CHECKER = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(CHECKER)

PROBLEMS = {
    "count": lambda: om.croft(om.count(6), "0.5"),
    "variant-2": lambda: om.croft(om.count(5), "0.5", variant=2),
    "mean": lambda: om.croft(om.mean(3, 2), "ln 2"),
    "weighted": lambda: om.croft(om.count(3), "1", loss="squared", prior=[0.4, 0.3, 0.2, 0.1]),
    "extremum": lambda: om.croft(om.extremum(0, 4), "1/3", properties=["symmetric"]),
    "pure-noise": lambda: om.kadam(om.residues(7, [1, 2]), "1.5"),
    "tree": lambda: om.kadam(om.residues(9, [1, 2, 3]), "1.5", "0.1238"),
    "printed-tree": lambda: om.kadam(om.residues(9, [1, 2]), "1.5", "0.12", reading="printed"),
    "least-delta": lambda: om.kadam_least_delta(om.residues(7, [1]), "1", at_most="0.4"),
    "zero-bias": lambda: om.sadeghi("1", "0.5", 2, counts=(1, 3)),
    "symmetric": lambda: om.sadeghi_symmetric("1.1", "0.05", 3),
    "printed-rows": lambda: om.sadeghi_symmetric("1.1", "0.05", 3, rows="paper"),
}


@pytest.fixture(scope="module", params=PROBLEMS)
def certified(request):
    design = om.design(PROBLEMS[request.param]())
    text = certificate_text(design.certificate)
    return text, table_of(design.mechanism), design.certificate


def table_of(mechanism):
    lines = ["response," + ",".join(om.problem.numbers.as_text(truth) for truth in mechanism.truths)]
    for response, row in zip(mechanism.responses, mechanism.matrix.tolist(), strict=True):
        lines.append(",".join([om.problem.numbers.as_text(response), *map(repr, row)]))
    return "\n".join(lines) + "\n"


def checker_refuses(text, table):
    try:
        CHECKER.check(text, table)
    except Exception:  # noqa: BLE001 - any exception is a refusal: the command line makes one line of it
        return True
    return False


def library_refuses(text):
    try:
        read_certificate_text(text)
    except om.OptmechError:
        return True
    return False


def leaves_of(node):
    if "split" in node:
        return leaves_of(node["kept"]) + leaves_of(node["violated"])
    return [node]


def with_new_sum(content):
    text = "\n".join([content["matrix"]["denominator"], *content["matrix"]["rows"]])
    content["sha256"] = hashlib.sha256(text.encode()).hexdigest()


def change_entry(content, draw):
    rows = [row.split(" ") for row in content["matrix"]["rows"]]
    row, column = draw.randrange(len(rows)), draw.randrange(len(rows[0]))
    rows[row][column] = str(max(0, int(rows[row][column]) + draw.choice([-1, 1])) or 1)
    content["matrix"]["rows"] = [" ".join(row) for row in rows]
    with_new_sum(content)


def swap_columns(content, draw):
    rows = [row.split(" ") for row in content["matrix"]["rows"]]
    one, other = draw.sample(range(len(rows[0])), 2)
    for row in rows:
        row[one], row[other] = row[other], row[one]
    content["matrix"]["rows"] = [" ".join(row) for row in rows]


def drop_row(content, draw):
    del content["matrix"]["rows"][draw.randrange(len(content["matrix"]["rows"]))]
    with_new_sum(content)


def change_epsilon(content, draw):
    privacy = content["question"]["privacy"]
    privacy["epsilon"] = draw.choice(["0.01", "2.5", "ln 7", "-1", "1e-3", "", "nan", "0", "ln 0.5", "700"])


def narrow_factor(content, draw):
    lower, upper = (Fraction(content["factor"][end]) for end in ("lower", "upper"))
    if draw.random() < 0.5:
        content["factor"]["lower"] = str(upper + Fraction(1, 10 ** draw.randrange(1, 60)))
    else:
        content["factor"]["upper"] = str(lower - Fraction(1, 10 ** draw.randrange(1, 60)))


def raise_bound(content, draw):
    bound = Fraction(content["bound"]) + Fraction(1, 10 ** draw.randrange(1, 18))
    content["bound"], content["gap"] = str(bound), str(Fraction(content["objective"]) - bound)


def lower_objective(content, draw):
    less = Fraction(1, 10 ** draw.randrange(1, 40))
    content["objective"] = str(Fraction(content["objective"]) - less)
    content["gap"] = str(Fraction(content["gap"]) - less)


def break_gap(content, draw):
    content["gap"] = str(
        Fraction(content["gap"]) + draw.choice([-1, 1]) * Fraction(1, 10 ** draw.randrange(1, 40))
    )


def lower_delta(content, draw):
    content["delta"] = str(Fraction(content["delta"]) - Fraction(1, 10 ** draw.randrange(1, 30)))


def change_cost(content, draw):
    rows = content["question"]["objective"]["costs"]
    place = draw.randrange(len(rows))
    cells = rows[place].split(" ")
    column = draw.randrange(len(cells))
    cells[column] = str(int(cells[column]) + draw.choice([1, 2, 5]))
    rows[place] = " ".join(cells)


def drop_field(content, draw):
    del content[
        draw.choice([name for name in content if name not in ("repair", "raw", "made_by", "claimed_bounds")])
    ]


FALSE = (
    change_entry,
    swap_columns,
    drop_row,
    change_epsilon,
    narrow_factor,
    raise_bound,
    lower_objective,
    break_gap,
    lower_delta,
    drop_field,
)


def false_change(content, draw):
    """Change one thing so that the claim is false, or return None where this change leaves it as it was."""
    change = draw.choice(FALSE)
    before = copy.deepcopy(content)
    change(content, draw)
    return None if content == before else change.__name__


def tampered(text, table, seed, number):
    draw = random.Random(seed)  # noqa: S311 - which place is changed
    refused = 0
    while refused < number:
        content = json.loads(text)
        name = false_change(content, draw)
        if name is None:
            continue
        changed = json.dumps(content)
        assert checker_refuses(changed, table), name
        assert library_refuses(changed), name
        refused += 1


def test_the_untouched_certificate_is_accepted(certified):
    text, table, _ = certified
    assert not checker_refuses(text, table)
    assert not library_refuses(text)


def test_what_makes_the_claim_false_is_refused(certified):
    text, table, _ = certified
    tampered(text, table, 1, 60)


@pytest.mark.slow
def test_ten_thousand_changes_that_make_the_claim_false_are_refused(certified):
    text, table, _ = certified
    tampered(text, table, 2, 1000)


@pytest.mark.parametrize("seed", range(3))
def test_a_changed_multiplier_is_accepted_only_where_it_still_proves_the_bound(certified, seed):
    text, table, certificate = certified
    draw = random.Random(seed)  # noqa: S311 - which place is changed
    for _ in range(30):
        content = json.loads(text)
        leaf = draw.choice(leaves_of(content["proof"]["tree"]))
        part = draw.choice([name for name in ("privacy", "order", "budget", "total") if leaf[name]])
        place = draw.randrange(len(leaf[part]))
        if part == "total":
            leaf[part][place] = str(int(leaf[part][place]) + draw.choice([-(2**70), 2**70, 1]))
        elif draw.random() < 0.3:
            del leaf[part][place]
        else:
            weight = int(leaf[part][place][-1])
            leaf[part][place][-1] = str(draw.choice([-weight, 2 * weight, weight + 2**75, weight // 2]))
        try:
            proved = proved_bound(
                certificate.problem, _read_tree(content["proof"]["tree"]), certificate.factor
            )
        except NotAProofError:
            proved = None
        holds = proved is not None and proved >= Fraction(content["bound"])
        assert checker_refuses(json.dumps(content), table) is not holds


def test_a_changed_table_is_refused(certified):
    text, table, _ = certified
    draw = random.Random(4)  # noqa: S311 - which place is changed
    lines = table.splitlines()
    for _ in range(40):
        changed = [line.split(",") for line in lines]
        row, column = draw.randrange(1, len(lines)), draw.randrange(1, len(changed[0]))
        was = changed[row][column]
        changed[row][column] = draw.choice(
            [was + "1", repr(float(was) * (1 + 2**-52) + 1e-300), "nan", "", "-0.5"]
        )
        assert checker_refuses(text, "\n".join(map(",".join, changed)) + "\n")
    assert checker_refuses(text, "\n".join(lines[:-1]) + "\n")
    assert checker_refuses(text, "")


def test_a_truncated_certificate_is_refused(certified):
    text, table, _ = certified
    draw = random.Random(5)  # noqa: S311 - where it ends
    for _ in range(40):
        part = text[: draw.randrange(len(text) - 3)]
        assert checker_refuses(part, table)
        assert library_refuses(part)
