"""The figures of the site, drawn while it is built, the same bytes each time.

They are of certified designs, and one of seconds that the benchmarks have measured.
"""

from __future__ import annotations

import csv
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

    from optmech.mechanisms.mechanism import Mechanism
    from optmech.question.problem import Problem
    from optmech.reports.charts.chart import Chart
    from optmech.reports.charts.matrix_view import MatrixView

__all__ = ["FIGURES", "figure_svg"]

_MEASURED = Path(__file__).parents[2] / "benchmarks" / "tables" / "scale.csv"
_EPSILONS = ("0.1", "0.2", "0.3", "0.5", "0.7", "1", "1.5", "2", "3")


def _matrix_of_counts() -> str:
    import optmech as om  # noqa: PLC0415 - a site without figures needs no design
    from optmech.reports.charts.picture import svg_file  # noqa: PLC0415

    mechanism = om.design(om.question(om.count(10), 1)).mechanism
    return svg_file([om.reports.matrix_chart(mechanism), om.reports.released_chart(mechanism, 3)])


def _variants() -> str:
    import optmech as om  # noqa: PLC0415

    asked = {f"Variant {variant}": om.croft(om.count(5), "0.5", variant=variant) for variant in (1, 2)}
    return _side_by_side(asked, om.reports.matrix_chart)


def _noises() -> str:
    """Draw what each structure releases where 3 is true, at the same epsilon."""
    import optmech as om  # noqa: PLC0415

    circle = om.residues(13, [1])
    asked = {
        "any matrix": om.question(om.count(12), "0.7"),
        "Variant 2": om.croft(om.count(12), "0.7", variant=2),
        "symmetric noise within 3": om.sadeghi_symmetric("0.7", "0.4", 3, counts=(3, 9)),
        "noise modulo 13": om.kadam(circle, "0.7"),
    }
    return _side_by_side(asked, partial(om.reports.released_chart, truths=3))


def _side_by_side(asked: Mapping[str, Problem], chart_of: Callable[[Mechanism], Chart | MatrixView]) -> str:
    """Return a chart of each mechanism, two beside each other, under its name."""
    import optmech as om  # noqa: PLC0415
    from optmech.reports.charts.picture import svg_file  # noqa: PLC0415

    charts = {name: chart_of(om.design(problem).mechanism) for name, problem in asked.items()}
    return svg_file([replace(chart, title=name) for name, chart in charts.items()], 2, 860)


def _noise_of_kadam() -> str:
    import optmech as om  # noqa: PLC0415
    from optmech.reports.charts.chart import Axis, Chart, Look, Series  # noqa: PLC0415

    query = om.residues(9, [1, 2, 3], symmetric=False)
    noises = {
        delta: om.design(om.kadam(query, "1.5", delta)).mechanism.matrix[:, 0].tolist()
        for delta in ("0", "0.1238", "0.1522")
    }
    return Chart(
        description="The probability of each value of the noise.",
        x=Axis(title="noise η, modulo 9", names=tuple(map(str, range(9)))),
        y=Axis(title="probability f(η)", high=max(map(max, noises.values()))),
        series=tuple(
            Series(name=f"δ = {delta}", across=tuple(range(9)), values=tuple(noise), look=Look.BARS)
            for delta, noise in noises.items()
        ),
    ).svg()


def _noise_of_sadeghi() -> str:
    import optmech as om  # noqa: PLC0415

    asked = {
        "least per-outcome δ (the paper's noise)": om.sadeghi_symmetric("2.18", "0.8", 6),
        "least δ over all sets": om.question(
            om.sadeghi_symmetric("2.18", "0.8", 6).query,
            "2.18",
            structure=om.SymmetricNoise(6, "0.8"),
            least="delta",
        ),
    }
    noises = {name: om.design(problem).mechanism.matrix[:13, 0] for name, problem in asked.items()}
    lines = {
        name: {
            float(value): float(chance)
            for value, chance in zip(range(-6, 7), noise, strict=True)
            if chance > 0
        }
        for name, noise in noises.items()
    }
    return _lines(lines, "noise", "probability", logarithmic_across=False)


def _error_and_epsilon() -> str:
    import optmech as om  # noqa: PLC0415

    asked = {
        "any matrix": lambda epsilon: om.question(om.count(20), epsilon),
        "fair, honest, monotone (Variant 2)": lambda epsilon: om.croft(
            om.count(20), epsilon, variant=2, prior="uniform"
        ),
        "every two answers neighbours": lambda epsilon: om.question(om.extremum(0, 20), epsilon),
    }
    lines = {
        name: {float(epsilon): float(om.design(problem_of(epsilon)).objective) for epsilon in _EPSILONS}
        for name, problem_of in asked.items()
    }
    return _lines(lines, "ε", "mean error of an answer 0..20", logarithmic_across=True)


def _seconds_of_engines() -> str:
    """Draw seconds over the number of true answers, from what `benchmarks cost scale --write` measured."""
    from optmech.reports.charts.picture import svg_file  # noqa: PLC0415

    families: dict[str, dict[str, dict[float, float]]] = {}
    with _MEASURED.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["family"] and row["counted"] == "yes":
                engines = families.setdefault(row["family"], {})
                engines.setdefault(row["engine"], {})[float(row["size"])] = float(row["seconds"])
    charts = []
    for family, measured in families.items():
        engines = dict(sorted(measured.items(), key=lambda line: line[0] == "program"))  # the last everywhere
        if len({size for line in engines.values() for size in line}) > 1:
            chart = _chart_of_lines(engines, "true answers", "seconds", logarithmic_across=True)
            charts.append(replace(chart, title=family if len(engines) > 1 else f"{family}: {min(engines)}"))
    return svg_file(charts, 2, 860)


def _lines(
    lines: Mapping[str, Mapping[float, float]], across: str, up: str, *, logarithmic_across: bool
) -> str:
    """Return lines by name over a logarithmic axis."""
    return _chart_of_lines(lines, across, up, logarithmic_across=logarithmic_across).svg()


def _chart_of_lines(
    lines: Mapping[str, Mapping[float, float]], across: str, up: str, *, logarithmic_across: bool
) -> Chart:
    from optmech.reports.charts.chart import Axis, Chart, Series  # noqa: PLC0415

    places = [place for line in lines.values() for place in line]
    heights = [height for line in lines.values() for height in line.values()]
    return Chart(
        description=f"Lines of {up} over {across}: {', '.join(lines)}.",
        x=Axis(title=across, low=min(places), high=max(places), logarithmic=logarithmic_across),
        y=Axis(title=up, low=min(heights), high=max(heights), logarithmic=True),
        series=tuple(
            Series(name=name, across=tuple(line), values=tuple(line.values())) for name, line in lines.items()
        ),
    )


FIGURES = {
    "table-of-counts": _matrix_of_counts,
    "croft-variants": _variants,
    "structures": _noises,
    "kadam-noise": _noise_of_kadam,
    "sadeghi-noise": _noise_of_sadeghi,
    "error-and-epsilon": _error_and_epsilon,
    "seconds-of-engines": _seconds_of_engines,
}
"""By name, what draws each; a page shows it as ``figures/NAME.svg``, with words beside it."""


def figure_svg(name: str) -> bytes:
    """Return one figure as SVG."""
    return FIGURES[name]().encode()


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add every figure."""
    for name in FIGURES:
        files.append(File.generated(config, f"figures/{name}.svg", content=figure_svg(name)))
    return files
