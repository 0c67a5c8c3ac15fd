"""The figures of the site, drawn from certified designs while it is built, the same bytes each time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

__all__ = ["FIGURES", "figure_svg"]

_SIZE = (8.0, 3.6)


def _matrix_of_counts(figure: Figure) -> None:
    import optmech as om  # noqa: PLC0415 - a site without figures needs no design
    from optmech.reports.plots import plot_matrix, plot_released  # noqa: PLC0415

    mechanism = om.design(om.question(om.count(10), 1)).mechanism
    figure.set_size_inches(9.0, 4.4)
    left, right = figure.subplots(1, 2, width_ratios=(1.5, 1))
    plot_matrix(mechanism, left)
    plot_released(mechanism, [3], right)


def _variants(figure: Figure) -> None:
    import optmech as om  # noqa: PLC0415
    from optmech.reports.plots import plot_matrix  # noqa: PLC0415

    for axes, variant in zip(figure.subplots(1, 2), (1, 2), strict=True):
        plot_matrix(om.design(om.croft(om.count(5), "0.5", variant=variant)).mechanism, axes)
        axes.set_title(f"Variant {variant}")


def _noises(figure: Figure) -> None:
    """Draw what each structure releases where 3 is true, at the same epsilon."""
    import optmech as om  # noqa: PLC0415
    from optmech.reports.plots import plot_released  # noqa: PLC0415

    circle = om.residues(13, [1])
    asked = {
        "any matrix": om.question(om.count(12), "0.7"),
        "Variant 2": om.croft(om.count(12), "0.7", variant=2),
        "symmetric noise within 3": om.sadeghi_symmetric("0.7", "0.4", 3, counts=(3, 9)),
        "noise modulo 13": om.kadam(circle, "0.7"),
    }
    figure.set_size_inches(8.0, 6.0)
    for axes, (name, problem) in zip(figure.subplots(2, 2).flat, asked.items(), strict=True):
        plot_released(om.design(problem).mechanism, [3], axes)
        axes.set_title(name)


def _noise_of_kadam(figure: Figure) -> None:
    import optmech as om  # noqa: PLC0415

    axes, query = figure.subplots(), om.residues(9, [1, 2, 3], symmetric=False)
    for turn, (delta, hatch) in enumerate((("0", ""), ("0.1238", "///"), ("0.1522", "..."))):
        noise = om.design(om.kadam(query, "1.5", delta)).mechanism.matrix[:, 0]
        places = [value + 0.27 * (turn - 1) for value in range(9)]
        axes.bar(places, noise, 0.27, label=f"δ = {delta}", hatch=hatch, edgecolor="white")
    axes.set(xlabel="noise η, modulo 9", ylabel="probability f(η)", xticks=range(9))
    axes.legend()


def _noise_of_sadeghi(figure: Figure) -> None:
    import optmech as om  # noqa: PLC0415

    axes = figure.subplots()
    columns = {
        "least per-outcome δ (the paper's noise)": om.sadeghi_symmetric("2.18", "0.8", 6),
        "least δ over all sets": om.question(
            om.sadeghi_symmetric("2.18", "0.8", 6).query,
            "2.18",
            structure=om.SymmetricNoise(6, "0.8"),
            least="delta",
        ),
    }
    for (name, problem), marker in zip(columns.items(), "os", strict=True):
        noise = om.design(problem).mechanism.matrix[:13, 0]
        shown = [value if value > 0 else float("nan") for value in noise]
        axes.semilogy(range(-6, 7), shown, marker=marker, label=name)
    axes.set(xlabel="noise", ylabel="probability", xticks=range(-6, 7))
    axes.legend(loc="lower center")


def _error_and_epsilon(figure: Figure) -> None:
    import optmech as om  # noqa: PLC0415

    axes = figure.subplots()
    epsilons = ("0.1", "0.2", "0.3", "0.5", "0.7", "1", "1.5", "2", "3")
    asked = {
        "any matrix": lambda epsilon: om.question(om.count(20), epsilon),
        "fair, honest, monotone (Variant 2)": lambda epsilon: om.croft(
            om.count(20), epsilon, variant=2, prior="uniform"
        ),
        "every two answers neighbours": lambda epsilon: om.question(om.extremum(0, 20), epsilon),
    }
    for (name, problem_of), marker in zip(asked.items(), "osD", strict=True):
        errors = [om.design(problem_of(epsilon)).objective for epsilon in epsilons]
        axes.loglog([float(epsilon) for epsilon in epsilons], errors, marker=marker, label=name)
    axes.set(xlabel="ε", ylabel="mean error of an answer 0..20")
    axes.legend()


FIGURES = {
    "table-of-counts": _matrix_of_counts,
    "croft-variants": _variants,
    "structures": _noises,
    "kadam-noise": _noise_of_kadam,
    "sadeghi-noise": _noise_of_sadeghi,
    "error-and-epsilon": _error_and_epsilon,
}
"""By name, what draws each; a page shows it as ``figures/NAME.svg``, with words beside it."""


def figure_svg(name: str) -> bytes:
    """Return one figure as SVG."""
    from optmech.reports.figure import render_figure  # noqa: PLC0415

    def draw(figure: Figure) -> None:
        figure.set_size_inches(*_SIZE)
        FIGURES[name](figure)

    return render_figure(draw, ["svg"])["svg"]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add every figure."""
    for name in FIGURES:
        files.append(File.generated(config, f"figures/{name}.svg", content=figure_svg(name)))
    return files
