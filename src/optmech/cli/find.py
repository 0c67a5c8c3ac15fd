"""``optmech find``: the least epsilon or half-width, or the largest accuracy, at which a question is met."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from optmech.analysis.inversion import largest_accuracy, least_epsilon, least_half_width
from optmech.analysis.inversion.threshold import Outcome
from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text
from optmech.base.whole_files import check_writable, write_together
from optmech.cli.answers import answer
from optmech.cli.certified import certificate_beside, design_texts
from optmech.cli.output import warn_unsaid
from optmech.cli.parsers import Command, Family, group, option, out, solving
from optmech.cli.progress import waiting
from optmech.cli.questions import flag_of, problem_of
from optmech.question.problems.named import QUERIES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from optmech.analysis.inversion import Threshold
    from optmech.analysis.inversion.evidence import Evidence
    from optmech.cli.parsers import Option
    from optmech.question.problem import Problem

    Search = Callable[..., Threshold]

__all__ = ["COMMAND"]

# Where a search begins that nobody told where.
_FIRST: dict[str, Any] = {"epsilon": "1", "half_width": 1, "accuracy": "0.5"}
_NOISY = ("symmetric", "zero-bias")


def _run(arguments: argparse.Namespace, sought: str, search: Search) -> int:
    """Search, print what is proved, and write the mechanism with both proofs."""
    _begin(arguments, sought)
    problem = problem_of(arguments)
    if sought == "epsilon" and arguments.target is None and _is_free(problem):
        message = (
            "`--target` must be given, the largest objective that will do: without it, and with nothing that "
            "small epsilons rule out, every epsilon will do."
        )
        raise ProblemError(message)
    files = _files(arguments.out)
    for path in files:
        check_writable(path)
    settings = ("precision", "highest", "solver", "time_limit", "threads")
    given = {name: getattr(arguments, name) for name in settings if hasattr(arguments, name)}
    with waiting(f"searching, on {problem.query.title}", arguments.time_limit):
        found = search(problem, arguments.target, **given)
    written = _write(found, files)
    design = found.design
    caution = None if design is None else design.caution
    warn_unsaid(caution, json=arguments.json)
    shown = problem if design is None else design.problem
    answer(
        arguments,
        lambda: _content(found, problem, written),
        lambda: "\n".join([*([caution] if caution else []), str(shown), "", str(found)]),
        *written,
    )
    return 0 if found.outcome in (Outcome.PROVED, Outcome.EVERYWHERE) else 1


def _is_free(problem: Problem) -> bool:
    """Whether nothing is asked that may be impossible at a small epsilon."""
    return problem.structure.is_free and not problem.limits and not problem.bounds


def _begin(arguments: argparse.Namespace, sought: str) -> None:
    """Say where the search begins; a value of what is sought would be overlooked, and is refused."""
    for name in (sought, f"exp_{sought}"):
        if (typed := getattr(arguments, name, None)) is not None:
            message = (
                f"`{flag_of(name)}` must be left out: find {arguments.find} looks for it; got {typed}. "
                "To design at that value run `optmech design`."
            )
            raise ProblemError(message)
    if sought == "epsilon":
        wanted = arguments.formulation != "file"
    else:
        kind = getattr(arguments, "structure", None)
        wanted = kind in _NOISY or arguments.formulation.startswith("sadeghi")
    if wanted:
        setattr(arguments, sought, _FIRST[sought])


def _files(path: str | None) -> list[str]:
    if path is None:
        return []
    if not path.lower().endswith(".csv"):
        message = f"`--out` must end in .csv, beside which the proofs are written; got {path}."
        raise ProblemError(message)
    refuted = f"{path[:-4]}.refuted.csv"
    return [path, certificate_beside(path), refuted, certificate_beside(refuted)]


def _write(found: Threshold, files: list[str]) -> list[str]:
    """Write what there is of matrix, certificate and refutation, all or nothing."""
    if not files or found.design is None:
        return []
    texts = design_texts(found.design, files[:2])
    refuting = None if found.refuted is None else found.refuted.design
    if refuting is not None and refuting is not found.design:
        texts |= design_texts(refuting, files[2:])
    write_together(texts)
    return [str(path) for path in texts]


def _content(found: Threshold, problem: Problem, written: list[str]) -> dict[str, Any]:
    return {
        "caution": None if found.design is None else found.design.caution,
        "problem": str(problem if found.design is None else found.design.problem),
        "parameter": found.parameter,
        "target": None if found.target is None else as_text(found.target),
        "precision": as_text(found.precision),
        "outcome": found.outcome.name.lower(),
        "value": None if found.value is None else as_text(found.value),
        "beyond": None if found.beyond is None else as_text(found.beyond),
        "met": None if found.met is None else _proof(found.met),
        "refuted": None if found.refuted is None else _proof(found.refuted),
        "undecided": [_proof(one) for one in found.undecided],
        "law": found.law,
        "designs": found.designs,
        "seconds": found.seconds,
        "files": written,
    }


def _proof(one: Evidence) -> dict[str, Any]:
    """Return what is proved at one value; exact numbers are text."""
    return {
        "value": as_text(one.value),
        "verdict": one.verdict.name.lower(),
        "objective": None if one.objective is None else str(one.objective),
        "bound": None if one.bound is None else str(one.bound),
        "of": "delta, all else kept" if one.is_of_delta else "the objective",
        "text": str(one),
    }


_TARGET = option(
    "--target", "T", "the largest acceptable objective: a loss, a probability, delta; default: any"
)
_PRECISION = option("--precision", "P", "how far apart both proofs may be; default: 0.001", default="0.001")


def _command(
    name: str, sought: str, search: Search, summary: str, further: Mapping[str, str], *options: Option
) -> Command:
    """Return the command of one search; what it seeks is refused in a sentence if it is typed."""
    hidden = [option(flag_of(typed), None, argparse.SUPPRESS) for typed in (sought, f"exp_{sought}")]
    return Command(
        name=name,
        family="find",
        summary=summary,
        about=f"Find {summary} at which a question can be met, proved on both sides.",
        examples=(_EXAMPLES[name],),
        formulations=tuple(formulation for formulation in further if formulation != "file"),
        sought=sought,
        further=further,
        options=(
            *hidden,
            group("search", _TARGET, *options),
            solving("seconds for the search"),
            out(
                "FILE.csv",
                "write the matrix there, its certificate beside it, and two files FILE.refuted.* of the "
                "design whose bound proves that there is no better value",
            ),
        ),
        run=partial(_run, sought=sought, search=search),
    )


_EXAMPLES = {
    "epsilon": "optmech find epsilon count --range 0:50 --target 1",
    "accuracy": "optmech find accuracy sadeghi-symmetric --epsilon 1 --half-width 4 --target 0.01",
    "half-width": "optmech find half-width sadeghi-symmetric --epsilon 2.18 --accuracy 0.8 --target 0.005",
}
COMMAND = Family(
    name="find",
    about="Find the smallest epsilon, the largest accuracy or the smallest half-width of noise at which a\n"
    "question can be met. Each value is proved on both sides: by a mechanism, and by a bound just beyond it.",
    members=(
        _command(
            "epsilon",
            "epsilon",
            least_epsilon,
            "the smallest epsilon",
            {
                **dict.fromkeys(QUERIES, " --target 0.5"),
                "croft": " --target 5",
                "sadeghi": " --target 0.05",
                "sadeghi-symmetric": " --target 0.01",
                "kadam": " --target 0.5",
                "file": "problem.toml --instance table-4 --target 7",
            },
            _PRECISION,
            option("--highest", "EPS", "largest epsilon to try; default: 30", default="30"),
        ),
        _command(
            "accuracy",
            "accuracy",
            largest_accuracy,
            "the largest probability of the true answer",
            {
                **dict.fromkeys(QUERIES, ""),
                "croft": "",
                "sadeghi": " --target 0.1",
                "sadeghi-symmetric": " --target 0.01",
                "kadam": "",
            },
            _PRECISION,
        ),
        _command(
            "half-width",
            "half_width",
            least_half_width,
            "the smallest half-width of noise",
            {
                "count": " --property within2",
                "sadeghi": " --target 0.05",
                "sadeghi-symmetric": " --target 0.005",
                "file": "noise.toml --target 0.01",
            },
            option("--highest", "D", "widest to try; default: 100", type=int, default=100),
        ),
    ),
)
