"""Certificates of noise and thresholds, written by hand."""

from __future__ import annotations

CLAIMS = ("delta", "objective", "bound", "gap")


def question_in_a_row(query, privacies, loss="absolute", weights="sum"):
    """Return the question of a file: of each privacy epsilon, delta and factors are given."""
    free = {"kind": "free", "half_width": 0, "accuracy": "0", "moduli": []}
    kinds = ["pure" if privacy["delta"] == "0" else "approximate" for privacy in privacies]
    return {
        "query": {**query, "reach": 1, "pairs": [], "weights": [], "labels": []},
        "structure": free,
        "privacy": [{"kind": kind, **privacy} for kind, privacy in zip(kinds, privacies, strict=True)],
        "properties": [],
        "limits": [],
        "objective": {"least": "loss", "at_most": None, "worst": False, "loss": loss, "weights": weights},
        "bounds": [],
        "rules": [],
    }


def noise_file(question, noise, thresholds, claims, prices=None):
    """Return the content of a file; `claims` are delta, objective, bound and gap."""
    return {
        "format": "optmech certificate",
        "version": 2,
        "question": question,
        "mechanism": {"noise": noise, "thresholds": thresholds},
        **dict(zip(CLAIMS, claims, strict=True)),
        "proof": {"prices": prices},
        "reported": {},
    }
