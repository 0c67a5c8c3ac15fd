"""Charts as files: SVG that needs nothing else, on white paper; PNG and PDF by Matplotlib."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from optmech.base.errors import FileFormatError
from optmech.reports.charts.chart import Chart, cut
from optmech.reports.charts.looks import NUM_COLOURS
from optmech.reports.charts.matrix_view import MatrixView
from optmech.reports.charts.svg import plot_content
from optmech.reports.figure import COLOURS, FORMATS, render_figure
from optmech.reports.markup import asset, render

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from matplotlib.figure import Figure

# All in pixels, of letters of 13 pixels, about so wide.
_WIDTH, _LETTER = 720, 7.2
_HEIGHT, _TALL, _ROW = 290, 480, 24
_LINE, _EDGE, _RIGHT, _BELOW = 19, 16, 24, 62
_SAMPLE, _BETWEEN, _LONGEST = 44, 22, 90
_SCALE = 160
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_VARIABLE = re.compile(r"var\(--([\w-]+)\)")
_RULES = re.compile(r"^([^{}]+)\{", re.MULTILINE)
_PALETTE = {
    "ink": "#1c2a30", "quiet": "#51626a", "line": "#dde4e7", "shade": "#07495f",
    "on-low": "#000", "on-high": "#fff",
    **{f"series-{number}": colour for number, colour in enumerate(COLOURS, 1)},
}  # fmt: skip


def svg_file(charts: Sequence[Chart | MatrixView], columns: int = 1, width: int = _WIDTH) -> str:
    """Return the text of an SVG file of charts in a grid, with reproducible bytes.

    Not all readers of SVG support variables of style sheets, so colours are written directly.
    """
    wide = width // columns
    panels: list[Markup] = []
    above = row = 0
    for number, chart in enumerate(charts):
        left = (number % columns) * wide
        if not left:
            above, row = above + row, 0
        panel, height = _panel(chart, f"p{number}", left, above, wide)
        panels.append(panel)
        row = max(row, height)
    size = Markup('width="{0}" height="{1}" viewBox="0 0 {0} {1}"').format(width, above + row)
    top = Markup('<svg xmlns="http://www.w3.org/2000/svg" class="optmech" {}><style>{}</style>').format(
        size, _style()
    )
    paper = Markup('<rect width="100%" height="100%" fill="#fff"/>')
    return "\n".join([top, paper, *panels, "</svg>\n"])


def svg_of(chart: Chart | MatrixView) -> str:
    """Return the text of an SVG file of one chart."""
    return svg_file([chart])


def content(chart: Chart | MatrixView, path: str | PathLike[str]) -> bytes:
    """Return a chart in the format of a path; FileFormatError if the path ends otherwise."""
    ending = need_format(path)
    if ending == "svg":
        return chart.svg().encode()
    from optmech.reports.charts.pyplot import draw  # noqa: PLC0415 - whoever wants SVG needs no Matplotlib

    def draw_into(figure: Figure) -> None:
        draw(chart, figure.subplots())

    return render_figure(draw_into, [ending])[ending]


def need_format(path: str | PathLike[str], argument: str = "path") -> str:
    """Return the format of a path; FileFormatError, which names the argument, if it has none."""
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        message = f"`{argument}` must end in .svg, .png or .pdf; got {path}."
        raise FileFormatError(message)
    return ending


def _panel(chart: Chart | MatrixView, id_: str, left: int, above: int, width: int) -> tuple[Markup, int]:
    """Return one chart with its title and legend, and how high it is."""
    is_map = isinstance(chart, MatrixView)
    room = int((width - 80) / _LETTER)
    probe = plot_content(chart, room=room)
    margin = max(44, int(max(len(tick.text) for tick in probe["y_ticks"]) * _LETTER) + 24)
    titles = chart.title.split("\n") if chart.title else []
    wide = width - margin - _RIGHT
    y = len(titles) * _LINE + (14 if titles else 4)
    legend, y = _legend(probe["legend"], margin, width - _RIGHT, y)
    above_plot = y + 2 * _LINE + (4 if isinstance(chart, Chart) and chart.mark else 0)
    rows = 0 if isinstance(chart, MatrixView) else len(chart.y.names)
    tall = min(_TALL, wide) if is_map else _ROW * rows or _HEIGHT
    frame = f' x="{margin}" y="{above_plot}" width="{wide}" height="{tall}" overflow="visible"'
    plotted = plot_content(chart, frame=frame, room=room, label_width=margin - _EDGE // 2)
    scale = None
    height = above_plot + tall + _BELOW
    if isinstance(chart, MatrixView):
        scale = {"x": margin + (wide - _SCALE) // 2, "y": height - 8, "top": f"{chart.top:.3g}"}
        height += 2 * _LINE - 8
    text = render(
        "picture.svg",
        **{**plotted, "legend": legend},
        id=id_,
        plot="cells.svg" if is_map else "plot.svg",
        left=left,
        above=above,
        width=width,
        height=height,
        margin=_EDGE // 2,
        titles=titles,
        scale=scale,
    )
    return text, height


def _legend(entries: Sequence[Any], left: int, right: int, y: int) -> tuple[list[dict[str, Any]], int]:
    """Return the placed entries of a legend, line by line, and the end of the last line."""
    placed, x = [], left
    for entry in entries:
        name = cut(entry.name, _LONGEST)
        wide = int(_SAMPLE + len(name) * _LETTER + _BETWEEN)
        if x + wide - _BETWEEN > right and x > left:
            x, y = left, y + _LINE
        placed.append({**entry._asdict(), "name": name, "x": x, "y": y})
        x += wide
    return placed, y + (_LINE if placed else 0)


def _style() -> Markup:
    """Return the style of the charts of a page, on white, for what is in an SVG file alone."""
    more = "".join(
        f".s{number} {{ color: var(--series-{number}); }}\n" for number in range(9, NUM_COLOURS + 1)
    )
    text = _VARIABLE.sub(lambda name: _PALETTE[name[1]], str(asset("charts.css")) + more)
    scoped = _RULES.sub(
        lambda rule: ", ".join(f".optmech {each.strip()}" for each in rule[1].split(",")) + " {", text
    )
    letters = (
        f".optmech {{ font: 13px {_FONT}; font-variant-numeric: tabular-nums; }}\n"
        f".optmech .title {{ font-size: 15px; font-weight: 600; fill: {_PALETTE['ink']}; }}\n"
        f".optmech .entry {{ fill: {_PALETTE['ink']}; }}\n"
        f".optmech .second, .optmech .scale {{ fill: {_PALETTE['quiet']}; }}\n"
    )
    return Markup(letters + scoped)  # noqa: S704 - it is our own
