"""Check a mechanism against its question and against the theorems that apply to it."""

from optmech.verify.checks import sentence_without_theorems, verify
from optmech.verify.report import NO_THEOREM, Check, Report

__all__ = ["NO_THEOREM", "Check", "Report", "sentence_without_theorems", "verify"]
