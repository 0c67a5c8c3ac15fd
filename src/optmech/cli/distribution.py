"""What `design` and `verify` say of a distribution: a mechanism of truths in a row, without a matrix."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text
from optmech.base.whole_files import check_writable
from optmech.cli.answers import answer
from optmech.cli.certificate_files import next_steps
from optmech.cli.certificate_view import (
    certificate_json,
    certificate_lines,
    objective_per_truth,
)
from optmech.cli.output import warn_unsaid
from optmech.cli.progress import waiting
from optmech.designs.design import design
from optmech.mechanisms.certificates.certificate_file import write_certificate
from optmech.proofs.distribution_certificate import DistributionCertificate
from optmech.question.problems.histogram import HistogramShare, pairs_text

if TYPE_CHECKING:
    import argparse

    from optmech.question.problem import Problem

# Rounding keeps the objective above an optimum of zero; the gap is all of it then.
_DUST = Fraction(1, 10**30)


def design_distribution(
    problem: Problem, arguments: argparse.Namespace, share: HistogramShare | None = None, person: str = ""
) -> int:
    """Design a distribution, print its numbers after what people spend, and write its certificate."""
    title, out = problem.query.title, arguments.out
    for name in ("certificate", "raw", "break_ties"):
        if getattr(arguments, name):
            option = name.replace("_", "-")
            message = f"`--{option}` must be left out: {title} gets a distribution, which has no matrix."
            raise ProblemError(message)
    if out is not None:
        if not out.lower().endswith(".json"):
            message = (
                f"`--out` must end in .json for {title}, which gets a distribution and no matrix; got {out}."
            )
            raise ProblemError(message)
        check_writable(out)
    with waiting(f"designing {title}", arguments.time_limit):
        result = design(problem, engine=arguments.engine)
    certificate = result.certificate
    assert isinstance(certificate, DistributionCertificate)  # noqa: S101 - by the choice of the engine
    warn_unsaid(certificate.caution, json=arguments.json)
    if out is not None:
        write_certificate(certificate, out)
    reasons = [f"{'':19}{name}: {why}" for name, why in result.reasons.items()] if arguments.explain else []
    engine = f"engine             {result.engine}, {result.solution.solver}, {result.seconds:.2f} s"
    settings = {"engine": result.engine, "engines": result.reasons, "seconds": result.seconds, "out": out}
    before = [*share_lines(share), *([person, ""] if person else []), *filter(None, [certificate.caution])]
    unwritten = ["--out FILE.json writes mechanism and proof"] if out is None else []
    answer(
        arguments,
        lambda: {**distribution_json(certificate, out), **settings, **share_json(share), "person": person},
        lambda: [*before, *distribution_lines(certificate), engine, *reasons, *unwritten],
        out,
        follow=[] if out is None else next_steps([out], arguments.bound),
    )
    return 0


def share_lines(share: HistogramShare | None) -> list[str]:
    """Return what the cells of a histogram spend together, where it is one."""
    if share is None:
        return []
    of_cell = f"what is proved, and what apply, card and report say, is of one cell: {pairs_text(share.cell)}"
    return [f"histogram: {share}", *([of_cell] if share.steps > 1 else []), ""]


def share_json(share: HistogramShare | None) -> dict[str, Any]:
    """Return the same as JSON values."""
    if share is None:
        return {}
    content = {"adjacency": share.adjacency, "records_per_person": share.records, "text": str(share)}
    pairs = {"whole": share.whole, "cell": share.cell}
    return {
        "histogram": content | {name: [list(map(as_text, pair)) for pair in of] for name, of in pairs.items()}
    }


def distribution_lines(certificate: DistributionCertificate) -> list[str]:
    """Return the question and what is proved of it, a line for each number."""
    answers, truths = certificate.released, certificate.problem.query.truths
    lines = certificate_lines(certificate)
    if certificate.objective < _DUST * certificate.largest_cost:
        objective = objective_per_truth(certificate.problem, float(certificate.gap))
        gap = f"gap {objective:.15g} in units of the loss"
        lines[1] = f"{lines[1].rpartition('gap ')[0]}{gap}"
    num_unused = len(truths) - len(answers)
    ends = f"{truths[answers[0]]}..{truths[answers[-1]]}"
    never = f", of which {num_unused} are never released" if num_unused else ""
    return [str(certificate.problem), "", *lines, f"responses          {ends}{never}"]


def distribution_json(certificate: DistributionCertificate, path: str | None) -> dict[str, Any]:
    """Return the same as JSON values."""
    problem = certificate.problem
    return {
        "caution": certificate.caution,
        "problem": str(problem),
        "epsilon": as_text(problem.privacy.epsilon),
        "truths": problem.query.num_truths,
        "certificate": certificate_json(certificate, path),
    }
