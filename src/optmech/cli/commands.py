"""Run one command and say how it ended.

Exit codes: 0 done; 1 the answer is no (a check fails, or no mechanism exists or was found); 2 bad input.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from optmech import solvers
from optmech.cli.arguments import build_parser, not_found, path_shortcut, with_joined_values
from optmech.cli.audit import run_audit
from optmech.cli.certified import files_of, run_apply, run_verify, write_design
from optmech.cli.compare import run_compare
from optmech.cli.compose import run_compose
from optmech.cli.crosscheck import run_crosscheck
from optmech.cli.frontier import run_frontier
from optmech.cli.implicit import run_implicit
from optmech.cli.least import COMMANDS as LEAST
from optmech.cli.least import run_least
from optmech.cli.prices import run_prices
from optmech.cli.questions import choices_of
from optmech.cli.reproduce import run_reproduce
from optmech.cli.show import (
    design_json,
    design_text,
    json_text,
    warnings_of,
)
from optmech.cli.sweep import run_sweep
from optmech.engines.design import design
from optmech.engines.ties import break_ties
from optmech.errors import NoSolutionError, OptmechError, VerificationError
from optmech.files.instances import read_instances
from optmech.files.whole import check_writable, write_whole
from optmech.formulations.assemble import assemble
from optmech.formulations.named import named_problem
from optmech.verify import verify

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from optmech.problem.problem import Problem

__all__ = ["run"]

_DONE, _NO, _BAD_INPUT = 0, 1, 2
# What must fit into memory, and what to do if it does not.
_TOO_LARGE = {
    "implicit": "the count must fit into memory with its proof; it does not. Ask for a smaller `--largest`.",
    "design": "the question must fit into memory with its matrix; it does not. "
    "Ask for a smaller range, or of a count with `optmech implicit`, which needs no matrix.",
}
_TOO_LARGE_OTHERWISE = (
    "what is asked must fit into memory; it does not. Ask for less, or give it more memory."
)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    parsed = build_parser().parse_args(path_shortcut(with_joined_values(words)))
    commands = {
        "design": _design,
        "verify": lambda typed: run_verify(typed, choices_of(typed)),
        "apply": run_apply,
        "compare": lambda typed: run_compare(typed, _problem),
        "compose": run_compose,
        "frontier": lambda typed: run_frontier(typed, _problem),
        **dict.fromkeys(LEAST, lambda typed: run_least(typed, _problem)),
        "prices": lambda typed: run_prices(typed, _problem),
        "crosscheck": run_crosscheck,
        "audit-solvers": run_audit,
        "reproduce": run_reproduce,
        "implicit": run_implicit,
        "sweep": run_sweep,
        "solvers": _solvers,
        "export-model": _export,
    }
    try:
        return commands[parsed.command](parsed)
    except MemoryError:  # it holds what fills the memory: until it is gone there is no room for a sentence
        pass
    except (NoSolutionError, VerificationError) as trouble:
        print(f"optmech: {trouble}", file=sys.stderr)
        return _NO
    except OptmechError as trouble:
        print(f"optmech: {trouble}", file=sys.stderr)
        return _BAD_INPUT
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        sys.stderr.close()
        return _DONE
    print(f"optmech: {_TOO_LARGE.get(parsed.command, _TOO_LARGE_OTHERWISE)}", file=sys.stderr)
    return _BAD_INPUT


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
    for path in files:
        check_writable(path)
    with _progress(f"designing {problem.query.name}"):
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
        report = verify(found.mechanism, problem, found.solution)
    warnings = warnings_of(found, report)
    write_design(found, report, files)
    if arguments.json:
        print(json_text(design_json(found, report, arguments.out, files[1] if len(files) > 1 else None)))
    else:
        print(design_text(found, report, explain=arguments.explain))
        for path in files:
            print(f"written to {path}")
    for warning in warnings:
        print(f"optmech: warning: {warning}", file=sys.stderr)
    return _DONE


def _solvers(arguments: argparse.Namespace) -> int:
    found = [
        {"name": solver.name, "version": solver.version(), "methods": list(map(str, solver.methods))}
        for solver in solvers.installed()
    ]
    if arguments.json:
        print(json_text({"solvers": found}))
    for solver in [] if arguments.json else found:
        print(f"{solver['name']:8}{solver['version']:12}{', '.join(solver['methods'])}")
    return _DONE if found else _NO


def _export(arguments: argparse.Namespace) -> int:
    problem = _problem(arguments)
    if arguments.out is not None:
        check_writable(arguments.out)
    model = assemble(problem).model
    text = model.to_mps() if arguments.format == "mps" else model.to_lp()
    if arguments.out is None:
        sys.stdout.write(text)
    else:
        write_whole(arguments.out, text)
        print(f"{model.num_columns} columns and {model.num_rows} rows written to {arguments.out}")
    return _DONE


@contextmanager
def _progress(task: str) -> Iterator[None]:
    """Show that something runs, and for how long, where a person watches."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        progress.add_task(task, total=None)
        yield
