"""Another checker, such as the proved one of coq/, run beside ours on the same certificate."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError, reason_of
from optmech.base.visible import visible
from optmech.cli.certificate_files import certificate_at
from optmech.cli.progress import waiting

if TYPE_CHECKING:
    from optmech.question.problem import Problem

ACCEPTS, REFUSES, PASSES_OVER = "accepts", "refuses", "does not cover"
_VERDICTS = {0: ACCEPTS, 1: REFUSES, 2: PASSES_OVER}
_MOST = 200  # characters that are shown of what it prints


@dataclass(frozen=True)
class OtherVerdict:
    """The verdict of another checker on a certificate.

    Attributes
    ----------
    checker : str
        Its path.
    verdict : str
        ``"accepts"``, ``"refuses"`` or ``"does not cover"``.
    reason : str
        The first line that it printed, and the indented ones that continue it.
    """

    checker: str
    verdict: str
    reason: str

    @property
    def content(self) -> dict[str, str]:
        """Return it for JSON."""
        return {"program": self.checker, "verdict": self.verdict, "reason": self.reason}

    @property
    def sentence(self) -> str:
        """Say it in a line, the reason in its own words."""
        both = "so that both agree" if self.verdict == ACCEPTS else "while optmech proves it"
        told = f": {visible(self.reason)}" if self.verdict != ACCEPTS and self.reason else ""
        return f"{visible(self.checker)} {self.verdict} it, {both}{told}"


def other_verdict(checker: str | None, path: str, question: Problem | None) -> OtherVerdict | None:
    """Return what the program of ``--checker``, if any, says of the certificate that `path` is or has."""
    if checker is None:
        return None
    certificate = certificate_at(path, question)
    if certificate is None:
        message = f"`--checker` must be left out for {path}, a matrix without a certificate."
        raise ProblemError(message)
    return verdict_of(checker, certificate)


def verdict_of(checker: str, certificate: str) -> OtherVerdict:
    """Run a checker on a certificate: ProblemError if it does not run, or its exit code is no verdict."""
    try:
        with waiting(f"running {checker}"):
            done = subprocess.run(  # noqa: S603 - the user names the program that is to run
                [checker, certificate],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                check=False,
            )
    except (OSError, ValueError) as error:
        message = (
            "`--checker` must be a program that runs, a path with a slash or a name on the search path; "
            f"got {visible(checker)}: {reason_of(error)}."
        )
        raise ProblemError(message) from error
    if done.returncode not in _VERDICTS:
        message = (
            "`--checker` must end with code 0 (accepted), 1 (refused) or 2 (not covered); "
            f"{visible(checker)} ended with {done.returncode}."
        )
        raise ProblemError(message)
    first, *others = [*(done.stdout or done.stderr).splitlines(), ""]
    continued = (line.strip() for line in takewhile(lambda line: line.startswith("  "), others))
    reason = " ".join([first, *continued])
    return OtherVerdict(checker, _VERDICTS[done.returncode], reason[:_MOST])
