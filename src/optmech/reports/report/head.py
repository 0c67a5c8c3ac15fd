"""The head of a report: what was asked, the verdict, and the four numbers that matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.spelled import at_most, percent, percent_at_most
from optmech.reports.report.html import Html, element, prose
from optmech.reports.report.standing import figure, standing, told

if TYPE_CHECKING:
    from optmech.reports.card import Card

__all__ = ["head_of"]

# A gap below this share is rounding of the proof's own whole numbers.
_NOTHING = 1e-6
# Digits of a delta, rounded up, where it is no text as short as that.
_DIGITS, _SHORT = 6, 12
# Two rings with a tick, or with a stroke across; the words beside say the same.
_RINGS = (
    '<svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true" focusable="false" fill="none" '
    'stroke="currentColor"><circle cx="24" cy="24" r="22.5" stroke-width="1.5" stroke-dasharray="2.2 2.2"/>'
    '<circle cx="24" cy="24" r="18" stroke-width="1.5"/><path stroke-width="3" d="{}"/></svg>'
)
_SEALS = {
    "proved": Html(_RINGS.format("M16 24.5l5.5 5.5L32.5 18.5")),
    "unproved": Html(_RINGS.format("M16 24h16")),
    "care": Html(_RINGS.format("M24 13v14M24 32v3")),
    "broken": Html(_RINGS.format("M17 17l14 14M31 17l-14 14")),
}


def head_of(card: Card, date: str) -> Html:
    """Return the head of the page."""
    words = card.words
    return element(
        "header",
        element(
            "p",
            "Mechanism report",
            element("span", f"optmech {card.provenance.optmech}"),
            element("time", date) if date else None,
            class_="kicker",
        ),
        element("h1", words.asked),
        element("p", words.guarantee, class_="lead") if card.certified else None,
        _verdict(card),
        _figures(card),
    )


def _verdict(card: Card) -> Html:
    caution = card.words.allows
    if not card.privacy.holds:
        failures = [text for text in card.caveats if text.startswith("It does not hold")]
        return _sealed(
            "broken",
            caution,
            "Do not publish with this mechanism. It does not keep what was asked of it.",
            element("ul", *(element("li", prose(text)) for text in failures)),
            element(
                "p",
                prose(
                    "Nothing of it is proved. A solver's tolerance is no guarantee: `optmech design` without "
                    "`--raw` hands out a matrix that holds."
                ),
            ),
        )
    if not card.certified:
        return _sealed(
            "unproved",
            caution,
            "Nothing is proved of this mechanism.",
            element(
                "p",
                "Every number on this page is recomputed in floating point from a matrix without a "
                "certificate. Checks hold within the rounding of doubles, which is no proof of privacy.",
            ),
        )
    unusual = "This is not differential privacy at these numbers. "
    warnings = [] if card.words.is_differential_privacy else [unusual + card.words.unlike_usual]
    warnings += [caution for caution in card.words.cautions if caution not in card.words.unlike_usual]
    return _sealed(
        "care" if caution or warnings else "proved",
        caution,
        Html(f"Proved in exact arithmetic: {element('strong', _promise(card))}."),
        *(element("p", warning, class_="warn") for warning in warnings),
    )


def _sealed(kind: str, caution: str, first: str, *further: Html) -> Html:
    """Return a verdict with its seal: whole, or struck through; a caution stands before all else."""
    care = element("p", caution, class_="first care") if caution else None
    said = element("div", care, element("p", first, class_="first"), *further)
    return element("div", _SEALS[kind], said, class_=f"verdict {kind}", role="note", aria_label="Verdict")


def _promise(card: Card) -> str:
    spent = card.privacy.delta
    delta = f", δ = {spent.at_most(_DIGITS, _SHORT)}" if spent.value or card.privacy.delta_asked else ""
    called = card.words.definition.removesuffix(", ε").removesuffix(", (ε, δ)")
    return f"{called}, with ε = {card.privacy.epsilon.exact}{delta}"


def _figures(card: Card) -> Html:
    privacy, errors, proof = card.privacy, card.errors, card.proof
    delta = privacy.delta
    shown = [
        figure(
            "privacy ε" if card.certified else "privacy ε, asked",
            _short(told(privacy.epsilon)),
            _odds(card)
            if card.certified
            else Html(f"that δ = 0 needs: {told(privacy.effective_epsilon, 4)} {standing('recomputed')}"),
        ),
        figure(
            "δ" if card.words.is_differential_privacy else "δ of this definition",
            delta.at_most(_DIGITS, _SHORT),
            standing(str(delta.standing)),
        ),
    ]
    if errors.mean is not None:
        shown.append(figure("mean error", f"{errors.mean.value:.3g}", standing(str(errors.mean.standing))))
    elif errors.told_truth is not None:
        right = errors.told_truth
        shown.append(figure("truth is released", percent(right.value), standing(str(right.standing))))
    gap = proof.relative_gap
    if gap is not None:
        value = "optimal" if gap.value <= _NOTHING else f"within {percent_at_most(gap.value)}"
        note = "of the best possible"
        if gap.value <= _NOTHING:
            note = (
                f"none is better by {at_most(gap.value, 2)} of it" if gap.value else "no mechanism is better"
            )
        shown.append(figure("against the best", value, Html(f"{note} {standing(str(gap.standing))}")))
    else:
        shown.append(figure("against the best", "unknown", "no bound is proved"))
    return element(
        "dl",
        *shown,
        class_="figures",
    )


def _odds(card: Card) -> str:
    """Return what epsilon alone means for odds, where it means anything alone."""
    privacy = card.privacy
    changed = f"odds change at most {at_most(privacy.odds.value)} times"
    if privacy.delta.value or privacy.delta_asked:
        return f"{changed}, but for δ"
    if not privacy.both_ways:
        return "one way between neighbours only"
    return f"{changed} for each unit of weight" if privacy.heaviest > 1 else changed


def _short(text: str) -> str:
    return text if len(text) <= 8 else f"{text[:7]}…"  # noqa: PLR2004 - what fits
