"""Run one command and say how it ended.

Exit codes: 0 done; 1 the answer is no (a check fails, or no mechanism exists or was found); 2 bad input.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from optmech.base.errors import NoSolutionError, OptmechError, VerificationError, reason_of
from optmech.base.visible import visible
from optmech.base.whole_files import check_writable, write_whole
from optmech.cli.apply import run_apply
from optmech.cli.arguments import build_parser, not_found, path_shortcut, with_joined_values
from optmech.cli.audit import run_audit
from optmech.cli.card import run_card
from optmech.cli.certified import files_of, next_steps, run_verify, write_design
from optmech.cli.compare import run_compare
from optmech.cli.completion import run_completion
from optmech.cli.compose import run_compose
from optmech.cli.crosscheck import run_crosscheck
from optmech.cli.doctor import run_doctor
from optmech.cli.export import run_export
from optmech.cli.frontier import run_frontier
from optmech.cli.implicit import run_implicit
from optmech.cli.least import COMMANDS as LEAST
from optmech.cli.least import run_least
from optmech.cli.output import failed, manners, say, say_next, say_written, tell, warn, warn_unsaid
from optmech.cli.prices import run_prices
from optmech.cli.progress import waiting
from optmech.cli.questions import choices_of
from optmech.cli.report import run_report
from optmech.cli.show import (
    concerns_privacy,
    design_json,
    design_text,
    json_text,
    warnings_of,
)
from optmech.cli.studio import run_studio
from optmech.cli.sweep import run_sweep
from optmech.cli.usage import UsageError
from optmech.designs.design import design
from optmech.designs.ties import break_ties
from optmech.models import solvers
from optmech.models.formulations.assemble import assemble
from optmech.models.text import as_lp, as_mps
from optmech.question.problems.instances import read_instances
from optmech.question.problems.named import named_problem
from optmech.verify import verify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.question.problem import Problem

__all__ = ["run"]

_DONE, _NO, _BAD_INPUT = 0, 1, 2
# From here on a matrix of as many responses takes a gigabyte and ten seconds, squared beyond.
_WIDE = 2000
# What must fit into memory, and what to do if it does not.
_TOO_LARGE = {
    "implicit": "the count must fit into memory with its proof; it does not. Ask for a smaller `--largest`.",
    "design": "the question must fit into memory with its matrix; it does not. "
    "Ask for a smaller range, or of a count with `optmech implicit`, which needs no matrix.",
}
_START = """\
optmech finds the private mechanism of least error for a number that must be published, and proves it.

  optmech design croft --query count --range 0:5 --epsilon 0.5       a mechanism, as a matrix
  optmech least-epsilon croft --query count --range 0:5 --target 5   the privacy that an error allows
  optmech doctor                                                     what works on this machine

`optmech --help` lists all commands, `optmech COMMAND --help` what each takes."""
_TOO_LARGE_OTHERWISE = (
    "what is asked must fit into memory; it does not. Ask for less, or give it more memory."
)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words:
        tell(_START)
        return _BAD_INPUT
    try:
        typed = argparse.Namespace(json=False, quiet=False)
        parsed = build_parser().parse_args(path_shortcut(with_joined_values(words)), typed)
    except UsageError as trouble:
        return failed(str(trouble), _BAD_INPUT, json="--json" in words)
    with manners(quiet=parsed.quiet, json=parsed.json):
        return _ended(parsed)


def _ended(parsed: argparse.Namespace) -> int:
    """Run the command that was typed; whatever is wrong with it becomes a sentence."""
    commands = {
        "design": _design,
        "verify": lambda typed: run_verify(typed, choices_of(typed)),
        "apply": run_apply,
        "card": lambda typed: run_card(typed, choices_of(typed)),
        "compare": lambda typed: run_compare(typed, _problem),
        "completion": lambda typed: run_completion(typed, build_parser()),
        "compose": run_compose,
        "doctor": run_doctor,
        "frontier": lambda typed: run_frontier(typed, _problem),
        **dict.fromkeys(LEAST, lambda typed: run_least(typed, _problem)),
        "prices": lambda typed: run_prices(typed, _problem),
        "crosscheck": run_crosscheck,
        "export": run_export,
        "audit-solvers": run_audit,
        "report": lambda typed: run_report(typed, choices_of(typed)),
        "implicit": run_implicit,
        "studio": run_studio,
        "sweep": run_sweep,
        "solvers": _solvers,
        "export-model": _export,
    }
    try:
        return commands[parsed.command](parsed)
    except MemoryError:  # it holds what fills the memory: until it is gone there is no room for a sentence
        pass
    except (NoSolutionError, VerificationError) as trouble:
        return failed(str(trouble), _NO)
    except OptmechError as trouble:
        return failed(str(trouble), _BAD_INPUT)
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        return _DONE
    except OSError as trouble:  # of a file each command says its own sentence: this is stdout, or the machine
        return failed(f"the system refuses: {reason_of(trouble)}.", _BAD_INPUT)
    return failed(_TOO_LARGE.get(parsed.command, _TOO_LARGE_OTHERWISE), _BAD_INPUT)


def _problem(arguments: argparse.Namespace) -> Problem:
    if arguments.formulation != "file":
        return named_problem(arguments.formulation, choices_of(arguments))
    instances = {instance.name: instance for instance in read_instances(arguments.path)}
    name = arguments.instance or next(iter(instances))
    if name not in instances:
        raise not_found(name, list(instances), arguments.path)
    return named_problem(instances[name].formulation, instances[name].choices)


def _design(arguments: argparse.Namespace) -> int:
    problem = _problem(arguments)
    files = files_of(arguments)
    for path, ending in zip(files, (".csv", ".json"), strict=False):
        check_writable(path, ending)
    if len(problem.query.truths) > _WIDE:
        warn(
            f"{len(problem.query.truths)} true answers make a matrix that takes gigabytes, and longer to "
            "prove than any time limit; `optmech implicit` designs a count without one",
            privacy=False,
        )
    with waiting(f"designing {problem.query.title}", arguments.time_limit):
        found = design(
            problem,
            engine=arguments.engine,
            solver=arguments.solver,
            method=arguments.method,
            time_limit=arguments.time_limit,
            threads=arguments.threads,
            raw=arguments.raw,
        )
        if arguments.break_ties:
            found = break_ties(found, time_limit=arguments.time_limit).design
        report = verify(found.mechanism, problem, found.solution, certificate=found.certificate)
    write_design(found, report, files)
    if arguments.json:
        tell(json_text(design_json(found, report, arguments.out, files[1] if len(files) > 1 else None)))
    else:
        say(design_text(found, report, explain=arguments.explain, written=bool(files)))
        say_written(*files)
        say_next(next_steps(files))
    warn_unsaid(report.caution if found.certificate is None else found.caution, json=arguments.json)
    for warning in warnings_of(found, report):
        warn(warning, privacy=concerns_privacy(warning))
    return _DONE


def _solvers(arguments: argparse.Namespace) -> int:
    found = [
        {"name": solver.name, "version": solver.version(), "methods": list(map(str, solver.methods))}
        for solver in solvers.installed()
    ]
    if arguments.json:
        tell(json_text({"solvers": found}))
    for solver in [] if arguments.json else found:
        tell(f"{solver['name']:8}{solver['version']:12}{', '.join(solver['methods'])}")
    return _DONE if found else _NO


def _export(arguments: argparse.Namespace) -> int:
    problem = _problem(arguments)
    if arguments.out is not None:
        check_writable(arguments.out)
    with waiting(f"writing the program of {problem.query.title}"):
        model = assemble(problem).model
        text = as_mps(model) if arguments.format == "mps" else as_lp(model)
    if arguments.out is not None:
        write_whole(arguments.out, text)
    size = {"columns": model.num_columns, "rows": model.num_rows}
    if arguments.json:
        told = {"text": text} if arguments.out is None else {"out": arguments.out}
        tell(json_text({"problem": str(problem), "format": arguments.format, **size, **told}))
    elif arguments.out is None:
        tell(text, end="")
    else:
        tell(f"{model.num_columns} columns and {model.num_rows} rows written to {visible(arguments.out)}")
    return _DONE
