"""``optmech least-epsilon``, ``least-half-width`` and ``largest-accuracy``: what a wish takes, or leaves."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, NamedTuple

from optmech.analysis.inversion import largest_accuracy, least_epsilon, least_half_width
from optmech.analysis.inversion.threshold import Outcome
from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text
from optmech.base.whole_files import check_writable, write_together
from optmech.cli.certified import certificate_beside, design_texts
from optmech.cli.output import say, say_written, tell, warn_unsaid
from optmech.cli.progress import waiting
from optmech.cli.show import json_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.analysis.inversion import Threshold
    from optmech.analysis.inversion.evidence import Evidence
    from optmech.question.problem import Problem

__all__ = ["COMMANDS", "Command", "add_least_options", "add_solving", "run_least"]


class Command(NamedTuple):
    """One of the commands of this module."""

    summary: str
    about: str
    example: str
    sought: str
    """The choice that is sought, and need not be typed."""
    further: dict[str, str]
    """The formulations it is for, each with what its example says further; perhaps a file that it reads."""


COMMANDS = {
    "least-epsilon": Command(
        "find the epsilon that a wish takes",
        "Find the smallest epsilon at which a question can be met, proved on both sides.",
        "optmech least-epsilon croft --query count --range 0:50 --prior uniform --target 1",
        "epsilon",
        {
            "question": " --target 1.5",
            "croft": " --target 5",
            "sadeghi": " --target 0.05",
            "sadeghi-symmetric": " --target 0.01",
            "kadam": " --target 0.5",
            "file": "problem.toml --instance table-4 --target 7",
        },
    ),
    "least-half-width": Command(
        "find the width that noise needs",
        "Find the smallest half-width of noise at which a question can be met, proved on both sides.",
        "optmech least-half-width sadeghi-symmetric --epsilon 2.18 --accuracy 0.8 --target 0.005",
        "half_width",
        {
            "question": " --property within2",
            "sadeghi": " --target 0.05",
            "sadeghi-symmetric": " --target 0.005",
            "file": "noise.toml --target 0.01",
        },
    ),
    "largest-accuracy": Command(
        "find how often the truth can be told",
        "Find the largest probability of releasing the truth, whatever it is, proved on both sides.",
        "optmech largest-accuracy sadeghi-symmetric --epsilon 1 --half-width 4 --target 0.01",
        "accuracy",
        {
            "question": " --target 2",
            "croft": "",
            "sadeghi": " --target 0.1",
            "sadeghi-symmetric": " --target 0.01",
            "kadam": "",
        },
    ),
}

# Where a search begins that nobody told where.
_FIRST: dict[str, Any] = {"epsilon": "1", "half_width": 1, "accuracy": "0.5"}
_NOISY = ("symmetric", "zero-bias")


def add_least_options(parser: argparse.ArgumentParser, command: str) -> None:
    """Add the options of a command, besides those of the question."""
    for name in (COMMANDS[command].sought, f"exp_{COMMANDS[command].sought}"):  # refused in a sentence
        parser.add_argument(_flag(name), help=argparse.SUPPRESS)
    group = parser.add_argument_group("search")
    group.add_argument(
        "--target",
        metavar="T",
        help="the largest objective that will do: a loss, a probability, delta; default: any will do",
    )
    if command != "least-half-width":
        group.add_argument(
            "--precision",
            default="0.001",
            metavar="P",
            help="how far apart both proofs may be; default: 0.001",
        )
    if command == "least-epsilon":
        group.add_argument(
            "--highest", default="30", metavar="EPS", help="largest epsilon to try; default: 30"
        )
    if command == "least-half-width":
        group.add_argument(
            "--highest", default=100, type=int, metavar="D", help="widest to try; default: 100"
        )
    add_solving(parser, "seconds for the search")
    parser.add_argument(
        "--out",
        metavar="FILE.csv",
        help="write the matrix there, its certificate beside it, and two files FILE.refuted.* of the design "
        "whose bound proves that there is no better value",
    )


def add_solving(parser: argparse.ArgumentParser, limited: str) -> None:
    """Add the options of those who make many designs."""
    group = parser.add_argument_group("solver")
    group.add_argument("--solver", default="auto", metavar="NAME", help="auto, highs or cbc; default: auto")
    group.add_argument("--time-limit", type=float, metavar="SECONDS", help=limited)
    group.add_argument("--threads", type=int, metavar="N", help="threads for the solver")


def run_least(arguments: argparse.Namespace, asked: Callable[[argparse.Namespace], Problem]) -> int:
    """Search, print what is proved, and write the mechanism with both proofs.

    Parameters
    ----------
    arguments : Namespace
        What was typed.
    asked : callable
        Returns the problem that was typed.
    """
    _begin(arguments)
    problem = asked(arguments)
    if arguments.command == "least-epsilon" and arguments.target is None and _is_free(problem):
        message = (
            "`--target` must be given, the largest objective that will do: without it, and with nothing that "
            "small epsilons rule out, every epsilon will do."
        )
        raise ProblemError(message)
    files = _files(arguments.out)
    for path in files:
        check_writable(path)
    how: dict[str, Any] = {
        "solver": arguments.solver,
        "time_limit": arguments.time_limit,
        "threads": arguments.threads,
    }
    with waiting(f"searching, on {problem.query.title}", arguments.time_limit):
        if arguments.command == "least-epsilon":
            precision, highest = arguments.precision, arguments.highest
            found = least_epsilon(problem, arguments.target, precision=precision, highest=highest, **how)
        elif arguments.command == "least-half-width":
            found = least_half_width(problem, arguments.target, highest=arguments.highest, **how)
        else:
            found = largest_accuracy(problem, arguments.target, precision=arguments.precision, **how)
    written = _write(found, files)
    caution = None if found.design is None else found.design.caution
    warn_unsaid(caution, json=arguments.json)
    if arguments.json:
        tell(json_text(_content(found, problem, written)))
    else:
        shown = problem if found.design is None else found.design.problem
        say("\n".join([*([caution] if caution else []), str(shown), "", str(found)]))
        say_written(*written)
    return 0 if found.outcome in (Outcome.PROVED, Outcome.EVERYWHERE) else 1


def _is_free(problem: Problem) -> bool:
    """Whether nothing is asked that may be impossible at a small epsilon."""
    return problem.structure.is_free and not problem.limits and not problem.bounds


def _begin(arguments: argparse.Namespace) -> None:
    """Say where the search begins; a value of what is sought would be overlooked, and is refused."""
    sought = COMMANDS[arguments.command].sought
    _refuse_sought(arguments, sought)
    if sought == "epsilon":
        wanted = arguments.formulation != "file"
    else:
        kind = getattr(arguments, "structure", None)
        wanted = kind in _NOISY or arguments.formulation.startswith("sadeghi")
    if wanted:
        setattr(arguments, sought, _FIRST[sought])


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _refuse_sought(arguments: argparse.Namespace, sought: str) -> None:
    for name in (sought, f"exp_{sought}"):
        if (typed := getattr(arguments, name, None)) is not None:
            message = (
                f"`{_flag(name)}` must be left out: {arguments.command} looks for it; got {typed}. "
                "To design at that value run `optmech design`."
            )
            raise ProblemError(message)


def _files(out: str | None) -> list[str]:
    if out is None:
        return []
    if not out.lower().endswith(".csv"):
        message = f"`--out` must end in .csv, beside which the proofs are written; got {out}."
        raise ProblemError(message)
    refuted = f"{out[:-4]}.refuted.csv"
    return [out, certificate_beside(out), refuted, certificate_beside(refuted)]


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
