"""Audits of solvers and of libraries: what they claim, held against exact arithmetic."""
