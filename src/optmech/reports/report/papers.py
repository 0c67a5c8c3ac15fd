"""How to check the mechanism, make it again, and sign it off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.visible import quoted, visible
from optmech.reports.report.html import Content, Html, element, facts
from optmech.reports.report.part import Part

if TYPE_CHECKING:
    from optmech.reports.card import Card
    from optmech.reports.report.page import Names

__all__ = ["check", "sign_off"]

_SIGNERS = ("Designed by", "Reviewed by", "Approved by")
_LINES = ("Name", "Role", "Date", "Signature")


def check(card: Card, names: Names, again: str) -> Part:
    """Return how anyone checks the proof, and how the mechanism is made again."""
    source, matrix = card.provenance, card.mechanism
    parts: list[Content] = [element("h2", "Check it, and make it again")]
    if card.certified and card.proof.checker:
        parts += [
            element("h3", "Check the proof"),
            element("p", "With Python's standard library alone, without optmech and without a solver:"),
            _code(f"python check_certificate.py {names.certificate} {names.matrix}".rstrip()),
        ]
    elif card.certified:
        parts += [element("h3", "Check the proof"), _code(f"optmech verify {names.certificate}")]
    if again:
        lead = (
            "The same question. Where several mechanisms are optimal a solver may hand out another one. "
            "No seed is used."
        )
        parts += [element("h3", "Make it again"), element("p", lead), _code(again)]
    made = " · ".join(f"{visible(name)} {quoted(value)}" for name, value in sorted(source.made_by.items()))
    repair = " · ".join(f"{visible(name)} {quoted(value)}" for name, value in sorted(source.repair.items()))
    parts += [
        element("h3", "Fingerprints"),
        facts(
            (
                ("SHA-256 of the certificate", _hash(source.certificate_sha256)),
                ("SHA-256 of the matrix", _hash(matrix.sha256)),
                ("Probabilities are whole numbers over", _hash(matrix.denominator)),
                ("Size", f"{matrix.responses:,} responses by {matrix.truths:,} true answers"),
                ("Made by, as reported", made),
                ("Repair, as reported", repair),
                ("Law of a draw", card.sampling.law),
                ("Randomness", card.sampling.randomness),
                ("Time of a draw", card.sampling.timing),
                ("Report written by", f"optmech {source.optmech}"),
            )
        ),
    ]
    return Part(html=element("section", *parts, id="check"))


def sign_off() -> Part:
    """Return lines to be filled in on paper."""
    blocks = [
        element(
            "div",
            element("h3", signer),
            *(element("p", element("span", line), class_="line") for line in _LINES),
            class_="signer",
        )
        for signer in _SIGNERS
    ]
    return Part(
        html=element(
            "section",
            element("h2", "Sign-off"),
            element("p", "Purpose, data and period of this release:", class_="line wide"),
            element(
                "p",
                "Decision: ☐ release as described   ☐ release with conditions   ☐ do not release",
                class_="decision",
            ),
            element("p", "Conditions:", class_="line wide"),
            element("div", *blocks, class_="signers"),
            id="signoff",
        )
    )


def _code(text: str) -> Html:
    return element("pre", element("code", text), tabindex="0", role="group", aria_label="Command")


def _hash(text: str) -> Html | None:
    return element("code", text, class_="hash") if text else None
