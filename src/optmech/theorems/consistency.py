"""Check that a proved bracket of an optimum is consistent with each theorem that applies to it.

A bracket of an optimum is known: a mechanism attains its upper end, and no mechanism does better than its
lower end, where there is one. A theorem says that its value V equals the optimum, is at most it or is at
least it:

    lower <= optimum <= upper,   so   equal     lower <= V <= upper
                                      at most            V <= upper
                                      at least  lower <= V

A violation of that is a contradiction, and its size is reported. Without a lower end an objective above V is
none: then the mechanism is not optimal. V is a ball; broken is only what all of the ball breaks.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import nan
from textwrap import fill
from typing import TYPE_CHECKING, NamedTuple

from optmech.base.errors import ProblemError
from optmech.base.notes import Failure, TextLine
from optmech.theorems.registry import THEOREMS
from optmech.theorems.theorem import Relation, Truth

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flint import arb

    from optmech.question.problem import Problem
    from optmech.theorems.theorem import Theorem

_DIGITS = 30
# The formulas read losses and weights as doubles, each within half a unit in the last place, 2^-53. In balls
# nothing else rounds; sums of a thousand terms in doubles lose up to three digits more.
_BALL_ROUNDING, _DOUBLE_ROUNDING = Fraction(1, 2**50), Fraction(1, 10**12)
# A smaller number loses digits as a double.
_UNDERFLOW = Fraction(1, 2**1022)
# A mechanism this close above an optimum, relatively, attains it: doubles that are made private cost 1e-7.
_SHARE_OF_TIES = Fraction(1, 10**6)
# Columns of a terminal, and those left free below a verdict.
_WIDTH, _BELOW = 80, 18
_WHERE_IT_HOLDS = {
    Truth.PROVED: "",
    Truth.NUMERICAL: "; nobody has proved it, no counter-example was found",
    Truth.FALSE: "; it holds here, and is false as printed elsewhere",
}
_NOT_ATTAINED = {
    Truth.PROVED: "the mechanism is not optimal, by {}",
    Truth.NUMERICAL: "the mechanism is not optimal, by {}, or this is the first counter-example",
    Truth.FALSE: "nothing follows, as it is false as printed",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """Two numbers between which the optimum of a problem lies."""

    upper: Fraction | None
    """The objective of a mechanism; ``None`` where it is not known, as `reason` says."""
    lower: Fraction | None = None
    """No mechanism of the problem has a smaller objective; ``None`` where that is not known."""
    rounding: Fraction = Fraction(0)
    """The absolute error of either end: zero where both are proved."""
    reason: str = ""
    """Why the bracket is of no use; empty where it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TheoremRow:
    """One theorem, compared with the bracket of the optimum of one problem.

    Attributes
    ----------
    name, source : str
        The theorem, and its paper, theorem and equation numbers.
    relation : Relation
        The relation of its value to the optimum, as the theorem says.
    truth : Truth
        The standing of the theorem itself.
    value : str
        Its value as a ball, or as a double where `arithmetic` says so.
    number : float
        The value rounded to a double.
    arithmetic : {"balls", "doubles"}
        The arithmetic by which the value was recomputed.
    difference : float
        Objective of the mechanism minus the value.
    holds : bool or None
        The verdict; ``None`` where a theorem and a mechanism do not decide about each other.
    statement : str
        Value and relation, in words.
    distance : str
        The distance of the optimum from that, in words; empty without a value.
    counter_example : str
        The place where a theorem that is false as printed fails, and by how much.
    """

    name: str
    source: str
    relation: Relation
    truth: Truth
    value: str
    number: float
    arithmetic: str
    difference: float
    holds: bool | None
    statement: str
    distance: str
    counter_example: str = ""

    @property
    def text(self) -> str:
        """Value and relation, and the distance of the optimum from it."""
        return "; ".join(filter(None, (self.statement, self.distance)))

    @property
    def is_false_as_printed(self) -> bool:
        """Whether the theorem is known to be false somewhere, here or elsewhere."""
        return self.truth is Truth.FALSE

    @property
    def fails(self) -> bool:
        """Whether it is contradicted and was not known to be false."""
        return self.holds is False and not self.is_false_as_printed

    @property
    def verdict(self) -> str:
        """The verdict in a word or three."""
        if self.holds is False and self.is_false_as_printed:
            return "false as printed"
        return {True: "holds", False: Failure.FAILS, None: "note"}[self.holds]

    @property
    def line(self) -> TextLine:
        """The printed row, on one line or several."""
        text = str(self)
        return TextLine(Failure.FAILS, text[len(Failure.FAILS) :]) if self.fails else TextLine(text)

    def __str__(self) -> str:
        # The distance and the source stand below value and relation, on one line if they fit.
        source, below = f"[{self.source}]", " " * _BELOW
        together = f"{self.distance} {source}".strip()
        fits = len(together) <= _WIDTH - _BELOW
        return "\n".join(
            fill(part, _WIDTH, subsequent_indent=below, break_long_words=False, break_on_hyphens=False)
            for part in (
                f"{self.verdict:16}  {self.name}: {self.statement}",
                *(f"{below}{part}" for part in ((together,) if fits else (self.distance, source)) if part),
            )
        )


def applicable_theorems(problem: Problem, theorems: Iterable[Theorem]) -> list[Theorem]:
    """Return the theorems that apply to a problem."""
    return [theorem for theorem in theorems if theorem.objection(problem) is None]


def reason_for_no_row(problem: Problem, more: Iterable[Theorem] = ()) -> str:
    """Return a text on a theorem that applies but whose value would take too long, or no text."""
    delays = ((theorem.name, theorem.delay(problem)) for theorem in (*THEOREMS, *more))
    return next((f"{name} applies to this question, but {delay}" for name, delay in delays if delay), "")


def theorem_rows(problem: Problem, bracket: Bracket, more: Iterable[Theorem] = ()) -> tuple[TheoremRow, ...]:
    """Return a row for each theorem, those given besides included, that applies to the problem.

    >>> from optmech.question.problems.croft import croft
    >>> from optmech.question.queries import count
    >>> row, *_ = theorem_rows(croft(count(5), "ln 2"), Bracket(upper=Fraction(11, 2)))
    >>> row.name, row.number, row.difference, row.holds
    ('croft-variant-1-count', 5.375, 0.125, None)
    """
    speaking = applicable_theorems(problem, (*THEOREMS, *more))
    return tuple(theorem_row(theorem, problem, bracket) for theorem in speaking)


def theorem_row(
    theorem: Theorem, problem: Problem, bracket: Bracket, *, in_doubles: bool = False
) -> TheoremRow:
    """Return the row of a theorem that applies to the problem, against a bracket of its optimum.

    Its value is computed in balls, unless doubles are asked for or the balls would take long. A formula that
    ends in an exception fails; the row names the exception.
    """
    holds: bool | None
    try:
        value = _value_of(theorem, problem, in_doubles=in_doubles)
    except Exception as wrong:  # noqa: BLE001 - a table of many rows goes on
        value = _Value(Fraction(0), Fraction(0), "none", nan, "none")
        difference, holds = nan, False
        statement, distance = f"its value cannot be computed: {type(wrong).__name__}: {wrong}", ""
    else:
        middle = (value.low + value.high) / 2
        difference = nan if bracket.upper is None else float(bracket.upper - middle)
        holds, distance = _verdict(theorem, value, bracket)
        statement = f"{value.number:.15g} {theorem.relation}"
    return TheoremRow(
        name=theorem.name,
        source=theorem.source,
        relation=theorem.relation,
        truth=theorem.truth,
        value=value.text,
        number=value.number,
        arithmetic=value.arithmetic,
        difference=difference,
        holds=holds,
        statement=statement,
        distance=distance,
        counter_example=theorem.counter_example,
    )


class _Value(NamedTuple):
    """The value of a theorem: between two rationals, and in words."""

    low: Fraction
    high: Fraction
    text: str
    number: float
    arithmetic: str


def _value_of(theorem: Theorem, problem: Problem, *, in_doubles: bool) -> _Value:
    most = theorem.most_truths_in_balls
    small = most is None or problem.query.num_truths <= most
    if small and not in_doubles:
        try:
            ball = theorem.ball(problem, _DIGITS)
        except ArithmeticError:  # no balls, or a case that they cannot decide, at a boundary between two
            pass
        else:
            middle, radius = _fraction(ball.mid()), _fraction(ball.rad())
            return _Value(middle - radius, middle + radius, ball.str(20), float(middle), "balls")
    number = float(theorem.value(problem))
    try:
        exact = Fraction(number)
    except (ValueError, OverflowError):
        message = f"a theorem must have a finite value; {theorem.name} has {number}. This is a bug."
        raise ProblemError(message) from None
    return _Value(exact, exact, repr(number), number, "doubles")


def _fraction(end: arb) -> Fraction:
    """Return a ball without radius as a fraction."""
    digits, power = (int(part) for part in end.man_exp())
    return Fraction(digits) * Fraction(2) ** power


def _verdict(theorem: Theorem, value: _Value, bracket: Bracket) -> tuple[bool | None, str]:
    """Return whether a theorem holds, and the distance between value and bracket."""
    upper, lower = bracket.upper, bracket.lower
    if upper is None:
        return None, bracket.reason
    text = _apart("the objective", upper, value)
    if bracket.reason:
        return None, f"{text}; {bracket.reason}"
    size = max(abs(value.low), abs(value.high))
    if value.arithmetic == "balls":
        rounding = bracket.rounding + size * _BALL_ROUNDING
    else:
        rounding = bracket.rounding + size * _DOUBLE_ROUNDING + _UNDERFLOW
    if theorem.relation is not Relation.AT_LEAST and value.low - upper > rounding:
        return False, f"but {text}"
    if theorem.relation is not Relation.AT_MOST and lower is not None and lower - value.high > rounding:
        return False, f"but {_apart('the lower bound', lower, value)}"
    if theorem.relation is Relation.EQUAL and lower is not None and lower != upper:
        text += f", {_apart('the lower bound', lower, value)}"
    above = upper - value.high
    if theorem.relation is Relation.AT_MOST or above <= rounding + size * _SHARE_OF_TIES:
        return True, text + _WHERE_IT_HOLDS[theorem.truth]
    least = "" if theorem.relation is Relation.EQUAL else "at least "
    text += f": {_NOT_ATTAINED[theorem.truth].format(least + _size(above))}"
    return (None if lower is None else True), text


def _apart(name: str, end: Fraction, value: _Value) -> str:
    difference = end - (value.low + value.high) / 2
    if abs(difference) <= (value.high - value.low) / 2:
        return f"{name} is the same"
    return f"{name} is {_size(abs(difference))} {'above' if difference > 0 else 'below'} it"


def _size(difference: Fraction) -> str:
    return f"{float(difference):.2g}"
