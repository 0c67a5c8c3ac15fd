"""Try out everything this machine needs; a failure becomes a finding, never an error."""

from optmech.verify.doctor.examine import examine, questions
from optmech.verify.doctor.finding import Finding, State

__all__ = ["Finding", "State", "examine", "questions"]
