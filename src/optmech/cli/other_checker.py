"""Another checker, such as the proved one of coq/, run beside ours on the same certificate."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError, reason_of
from optmech.base.logarithm import Logarithm
from optmech.base.visible import visible
from optmech.cli.certificate_files import certificate_at
from optmech.cli.other_program import output_of
from optmech.cli.progress import waiting

if TYPE_CHECKING:
    from optmech.cli.other_program import ProgramOutput
    from optmech.proofs.certificate import Certificate
    from optmech.question.problem import Problem

ACCEPTS, REFUSES, PASSES_OVER = "accepts", "refuses", "does not cover"
DIFFERS, LATE = "proves other numbers", "did not answer in time"
SECONDS = 600.0
"""Time limit of another checker, unless the user gives one."""
# How each verdict begins: on standard output where the code is 0, else on standard error.
_VERDICTS = {0: (ACCEPTS, "proved: "), 1: (REFUSES, "refused: "), 2: (PASSES_OVER, "not covered: ")}
_MOST = 200  # characters that are shown of what it prints
_LONGEST = 40  # of a number
_NUMBER = r"(?P<about>about )?(?P<value>-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+|/[0-9]+)?)"
# The wordings of coq/optmech-check and of check_certificate.py.
_NAMED = {
    "objective": re.compile(
        rf"\b(?:objective|expected loss|loss of a truth|least delta) (?P<ln>ln )?{_NUMBER}"
    ),
    "bound": re.compile(rf"\bhas less than (?P<ln>ln )?{_NUMBER}"),
    "epsilon": re.compile(rf"\bepsilon (?:= )?(?P<ln>ln )?{_NUMBER}"),
}
_WITHOUT_BOUND = "bound: none is proved"
_ROUNDING = Fraction(1, 10**5)  # of a number of six digits behind "about"


@dataclass(frozen=True)
class OtherVerdict:
    """Verdict of another checker on a certificate.

    Attributes
    ----------
    checker : str
        Its path.
    verdict : str
        ``"accepts"``, ``"refuses"``, ``"does not cover"``, ``"proves other numbers"`` or ``"did not answer in
        time"``.
    reason : str
        The first line that it printed, with the indented ones that continue it, or how its numbers differ
        from ours.
    told : str
        All that it printed of what it proves.
    """

    checker: str
    verdict: str
    reason: str
    told: str = ""

    @property
    def content(self) -> dict[str, str]:
        """Return it for JSON."""
        return {"program": self.checker, "verdict": self.verdict, "reason": self.reason}

    @property
    def contradicts(self) -> bool:
        """Whether it contradicts a proof of ours."""
        return self.verdict in (REFUSES, DIFFERS)

    @property
    def sentence(self) -> str:
        """Say it in a line, the reason in its own words."""
        name = visible(self.checker)
        if self.verdict == ACCEPTS:
            return f"{name} accepts it, so that both agree"
        told = f": {visible(self.reason)}" if self.reason else ""
        if self.verdict == LATE:
            return f"{name} {LATE}, while optmech proves it{told}"
        return (
            f"{name} {self.verdict}{'' if self.verdict == DIFFERS else ' it'}, while optmech proves it{told}"
        )


def other_verdict(
    checker: str | None, path: str, question: Problem | None, seconds: float = SECONDS
) -> OtherVerdict | None:
    """Return the verdict of the program of ``--checker``, if any, on the certificate of `path`."""
    if not seconds > 0:
        message = f"`--checker-time-limit` must be positive seconds; got {seconds:g}."
        raise ProblemError(message)
    if checker is None:
        return None
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
    try:
        # Python would end with code 2 where its file is missing, and the system only denies to run a folder.
        if is_python or ("/" in checker and Path(checker).is_dir()):
            Path(checker).open("rb").close()
        with waiting(f"running {checker}", seconds):
            done = output_of([*([sys.executable] if is_python else []), checker, certificate], seconds)
    except (OSError, ValueError) as error:
        message = (
            "`--checker` must be a program that runs, a path with a slash or a name on the search path; "
            f"got {visible(checker) or 'nothing'}: {reason_of(error)}."
        )
        raise ProblemError(message) from error
    if done.code is None:
        return OtherVerdict(checker, LATE, f"{seconds:g} seconds; `--checker-time-limit` gives it more")
    if done.code not in _VERDICTS:
        message = (
            "`--checker` must end with code 0 (accepted), 1 (refused) or 2 (not covered); "
            f"{visible(checker)} ended with {done.code}."
        )
        raise ProblemError(message)
    return _read(checker, done)


def _read(checker: str, done: ProgramOutput) -> OtherVerdict:
    """Read a verdict: a code alone is none, for any program may end with 0."""
    verdict, begin = _VERDICTS[done.code or 0]
    # Lines that begin with a space continue the one before.
    printed = re.sub(r"\n +", " ", done.err if done.code else done.out)
    first, *_ = [*printed.splitlines(), ""]
    wrong = ""
    if not first.startswith(begin):
        wrong = f"no line that begins with `{begin}`" + (f" but {visible(first[:_MOST])}" if first else "")
    elif verdict == ACCEPTS:
        needed = [name for name in _NAMED if name != "bound" or _WITHOUT_BOUND not in printed]
        missing = [name for name in needed if _NAMED[name].search(printed) is None]
        wrong = f"no {' and no '.join(missing)} of what it proves" if missing else ""
    if wrong:
        message = (
            f"`--checker` must be a checker of certificates; {visible(checker)} ended with code {done.code} "
            f"and printed {wrong}: that is no verdict."
        )
        raise ProblemError(message)
    return OtherVerdict(checker, verdict, first[:_MOST], printed)


def compared(other: OtherVerdict | None, certificate: Certificate) -> OtherVerdict | None:
    """Return a verdict after its numbers were held against those that optmech proved."""
    if other is None or other.verdict != ACCEPTS:
        return other
    ours = {
        "objective": certificate.objective,
        "bound": certificate.bound,
        "epsilon": certificate.problem.privacy.epsilon,
    }
    for name, value in ours.items():
        found = _NAMED[name].search(other.told)
        if (found is None) != (value is None) or (found and value is not None and not _agrees(found, value)):
            told = "none" if found is None else f"{found['ln'] or ''}{found['about'] or ''}{found['value']}"
            reason = f"{name} {_short(told)}, not {_short('none' if value is None else str(value))}"
            return replace(other, verdict=DIFFERS, reason=reason)
    return other


def _agrees(found: re.Match[str], value: Fraction | Logarithm) -> bool:
    """Whether a number that was printed is ours: exactly, or to six digits where it is one behind "about"."""
    try:
        told = Fraction(found["value"])
    except (ValueError, ZeroDivisionError):
        return False
    if found["about"]:
        exact = Fraction(float(value)) if isinstance(value, Logarithm) else value
        return not found["ln"] and abs(told - exact) <= _ROUNDING * abs(exact)
    return bool((Logarithm(told) if found["ln"] and told > 0 else told) == value)


def _short(number: str) -> str:
    """Return a number, its end left out where it is long."""
    return number if len(number) <= _LONGEST else f"{number[:_LONGEST]}…"
