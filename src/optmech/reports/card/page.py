"""A card as Markdown, for people. Names and labels come from users and are escaped."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from optmech.base.arguments import an_instance, takes
from optmech.base.spelled import number, percent
from optmech.base.visible import quoted, visible
from optmech.reports.card.card import Card

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from optmech.reports.card.number import Number

__all__ = ["ONLY_NEIGHBOURS", "card_markdown", "escaped"]

# What begins markup, HTML included, and what ends a cell.
_MARKUP = re.compile(r"([\\`*_\[\]<>|#&~$])")
_SHOWN_DIGITS = 24
# Beside the answer whether it is differential privacy, where true answers are left unprotected.
ONLY_NEIGHBOURS = "It protects neighbours from each other, and nothing else."
_NOT_USUAL = "This is not differential privacy at these numbers."


@takes(card=an_instance(Card))
def card_markdown(card: Card) -> str:
    """Return a card as Markdown: what is asked and guaranteed, how good it is, what it does not cover."""
    words = card.words
    lines = [
        f"# Mechanism card: {escaped(words.asked)}",
        "",
        f"**{escaped(card.words.allows)}** {_verdict(card)}" if card.words.allows else _verdict(card),
        "",
        "## The question",
        "",
        *_table(
            (
                ("asked", escaped(words.asked)),
                ("true answers", escaped(words.answers)),
                ("released", escaped(words.released)),
                ("mechanisms allowed", escaped(words.structure)),
                ("also asked", escaped(" ".join(words.properties)) or "Nothing."),
                ("made least", escaped(words.objective)),
                ("kind", escaped(card.query)),
            )
        ),
        "",
        "## What is guaranteed, and to whom",
        "",
        *_promise(card),
        "",
        *_table(_privacy(card)),
        "",
        "## How far what is released lies from the truth",
        "",
        escaped(card.errors.measure),
        "",
        *_table(_errors(card)),
        "",
        "## How good it is, and how that is known",
        "",
        escaped(card.proof.how),
        "",
        *_table(_proof(card)),
        "",
        "## How it is drawn",
        "",
        *_table(
            (
                ("law", escaped(card.sampling.law)),
                ("randomness", escaped(card.sampling.randomness)),
                ("time", escaped(card.sampling.timing)),
            )
        ),
        "",
        "## What this does not cover",
        "",
        *(f"- {escaped(caveat)}" for caveat in card.caveats),
        "",
        "## Where it comes from",
        "",
        *_table(_provenance(card)),
        "",
    ]
    return "\n".join(lines)


def escaped(text: str) -> str:
    r"""Return text that Markdown shows as it is, but for code between backquotes of our own.

    Examples
    --------
    >>> print(escaped("a|b <script> *c*"))
    a\|b \<script\> \*c\*
    """
    return _MARKUP.sub(r"\\\1", visible(" ".join(text.split())))


def _verdict(card: Card) -> str:
    privacy = card.privacy
    if card.certified:
        shown = privacy.delta_asked or (
            privacy.delta.at_most(_SHOWN_DIGITS // 2, _SHOWN_DIGITS) if privacy.delta.value else ""
        )
        lead = "**Proved:**"
        tail = "" if card.words.is_differential_privacy else f" **{_NOT_USUAL}**"
    else:
        shown = privacy.delta_asked
        lead = "**Nothing is proved of this mechanism.**"
        tail = " **It does not keep the privacy that was asked.**"
        tail = (
            tail
            if not privacy.keeps
            else ""
            if privacy.holds
            else " **It does not hold all that was asked.**"
        )
        lead += " Asked was:"
    delta = f", δ = {shown}" if shown else ""
    tail += "".join(f" **{escaped(caution)}**" for caution in card.words.cautions)
    return f"{lead} ε = {privacy.epsilon.exact}{delta}, {escaped(card.words.definition)}.{tail}"


def _promise(card: Card) -> Iterator[str]:
    """Yield what the privacy of the question means, and whether the mechanism keeps it."""
    if not card.privacy.keeps:
        yield "**What follows was asked, and this mechanism does not keep it.**"
    for text in (card.words.guarantee, card.words.odds):
        if text:
            yield escaped(text)


def _is_private(card: Card) -> str:
    if not card.privacy.keeps:
        return "No: this mechanism does not keep what was asked."
    if not card.words.is_differential_privacy:
        return "No, not at these numbers."
    yes = "Yes, at these numbers." if card.certified else "It looks so at these numbers; nothing is proved."
    yes += f" {ONLY_NEIGHBOURS}" if card.words.cautions else ""
    return f"{escaped(card.words.allows)} {yes}".lstrip()


def _privacy(card: Card) -> Iterator[tuple[str, str]]:
    privacy, words = card.privacy, card.words
    yield "who is protected", escaped(words.protected)
    yield "neighbours", escaped(words.neighbours)
    yield "definition", escaped(words.definition)
    yield "differential privacy", _is_private(card)
    if words.unlike_usual:
        yield "how it differs", escaped(words.unlike_usual)
    yield "ε", _number(privacy.epsilon)
    yield "e^ε", _number(privacy.odds)
    yield "δ of this definition", _limit(privacy.delta)
    if privacy.delta_asked:
        yield "δ asked", escaped(privacy.delta_asked)
    yield "δ over all sets, both ways", _limit(privacy.delta_of_sets)
    yield "ε that δ = 0 would need, both ways", _number(privacy.effective_epsilon)
    yield "ordered pairs of neighbours", f"{privacy.pairs:,}"


def _errors(card: Card) -> Iterator[tuple[str, str]]:
    errors = card.errors
    for name, value in (
        ("probability of the true answer, on average", errors.told_truth),
        ("probability of the true answer, at least", errors.told_truth_least),
    ):
        if value is not None:
            yield name, f"{percent(value.value)}, {value.standing}"
    for name, value, where in (
        ("mean error", errors.mean, ""),
        ("root mean square error", errors.root_mean_square, ""),
        ("largest mean error", errors.worst_mean, errors.worst_truth),
        ("largest bias", errors.bias, errors.biased_truth),
    ):
        if value is not None:
            at = f", where {escaped(where)} is true" if where else ""
            yield name, f"{_number(value)}{at}"
    for quantile in errors.quantiles:
        yield f"{quantile.percent} % of answers are within", _number(quantile.error)


def _proof(card: Card) -> Iterator[tuple[str, str]]:
    proof = card.proof
    yield f"objective: {escaped(proof.least)}", _number(proof.objective)
    if proof.bound is not None:
        bound = proof.bound.at_least(_SHOWN_DIGITS // 2, _SHOWN_DIGITS)
        yield "no mechanism has less than", f"{bound}, {proof.bound.standing}"
    for name, value in (("gap", proof.gap), ("gap, as a share", proof.relative_gap)):
        if value is not None:
            yield name, _limit(value)
    if proof.multipliers:
        yield "numbers in the proof", f"{proof.multipliers:,}"
    if proof.checker:
        yield "check it", f"`{proof.checker}`"


def _provenance(card: Card) -> Iterator[tuple[str, str]]:
    matrix, source = card.mechanism, card.provenance
    yield "size", f"{matrix.responses:,} responses by {matrix.truths:,} true answers"
    if matrix.denominator:
        digits = len(matrix.denominator)
        shown = matrix.denominator if digits <= _SHOWN_DIGITS else f"a number of {digits} digits"
        yield "probabilities over", shown
        yield "SHA-256 of the matrix", f"`{matrix.sha256}`"
    if source.certificate_sha256:
        yield "SHA-256 of the certificate", f"`{source.certificate_sha256}`"
    for title, told in (
        ("made by", source.made_by),
        ("repair", source.repair),
        ("a solver's own answer", source.raw),
        ("claimed bounds", source.claimed_bounds),
    ):
        if told:
            listing = ", ".join(f"{visible(name)} {quoted(value)}" for name, value in sorted(told.items()))
            yield f"{title}, reported", escaped(listing)
    yield "card written by", f"optmech {source.optmech}"


def _number(value: Number) -> str:
    return f"{_told(value)}, {value.standing}"


def _limit(value: Number) -> str:
    """Return a number that is not to be exceeded: never rounded down."""
    return f"{value.at_most(_SHOWN_DIGITS // 2, _SHOWN_DIGITS)}, {value.standing}"


def _told(value: Number) -> str:
    """Return an exact number where it is short, else a double in twelve digits."""
    if value.exact and len(value.exact) <= _SHOWN_DIGITS:
        return value.exact
    return number(value.value) if math.isinf(value.value) else f"{value.value:.12g}"


def _table(rows: Iterable[tuple[str, str]]) -> list[str]:
    return ["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)]
