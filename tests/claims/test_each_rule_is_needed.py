"""Each refused vector breaks the rule that it is listed under, and the checkers need each of their rules.

A rule is needed if some vector is accepted without it. A vector that breaks two rules shows that of neither:
so its claims are those that follow without the one (`tests/dropped.py`). `reasons.json` lists the refused
vectors by reason; `python tests/dropped.py` writes it.
"""

from __future__ import annotations

import json

import pytest

from tests.dropped import REASONS, Checkers, refused_vectors, texts_of

# Without these a checker takes what it cannot compute with and stumbles, which `main` calls a refusal, but
# cannot say why. Each needs a vector that makes it stumble.
GUARDS = {
    "kind in DEFINITIONS",
    "kind in KINDS",
    "listed",
    "listed and ends",
    "self.kind in [*STRUCTURES]",
    "self.total > 0",
    "len(numbers) > 1",
    "isinstance(rules, dict)",
    "name in sums",
    "min(self.wide, self.tall) >= 2",
    "delta is not None",
    "unit > 0",
    "0 <= integer(places) <= shift",
    "counted[-1][0]",
    "law in LAWS",
}
# These bound time and memory alone: each needs a vector that it refuses. Without it the checker would take
# that to the next rule, after minutes or gigabytes where the file is larger.
LIMITS = {
    "raised <= POWER_BITS",
    "size * self.reach <= most",
    "q.wide ** 2 <= ENTRIES_OF_TWO_NUMBERS",
    "size * len(steps) <= most_pairs",
    "most <= TRUTHS",
    "in_two_numbers or self.neighbours.number * PAIR_WORK <= most_work",
    "near.heaviest == 1 or together <= POWERS_BITS",
    "work + times * work_of(scale, 4 * digits) <= self.most_work",
    "size * self.bits <= PLACES_BITS",
    "not self.tail or self.period * self.bits ** 2 <= TAIL_WORK",
    "self.wide * self.tall <= LISTED",
    "len(losses) * self.wide <= REPEATED",
    "self.unit.bit_length() <= SCALE_BITS",
    "work <= TABLE_WORK + entries * allowed",
    "work <= self.most_work",
    "wide * self.q.tall <= LISTED",
    "self.work <= self.most_work",
    "self.size() * left.rest <= LISTED_BITS",
    "points <= POINTS",
    "value <= largest",
    "fits",
    "work <= GAUSSIAN_WORK + 8 * noise.bits * noise.digits",
}
# No file is known to break these. They hold what is computed to what follows from other rules: that numbers
# are sharp enough, and that no probability with a share of the tails lies on a tie of two doubles.
DERIVED = {
    "steep <= lower",
    "'a tangent must be one that can be rounded'",
    "'a tangent must be one that can be placed'",
    "ends[0] == ends[1]",
}
# A vector cannot break these: two are rules of a command, which `test_checker.py` tries, and two are rules of
# files of 134 MB and more.
OF_NO_VECTOR = {
    "files",
    "path.exists()",
    "len(certificate) <= CHARACTERS",
    "len(text) <= NOISE_CHARACTERS",
}
# Without the rule that refuses it this takes for ever; a smaller one shows that the rule is needed.
ENDLESS = {"vector-of-27-moduli"}


@pytest.fixture(scope="module")
def checkers():
    return Checkers()


@pytest.fixture(scope="module")
def found(checkers):
    return refused_vectors(checkers)


@pytest.mark.slow
def test_each_refused_vector_is_refused_for_the_reason_that_it_is_listed_under(found):
    listed = json.loads(REASONS.read_text(encoding="utf-8"))
    rewrite = "`python tests/dropped.py` writes the list"
    for reason, names in found[0].items():
        assert listed.get(reason) == names, f"{reason}: {rewrite}"
    assert listed.keys() == found[0].keys(), rewrite


@pytest.mark.slow
def test_each_rule_is_needed(checkers, found):
    by_rule, needless = found[1], []
    for rule in checkers.rules:
        if {rule.condition, rule.says} & (DERIVED | OF_NO_VECTOR):
            continue
        if rule.condition in LIMITS:
            is_needed = bool(by_rule[rule])
        else:
            stumbles = rule.condition in GUARDS
            without = (
                checkers.refusal(*texts_of(path), without=rule)
                for path in by_rule[rule]
                if path.stem not in ENDLESS
            )
            is_needed = any(not rules and (reason is not None) is stumbles for rules, reason in without)
        if not is_needed:
            needless.append(str(rule))
    assert needless == []


def test_the_lists_of_rules_name_rules():
    known = {part for rule in Checkers().rules for part in (rule.condition, rule.says)}
    assert known >= GUARDS | LIMITS | DERIVED | OF_NO_VECTOR
