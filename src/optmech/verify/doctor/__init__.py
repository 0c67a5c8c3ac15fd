"""What works on this machine, found out by trying; whatever is broken becomes a finding, never an error."""

from optmech.verify.doctor.examine import examine, questions
from optmech.verify.doctor.finding import Finding, State

__all__ = ["Finding", "State", "examine", "questions"]
