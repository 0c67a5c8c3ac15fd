"""The checker accepts certificates made by hand, and none whose claim was made false.

Every certificate here is of a mechanism that is optimal, with multipliers worked out in the comments; its
bound equals its objective. So whatever raises a bound, or lowers an objective, makes the claim false.
"""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx
from scipy.optimize import linprog

import optmech as om
from optmech.base.numbers import as_text
from optmech.mechanisms.certificates.certificate_text import certificate_text
from optmech.mechanisms.certificates.runs import text_of_runs
from optmech.mechanisms.matrix_csv import matrix_text
from tests.each import each
from tests.proofs.by_definition import loss_of
from tests.readers import CHECKER, by_package, checker

# No arithmetic confirms these.
REPORTED = [("reported", name) for name in ("claimed_bounds", "repair", "raw", "made_by")]
REPORTED += [("question", "query", "name")]


def question(count=2, ratio="3", **changes):
    """Least plain sum of absolute errors of a count 0..count-1, pure privacy with e^epsilon = ratio."""
    question_fields = {
        "query": {
            "kind": "custom",
            "parameters": {},
            "scope": "every table",
            "name": "count",
            "truths": [str(f) for f in range(count)],
            "responses": None,
            "reach": 1,
            "pairs": [],
            "weights": [],
            "labels": [],
        },
        "structure": {"kind": "free", "half_width": 0, "accuracy": "0", "moduli": []},
        "privacy": [{"kind": "pure", "epsilon": f"ln {ratio}", "delta": "0", "lower": ratio, "upper": ratio}],
        "properties": [],
        "limits": [],
        "bounds": [],
        "rules": [],
        "objective": {
            "worst": False,
            "least": "loss",
            "loss": "absolute",
            "weights": "sum",
            "at_most": None,
        },
    }
    for path, value in changes.items():
        part, _, name = path.partition("__")
        if part == "privacy":
            question_fields["privacy"][0] |= {name: value} if name else value
        elif name:
            question_fields[part][name] = value
        elif isinstance(value, dict):
            question_fields[part] |= value
        else:
            question_fields[part] = value
    return question_fields


def leaf(totals, *pairs, prior="", **rules):
    """Return the multipliers of a leaf: of pairs of neighbours in order, and of rules by name."""
    named = {name.replace("_", "-"): ys for name, ys in rules.items()}
    return {"prior": prior, "totals": totals, "privacy": [[*pairs]], "rules": named}


def certificate(problem, rows, denominator, objective, tree, over, delta="0"):
    return {
        "format": "optmech certificate",
        "version": 2,
        "question": problem,
        "mechanism": {"denominator": str(denominator), "rows": [" ".join(map(str, row)) for row in rows]},
        "delta": delta,
        "objective": str(objective),
        "bound": str(objective),
        "gap": "0",
        "proof": {"denominator": str(over), "tree": tree},
        "reported": {
            "repair": {"how": "none", "cost": "0"},
            "raw": {"objective": "0.5", "effective_epsilon": "inf"},
            "made_by": {"optmech": "1", "solver": "by hand", "method": "dual", "status": "optimal"},
        },
    }


def csv_of(content):
    query, matrix = content["question"]["query"], content["mechanism"]
    responses = query["responses"] or [[truth, truth] for truth in query["truths"]]
    names = [as_text((Fraction(low) + Fraction(high)) / 2) for low, high in responses]
    lines = ["# made by hand", ",".join(["response", *query["truths"]])]
    for name, row in zip(names, matrix["rows"], strict=True):
        cells = [repr(float(Fraction(int(m), int(matrix["denominator"])))) for m in row.split(" ")]
        lines.append(",".join([name, *cells]))
    return "\n".join(lines) + "\n"


def randomized_response():
    # Columns of D: (0, 1) and (1, 0). M00 <= 3 M01 and M11 <= 3 M10, a quarter each: (1/4, 1 - 3/4) in both
    # columns, which totals of 1/4 take away. The matrix errs with 1/4 in each column.
    tree = leaf("1*2", "0 1", "1 1")
    return certificate(question(), [[3, 1], [1, 3]], 4, "1/2", tree, 4)


def rational_epsilon():
    # e = sum 1/n!, to 2^-100. As above with y = floor(2^64 / (1 + F)): y <= 1 - F y, so that the bound is 2y.
    series, term = Fraction(0), Fraction(1)
    for n in range(1, 60):
        series, term = series + term, term / n
    lower = Fraction(int(series * 2**100), 2**100)
    upper = lower + Fraction(1, 2**100)
    whole = 10**30
    numerator = int(whole * lower / (1 + lower))
    y = int(2**64 / (1 + upper))
    content = certificate(
        question(privacy={"epsilon": "1", "lower": str(lower), "upper": str(upper)}),
        [[numerator, whole - numerator], [whole - numerator, numerator]],
        whole,
        Fraction(2 * (whole - numerator), whole),
        leaf(f"{y}*2", f"0 {y}", f"1 {y}"),
        2**64,
    )
    bound = Fraction(2 * y, 2**64)
    return {**content, "bound": str(bound), "gap": str(Fraction(content["objective"]) - bound)}


def count_of_two():
    # e^epsilon = 2, truncated geometric noise. a: M00 <= 2 M01, b: M01 <= 2 M02, c: M11 <= 2 M10,
    # and mirrored.
    # Column 0 of D: a, 1 - 2c, 2 - 2b; column 1: 1 - 2a + b, 2c, 1 - 2a + b. All equal within a column at
    # a = b = 2/3, c = 1/6: 2/3 + 1/3 + 2/3 = 5/3. The matrix loses (1 + 2)/6 + (2 + 2)/6 + (1 + 2)/6.
    tree = leaf("4 2 4", "0 4", "1 1 2 4", "0 4 1 1", "2 4")
    return certificate(question(3, "2"), [[4, 2, 1], [1, 2, 1], [1, 2, 4]], 6, "5/3", tree, 6)


def variant_2():
    # One privacy row, M11 <= 3 M10 with 1/2: columns (0, 1 - 3/2), (1, 1/2). Fair and symmetric: M00 = M11
    # with 0 + 1/2, M10 = M01 with 1 - 1/2; the totals, 1/4 each, take away both.
    properties = ["column-monotone", "fair", "row-monotone", "symmetric"]
    problem = question(properties=properties)
    return certificate(problem, [[3, 1], [1, 3]], 4, "1/2", leaf("1*2", "", "1 2"), 4)


# The truth costs 1: without a property, lying is free.
LIES = {"loss": {"matrix": [["1", "0"], ["0", "1"]]}}


def column_monotone():
    # M10 <= M00 and M01 <= M11, a half each: columns (1 - 1/2, 1/2) and (1/2, 1 - 1/2).
    problem = question(properties=["column-monotone"], objective=LIES)
    tree = leaf("1*2", column_rising="1", column_falling="1")
    return certificate(problem, [[1, 1], [1, 1]], 2, 1, tree, 2)


def row_monotone():
    # M01 <= M00 and M10 <= M11, a half each: the same columns.
    problem = question(properties=["row-monotone"], objective=LIES)
    tree = leaf("1*2", row_rising="1", row_falling="1")
    return certificate(problem, [[1, 1], [1, 1]], 2, 1, tree, 2)


def categories():
    # Truths 0, 1 are at home in [0, 2), truths 2, 3 in [2, 4], all are neighbours. Randomized response of 0
    # against 2 and of 1 against 3, each with the bound 1/2 as above.
    query = {
        "truths": ["0", "1", "2", "3"],
        "responses": [["0", "2"], ["2", "4"]],
        "reach": 3,
    }
    tree = leaf("1*4", "", "0 1", "", "", "", "0 1", "1 1", "", "", "", "1 1")
    problem = question(query=query, properties=["row-monotone"])
    problem["objective"] |= {"loss": "zero-one"}
    return certificate(problem, [[3, 3, 1, 1], [1, 1, 3, 3]], 4, 1, tree, 4)


def one_sided():
    # Only M[r,0] <= 3 M[r,1]: M00 <= 3 M01 with 1/3 makes the columns (1/3, 1), (0, 0).
    problem = question(query={"reach": 0, "pairs": [[0, 1]]})
    return certificate(problem, [[3, 1], [0, 2]], 3, "1/3", leaf("1 0", "0 1"), 3)


def per_outcome():
    # As randomized response, less delta times 1/2: 1/2 - 1/16. The matrix: 25/32 = 3 * 7/32 + 1/8.
    problem = question(privacy={"kind": "per-outcome", "delta": "0.125"})
    tree = leaf("1*2", "0 1", "1 1")
    return certificate(problem, [[25, 7], [7, 25]], 32, "7/16", tree, 4, delta="1/8")


def modular():
    # e^epsilon = 2, weights 1/3: x0 <= 2 x1 and x0 <= 2 x2 with 1/4 each: the sums along n = 0, 1, 2 are
    # 0 + 1/2, 1 - 1/2, 1 - 1/2.
    problem = question(3, "2", structure={"kind": "modular"}, query={"reach": 2})
    problem["objective"] |= {"loss": {"noise": ["0", "1", "1"]}, "weights": "uniform"}
    tree = leaf("2 0*2", "0 1", "0 1")
    return certificate(problem, [[2, 1, 1], [1, 2, 1], [1, 1, 2]], 4, "1/2", tree, 4)


def probabilistic(**changes):
    problem = question(structure={"kind": "modular"})
    problem["privacy"][0] |= {"kind": "probabilistic", "delta": "0.1", **changes}
    problem["objective"] |= {"loss": "zero-one", "weights": ["1", "0"]}
    return problem


def two_leaves():
    # D10 = 1. Kept, M00 <= 3 M01 with 1/4: sums along n = 0, 1 are 1/4 and 1 - 3/4. Violated, then
    # x0 <= 1/10, with weight 1: 1 and 1, less 1/10. The least of both is 1/4; the matrix errs with 1/4.
    tree = {
        "split": [0, 0, 1],
        "kept": leaf("10 0", "0 0 10"),
        "violated": leaf("40 0", "40"),
    }
    return certificate(probabilistic(), [[3, 1], [1, 3]], 4, "1/4", tree, 40)


def least_probabilistic():
    # delta sought, x1 <= 1/10. Kept, M00 <= 3 M01 with 2 and the cost with 8: sums 2 and 8 - 6,
    # less 8/10. Violated, budget 1 and cost 1: sums 1 and 1, less 1/10: 9/10, which (9, 1)/10 spends.
    question_fields = probabilistic(delta=None)
    question_fields["objective"] |= {"least": "delta", "at_most": "0.1"}
    tree = {
        "split": [0, 0, 1],
        "kept": leaf("2 0", "0 0 2", bounds="8"),
        "violated": leaf("1 0", "1", bounds="1"),
    }
    return certificate(question_fields, [[9, 1], [1, 9]], 10, "9/10", tree, 1, delta="9/10")


def sadeghi(kind="symmetric"):
    # Counts 1, 2, half-width 1, accuracy 1/2: a quarter on each side is the only noise. e^epsilon = 2, and
    # response 0 needs delta = 1/4 - 2 * 0. With all the weight there D00 = 1. A total of 1/2 and a mean of
    # -1/2 for truth 0 leave 1 - 1/2 - 1/2, -1/2 at the truth, -1/2 + 1/2: 1/2 - eta/2 = 1/4.
    query = {
        "truths": ["1", "2"],
        "responses": [[str(r), str(r)] for r in range(4)],
    }
    problem = question(2, "2", query=query, structure={"kind": kind, "half_width": 1, "accuracy": "0.5"})
    problem["privacy"][0] |= {"kind": "per-outcome", "delta": None}
    problem["objective"] |= {"least": "delta", "loss": None, "weights": None}
    tree = leaf("2 0", "0 4", mean="2 0")
    return certificate(problem, [[1, 0], [2, 1], [1, 2], [0, 1]], 4, "1/4", tree, 4, delta="1/4")


def zero_bias():
    return sadeghi("zero-bias")


CASES = [
    *(
        randomized_response,
        rational_epsilon,
        count_of_two,
        variant_2,
        column_monotone,
        row_monotone,
        categories,
    ),
    *(one_sided, per_outcome, modular, two_leaves, least_probabilistic),
    *(sadeghi, zero_bias),
]
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)


def refused(content, table=None):
    """Whether the checker refuses: whatever it raises, the command line prints it and exits with 1."""
    text = content if isinstance(content, str) else json.dumps(content)
    try:
        checker.check(text, csv_of(content) if table is None else table)
    except Exception:  # noqa: BLE001
        return True
    return False


@each_case
def test_a_certificate_made_by_hand_is_accepted(case):
    content = case()
    verdict = checker.check(json.dumps(content), csv_of(content))
    assert f"has less than {checker.about(Fraction(content['bound']))}; " in verdict


@each_case
def test_no_other_bound_than_that_of_the_proof_is_accepted(case):
    content = case()
    for step in (Fraction(1, 10**9), Fraction(-1, 10**9)):
        bound = Fraction(content["bound"]) + step
        gap = Fraction(content["objective"]) - bound
        assert refused({**content, "bound": str(bound), "gap": str(gap)})


@each_case
def test_a_number_that_is_not_the_matrixs_is_refused(case):
    for name in ("objective", "bound", "gap", "delta"):
        for step in (Fraction(-1, 10**9), Fraction(1, 10**9), 1, -1):
            content = case()
            content[name] = str(Fraction(content[name]) + step)
            assert refused(content), (name, step)


@each_case
def test_another_factor_or_epsilon_is_refused(case):
    content = case()
    (privacy,) = content["question"]["privacy"]
    lower, upper = (Fraction(privacy[end]) for end in ("lower", "upper"))
    tiny = Fraction(1, 2**99)
    for changed in ((upper + tiny, upper), (lower, lower - tiny), (upper + tiny, upper + tiny)):
        other = copy.deepcopy(content)
        other["question"]["privacy"][0] |= dict(zip(("lower", "upper"), map(str, changed), strict=True))
        assert refused(other)
    for epsilon in (
        "ln 5",
        "2",
        "0",
        "-1",
        "ln 1/3",
        "1e999999999",
        "ln 0",
        "ln 0.0",
        "ln -3",
        "ln 0/5",
        "-0.0001",
        " ln 3",
        "ln  3",
        "nan",
        "ln",
        "",
        None,
        1,
        ["ln 3"],
        "701",
    ):
        other = copy.deepcopy(content)
        other["question"]["privacy"][0]["epsilon"] = epsilon
        assert refused(other), epsilon


@each_case
def test_a_changed_matrix_is_refused(case):
    content, random_ = case(), random.Random(1)  # noqa: S311
    rows = [list(map(int, row.split(" "))) for row in content["mechanism"]["rows"]]
    pairs = [(r, f) for r in range(len(rows)) for f in range(len(rows[0]))]
    for _ in range(100):
        changed = copy.deepcopy(rows)
        kind = random_.randrange(5)
        (r, f), (s, g) = random_.sample(pairs, 2)
        if kind == 0:
            changed[r][f] += random_.choice((-1, 1))
        elif kind == 1:
            changed[r][f], changed[s][g] = changed[s][g], changed[r][f]
        elif kind == 2:
            changed[r], changed[s] = changed[s], changed[r]
        elif kind == 3:
            for row in changed:
                row[f], row[g] = row[g], row[f]
        else:
            del changed[r]
        if changed == rows:
            continue
        other = copy.deepcopy(content)
        other["mechanism"]["rows"] = [" ".join(map(str, row)) for row in changed]
        if kind == 4:
            assert refused(other, csv_of(content))
        else:
            assert refused(other, csv_of(content))  # with the old CSV
            if is_no_better(other, content):
                assert refused(other)


def is_no_better(other, content):
    """Whether the change certainly makes the claim false: a column's sum or the objective is another one."""
    rows = [list(map(int, row.split(" "))) for row in other["mechanism"]["rows"]]
    if any(sum(column) != int(content["mechanism"]["denominator"]) for column in zip(*rows, strict=True)):
        return True
    if content["question"]["objective"]["least"] == "delta":
        return False
    return loss_of(other) != Fraction(content["objective"])


def read_of(content):
    question_fields = checker.Question(tree_of(content["question"]), checker.WORK)
    question_fields.compile()
    return question_fields


def proved_by(problem, tree, over):
    """Return the bound that a tree proves, or None if it is refused."""
    try:
        return checker.bound(problem, tree_of(tree), over, {})
    except (ValueError, TypeError, IndexError, KeyError, AttributeError):
        return None


# A search of seconds by default, and a long one: it has never found more.
each_length = pytest.mark.parametrize("share", [1 / 5, pytest.param(1, marks=pytest.mark.long)])


@each_case
@each_length
def test_no_multipliers_prove_more_than_the_optimum(case, share):
    content, random_ = case(), random.Random(2)  # noqa: S311
    question_fields, proof = read_of(content), content["proof"]
    over, proved = int(proof["denominator"]), []
    for _ in range(round(1500 * share)):
        tree = copy.deepcopy(proof["tree"])
        for part in all_of(tree):
            mutate(part, question_fields, over, random_)
        proved.append(proved_by(question_fields, tree, over))
    proved = [bound for bound in proved if bound is not None]
    assert max(proved) <= Fraction(content["objective"])
    assert len(proved) > 20 * share


@each_case
@each_length
def test_who_climbs_towards_the_greatest_bound_never_passes_the_optimum(case, share):
    content, random_ = case(), random.Random(5)  # noqa: S311
    question_fields, proof = read_of(content), content["proof"]
    over, optimum = int(proof["denominator"]), Fraction(content["objective"])
    tree = copy.deepcopy(proof["tree"])
    for part in all_of(tree):
        part.update({} if "split" in part else {"totals": f"0*{question_fields.wide}"})
    here = best = proved_by(question_fields, tree, over)
    steps = round(5000 * share)
    for step in range(steps):  # down again as well, by less and less
        other = copy.deepcopy(tree)
        for _ in range(random_.randrange(1, 4)):
            mutate(random_.choice(all_of(other)), question_fields, over, random_)
        bound = proved_by(question_fields, other, over)
        if bound is not None and bound >= here - optimum * max(0, 4 * steps - 5 * step) / (20 * steps):
            tree, here, best = other, bound, max(best, bound)
    assert best <= optimum
    assert best > 0 or "split" in proof["tree"]


def all_of(tree):
    return [tree, *(part for side in ("kept", "violated") if side in tree for part in all_of(tree[side]))]


def tree_of(tree):
    return checker.read_json(json.dumps(tree))


def mutate(part, problem, over, random_):
    """Change, add or drop multipliers of a leaf, also of rows and signs that no question has."""
    if "split" in part:
        if random_.random() < 0.2:
            part["split"][random_.randrange(len(part["split"]))] = random_.randrange(-1, 3)
        if random_.random() < 0.03 and "split" not in {**part["kept"], **part["violated"]}:
            part[random_.choice(("kept", "violated"))] = copy.deepcopy(part)
        return
    sizes = {name: sum(1 for _ in pairs) for name, pairs in problem.orders().items()}
    sizes |= {name: len(rules) for name, rules in problem.sums.items() if rules}
    texts = part["privacy"][0]
    for _ in range(random_.randrange(1, 3)):
        small = max(1, over // random_.choice((1, 2, 4, 10, 100)))
        amount = random_.choice((-small, small, random_.randrange(-2 * over, 2 * over + 1)))
        name = random_.choice(["pair", "pair", "totals", "totals", "totals", *sizes])
        if name == "pair":
            place = random_.randrange(problem.neighbours.number + (random_.random() < 0.02))
            texts += [""] * (place + 1 - len(texts))
            numbers = (
                [int(x) for x in texts[place].split(" ")] if texts[place] else [0] * problem.main.has_budgets
            )
            if numbers and random_.random() < 0.7:
                numbers[random_.randrange(len(numbers))] += amount if random_.random() < 0.9 else 1
            else:
                numbers += [random_.randrange(problem.tall), abs(amount)]
            texts[place] = "" if random_.random() < 0.1 else " ".join(map(str, numbers))
            while texts and not texts[-1]:
                texts.pop()
            continue
        size = problem.wide if name == "totals" else sizes[name]
        where = part if name == "totals" else part["rules"]
        numbers = checker.runs(where[name], 2 * size) if name in where else [0] * size
        numbers[random_.randrange(len(numbers))] += amount
        if random_.random() < 0.02:
            numbers = (
                [*numbers, amount] if random_.random() < 0.5 and len(numbers) < 2 * size else numbers[1:]
            )
        if any(numbers) or name == "totals":
            where[name] = text_of_runs(numbers or [0])
        else:
            where.pop(name, None)


def nodes(value, path=()):
    """Yield the path of each node of a JSON value but of what is not checked."""
    if path in REPORTED:
        return
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in inside:
        yield from nodes(part, (*path, name))


def replaced(value, path, new):
    if not path:
        return new
    part = copy.copy(value)
    part[path[0]] = replaced(value[path[0]], path[1:], new)
    return part


DEEP = json.loads("[" * 300 + "]" * 300)
JUNK = [
    None,
    True,
    False,
    -1,
    0,
    1,
    2,
    "x",
    "-1",
    "1/0",
    "1e999",
    "9" * 5000,
    [],
    {},
    [[]],
    {"": 0},
    0.5,
    DEEP,
]
JUNK += [float("nan"), float("inf"), "\u0661", "\ud800", "1_0", "+1", " 1", "1\n", "1e1"]


# One in so many values in each place, so that by default each case is tried, and each value somewhere.
each_density = pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.long)])


@each_case
@each_density
def test_junk_in_place_of_any_part_is_refused(case, every):
    content, tried = case(), 0
    table = csv_of(content)
    for number, path in enumerate(nodes(content)):
        old = content
        for step in path:
            old = old[step]
        for new in JUNK[number % every :: every]:
            other = replaced(content, path, new)
            if (type(new), new) == (type(old), old) or str(new) == str(old) or harmless(path, old, new):
                continue
            tried += 1
            assert refused(other, table), (path, old, new)
    assert tried > 500 / every


def harmless(path, old, new):
    """Whether the claim stays true: other multipliers, a poor factor, fewer rows may do as well."""
    if path[:2] == ("proof", "tree"):
        return True  # `test_no_multipliers_prove_more_than_the_optimum` is about these
    if path == ("reported",):
        return new == {}
    if path == ("question", "privacy", 0, "lower"):
        return new == "1"
    if path == ("question", "query", "responses"):
        return new is None
    if path == ("question", "properties"):
        return (old, new) == (["row-monotone"], [])
    return path == ("question", "query", "reach") and type(new) is int and 0 < new < old


@each_case
@each_density
def test_junk_in_place_of_a_multiplier_never_proves_more(case, every):
    content = case()
    content["bound"], content["gap"] = str(Fraction(content["objective"]) + 1), "-1"
    for number, path in enumerate(nodes(content["proof"], ("proof",))):
        for new in JUNK[number % every :: every]:
            assert refused(replaced(content, path, new), csv_of(content))


@each_case
def test_a_missing_or_twice_named_field_is_refused(case):
    content = case()
    table = csv_of(content)
    for path in nodes(content):
        part = content
        for step in path:
            part = part[step]
        for name in part if isinstance(part, dict) and path[-1:] not in (("rules",), ("reported",)) else ():
            without = replaced(content, path, {k: v for k, v in part.items() if k != name})
            assert refused(without, table)
            text = json.dumps(replaced(content, path, {**part, "\0": part[name]}))
            assert refused(text.replace('"\\u0000"', json.dumps(name)), table)


@each_case
def test_a_truncated_file_is_refused(case):
    content = case()
    text, table = json.dumps(content), csv_of(content)
    assert not refused(text, table.removesuffix("\n"))
    for end in range(0, len(text), 7):
        assert refused(text[:end], table)
    for end in range(len(table) - 1):
        assert refused(text, table[:end])


@each_case
def test_a_changed_csv_is_refused(case):
    content, random_ = case(), random.Random(3)  # noqa: S311
    text, table = json.dumps(content), csv_of(content)
    start = table.index("\n") + 1
    for place in range(start, len(table) - 1):
        for new in random_.sample("0123456789.,-+eE/ \nx#\0", 4):
            if new != table[place]:
                assert refused(text, table[:place] + new + table[place + 1 :]), (place, new)
    lines = table.splitlines(keepends=True)
    for line in range(1, len(lines)):
        assert refused(text, "".join(lines[:line] + lines[line + 1 :]))
        assert refused(text, "".join([*lines, lines[line]]))


def encloses(lower, epsilon, upper):
    said = ""
    try:
        checker.Guarantee("approximate", [epsilon, "0.5", str(lower), str(upper)])
    except checker.RefusedError as trouble:
        said = str(trouble)
    assert said in ("", "e^epsilon must lie from `lower` to `upper`")
    return not said


def test_epsilon_is_enclosed_up_to_its_largest_value():
    # 1 + x < e^x < 1/(1 - x) for small x; 2^1009 < e^700 < 2^1010.
    assert encloses(Fraction(1000001, 1000000), "0.000001", Fraction(1000000, 999999))
    assert not encloses(Fraction(1000000, 999999), "0.000001", Fraction(2))
    assert not encloses(Fraction(1), "0.000001", Fraction(1000001, 1000000))
    assert encloses(Fraction(2**1009), "700", Fraction(2**1010))
    assert not encloses(Fraction(2**1010), "700", Fraction(2**1011))
    assert not encloses(Fraction(2**1008), "700", Fraction(2**1009))
    with ctx.workprec(2000):
        whole = int(arb(700).exp().floor().unique_fmpz())
    assert encloses(Fraction(whole), "700", Fraction(whole + 1))
    assert not encloses(Fraction(whole + 1), "700", Fraction(whole + 2))
    assert not encloses(Fraction(whole - 1), "700", Fraction(whole))
    assert encloses(Fraction(1), "0", Fraction(1))
    assert not encloses(Fraction(1), "0", Fraction(1) - Fraction(1, 2**200))
    assert encloses(Fraction(3, 2), "ln 3/2", Fraction(3, 2))


def test_no_proof_is_said_to_be_none():
    content = randomized_response() | {"bound": None, "gap": None, "proof": None}
    content["reported"]["claimed_bounds"] = {"highs 1.15": "0.49"}
    verdict = checker.check(json.dumps(content), csv_of(content))
    assert verdict.endswith("\nbound: none is proved")
    for name, value in (("proof", {}), ("gap", "0"), ("bound", "0")):
        assert refused({**content, name: value})


def test_a_budget_caps_what_is_undecided():
    # Without the tree the multiplier 1/4 needs a budget of 1/4, and the bound falls to 1/4 - 1/40.
    content = two_leaves()
    content["proof"]["tree"] = leaf("10 0", "10 0 10")
    assert refused(content)
    content |= {"bound": "9/40", "gap": "1/40"}
    assert not refused(content)
    for text in ("9 0 10", "0 10", "5 5 0 10"):
        content["proof"]["tree"] = leaf("10 0", text)
        assert refused(content)


def test_a_split_must_be_of_a_comparison_and_decide_it_once():
    tree = two_leaves()["proof"]["tree"]
    for split in ([0, 0, 0], [2, 0, 1], [0, 0], [0], [-1, 0, 1], [False, 0, 1]):
        content = two_leaves()
        content["proof"]["tree"]["split"] = split
        assert refused(content), split
    content = two_leaves()
    content["proof"]["tree"] = {
        **tree,
        "violated": {"split": [0, 0, 1], "kept": tree["kept"], "violated": tree["kept"]},
    }
    assert refused(content)  # or else the kept side would be proved twice, the violated one never
    content = two_leaves()
    content["proof"]["tree"] = {**tree, "violated": tree["kept"]}
    assert refused(content)
    content = modular()
    half = content["proof"]["tree"]
    content["proof"]["tree"] = {"split": [0, 0, 1], "kept": half, "violated": half}
    assert refused(content)


def test_a_row_of_row_monotone_is_where_truths_lie_below_or_above_a_response():
    # Cells [0, 1), [1, 1.5), [3, 4]: truth 1 is at home in the second, truth 2 in none, above the second.
    problem = question(4, properties=["row-monotone"])
    problem["query"] |= {
        "truths": ["0", "1", "2", "4"],
        "responses": [["0", "1"], ["1", "1.5"], ["3", "4"]],
    }
    problem["objective"] |= {"loss": "zero-one"}
    read = read_of({"question": problem})
    assert read.query.home == [0, 1, 3, 2]
    orders = {name: [(divmod(a, 4), divmod(b, 4)) for a, b in pairs] for name, pairs in read.orders().items()}
    rising = [(1, 0), (2, 0), (2, 1), (2, 2)]
    assert orders["row-rising"] == [((r, f), (r, f + 1)) for r, f in rising]
    falling = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2)]
    assert orders["row-falling"] == [((r, f + 1), (r, f)) for r, f in falling]


def test_no_delta_allowed_is_pure_privacy_and_nothing_else():
    content = two_leaves()
    content["question"]["privacy"][0]["delta"] = "0"
    content["proof"]["tree"] = leaf("10 0", "10 0 10")
    assert refused(content)
    content["question"]["privacy"][0]["kind"] = "pure"
    assert refused(content)
    content["proof"]["tree"] = leaf("10 0", "0 10")
    assert not refused(content)


def of_the_worst_truth(worst):
    """Return a claim about the worst truth that releases 0 and says that nothing is below 1/2."""
    content = randomized_response()
    content["question"]["objective"] |= {"worst": worst, "weights": None}
    content["mechanism"]["rows"] = ["4 4", "0 0"]
    # Randomized response errs with 1/4 at both truths; multipliers for a prior of one half prove that.
    content["proof"] = {"denominator": "8", "tree": leaf("1*2", "0 1", "1 1", prior="4*2")}
    return {**content, "objective": "1", "bound": "1/4", "gap": "3/4"}


def test_only_true_asks_for_the_worst_truth():
    """A number would be multiplied with: weights that sum to two prove twice the least loss there is."""
    assert not refused(of_the_worst_truth(worst=True))
    for worst in (1, 2, -1, "true", [], None):
        content = of_the_worst_truth(worst)
        assert refused(content), worst
        content["proof"]["tree"] = leaf("2*2", "0 2", "1 2", prior="8*2 0*2")
        assert refused({**content, "bound": "1/2", "gap": "1/2"}), worst


def test_noise_is_fair_at_the_homes_of_the_truths():
    content = modular()
    content["question"]["properties"] = ["fair"]
    assert not refused(content)
    content = randomized_response()
    content["question"]["properties"] = ["fair"]
    content["mechanism"]["rows"] = ["3 2", "1 2"]
    assert refused(content | {"objective": "3/4", "gap": "1/4"})


def test_the_first_responses_of_symmetric_noise_are_the_only_ones_of_their_question():
    # Response 2 of truth 0 is the last of 2 D + 1.
    for response, wrong in ((2, False), (3, True)):
        item = sadeghi()
        item["question"]["privacy"][0]["delta"] = "0.25"
        item["question"]["objective"] |= {"least": "loss", "loss": "zero-one", "weights": "sum"}
        item |= {"objective": "1", "bound": "0", "gap": "1"}
        item["proof"]["tree"] = leaf("0*2", f"{response} 4")
        with pytest.raises(checker.RefusedError) as trouble:
            checker.check(json.dumps(item))
        assert ("a response must be one of the question" in str(trouble.value)) is wrong


def test_an_objective_that_cannot_be_told_is_refused():
    for changes in (
        {"least": "delta"},
        {"least": "most"},
        {"loss": None},
        {"loss": "Absolute"},
        {"loss": {"matrix": [["0", "1"], ["1", "0"], ["1", "0"]]}},
        {"loss": {"matrix": [["0", "1", "1"], ["1", "0", "1"]]}},
        {"loss": {"matrix": ["01", "10"]}},
        {"loss": {"noise": ["0", "1"]}},
        {"weights": None},
        {"weights": ["1", "1"]},
        {"weights": "mean"},
        {"unit": "1"},
    ):
        content = randomized_response()
        content["question"]["objective"] |= changes
        assert refused(content), changes


TRICKS = {
    "a total too many": (one_sided, ["proof", "tree", "totals"], "1 0 9"),
    "a total too few": (one_sided, ["proof", "tree", "totals"], "1"),
    "a negative position": (randomized_response, ["proof", "tree", "privacy", 0, 0], "-1 1"),
    "a position beyond": (randomized_response, ["proof", "tree", "privacy", 0, 0], "2 1"),
    "a position as a number": (randomized_response, ["proof", "tree", "privacy", 0, 0], [0, 1]),
    "a pair too many": (randomized_response, ["proof", "tree", "privacy", 0], ["0 1", "1 1", "0 1"]),
    "pairs of no privacy": (randomized_response, ["proof", "tree", "privacy"], [["0 1", "1 1"], ["0 1"]]),
    "a negative multiplier": (randomized_response, ["proof", "tree", "privacy", 0, 0], "0 -1"),
    "a response twice": (randomized_response, ["proof", "tree", "privacy", 0, 0], "0 1 0 1"),
    "no such order": (randomized_response, ["proof", "tree", "rules"], {"row-rising": "1"}),
    "an order of no name": (column_monotone, ["proof", "tree", "rules"], {"": "1"}),
    "a negative order": (column_monotone, ["proof", "tree", "rules"], {"column-rising": "-1"}),
    "an order too many": (column_monotone, ["proof", "tree", "rules"], {"column-rising": "1 0"}),
    "a budget of pure privacy": (randomized_response, ["proof", "tree", "privacy", 0, 0], "1 0 1"),
    "a negative budget": (two_leaves, ["proof", "tree", "kept", "privacy", 0, 0], "-40"),
    "a cost without a bound": (randomized_response, ["proof", "tree", "rules"], {"bounds": "1"}),
    "a negative cost": (least_probabilistic, ["proof", "tree", "kept", "rules"], {"bounds": "-1"}),
    "a mean without noise": (randomized_response, ["proof", "tree", "rules"], {"mean": "1 0"}),
    "a prior without a worst truth": (randomized_response, ["proof", "tree", "prior"], "2*2"),
    "a negative denominator": (randomized_response, ["proof", "denominator"], "-4"),
    "no denominator": (randomized_response, ["proof", "denominator"], "0"),
    "a smaller denominator": (randomized_response, ["proof", "denominator"], "2"),
    "a reach that is true": (randomized_response, ["question", "query", "reach"], True),
    "a reach that is no number": (randomized_response, ["question", "query", "reach"], float("nan")),
    "an infinite reach": (randomized_response, ["question", "query", "reach"], float("inf")),
    "a reach of 1.0": (randomized_response, ["question", "query", "reach"], 1.0),
    "no neighbours": (randomized_response, ["question", "query", "reach"], 0),
    "a negative reach": (randomized_response, ["question", "query", "reach"], -1),
    "neighbours of themselves": (one_sided, ["question", "query", "pairs"], [[0, 1], [1, 1]]),
    "three neighbours": (one_sided, ["question", "query", "pairs"], [[0, 1, 1]]),
    "truths that fall": (one_sided, ["question", "query", "truths"], ["1", "0"]),
    "truths that are equal": (one_sided, ["question", "query", "truths"], ["1", "1.0"]),
    "pure, and delta sought": (randomized_response, ["question", "privacy", 0, "delta"], None),
    "pure, and delta given": (randomized_response, ["question", "privacy", 0, "delta"], "0.1"),
    "a negative delta": (per_outcome, ["question", "privacy", 0, "delta"], "-0.125"),
    "delta above one": (per_outcome, ["question", "privacy", 0, "delta"], "2"),
    "unknown privacy": (randomized_response, ["question", "privacy", 0, "kind"], "none"),
    "delta of another kind": (two_leaves, ["question", "privacy", 0, "kind"], "pure"),
    "trees, of no modular noise": (two_leaves, ["question", "structure", "kind"], "symmetric"),
    "unknown structure": (randomized_response, ["question", "structure", "kind"], "fair"),
    "a property that noise has not": (sadeghi, ["question", "properties"], ["weakly-honest", "fair"]),
    "an unknown property": (randomized_response, ["question", "properties"], ["honest"]),
    "a property as text": (randomized_response, ["question", "properties"], "fair"),
    "no width": (sadeghi, ["question", "structure", "half_width"], 0),
    "a wider noise": (sadeghi, ["question", "structure", "half_width"], 2),
    "a true width": (sadeghi, ["question", "structure", "half_width"], True),
    "no accuracy": (sadeghi, ["question", "structure", "accuracy"], "0"),
    "all accuracy": (sadeghi, ["question", "structure", "accuracy"], "1"),
    "another accuracy": (sadeghi, ["question", "structure", "accuracy"], "0.25"),
    "a matrix of other signs": (
        randomized_response,
        ["mechanism"],
        {"denominator": "-4", "rows": ["-3 -1", "-1 -3"]},
    ),
    "a plus": (randomized_response, ["mechanism", "rows"], ["+3 1", "1 3"]),
    "an underscore": (randomized_response, ["mechanism", "rows"], ["0_3 1", "1 3"]),
    "digits of another script": (randomized_response, ["mechanism", "rows"], ["\u0663 1", "1 3"]),
    "two spaces": (randomized_response, ["mechanism", "rows"], ["3  1", "1 3"]),
    "a tab": (randomized_response, ["mechanism", "rows"], ["3 1\t", "1 3"]),
    "a line feed in a row": (randomized_response, ["mechanism", "rows"], ["3 1\n1 3"]),
    "a row too many": (randomized_response, ["mechanism", "rows"], ["3 1", "1 3", "0 0"]),
    "a row too few": (randomized_response, ["mechanism", "rows"], ["4 4"]),
    "a cell too many": (randomized_response, ["mechanism", "rows"], ["3 1 4", "1 3 0"]),
    "rows of two lengths": (randomized_response, ["mechanism", "rows"], ["3 1", "1 3 0"]),
    "a denominator of zero": (
        randomized_response,
        ["mechanism"],
        {"denominator": "0", "rows": ["0 0", "0 0"]},
    ),
    "a negative entry": (randomized_response, ["mechanism", "rows"], ["5 1", "-1 3"]),
    "an objective of JSON": (randomized_response, ["objective"], 0.5),
    "a number with an exponent": (randomized_response, ["objective"], "5e-1"),
    "a version that is true": (randomized_response, ["version"], True),
}


@each("trick", TRICKS)
def test_a_trick_is_refused(trick):
    case, path, new = TRICKS[trick]
    content, old = case(), csv_of(case())
    other = replaced(content, path, new)
    assert json.dumps(other) != json.dumps(content)
    assert refused(other, old)
    if path[0] == "proof":
        assert by_package(json.dumps(other))
    if path[0] != "mechanism":
        return
    objective = {**other, "objective": "0", "bound": "0", "gap": "0"}
    assert refused(objective, old)


def test_a_comparison_is_decided_once():
    tree = two_leaves()["proof"]["tree"]
    for leaf_below in (tree["violated"], tree["kept"]):
        content = two_leaves()
        content["proof"]["tree"] = {**tree, "violated": {**tree, "violated": leaf_below}}
        assert refused(content)


def test_other_tables_beside_the_certificate_are_refused():
    content = randomized_response()
    text, table = json.dumps(content), csv_of(content)
    for old, new in (
        ("\n", "\r\n"),
        (",0.75", ", 0.75"),
        ("0.75", '"0.75"'),
        ("0.75", "0.750"),
        ("0.75", "7.5e-1"),
        ("0,", "0.0,"),
        ("\n0,", "\n\n0,"),
        ("\n0,", "\x0c0,"),
        ("\n0,", "\u20280,"),
        ("0.25\n", "0.25#\n"),
        ("0.25\n", "0.25,\n"),
        ("response", "Response"),
        ("response", "\ufeffresponse"),
        ("\n1,", "\n#1,"),
    ):
        assert old in table
        assert refused(text, table.replace(old, new)), new
    assert not refused(text, table + "# the end\n")


def run(*arguments):
    return subprocess.run([sys.executable, CHECKER, *arguments], capture_output=True, text=True, check=False)


def test_the_command_line_says_what_is_proved(tmp_path):
    content = one_sided()
    (tmp_path / "m.json").write_text(json.dumps(content))
    (tmp_path / "m.csv").write_text(csv_of(content))
    done = run(tmp_path / "m.json", tmp_path / "m.csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "proved: NOT differential privacy (some pairs are protected in one direction",
        "  only); pure privacy between the listed true answers; epsilon = ln 3, delta =",
        "  0; objective 1/3, about 0.333333",
        'query: custom query "count"; neighbours: 1 ordered pair of 2 true answers, as',
        "  listed",
        "scope: every table; directions: one, so that some pair is not protected the",
        "  other way round",
        "mechanism: any matrix",
        "objective: least expected absolute loss, summed over truths, 1/3, about 0.333333",
        "bound: no mechanism of this question has less than 1/3, about 0.333333; it is",
        "  attained",
    ]


def test_the_command_line_says_how_it_is_called_and_which_file_is_missing(tmp_path):
    asked = run("--help")
    assert (asked.returncode, asked.stderr) == (0, "")
    assert f"{checker.USAGE}." in asked.stdout
    assert run().stderr == f"refused: give a certificate, and its CSV if there is one: {checker.USAGE}\n"
    (tmp_path / "m.json").write_text(json.dumps(one_sided()))
    done = run(tmp_path / "m.json", tmp_path / "other.csv")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith('refused: "')
    assert 'other.csv" must be a file that can be read: No such file or directory' in done.stderr


def test_a_certificate_is_checked_without_a_csv_as_well(tmp_path):
    (tmp_path / "m.json").write_text(json.dumps(one_sided()))
    done = run(tmp_path / "m.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(
        "proved: NOT differential privacy (some pairs are protected in one direction"
    )


def test_a_csv_with_other_labels_is_refused():
    problem = om.question(om.categories(["a", "b, c", 'd"']), 1, loss="zero-one")
    design = om.design(problem)
    text, mechanism = certificate_text(design.certificate), design.mechanism
    content = {"responses": mechanism.responses, "truths": mechanism.truths, "matrix": mechanism.matrix}
    assert checker.check(text, matrix_text(**content, labels=mechanism.labels))
    for labels in (("b, c", "a", 'd"'), ("a", "b, c"), ("a", "b, c", 'd"', "e")):
        assert refused(text, matrix_text(**content, labels=labels))
    hidden = matrix_text(**content, labels=("b, c", "a", 'd"'))
    assert refused(text, f'# x,"\n{hidden}')


@each(
    ("content", "sentence"),
    [
        (b"", "Expecting value"),
        (b"\xff\xfe", "text in UTF-8"),
        (b"[" * 100_000, "nested without end"),
        (b'{"a": NaN}', "must be an integer"),
        (b'{"a": 0.5}', "must be an integer"),
        (b'{"a": -Infinity}', "must be an integer"),
        (b'{"a": 1, "a": 1}', "each field once"),
        (b"1" * 5000, "at most 4000 digits"),
        (b"null", "must have the fields"),
    ],
    every=3,
)
def test_whatever_the_bytes_are_one_line_says_why_they_are_refused(tmp_path, content, sentence):
    (tmp_path / "m.json").write_bytes(content)
    (tmp_path / "m.csv").write_text("response,0\n")
    done = run(tmp_path / "m.json", tmp_path / "m.csv")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("refused: ")
    assert done.stderr.count("\n") == 1
    assert sentence in done.stderr


def test_a_file_that_is_not_there_and_wrong_usage_are_refused(tmp_path):
    assert run(tmp_path / "none.json", tmp_path / "none.csv").returncode == 1
    done = run(tmp_path / "none.json")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("refused: ")


@each("kind", ["symmetric", "zero-bias"], every=3)
@each(("first", "last", "width"), [(1, 4, 1), (1, 4, 3), (2, 3, 2), (4, 6, 2), (5, 6, 3)])
def test_the_duals_of_bounded_noise_prove_what_the_linear_program_finds(kind, first, last, width):
    if kind == "symmetric" and first < width:
        pytest.skip("symmetric noise needs counts from its width on")
    truths, responses = range(first, last + 1), range(max(0, first - width), last + width + 1)
    problem = sadeghi(kind)
    question_fields = problem["question"]
    question_fields["query"] |= {"truths": [*map(str, truths)]}
    question_fields["query"]["responses"] = [[str(r), str(r)] for r in responses]
    question_fields["structure"] |= {"half_width": width, "accuracy": "0.3"}
    question_fields["privacy"][0]["delta"] = "0.9"
    question_fields["objective"] |= {"least": "loss", "weights": "sum"}
    generator = np.random.default_rng(4)
    for _ in range(20):
        cost = generator.integers(0, 198, size=(len(responses), len(truths)))
        question_fields["objective"]["loss"] = {"matrix": [[*map(str, row)] for row in cost.tolist()]}
        shift = np.array(responses)[:, None] - np.array(truths)[None, :]
        rows, sides = [], []
        for f in range(len(truths)):
            for weight, side in ((np.ones(len(responses)), 1), (shift[:, f], 0), (shift[:, f] == 0, 0.3)):
                row = np.zeros(cost.shape)
                row[:, f] = weight
                rows.append(row.ravel())
                sides.append(side)
        for size in range(1, width + 1) if kind == "symmetric" else ():
            same = np.flatnonzero(abs(shift).ravel() == size)
            for entry in same[1:]:
                row = np.zeros(cost.size)
                row[same[0]], row[entry] = 1, -1
                rows.append(row)
                sides.append(0)
        ends = [(0, 1 if abs(i) <= width else 0) for i in shift.ravel().tolist()]
        solved = linprog(cost.ravel(), A_eq=np.array(rows), b_eq=sides, bounds=ends)
        duals = [int(y * 2**40) for y in solved.eqlin.marginals[: 3 * len(truths)]]
        means = [-y for y in duals[1::3]]
        named = {"mean": text_of_runs(means)} if any(means) else {}
        tree = leaf(text_of_runs(duals[::3]), **named)
        bound = checker.bound(read_of(problem), tree, 2**40, {})
        assert solved.fun - 1e-7 < bound < solved.fun + 1e-7
