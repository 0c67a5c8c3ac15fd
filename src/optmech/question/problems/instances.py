"""Questions in a TOML file, one or several, with known results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import need_path, takes
from optmech.base.errors import FileFormatError
from optmech.base.toml_text import toml_lines
from optmech.base.whole_files import read_toml
from optmech.question.problem import Problem
from optmech.question.table import QUESTION_EXAMPLE

if TYPE_CHECKING:
    from os import PathLike


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """One question of a file, with a name that is unique there and its known result.

    `question` is the table that `Problem.from_dict` reads. `known` has keys such as ``objective`` (decimal
    text) and ``tolerance``; `note` gives their source.
    """

    name: str
    question: dict[str, Any]
    known: dict[str, Any]
    note: str

    def problem(self) -> Problem:
        """Return the question; ProblemError where a key of it is wrong."""
        return Problem.from_dict(self.question)


def question_text(problem: Problem) -> str:
    """Return a question as the text of a file that `read_instances` reads.

    >>> from optmech.question.problems.croft import croft
    >>> from optmech.question.queries import count
    >>> print(question_text(croft(count(5), "0.5")), end="")
    [question]
    query = {kind = "count", smallest = 0, largest = 5}
    privacy = {kind = "pure", epsilon = "0.5"}
    objective = {loss = "absolute", prior = "sum"}
    """
    return f"[question]\n{toml_lines(problem.to_dict())}"


def states_question(path: str | PathLike[str]) -> bool:
    """Whether a TOML file has a question, or instances."""
    return not {"question", "instance", "formulation"}.isdisjoint(read_toml(path))


@takes(path=need_path)
def read_instances(path: str | PathLike[str]) -> tuple[Instance, ...]:
    """Return the instances of a TOML file, in order; without [[instance]] its [question] is the only one."""
    content = read_toml(path)
    if "formulation" in content:
        message = (
            f"`{path}` must state its question as a table [question], with `query` and `privacy`; got a "
            f"`formulation` and options of the command line. {QUESTION_EXAMPLE}"
        )
        raise FileFormatError(message)
    tables = content.get("instance", [content])
    if not isinstance(tables, list) or not tables:
        message = f"`{path}` must have a [question], or at least one [[instance]]; it has none."
        raise FileFormatError(message)
    instances = []
    for number, table in enumerate(tables, start=1):
        if not isinstance(table, dict) or not isinstance(table.get("question"), dict):
            where = f"[instance.question] in each [[instance]]; number {number} has none"
            if "instance" not in content:
                where = "a [question] with `query` and `privacy`, or [[instance]] with such; it has none"
            message = f"`{path}` must have {where}. {QUESTION_EXAMPLE}"
            raise FileFormatError(message)
        known = table.get("known", {})
        instances.append(
            Instance(
                name=str(table.get("name", f"instance-{number}")),
                question=table["question"],
                known=known if isinstance(known, dict) else {},
                note=str(table.get("note", "")),
            )
        )
    names = [instance.name for instance in instances]
    if len(set(names)) != len(names):
        message = f"`{path}` must have instances with different names; got {', '.join(names)}."
        raise FileFormatError(message)
    return tuple(instances)
