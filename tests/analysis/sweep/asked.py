"""Questions for sweeps."""

from __future__ import annotations


def count_question(largest, epsilon, **parts):
    """Return the table of a count; a part of another name may be added."""
    return {
        "query": {"kind": "count", "smallest": 0, "largest": largest},
        "privacy": {"kind": "pure", "epsilon": epsilon},
        "objective": {"prior": "sum"},
    } | parts
