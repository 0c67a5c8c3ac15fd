"""Another checker, such as the proved one of coq/, run beside ours on the same certificate."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError, reason_of
from optmech.base.numbers import as_text
from optmech.base.visible import visible
from optmech.cli.certificate_files import certificate_at
from optmech.cli.checker_answer import MOST_BYTES, CheckerVerdict, ProvedNumbers, numbers_of, read_answer
from optmech.cli.other_program import output_of
from optmech.cli.progress import waiting

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.base.logarithm import Logarithm
    from optmech.cli.other_program import ProgramOutput
    from optmech.mechanisms.quantiles.quantile_certificate import QuantileCertificate
    from optmech.mechanisms.tables.table_certificate import TableCertificate
    from optmech.proofs.certificate import Certificate
    from optmech.question.problem import Problem

SECONDS = 600.0
"""Time limit of another checker, unless the user gives one."""
_MOST = 200  # characters that are shown of a reason
_NUMBERS = ("objective", "bound", "epsilon", "delta")


class Agreement(StrEnum):
    """The answer of another checker, beside our proof of the same certificate."""

    ACCEPTS = "accepts"
    REFUSES = "refuses"
    NOT_COVERED = "does not cover"
    DIFFERS = "proves other numbers"
    LATE = "did not answer in time"


_AGREEMENTS = {
    CheckerVerdict.PROVED: Agreement.ACCEPTS,
    CheckerVerdict.REFUSED: Agreement.REFUSES,
    CheckerVerdict.NOT_COVERED: Agreement.NOT_COVERED,
}
_SENTENCES = {
    Agreement.ACCEPTS: "{name} accepts it, so that both agree",
    Agreement.REFUSES: "{name} refuses it, while optmech proves it: {reason}; one of the two is wrong",
    Agreement.NOT_COVERED: "{name} does not cover it, while optmech proves it: {reason}",
    Agreement.DIFFERS: "{name} proves other numbers: {reason}; one of the two is wrong",
    Agreement.LATE: "{name} did not answer in time, while optmech proves it: {reason}",
}


@dataclass(frozen=True, slots=True)
class OtherVerdict:
    """Verdict of another checker on a certificate.

    Attributes
    ----------
    checker : str
        Its path.
    verdict : Agreement
        Its answer, beside ours.
    reason : str
        Its reason, or how its numbers differ from ours.
    numbers : ProvedNumbers or None
        The numbers that it proves.
    """

    checker: str
    verdict: Agreement
    reason: str = ""
    numbers: ProvedNumbers | None = None

    @property
    def content(self) -> dict[str, str]:
        """Return it for JSON."""
        return {"program": self.checker, "verdict": self.verdict, "reason": self.reason}

    @property
    def is_compatible(self) -> bool:
        """Whether it is compatible with our proof: neither a refusal, nor other numbers, nor missing."""
        return self.verdict in (Agreement.ACCEPTS, Agreement.NOT_COVERED)

    @property
    def sentence(self) -> str:
        """Say it in a line, the reason in its own words."""
        return _SENTENCES[self.verdict].format(name=visible(self.checker), reason=visible(self.reason))


def other_verdict(
    checker: str | None, path: str, question: Problem | None, seconds: float | None = None
) -> OtherVerdict | None:
    """Return the verdict of the program of ``--checker``, if any, on the certificate of `path`."""
    if checker is None:
        if seconds is not None:
            message = (
                f"`--checker-time-limit` must stand beside `--checker`; got {seconds:g} seconds and no "
                "checker. Add `--checker PROGRAM`, or leave the limit out."
            )
            raise ProblemError(message)
        return None
    seconds = SECONDS if seconds is None else seconds
    if not seconds > 0:
        message = f"`--checker-time-limit` must be positive seconds; got {seconds:g}."
        raise ProblemError(message)
    certificate = certificate_at(path, question)
    if certificate is None and not Path(path).is_file():
        return None  # the proof that follows says that there is no such file
    if certificate is None:
        message = f"`--checker` must be left out for {path}, a matrix without a certificate."
        raise ProblemError(message)
    return verdict_of(checker, certificate, seconds)


def verdict_of(checker: str, certificate: str, seconds: float = SECONDS) -> OtherVerdict:
    """Run a checker on a certificate: ProblemError if it does not run, or its answer is no verdict."""
    is_python = checker.endswith(".py")
    # A name that begins with a dash would be an option.
    file = f"./{certificate}" if certificate.startswith("-") else certificate
    try:
        # Python would end with code 2 where its file is missing, and the system only denies to run a folder.
        if is_python or ("/" in checker and Path(checker).is_dir()):
            Path(checker).open("rb").close()
        command = [*([sys.executable] if is_python else []), checker, "--json", file]
        with waiting(f"running {checker}", seconds if math.isfinite(seconds) else None):
            done = output_of(command, seconds, MOST_BYTES)
    except (OSError, ValueError) as error:
        message = (
            "`--checker` must be a program that runs, a path with a slash or a name on the search path; "
            f"got {visible(checker) or 'nothing'}: {reason_of(error)}."
        )
        raise ProblemError(message) from error
    if done.code is None:
        reason = f"{seconds:g} seconds; `--checker-time-limit` gives it more"
        return OtherVerdict(checker, Agreement.LATE, reason)
    return _read(checker, done, done.code)


def _read(checker: str, done: ProgramOutput, code: int) -> OtherVerdict:
    """Read a verdict: a code alone is none, for any program may end with 0."""
    try:
        answer = read_answer(done.out, code)
    except ValueError as error:
        first = next(iter(done.err.decode("utf-8", errors="replace").splitlines()), "")
        aside = f" (on standard error: {visible(_cut(first))})" if first else ""
        message = (
            "`--checker` must be a checker that answers as `optmech-check-certificate --json` does; "
            f"{visible(checker)} ended with code {code} and printed {error}{aside}: that is no verdict."
        )
        raise ProblemError(message) from error
    return OtherVerdict(checker, _AGREEMENTS[answer.verdict], _cut(answer.reason), answer.numbers)


def _cut(text: str) -> str:
    return text if len(text) <= _MOST else f"{text[:_MOST]}…"


def compared(
    other: OtherVerdict | None, certificate: Certificate | TableCertificate | QuantileCertificate
) -> OtherVerdict | None:
    """Return a verdict after its numbers were held against those that optmech proved."""
    if other is None or other.numbers is None:
        return other
    ours = numbers_of(certificate)
    pairs = {name: (getattr(other.numbers, name), getattr(ours, name)) for name in _NUMBERS}
    different = [
        f"its {name} is {_text(its)}, that of the certificate {_text(own)}"
        for name, (its, own) in pairs.items()
        if its != own
    ]
    return replace(other, verdict=Agreement.DIFFERS, reason="; ".join(different)) if different else other


def _text(number: Fraction | Logarithm | None) -> str:
    """Return a number exactly, as it is compared."""
    try:
        return "none" if number is None else min(as_text(number), str(number), key=len)
    except ValueError:  # Python writes no longer integers
        return "a ratio with more than 4,300 digits"
