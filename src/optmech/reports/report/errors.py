"""How far releases lie from the truth: a sentence and a row for each true answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.analysis.utility import error_quantiles
from optmech.base.number_format import percent
from optmech.reports.charts import error_measures, probability_of_error
from optmech.reports.charts.matrix_view import truth_names

if TYPE_CHECKING:
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.reports.charts import MatrixView

__all__ = ["error_table", "sentences_of"]

_MOST_ROWS = 151


def sentences_of(mechanism: Mechanism, view: MatrixView, *, ordered: bool) -> list[str]:
    """Return a sentence for each truth that is shown."""
    measures = error_measures(mechanism) if ordered else {}
    wrong = probability_of_error(mechanism)
    sentences = []
    for place, (name, position) in enumerate(zip(view.truths, view.positions, strict=True)):
        column = view.probabilities[:, place]
        likeliest = int(column.argmax())
        text = (
            f"When the true answer is {name}, the likeliest release is {view.responses[likeliest]}, with "
            f"probability {percent(float(column[likeliest]))}."
        )
        if ordered:
            mean, within = measures["mean error"][position], measures["95 % of errors within"][position]
            text += (
                f" The error is {mean:.3g} on average; 95 % of releases lie within {within:.4g} of the truth."
            )
        else:
            text += f" Another answer is released with probability {percent(float(wrong[position]))}."
        sentences.append(text)
    return sentences


def error_table(mechanism: Mechanism, *, ordered: bool) -> dict[str, Any]:
    """Return caption, head and rows of the errors, truth by truth."""
    names = truth_names(mechanism)
    measures = {"another answer": probability_of_error(mechanism)}
    caption = "Probability of another answer, recomputed"
    if ordered:
        half, most = error_quantiles(mechanism, [0.5, 0.99])
        measures |= {**error_measures(mechanism), "50 % within": half, "99 % within": most}
        caption = "Errors for each true answer, recomputed"
    step = -(-len(names) // _MOST_ROWS)
    rows = [
        (name, *(f"{values[place]:.4g}" for values in measures.values()))
        for place, name in list(enumerate(names))[::step]
    ]
    caption += f"; one in {step} is listed" if step > 1 else ""
    return {"caption": caption, "head": ("true answer", *measures), "rows": rows}
