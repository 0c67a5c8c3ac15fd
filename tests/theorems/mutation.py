"""Closed forms with one mistake each: an index shifted, a sign turned, a term dropped.

The mistakes are made in the functions of `optmech.theorems` that a theorem's value runs through, as seen
while it runs. A mutant is the source of one function with one place changed, compiled, and put in place of
the function for as long as it is looked at.
"""

from __future__ import annotations
import __future__

import ast
import copy
import gc
import signal
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, TypeVar

import optmech.theorems

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

KINDS = ("index", "sign", "term")
FOLDER = Path(optmech.theorems.__file__).parent
# Processor seconds of a mutant. A closed form takes milliseconds.
PATIENCE = 0.2
# Calls that take the better of two numbers: to drop one of them is to drop a term.
_CHOICES = {"min", "max", "minimum", "maximum", "smaller", "larger"}


Case = TypeVar("Case")


class EndlessError(Exception):
    """A mutant goes on and on."""


@dataclass(frozen=True)
class Mutant:
    """One changed place.

    ``where`` is module and function, ``was`` and ``now`` the source of the changed expression, which name it
    in a list of survivors; ``number`` tells apart those that read alike.
    """

    where: str
    kind: str
    was: str
    now: str
    number: int
    function: FunctionType
    code: CodeType

    def __str__(self) -> str:
        return f"{self.where} | {self.was} -> {self.now}" + (f" #{self.number}" if self.number else "")

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Let the function be this mutant."""
        sound = self.function.__code__
        self.function.__code__ = self.code
        try:
            yield
        finally:
            self.function.__code__ = sound


@contextmanager
def patience(seconds: float = PATIENCE) -> Iterator[None]:
    """Raise `EndlessError` after so much computing, where the system has such a clock.

    Meanwhile no garbage is collected: that may take as long, and what is raised in its callbacks is lost.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: object) -> None:
        raise EndlessError

    before = signal.signal(signal.SIGVTALRM, stop)
    gc.disable()
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        gc.enable()
        signal.signal(signal.SIGVTALRM, before)


def first_that(holds: Callable[[Case], bool], cases: list[Case]) -> Case | None:
    """Return the first case that something holds of, and put it before the others: mistakes are alike."""
    for place, case in enumerate(cases):
        if holds(case):
            cases.insert(0, cases.pop(place))
            return case
    return None


def functions_run(calls: Iterable[Callable[[], object]], *folders: Path) -> list[FunctionType]:
    """Return the functions of folders, the theorems' for none, that calls run through.

    Among nested functions it is the outermost.
    """
    within = tuple(map(str, folders or (FOLDER,)))

    codes: dict[tuple[str, str, int], CodeType] = {}

    def note(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(within):
            codes.setdefault((code.co_filename, code.co_qualname, code.co_firstlineno), code)

    sys.setprofile(note)
    try:
        for call in calls:
            call()
    finally:
        sys.setprofile(None)
    # A function that is compiled alone has no variables of an outer scope, such as the one of `super`.
    outermost = {
        id(code)
        for code in codes.values()
        if "<locals>" not in code.co_qualname and not code.co_qualname.endswith(("comp>", "<genexpr>"))
        if not code.co_freevars
    }
    results = {}
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and id(function.__code__) in outermost:
            code = function.__code__
            results[code.co_filename, code.co_firstlineno, code.co_qualname] = function
    return [results[key] for key in sorted(results)]


@cache
def mutants_of(function: FunctionType) -> tuple[Mutant, ...]:
    """Return all mutants of a function, in the order of its source."""
    code = function.__code__
    tree = _definition(code)
    if tree is None:
        return ()
    where = f"{Path(code.co_filename).stem}.{code.co_qualname.removeprefix('<lambda>')}".rstrip(".")
    around = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    seen: dict[tuple[str, str], int] = {}
    mutants = []
    for kind, place, changed in _changes(tree):
        was, now = _told(place, changed, around)
        number = seen.get((was, now), 0)
        seen[was, now] = number + 1
        mutants.append(Mutant(where, kind, was, now, number, function, _compiled(tree, place, changed, code)))
    return tuple(mutants)


def _told(place: ast.AST, changed: str, around: dict[ast.AST, ast.AST]) -> tuple[str, str]:
    """Return a changed place before and after; a lone number with the expression that it stands in."""
    shown = place
    while isinstance(shown, (ast.Constant, ast.UnaryOp, ast.Name)) and isinstance(around[shown], ast.expr):
        shown = around[shown]
    return ast.unparse(shown), ast.unparse(_changed(shown, place, changed))


def _definition(code: CodeType) -> ast.AST | None:
    for node in ast.walk(_module(code.co_filename)):
        if code.co_name == "<lambda>" and isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno:
            return node
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if first == code.co_firstlineno:
                return node
    return None


@cache
def _module(filename: str) -> ast.Module:
    return ast.parse(Path(filename).read_text())


def _body(tree: ast.AST) -> list[ast.AST]:
    """Return what runs: no annotations, decorators, defaults, documentation or messages."""
    statements = [tree.body] if isinstance(tree, ast.Lambda) else tree.body
    nodes: list[ast.AST] = []
    waiting = list(statements)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, (ast.Raise, ast.JoinedStr, ast.Import, ast.ImportFrom)):
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            waiting = [*(node.body if isinstance(node, ast.FunctionDef) else [node.body]), *waiting]
            continue
        nodes.append(node)
        parts = [
            child
            for name, value in ast.iter_fields(node)
            if name not in {"annotation", "type_comment"}
            for child in (value if isinstance(value, list) else [value])
            if isinstance(child, ast.AST)
        ]
        waiting = [*parts, *waiting]
    return nodes


def _changes(tree: ast.AST) -> Iterator[tuple[str, ast.AST, str]]:
    """Yield kind, place and changed source of each mutation."""
    for node in _body(tree):
        match node:
            case ast.Constant(value=int(value)) if not isinstance(value, bool):
                yield "index", node, str(value + 1)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                yield "sign", node, f"({ast.unparse(operand)})"
            case ast.BinOp(left=left, op=(ast.Add() | ast.Sub()) as operator, right=right):
                one, two = f"({ast.unparse(left)})", f"({ast.unparse(right)})"
                added = isinstance(operator, ast.Add)
                yield "sign", node, f"({one} {'-' if added else '+'} {two})"
                yield "term", node, one
                if added:
                    yield "term", node, two
            case ast.AugAssign(target=target, op=(ast.Add() | ast.Sub()) as operator, value=value):
                turned = "-=" if isinstance(operator, ast.Add) else "+="
                yield "sign", node, f"{ast.unparse(target)} {turned} {ast.unparse(value)}"
                yield "term", node, "pass"
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=arguments):
                if name in _CHOICES and len(arguments) > 1:
                    for argument in arguments:
                        if not isinstance(argument, ast.Starred):
                            yield "term", node, f"({ast.unparse(argument)})"
        for part in _indices(node):
            if not isinstance(part, ast.Constant):
                yield "index", part, f"(({ast.unparse(part)}) + 1)"


def _indices(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what a node uses as indices: subscripts, ends of slices, ends of ranges."""
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for part in parts:
            if isinstance(part, ast.Slice):
                yield from (end for end in (part.lower, part.upper) if end is not None)
            else:
                yield part
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        yield from node.args


class _Replaced(ast.NodeTransformer):
    def __init__(self, place: tuple[object, ...], now: ast.AST) -> None:
        self.place, self.now = place, now

    def visit(self, node: ast.AST) -> ast.AST:
        if _spot(node) == self.place:
            return self.now
        return self.generic_visit(node)


def _spot(node: ast.AST) -> tuple[object, ...]:
    ends = (getattr(node, name, None) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"))
    return type(node), *ends


def _changed(tree: ast.AST, place: ast.AST, changed: str) -> ast.AST:
    now = ast.parse(changed).body[0] if isinstance(place, ast.stmt) else ast.parse(changed, mode="eval").body
    return _Replaced(_spot(place), now).visit(copy.deepcopy(tree))


def _compiled(tree: ast.AST, place: ast.AST, changed: str, sound: CodeType) -> CodeType:
    mutant = _changed(tree, place, changed)
    if isinstance(mutant, ast.FunctionDef):
        mutant.decorator_list = []
    statement = ast.Expr(mutant) if isinstance(mutant, ast.Lambda) else mutant
    module = ast.fix_missing_locations(ast.Module([statement], []))
    # Annotations stay text, as in the modules.
    code = compile(
        module, sound.co_filename, "exec", flags=__future__.annotations.compiler_flag, dont_inherit=True
    )
    return next(
        constant
        for constant in code.co_consts
        if isinstance(constant, CodeType) and constant.co_name == sound.co_name
    )
