"""What `design` and `verify` say of a distribution: a mechanism of truths in a row, without a matrix."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text
from optmech.base.whole_files import check_writable
from optmech.cli.answers import answer
from optmech.cli.certified import next_steps
from optmech.cli.output import warn_unsaid
from optmech.cli.progress import waiting
from optmech.cli.show import certificate_json, certificate_lines
from optmech.designs.design import design
from optmech.proofs.certificate_file import write_certificate
from optmech.proofs.geometric_certificate import GeometricCertificate

if TYPE_CHECKING:
    import argparse

    from optmech.question.problem import Problem

__all__ = ["design_distribution", "verify_distribution"]

# Rounding keeps the objective above an optimum of zero; the gap is all of it then.
_DUST = Fraction(1, 10**30)


def design_distribution(problem: Problem, arguments: argparse.Namespace) -> int:
    """Design a distribution, print its numbers and write its certificate."""
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
        found = design(problem, engine=arguments.engine)
    certificate = found.certificate
    assert isinstance(certificate, GeometricCertificate)  # noqa: S101 - by the choice of the engine
    warn_unsaid(certificate.caution, json=arguments.json)
    if out is not None:
        write_certificate(certificate, out)
    reasons = [f"{'':19}{name}: {why}" for name, why in found.reasons.items()] if arguments.explain else []
    engine = f"engine             {found.engine}, {found.solution.solver}, {found.seconds:.2f} s"
    made = {"engine": found.engine, "engines": found.reasons, "seconds": found.seconds, "out": out}
    unwritten = ["--out FILE.json writes mechanism and proof down"] if out is None else []
    answer(
        arguments,
        lambda: {**_content(certificate, out), **made},
        lambda: "\n".join([*_lines(certificate), engine, *reasons, *unwritten]),
        out,
        follow=[] if out is None else next_steps([out]),
    )
    return 0


def verify_distribution(certificate: GeometricCertificate, path: str, arguments: argparse.Namespace) -> int:
    """Print what was proved again."""
    if arguments.matrix is not None:
        message = "`MECHANISM.csv` must be left out: a distribution has no matrix beside it."
        raise ProblemError(message)
    warn_unsaid(certificate.caution, json=arguments.json)
    answer(
        arguments,
        lambda: {"verified": True, **_content(certificate, path)},
        lambda: "\n".join([*_lines(certificate), "", "all of it proved again"]),
    )
    return 0


def _lines(certificate: GeometricCertificate) -> list[str]:
    caution, remap, truths = certificate.caution, certificate.remap, certificate.problem.query.truths
    lines = certificate_lines(certificate)
    if certificate.objective < _DUST * certificate.question.largest_cost:
        gap = f"gap {float(certificate.gap):.15g} in units of the loss"
        lines[1] = f"{lines[1].rpartition('gap ')[0]}{gap}"
    unused = len(remap) - len(set(remap.tolist()))
    ends = f"{truths[remap[0]]}..{truths[remap[-1]]}"
    return [
        *([caution] if caution else []),
        str(certificate.problem),
        "",
        *lines,
        f"responses          {ends}, {unused} true answers are never released",
    ]


def _content(certificate: GeometricCertificate, path: str | None) -> dict[str, Any]:
    problem = certificate.problem
    return {
        "caution": certificate.caution,
        "problem": str(problem),
        "epsilon": as_text(problem.privacy.epsilon),
        "truths": problem.query.num_truths,
        "certificate": certificate_json(certificate, path),
    }
