"""Real certificates, changed in one place with all that follows from it: what became false is refused.

Objective, gap and table are made to fit the change about half of the time, so that the rule which
the change breaks has to refuse it, and not they. `by_definition` says what became false.
"""

from __future__ import annotations

import copy
import json
import random
import re
from collections import Counter
from fractions import Fraction

import pytest

import optmech as om
from optmech.base.numbers import as_text
from optmech.cli import main
from optmech.mechanisms.certificates.runs import text_of_runs
from optmech.proofs.enclosure import enclose_exponential
from optmech.question.epsilon import exact_epsilon
from optmech.question.vectors import vector
from tests.each import each
from tests.proofs.by_definition import loss_of, why_false
from tests.readers import checker

CELLS = om.Query(range(6), [(0, 2), (2, 4), (4, 5)])
HALVES = om.Query(range(5), [(0, 2), (2, 4)])
EDGES = [(0, 1, 2), (1, 2, 1), (2, 3, 3)]
PROBLEMS = {
    "variant 1": om.croft(om.count(4), "0.5"),
    "variant 2": om.croft(om.count(3), "ln 2", variant=2),
    "mean": om.croft(om.mean(2, 2), "1/3"),
    "extremum": om.croft(om.extremum(0, 3), "1"),
    "weighted": om.croft(om.count(3), "0.7", loss="squared", prior=[0.1, 0.2, 0.3, 0.4]),
    "categories": om.croft(CELLS, "0.5", loss="zero-one", properties=["row-monotone", "column-monotone"]),
    # Truth 2 is at home above it, not where truth 2 is when turned: what mirrors a fair entry is equal to it.
    "fair categories": om.croft(HALVES, "1", loss="zero-one", properties=["fair", "symmetric"]),
    "pure noise": om.kadam(om.residues(5, [1, 2]), "1"),
    "tree": om.kadam(om.residues(5, [1, 2]), "1.5", "0.1"),
    "least delta": om.kadam_least_delta(om.residues(5, [1]), "1", at_most="0.4"),
    "zero-bias": om.sadeghi("1", "0.5", 2, counts=(1, 3)),
    "symmetric": om.sadeghi_symmetric("1", "0.5", 2),
    # Questions that the papers do not ask:
    "approximate": om.question(om.count(3), "0.5", delta="0.05"),
    "least true delta": om.question(om.count(3), "0.5", least="delta", bounds=["worst zero-one <= 0.5"]),
    "worst loss": om.question(om.count(3), "1/3", worst_case=True, loss="beyond 1"),
    "bounds": om.question(om.count(3), 1, bounds=["mean squared <= 1", "worst beyond 1 <= 0.1"]),
    "limits": om.question(om.count(3), 1, delta="0.2", properties=["accuracy >= 0.4", "within 2"]),
    "without": om.question(om.count(3), 1, properties=["without 2"]),
    "exact accuracy": om.question(om.count(2), 1, properties=["accuracy = 1/3", "symmetric"]),
    "honest": om.question(om.count(3), "0.5", properties=["column-honest", "row-honest", "weakly-honest"]),
    "unbiased": om.question(
        om.Query([0, 1, 2], [-3, "-1/2", 1, 3, 5]), 1, loss="squared", properties=["unbiased"]
    ),
    "weighted neighbours": om.question(om.Query(range(4), neighbours=EDGES), "0.5"),
    "weighted and approximate": om.question(om.Query(range(4), neighbours=EDGES), "0.5", delta="0.05"),
    "honest noise": om.question(
        om.residues(5, [1]), 1, delta="0.1", structure=om.ModularNoise(), properties=["column-honest"]
    ),
    "vectors": om.question(
        vector((2, 3), [(0, 1), (1, 0)]), 1, delta="0.05", structure=om.ModularNoise(), loss="zero-one"
    ),
    "true delta of zero-bias noise": om.question(
        om.sadeghi("1", "0.5", 2, counts=(1, 3)).query,
        1,
        least="delta",
        structure=om.ZeroBiasNoise(2, "0.5"),
        properties=["column-monotone"],
    ),
    "true delta of symmetric noise": om.question(
        om.sadeghi_symmetric("1", "0.5", 2).query, 1, delta="0.3", structure=om.SymmetricNoise(2, "0.5")
    ),
}


@pytest.fixture(scope="module", params=PROBLEMS)
def files(request, tmp_path_factory):
    design, folder = (
        om.design(PROBLEMS[request.param], engine="program"),
        tmp_path_factory.mktemp("certified"),
    )
    om.write_certificate(design.certificate, folder / "m.certificate.json")
    design.mechanism.to_csv(folder / "m.csv", comments=["made for a test"])
    return folder / "m.certificate.json", folder / "m.csv"


def rows_of(lines):
    return [row.split(" ") for row in lines]


def lines_of(rows):
    return [" ".join(map(str, row)) for row in rows]


def all_of(tree):
    return [tree, *(part for side in ("kept", "violated") if side in tree for part in all_of(tree[side]))]


# Each changes the content of a certificate and returns whether matrix, objective and table should follow.


def change_entry(content, draw):
    rows = rows_of(content["mechanism"]["rows"])
    r, f = draw.randrange(len(rows)), draw.randrange(len(rows[0]))
    step, kind = draw.choice((-1, 1, -(2**60), 2**60)), draw.randrange(3)
    rows[r][f] = str(int(rows[r][f]) + step)
    if kind > 0:  # the column's sum is kept
        s = draw.choice([s for s in range(len(rows)) if s != r])
        rows[s][f] = str(int(rows[s][f]) - step)
    if kind > 1:  # and what is turned by half a turn
        for a, change in ((r, step), (s, -step)):
            rows[-1 - a][-1 - f] = str(int(rows[-1 - a][-1 - f]) + change)
    content["mechanism"]["rows"] = lines_of(rows)


def swap_columns(content, draw):
    rows = rows_of(content["mechanism"]["rows"])
    f, g = draw.sample(range(len(rows[0])), 2)
    for row in rows:
        row[f], row[g] = row[g], row[f]
    content["mechanism"]["rows"] = lines_of(rows)


def swap_rows(content, draw):
    rows = content["mechanism"]["rows"]
    r, s = draw.sample(range(len(rows)), 2)
    rows[r], rows[s] = rows[s], rows[r]


def drop_row(content, draw):
    r = draw.randrange(len(content["mechanism"]["rows"]))
    del content["mechanism"]["rows"][r]
    if draw.random() < 0.5:
        query = content["question"]["query"]
        query["responses"] = query["responses"] or [[truth, truth] for truth in query["truths"]]
        del query["responses"][r]


def change_epsilon(content, draw):
    epsilon = draw.choice(("0.01", "0.4", "0.6", "1.1", "1.6", "ln 2", "ln 7", "ln 5/2", "20", "ln 0.5", "0"))
    (privacy,) = content["question"]["privacy"]
    privacy["epsilon"] = epsilon
    if draw.random() < 0.7 and epsilon not in {"0", "ln 0.5"}:
        factor = enclose_exponential(exact_epsilon(epsilon), 200)
        privacy |= {"lower": str(factor.lower), "upper": str(factor.upper)}


def change_factor(content, draw):
    end = draw.choice(("lower", "upper"))
    share = draw.choice((-1, 1)) * Fraction(1, 10 ** draw.randrange(1, 90))
    (privacy,) = content["question"]["privacy"]
    privacy[end] = str(Fraction(privacy[end]) * (1 + share))


def change_multiplier(content, draw):
    leaf = draw.choice([part for part in all_of(content["proof"]["tree"]) if "split" not in part])
    unit = int(content["proof"]["denominator"])
    texts = [(leaf, "totals"), (leaf, "prior")]
    texts += [(leaf["rules"], name) for name in leaf["rules"]]
    texts += [(leaf["privacy"][0], i) for i in range(len(leaf["privacy"][0]))] * 2
    part, name = draw.choice(texts)
    numbers = part[name].split(" ") if part[name] else []
    if part is not leaf["privacy"][0]:  # numbers as runs, which are counted out
        numbers = [x for run in numbers for x in [run.partition("*")[0]] * int(run.partition("*")[2] or 1)]
    place, change = draw.randrange(len(numbers) + 1), draw.randrange(8)
    if change == 0:
        numbers.insert(place, str(draw.choice((0, 1, unit // 10))))
    elif change == 1 and name not in {"totals", "prior"}:
        leaf["rules"][draw.choice(["column-rising", "row-falling", "mean", "bounds", "own"])] = "1"
    elif change == 2:
        leaf["privacy"][0].insert(draw.randrange(len(leaf["privacy"][0]) + 1), "")
    elif place < len(numbers):
        old, step = numbers[place], draw.choice((-1, 1, -unit // 10, unit // 10, unit))
        if change == 3:
            del numbers[place]
        else:
            whole = int(old) if old.lstrip("-").isdigit() else 0
            numbers[place] = str((2 * whole, -whole, whole + step, whole + step)[change - 4])
    if part is leaf["privacy"][0] and change != 2:
        part[name] = " ".join(numbers)
    elif part is not leaf["privacy"][0]:
        part[name] = text_of_runs(numbers)
    claim_more(content, draw, 0.3)


def change_tree(content, draw):
    tree = content["proof"]["tree"]
    node = draw.choice([part for part in all_of(tree) if "split" in part] or [tree])
    change = draw.randrange(5)
    if "split" not in node:
        half = copy.deepcopy(node)
        node.clear()
        node.update({"split": [0, 0, 1], "kept": half, "violated": half})
    elif change == 0:
        node["kept"], node["violated"] = node["violated"], node["kept"]
    elif change == 1:
        at = draw.randrange(len(node["split"]))
        node["split"][at] += draw.choice((-1, 1))
    elif change == 2:
        node[draw.choice(("kept", "violated"))] = copy.deepcopy(node)
    else:
        side = node[("kept", "violated")[change - 3]]
        node.clear()
        node.update(copy.deepcopy(side))
    claim_more(content, draw, 0.3)


def claim_more(content, draw, chance):
    """Say, now and then, that the proof shows the matrix to be the best."""
    if draw.random() < chance:
        content["bound"], content["gap"] = content["objective"], "0"


def change_claim(content, draw):
    name, share = draw.choice(("objective", "bound", "gap", "delta")), Fraction(1, 10 ** draw.randrange(40))
    content[name] = str(Fraction(content[name]) + draw.choice((-1, 1)) * share)
    if draw.random() < 0.5 and name != "gap":
        content["gap"] = str(Fraction(content["objective"]) - Fraction(content["bound"]))


def change_costs(content, draw):
    objective = content["question"]["objective"]
    truths = len(content["question"]["query"]["truths"])
    if draw.random() < 0.5:
        objective["loss"] = draw.choice(("absolute", "squared", "zero-one", "beyond 1", "beyond 1/3", None))
    else:
        prior = ["0"] * truths
        prior[draw.randrange(truths)] = draw.choice(("1", "0.5", "2"))
        objective["weights"] = draw.choice(("sum", "uniform", None, prior))


def change_later(content, draw):
    """Change what the papers' own questions have not, or the version."""
    question, query = content["question"], content["question"]["query"]
    f, pairs, truths = draw.randrange(len(query["truths"])), query["pairs"], len(query["truths"])
    every = ["unbiased", "column-honest", "row-honest", "weakly-honest"]
    part, name, new = draw.choice(
        (
            (query, "weights", [draw.choice((1, 2, 3)) for _ in pairs]),
            (query, "weights", []),
            (query, "weights", query["weights"][:-1]),
            (question["structure"], "moduli", draw.choice(([], [2, 3], [3, 2], [truths], [2, 2]))),
            (question["structure"], "kind", draw.choice(("free", "modular", "symmetric", "zero-bias"))),
            (
                question["privacy"][0],
                "kind",
                draw.choice(("pure", "approximate", "per-outcome", "probabilistic")),
            ),
            (question, "limits", draw.choice(([], ["accuracy >= 1/2"], [f"without {f}"], ["within 1"]))),
            (
                question,
                "limits",
                [*question["limits"], draw.choice(("accuracy = 1/3", "within 1/2", "near 1"))],
            ),
            (question, "properties", sorted({*question["properties"]} ^ {draw.choice(every)})),
            (question, "bounds", question["bounds"][1:]),
            (question["objective"], "worst", not question["objective"]["worst"]),
            (content, "version", 1),
        )
    )
    part[name] = new
    if question["bounds"] and draw.random() < 0.4:
        bound = draw.choice(question["bounds"])
        name = draw.choice(("worst", "at_most", "loss"))
        least = str(
            Fraction(bound["at_most"]) + draw.choice((-1, 1)) * Fraction(1, 10 ** draw.randrange(1, 40))
        )
        bound[name] = {"worst": not bound["worst"], "at_most": least, "loss": "squared"}[name]


def change_question(content, draw):
    asked = content["question"]
    query, structure, (privacy,) = asked["query"], asked["structure"], asked["privacy"]
    responses = query["responses"] or [[truth, truth] for truth in query["truths"]]
    f, r = draw.randrange(len(query["truths"])), draw.randrange(len(responses))
    every = ["fair", "symmetric", "row-monotone", "column-monotone"]
    delta = privacy["delta"]
    more = None if delta is None else str(Fraction(delta) + draw.choice((-1, 1)) / Fraction(100))
    part, name, new = draw.choice(
        (
            (query, "reach", query["reach"] + draw.choice((-1, 1))),
            (query, "pairs", [*query["pairs"][1:], [f, draw.randrange(len(query["truths"]))]]),
            (query, "truths", [*query["truths"][:f], "3/7", *query["truths"][f + 1 :]]),
            (query, "truths", query["truths"][:-1]),
            (query, "responses", [*responses[:r], ["3/7", "4/7"], *responses[r + 1 :]]),
            (query, "responses", [[low, high] for low, _ in responses for _, high in responses[-1:]]),
            (query, "responses", responses[:-1]),
            (structure, "kind", draw.choice(("free", "modular", "symmetric", "zero-bias"))),
            (structure, "half_width", structure["half_width"] + draw.choice((-1, 1))),
            (structure, "accuracy", draw.choice(("0.4", "0.6", "0.5", "0", "1"))),
            (privacy, "kind", draw.choice(("pure", "per-outcome", "probabilistic"))),
            (privacy, "printed", False),
            (privacy, "delta", draw.choice((more, None, "0", "1/10", "-1"))),
            (asked, "properties", sorted({*asked["properties"]} ^ {draw.choice(every)})),
            (asked["objective"], "least", draw.choice(("loss", "delta"))),
            (asked["objective"], "at_most", draw.choice((None, "0.3", "0.5", "9"))),
        )
    )
    part[name] = new


def change_anything(content, draw):
    """Change one number, text or list, wherever it stands."""
    places = list(places_of(content))
    part, name = draw.choice([draw.choice(places), *(place for place in places if draw.random() < 0.02)])
    old = part[name]
    if isinstance(old, str):
        numbers = list(re.finditer(r"-?\d+", old))
        if numbers:
            number = draw.choice(numbers)
            value = int(number[0])
            new = draw.choice((value + 1, value - 1, -value, 2 * value, 0, 1, value + draw.randrange(10**9)))
            part[name] = f"{old[: number.start()]}{new}{old[number.end() :]}"
        else:
            part[name] = draw.choice(("", "0", "1", "0 1", f"{old} 1"))
    elif isinstance(old, bool) or old is None:
        part[name] = draw.choice((not old, "0", []))
    elif isinstance(old, int):
        part[name] = draw.choice((old + 1, old - 1, 0, 1, str(old)))
    elif isinstance(old, list):
        copies = [copy.deepcopy(x) for x in old]
        part[name] = draw.choice((copies[1:], copies[:-1], copies[::-1], copies + copies[-1:], [*copies, ""]))
    elif old:
        del old[draw.choice(list(old))]
    else:
        old[draw.choice(("column-rising", "row-rising", "mean", "own"))] = "1"
    claim_more(content, draw, 0.2)


def places_of(part):
    """Yield what has parts, and where they stand in it, but for what is reported."""
    inside = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for name, value in inside:
        if name not in ("reported", "bound", "gap"):
            yield part, name
            yield from places_of(value)


CHANGES = [change_entry, swap_columns, swap_rows, drop_row, change_epsilon, change_factor, change_claim]
CHANGES += (
    [change_multiplier] * 4
    + [change_anything] * 4
    + [
        change_tree,
        change_costs,
        change_question,
        change_question,
        change_later,
    ]
)


def follow(content, table):
    """Make objective, gap and table fit the matrix and the question."""
    matrix, question = content["mechanism"], content["question"]
    rows, whole = [[int(m) for m in row] for row in rows_of(matrix["rows"])], int(matrix["denominator"])
    if question["objective"]["least"] == "loss":
        content["objective"] = str(loss_of(content))
        content["gap"] = str(Fraction(content["objective"]) - Fraction(content["bound"]))
    query = question["query"]
    responses = query["responses"] or [[truth, truth] for truth in query["truths"]]
    names = [as_text((Fraction(low) + Fraction(high)) / 2) for low, high in responses]
    lines = [[name, *(repr(m / whole) for m in row)] for name, row in zip(names, rows, strict=False)]
    return "\n".join(",".join(line) for line in [["response", *query["truths"]], *lines]) + "\n" or table


def change_table(table, draw):
    lines = [line.split(",") for line in table.splitlines() if line[0] != "#"]
    r, f = draw.randrange(1, len(lines)), draw.randrange(1, len(lines[0]))
    change, cell = draw.randrange(5), lines[r][f]
    if change == 0:
        del lines[r]
    elif change == 1:
        lines[r][f], lines[r][f - 1] = lines[r][f - 1], cell
    else:
        place = draw.choice([place for place, digit in enumerate(cell) if digit.isdigit()][-1:])
        lines[r][f] = cell[:place] + draw.choice("0123456789") + cell[place + 1 :]
    return "\n".join(map(",".join, lines)) + "\n"


def refusal(function, *arguments, kinds=Exception):
    """Return in one line why something is refused, or None; anything but these kinds gets through."""
    try:
        function(*arguments)
    except kinds as trouble:
        return f"{type(trouble).__name__}: {' '.join(str(trouble).split())}"
    return None


def run_changes(files, seed, number):
    """Change one thing at a time; return how often that was false and was not, by what was changed."""
    path, table_path = files
    text, table = path.read_text(), table_path.read_text()
    draw, counted = random.Random(seed), Counter()  # noqa: S311 - which place is changed
    other = path.with_name("changed.certificate.json")
    while counted.total() < number:
        content, changed_table = json.loads(text), table
        change = draw.choice([*CHANGES, change_table])
        if change is change_table:
            changed_table = change_table(table, draw)
        else:
            change(content, draw)
            if draw.random() < 0.6:
                changed_table = (refusal(follow, content, table) and table) or follow(content, table)
        if json.dumps(content) == json.dumps(json.loads(text)) and changed_table == table:
            continue
        false = why_false(content, changed_table)
        counted[change.__name__, false is not None] += 1
        changed = json.dumps(content)
        said = refusal(checker.check, changed, changed_table)
        assert said or not false, (change, false)
        other.write_text(changed)
        read = refusal(om.read_certificate, other, kinds=om.OptmechError)
        assert (read is None) is (refusal(checker.check, changed) is None), (change, read)
        wrong = change is not change_table and why_false(content, follow_table(content, table))
        if wrong:
            assert read, (change, wrong)
    return counted


def follow_table(content, table):
    """Return a table that fits the matrix: the library reads certificates without one."""
    try:
        return follow(copy.deepcopy(content), table)
    except (ValueError, IndexError, KeyError, TypeError, AttributeError):
        return table


def test_what_is_written_is_accepted_by_checker_library_and_definition(files):
    text, table = (file.read_text() for file in files)
    assert checker.check(text, table).startswith("proved: ")
    assert om.read_certificate(files[0]).bound is not None
    assert why_false(json.loads(text), table) is None


def test_what_a_change_makes_false_is_refused(files):
    counted = run_changes(files, 1, 20)
    assert sum(number for (_, false), number in counted.items() if false) > 8


@pytest.mark.slow
def test_what_hundreds_of_changes_make_false_is_refused(files):
    counted = run_changes(files, 2, 30)
    assert sum(number for (_, false), number in counted.items() if false) > 8


def test_a_file_that_ends_early_is_refused(files):
    text, table = (file.read_text() for file in files)
    draw, other = random.Random(3), files[0].with_name("short.certificate.json")  # noqa: S311
    for _ in range(20):
        end = draw.randrange(len(text.rstrip()))
        assert refusal(checker.check, text[:end], table)
        other.write_text(text[:end])
        assert refusal(om.read_certificate, other, kinds=om.OptmechError)
        assert refusal(checker.check, text, table[: draw.randrange(len(table) - 1)])


@each("changes", [4, pytest.param(10, marks=pytest.mark.slow)])
def test_a_table_with_another_number_is_refused_by_the_command_line(files, capsys, changes):
    path, table_path = files
    draw, table = random.Random(4), table_path.read_text()  # noqa: S311
    beside = path.with_name("other.certificate.json")
    beside.write_text(path.read_text())
    content = json.loads(path.read_text())
    for _ in range(changes):
        changed = change_table(table, draw)
        path.with_name("other.csv").write_text(changed)
        code = main(["verify", str(path.with_name("other.csv"))])
        output = capsys.readouterr()
        if why_false(content, changed):
            assert (code, output.out) == (1, "") or code == 2
            assert output.err.count("\n") == 1
