"""The mechanisms that ``optmech apply`` draws from: one, one for each group, and those that are missing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.errors import FileFormatError, ProblemError
from optmech.base.whole_files import made_folder, read_text, write_whole
from optmech.cli.certificate_files import certificate_at, proved_at
from optmech.cli.output import check_apart, warn
from optmech.cli.progress import counting, waiting
from optmech.cli.questions import CERTIFICATE, choices_of
from optmech.cli.table_files import file_of
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.question.content import question_of
from optmech.question.problems.named import named_problem

if TYPE_CHECKING:
    import argparse

    from optmech.question.problem import Problem
    from optmech.release.tables.column_mechanisms import ColumnMechanism

_ENDING = ".certificate.json"
SIZES = {"mean": "records", "count": "range"}
"""The questions that can be asked for groups of each size, and the choice that the size decides."""


def mechanisms_of(arguments: argparse.Namespace) -> ColumnMechanism | dict[str | None, ColumnMechanism]:
    """Return the mechanism on the command line, or that of each group."""
    path = arguments.mechanism
    if arguments.group is None:
        if names_groups(path):
            message = (
                "`--group` must be given with a list or a folder of certificates: the column that says which "
                "group a row is of."
            )
            raise ProblemError(message)
        return mechanism_at_path(path, arguments.out)
    return mechanisms_at_path(path, arguments.out, arguments.group)


def names_groups(path: str) -> bool:
    """Whether a path is a list or a folder of certificates of groups."""
    from optmech.release.tables.groups import lists_groups  # noqa: PLC0415 - Arrow takes a moment to load

    return Path(path).is_dir() or lists_groups(path)


def mechanisms_at_path(path: str, out: str | None, group: str) -> dict[str | None, ColumnMechanism]:
    """Return the mechanism of each group in a list or a folder; nothing of it may be `out`."""
    from optmech.release.tables.groups import read_groups  # noqa: PLC0415 - as above

    if Path(path).is_dir():
        folder, paths = Path(path), _in_folder(Path(path))  # the log names what is declared, not what occurs
        if not paths:
            message = (
                f"`{path}` must have a certificate for each group in column {group}, such as 28{_ENDING}; it "
                "has none. With a question in front they are designed."
            )
            raise FileFormatError(message)
    else:
        if out is not None:
            check_apart(out, path)
        folder, paths = Path(path).parent, read_groups(path)
    mechanisms = {path: _column_mechanism_in(folder, path, out) for path in dict.fromkeys(paths.values())}
    return {group: mechanisms[path] for group, path in paths.items()}


def design_missing(arguments: argparse.Namespace) -> list[str]:
    """Design what a folder has no certificate for, a mean of each size of group, and return what was written.

    Nothing is designed before the whole table was read and each answer is a mean of as many records.
    """
    if arguments.formulation == CERTIFICATE:
        return []
    choices = choices_of(arguments)
    if arguments.group is None:
        message = "`--group` must be given with a question: the column that says how large a group is."
        raise ProblemError(message)
    if arguments.drop_zero:
        message = (
            "a question must be left out with `--drop-zero`: the sizes that occur would show in the "
            "folder and in the log. Design a certificate for each size there could be beforehand."
        )
        raise ProblemError(message)
    folder = Path(arguments.mechanism)
    if folder.suffix and not folder.is_dir():
        message = f"`{folder}` must be a folder of certificates, with a question; it may be a new one."
        raise ProblemError(message)
    from optmech.release.tables.files import check_answers, groups_of  # noqa: PLC0415 - as above

    problems = {
        group: _problem(group, choices, arguments) for group in groups_of(file_of(arguments), arguments.group)
    }
    queries = {group: problem.query for group, problem in problems.items()}
    check_answers(
        queries, file_of(arguments), column=arguments.column, by=arguments.group, clamp=arguments.clamp
    )
    there = _in_folder(folder) if folder.is_dir() else {}
    for group in problems.keys() & there.keys():
        with waiting(f"proving {there[group]} again"):
            _check_same(there[group], problems[group])
    missing = {
        made_folder(str(folder)) / f"{group}{_ENDING}": problems[group]
        for group in problems.keys() - there.keys()
    }
    return _design_all(missing)


def _design_all(missing: dict[Path, Problem]) -> list[str]:
    """Design each question and write its certificate at once, so that an interrupted command keeps them."""
    from optmech.designs.design import design  # noqa: PLC0415 - solvers take a moment to load
    from optmech.mechanisms.certificates.certificate_text import certificate_text  # noqa: PLC0415

    in_order = sorted(missing.items(), key=lambda item: len(item[1].query.truths))
    with counting(len(in_order), "designing") as step:
        for path, problem in in_order:
            step(f"designing {problem.query.title}", 0)
            certificate = design(problem).certificate
            assert certificate is not None  # noqa: S101 - it is not raw
            write_whole(path, certificate_text(certificate))
            step(f"designing {problem.query.title}", 1)
    return [str(path) for path, _ in in_order]


def _problem(group: str, settings: dict[str, Any], arguments: argparse.Namespace) -> Problem:
    """Return the problem of a group of this size."""
    if not (group.isascii() and group.isdigit() and int(group)):
        message = (
            f"`--group` must name a column with the size of each group, with a question; got {group!r} "
            f"in column {arguments.group}. Other groups need a list of certificates."
        )
        raise ProblemError(message)
    decided = {"records": int(group), "range": f"0:{int(group)}"}
    name = SIZES[arguments.formulation]
    return named_problem(arguments.formulation, {**settings, name: decided[name]})


def _check_same(path: Path, problem: Problem) -> None:
    proof = proved_at(str(path))
    if proof is None or question_of(proof[0].problem) != question_of(problem):
        message = (
            f"`{path}` must answer what is asked here, {problem}; it answers "
            f"{proof[0].problem if proof else 'nothing that is proved'}. Take another folder for these."
        )
        raise ProblemError(message)


def _in_folder(folder: Path) -> dict[str | None, Path]:
    return {path.name.removesuffix(_ENDING): path for path in sorted(folder.glob(f"*{_ENDING}"))}


def _column_mechanism_in(folder: Path, path: Path, out: str | None) -> ColumnMechanism:
    """Return the mechanism of a file that a list of groups names; nothing else of the file is quoted."""
    from optmech.release.tables.groups import check_inside  # noqa: PLC0415

    proof = certificate_at(str(path))
    for file in {str(path), proof or str(path)}:
        check_inside(folder, Path(file))
        read_text(file)  # of a file that is not there, that is what to say
    try:
        return mechanism_at_path(str(path), out)
    except FileFormatError:
        message = (
            f"`{path}` must be a certificate, or the matrix of one, as `optmech design --out` writes them; "
            "it is neither. `optmech verify` says where."
        )
        raise FileFormatError(message) from None


def mechanism_at_path(path: str, out: str | None) -> ColumnMechanism:
    """Return the mechanism of a certificate, of a matrix held to the one beside it, or of a matrix alone."""
    from optmech.release.tables.column_of_source import column_mechanism  # noqa: PLC0415

    if out is not None:
        check_apart(out, path, certificate_at(path))
    certificate = proved_at(path)
    if certificate is None:
        law = column_mechanism(MatrixMechanism.from_csv(path), file=Path(path).name)
        warn(f"{path} has no certificate: nothing is proved of what it does")
        return law
    mechanism, proof = certificate
    return column_mechanism(mechanism, file=Path(proof).name)
