"""The checkers with rules that can be dropped one at a time, to see which certificate needs which rule.

    python tests/dropped.py RULE FILE...

writes into certificates the delta, objective, bound and gap that the checkers compute without the rule. So a
file breaks that rule alone. RULE is the condition of a `need` or `form` as Python spells it, or part of that.

    python tests/dropped.py

writes the list of refused vectors by the reason of which each is refused, tests/vectors/reasons.json.
"""

from __future__ import annotations

import ast
import contextlib
import json
import sys
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
VECTORS = ROOT / "tests" / "vectors"
REASONS = VECTORS / "reasons.json"
MODULES = ("check_certificate", "check_noise", "check_levels", "check_laws")
CLAIMED = ("ratio(delta) ==", "ratio(objective) ==", "ratio(least) ==", "ratio(gap) ==", "(least, gap) ==")
CLAIMED += ("delta == spent", "value >= walk.loss()", "0 <= proved <=", "value == mechanism.loss()")
CLAIMED += ("proved == mechanism.bound()", "gap == value - proved")


class Rule(NamedTuple):
    """A `need` or `form` of a checker: where it stands, its condition in Python, and what it says."""

    module: str
    line: int
    within: str  # the function that states it
    word: str
    condition: str
    says: str

    def __str__(self) -> str:
        return f"{self.module}.py, line {self.line}: {self.word}({self.condition}, {self.says})"


class _Marked(ast.NodeTransformer):
    """`need(holds, rule)` becomes `if _is_stated(rule): _state(rule, holds, rule)`."""

    def __init__(self, module, rules):
        self.module, self.rules, self.within = module, rules, ""

    def visit_FunctionDef(self, node):
        self.within = node.name
        return self.generic_visit(node)

    def visit_Expr(self, node):
        match node.value:
            case ast.Call(func=ast.Name(id="need" | "form" as word), args=args, keywords=keywords):
                given = [ast.unparse(part) for part in (*args, *(known.value for known in keywords))]
                rule = Rule(self.module, node.lineno, self.within, word, *given)
                number = len(self.rules)
                self.rules.append(rule)
                node.value.func.id, node.value.args = "_state", [ast.Constant(number), *args]
                test = ast.Call(ast.Name("_is_stated", ast.Load()), [ast.Constant(number)], [])
                return ast.copy_location(ast.If(test, [node], []), node)
        return node


class Checkers:
    """All checkers as they are, but for a rule that is not stated."""

    def __init__(self):
        self.rules, self.dropped, self.open, self.refused_by, self.claims = [], None, [], [], False
        self.modules, before = {}, {name: sys.modules.get(name) for name in MODULES}
        try:
            for name in MODULES:
                self._load(name)
        finally:
            for name, module in before.items():
                sys.modules.pop(name)
                if module is not None:
                    sys.modules[name] = module

    def _load(self, name):
        path = ROOT / f"{name}.py"
        tree = _Marked(name, self.rules).visit(ast.parse(path.read_text(encoding="utf-8")))
        module = self.modules[name] = sys.modules[name] = ModuleType(name)
        module.__dict__.update(__file__=str(path), _is_stated=self._is_stated, _state=self._state)
        exec(compile(ast.fix_missing_locations(tree), path, "exec"), module.__dict__)  # noqa: S102 - our own
        module.beside = self.modules.__getitem__

    def _is_stated(self, number):
        rule = self.rules[number]
        if rule is not self.dropped:
            self.open.append(rule)
        return rule is not self.dropped

    def _state(self, number, holds, rule):
        if not holds and not (self.claims and self.is_claim(self.rules[number])):
            self.refused_by = self.open[::-1]
            raise self.modules["check_certificate"].RefusedError(rule)
        self.open.pop()

    @staticmethod
    def is_claim(rule):
        """Whether a rule is that a number in the file is the one computed."""
        return rule.condition.startswith(CLAIMED)

    def refusal(self, *texts, without=None):
        """Return the rules that refuse the texts of a certificate and its CSV, and why.

        They are the one that is broken, and those that were about to ask for it; none where the checkers
        stumble. Why is None where all is accepted.
        """
        self.dropped, self.open, self.refused_by = without, [], []
        try:
            self.modules["check_certificate"].prove(*texts)
        except Exception as trouble:  # noqa: BLE001 - a checker says so, too
            return self.refused_by, str(trouble) if self.refused_by else type(trouble).__name__
        finally:
            self.dropped = None
        return [], None

    @contextlib.contextmanager
    def _taking_claims(self):
        self.claims = True
        yield
        self.claims = False

    def with_claims(self, content, rule):
        """Return the content with the delta, objective, bound and gap that follow without a rule."""
        computed = {}
        with contextlib.ExitStack() as stack:
            stack.enter_context(self._taking_claims())
            noise = self.modules["check_noise"]
            for owner, name, claims in (
                (self.modules["check_certificate"], "proved_numbers", ("delta", "objective", "bound")),
                (self.modules["check_certificate"], "two_numbers", ("delta", "objective", "bound")),
                (noise.Noise, "spends", ("delta",)),
                *((part, "loss", ("objective",)) for part in (noise.Thresholds, noise.Walk)),
                *((part, "bound", ("bound",)) for part in (noise.Thresholds, noise.Walk)),
                (noise.Walk, "bound_of_prices", ("bound",)),
            ):
                stack.callback(setattr, owner, name, getattr(owner, name))
                setattr(owner, name, _kept(getattr(owner, name), claims, computed))
            self.refusal(in_lines(content), without=rule)
        if "objective" not in computed:
            return content
        bound = computed.get("bound") if content["proof"] is not None else None
        gap = None if bound is None else str(Fraction(computed["objective"] - bound))
        computed["bound"] = bound
        texts = {name: None if value is None else str(Fraction(value)) for name, value in computed.items()}
        return {**content, **texts, "gap": gap}


def _kept(function, names, computed):
    """Return the function, which also keeps the numbers that it returns by name."""

    def run(*arguments):
        found = function(*arguments)
        computed.update(zip(names, found if len(names) > 1 else [found], strict=True))
        if "bound" in computed and names == ("bound",):
            computed["bound"] = max(found, 0)
        return found

    return run


def in_lines(content):
    """Return a certificate as text, a line for each field."""
    lines = [f"{json.dumps(name)}: {json.dumps(part)}" for name, part in content.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def texts_of(path):
    """Return the texts of a certificate and of its CSV, if there is one."""
    return [part.read_bytes().decode("utf-8") for part in (path, path.with_suffix(".csv")) if part.exists()]


def refused_vectors(checkers):
    """Return the names of refused vectors by reason, and their paths by the rule that refuses them."""
    by_reason, by_rule = defaultdict(list), defaultdict(list)
    for path in sorted((VECTORS / "refuse").glob("*.json")):
        try:
            rules, reason = checkers.refusal(*texts_of(path))
        except UnicodeDecodeError as trouble:
            rules, reason = [], type(trouble).__name__
        by_reason[reason].append(path.stem)
        for rule in rules:
            by_rule[rule].append(path)
    return {reason: by_reason[reason] for reason in sorted(by_reason)}, by_rule


def main(*words):
    """Write the list of reasons, or the claims that follow without a rule into certificates."""
    checkers = Checkers()
    if not words:
        text = json.dumps(refused_vectors(checkers)[0], indent=1, ensure_ascii=False)
        REASONS.write_text(text + "\n", encoding="utf-8")
        return
    (rule,) = [rule for rule in checkers.rules if words[0] in rule.condition]
    for path in map(Path, words[1:]):
        text = in_lines(checkers.with_claims(json.loads(path.read_text(encoding="utf-8")), rule))
        path.write_text(text, encoding="utf-8")
        whys = (checkers.refusal(text)[1], checkers.refusal(text, without=rule)[1])
        sys.stdout.write(f"{path}: {whys[0]}; without the rule: {whys[1]}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
