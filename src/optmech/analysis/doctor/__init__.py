"""Try out everything this machine needs; a failure becomes a finding, never an error."""

from optmech.analysis.doctor.examine import examine, questions
from optmech.analysis.doctor.finding import Finding, State

__all__ = ["Finding", "State", "examine", "questions"]
