"""``optmech find``: the least epsilon or half-width, or the largest accuracy, at which a question is met."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.analysis.inversion import Threshold, largest_accuracy, least_epsilon, least_half_width
from optmech.analysis.inversion.threshold import Outcome
from optmech.analysis.inversion.within import question_within
from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text
from optmech.base.whole_files import write_together
from optmech.cli.certificate_files import design_texts, files_of
from optmech.cli.output import answer
from optmech.cli.parsers import Arguments, Command, Family, group, option, out
from optmech.cli.progress import waiting
from optmech.cli.question_parsers import QuestionCommand
from optmech.cli.questions import choices_of, problem_of
from optmech.cli.solving import solving
from optmech.question.problems.command_words import flag_of
from optmech.question.problems.named import FORMULATIONS, QUERIES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from optmech.analysis.inversion.evidence import Evidence
    from optmech.cli.options import Option
    from optmech.question.problem import Problem

    Search = Callable[..., Threshold]

# The default beginning of a search.
_FIRST: dict[str, Any] = {"epsilon": "1", "half_width": 1, "accuracy": "0.5"}
_NOISY = ("symmetric", "zero-bias")


def _run(arguments: Arguments, parameter: str, search: Search) -> int:
    """Search, print what is proved, and write the mechanism with both proofs."""
    _begin(arguments, parameter)
    typed = problem_of(arguments)
    problem, target = question_within(typed, arguments.target)
    is_within = problem is not typed
    if is_within and "loss" in choices_of(arguments):
        message = f"`--loss` must be left out with `--target '{arguments.target}'`, which says the loss."
        raise ProblemError(message)
    has_hard_demands = problem.asks & {"structure", "limits", "bounds"}
    if parameter == "epsilon" and arguments.target is None and not has_hard_demands:
        message = (
            "`--target` must be given, the largest objective that will do: without it, and with nothing that "
            "small epsilons rule out, every epsilon will do."
        )
        raise ProblemError(message)
    files = _files(arguments.out)
    settings = ("precision", "highest", "solver", "time_limit", "threads")
    given_settings = {name: getattr(arguments, name) for name in settings if hasattr(arguments, name)}
    with waiting(f"searching, on {problem.query.title}", arguments.time_limit):
        threshold = search(problem, target, **given_settings)
    written_paths = _write(threshold, files)
    design = threshold.design
    shown_problem = problem if design is None else design.problem
    meaning = [f"{arguments.target}: the objective is the probability of a larger error"] if is_within else []
    answer(
        arguments,
        lambda: _content(threshold, problem, written_paths),
        lambda: [str(shown_problem), *meaning, "", *threshold.lines],
        *written_paths,
        caution=None if design is None else design.caution,
    )
    return 0 if threshold.outcome in (Outcome.PROVED, Outcome.EVERYWHERE) else 1


def _begin(arguments: Arguments, parameter: str) -> None:
    """Say where the search begins; a value of what is sought would be overlooked, and is refused."""
    for name in (parameter, f"exp_{parameter}"):
        if (value := getattr(arguments, name, None)) is not None:
            message = (
                f"`{flag_of(name)}` must be left out: find {arguments.find} looks for it; got {value}. "
                "To design at that value run `optmech design`."
            )
            raise ProblemError(message)
    if parameter == "epsilon":
        is_needed = arguments.formulation != "file"
    else:
        kind = getattr(arguments, "structure", None)
        known = FORMULATIONS.get(arguments.formulation)
        is_needed = kind in _NOISY or (known is not None and parameter in known.required)
    if is_needed:
        setattr(arguments, parameter, _FIRST[parameter])


def _files(path: str | None) -> tuple[list[str], list[str]]:
    """Return where the design that meets the target is written, and the one that refutes the next value."""
    if path is None:
        return [], []
    met = files_of(path, None, raw=False)
    refutation = Path(path).with_name(f"{Path(path).stem}.refuted{Path(path).suffix}")
    return met, files_of(str(refutation), None, raw=False)


def _write(threshold: Threshold, files: tuple[list[str], list[str]]) -> list[str]:
    """Write matrix, certificate and refutation, as far as they exist, all or none."""
    met, refuted = files
    if not met or threshold.design is None:
        return []
    texts = design_texts(threshold.design, met)
    refuting = None if threshold.refuted is None else threshold.refuted.design
    if refuting is not None and refuting is not threshold.design:
        texts |= design_texts(refuting, refuted)
    write_together(texts)
    return [str(path) for path in texts]


def _content(threshold: Threshold, problem: Problem, paths: list[str]) -> dict[str, Any]:
    asked = problem if threshold.design is None else threshold.design.problem
    return {
        "caution": None if threshold.design is None else threshold.design.caution,
        "problem": str(asked),
        "question": asked.to_dict(),
        "parameter": threshold.parameter,
        "target": None if threshold.target is None else as_text(threshold.target),
        "precision": as_text(threshold.precision),
        "outcome": threshold.outcome.name.lower(),
        "value": None if threshold.value is None else as_text(threshold.value),
        "beyond": None if threshold.beyond is None else as_text(threshold.beyond),
        "met": None if threshold.met is None else _proof(threshold.met),
        "refuted": None if threshold.refuted is None else _proof(threshold.refuted),
        "undecided": [_proof(one) for one in threshold.undecided],
        "law": threshold.law,
        "designs": threshold.designs,
        "seconds": threshold.seconds,
        "files": paths,
    }


def _proof(one: Evidence) -> dict[str, Any]:
    """Return the proved facts at one value; exact numbers are text."""
    return {
        "value": as_text(one.value),
        "verdict": one.verdict.name.lower(),
        "objective": None if one.objective is None else str(one.objective),
        "bound": None if one.bound is None else str(one.bound),
        "of": "delta, all else kept" if one.is_of_delta else "the objective",
        "text": str(one),
    }


_TARGET = option(
    "--target",
    "T",
    "the largest acceptable objective: a loss, a probability, delta; or 'within 3 with 95 %%': an error of "
    "at most 3 with that probability at every true answer, or behind it 'on average'; default: any",
)
_PRECISION = option("--precision", "P", "how far apart both proofs may be; default: 0.001", default="0.001")


def _command(
    name: str,
    search: Search,
    summary: str,
    examples: Sequence[str],
    further: Mapping[str, str],
    *options: Option,
) -> Command:
    """Return the command of one search; what it seeks is refused in a sentence if it is typed."""
    sought_name = name.replace("-", "_")
    hidden_options = [
        option(flag_of(each), None, argparse.SUPPRESS) for each in (sought_name, f"exp_{sought_name}")
    ]
    return QuestionCommand(
        name=name,
        family="find",
        summary=summary,
        about=f"Find {summary} at which a question can be met, proved on both sides.",
        examples=examples,
        formulations=tuple(formulation for formulation in further if formulation != "file"),
        free_choice=sought_name,
        further=further,
        options=(
            *hidden_options,
            group("search", _TARGET, *options),
            solving("seconds for the search"),
            out(
                "FILE.json|FILE.csv",
                "write mechanism and proof there, and as FILE.refuted.* the design whose bound proves that "
                "there is no better value; of .csv the matrices, with the certificates beside them",
            ),
        ),
        run=partial(_run, parameter=sought_name, search=search),
    )


COMMAND = Family(
    name="find",
    about="Find the smallest epsilon, the largest accuracy or the smallest half-width of noise at which a\n"
    "question can be met. Each value is proved on both sides: by a mechanism, and by a bound just beyond it.",
    members=(
        _command(
            "epsilon",
            least_epsilon,
            "the smallest epsilon",
            (
                "optmech find epsilon count --range 0:50 --target 1",
                "optmech find epsilon count --range 0:50 --target 'within 3 with 95 %'",
            ),
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
            largest_accuracy,
            "the largest probability of the true answer",
            ("optmech find accuracy sadeghi-symmetric --epsilon 1 --half-width 4 --target 0.01",),
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
            least_half_width,
            "the smallest half-width of noise",
            ("optmech find half-width sadeghi-symmetric --epsilon 2.18 --accuracy 0.8 --target 0.005",),
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
