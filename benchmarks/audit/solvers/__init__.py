"""Audit of solvers on the same problems: the claim of each, and the verdict of exact arithmetic."""
