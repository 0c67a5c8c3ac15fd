"""Shell lines that repeat a question: a command where it can be typed, else with its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.question.problems.command_words import command_line
from optmech.question.problems.instances import question_text

if TYPE_CHECKING:
    from optmech.question.problem import Problem

_FILE = "question.toml"
_OUT = "mechanism.csv"
# A longer file does not fit on a page.
_LONGEST = 20_000


def lines_again(problem: Problem, out: str = _OUT) -> str:
    """Return shell lines that repeat the design; empty where the file is too long for a page.

    >>> from optmech.question.problems.croft import croft
    >>> from optmech.question.queries import count
    >>> from optmech.question.query import Query
    >>> print(lines_again(croft(count(5), "0.5")))
    optmech design count --range 0:5 --epsilon 0.5 --prior sum --out mechanism.csv
    >>> print(lines_again(croft(Query([0, 2, 5]), 1)))
    cat > question.toml <<'END'
    [question]
    query = {kind = "custom", truths = ["0", "2", "5"], neighbours = 1}
    privacy = {kind = "pure", epsilon = "1"}
    objective = {loss = "absolute", prior = "sum"}
    END
    optmech design question.toml --out mechanism.csv
    """
    line = command_line(problem, "--out", out)
    if line:
        return line
    text = question_text(problem)
    if len(text) > _LONGEST:
        return ""
    return f"cat > {_FILE} <<'END'\n{text}END\noptmech design {_FILE} --out {out}"
