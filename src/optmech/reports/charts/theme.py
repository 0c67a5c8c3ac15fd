"""The look of all charts: one accent, a second colour where two designs are compared, light or dark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["theme"]

_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Palette:
    ink: str
    quiet: str
    line: str
    paper: str
    series: tuple[str, ...]
    # From impossible to most probable; its lightness alone tells the order.
    scale: tuple[str, ...]


_LIGHT = _Palette(
    ink="#1c2a30",
    quiet="#51626a",
    line="#dde4e7",
    paper="#ffffff",
    series=("#0f6b84", "#b3541e", "#4b5d67", "#7a4a8c"),
    scale=("#f2f6f7", "#b9dbe3", "#5fa9bd", "#1b7690", "#0a3f50"),
)
_DARK = _Palette(
    ink="#e6eef1",
    quiet="#a3b4bb",
    line="#2c3a41",
    paper="#1b2529",
    series=("#5cc0da", "#eb9a63", "#b4c3ca", "#c79bd8"),
    scale=("#1c272c", "#17495a", "#25809a", "#6cc5dc", "#e2f6fb"),
)


def theme(*, dark: bool = False) -> dict[str, Any]:
    """Return the theme of all charts, for ``echarts.init(element, theme)`` or ``chart.setTheme(theme)``.

    The page is behind, dark or not: charts are transparent.
    """
    palette = _DARK if dark else _LIGHT
    axis = {
        "axisLine": {"lineStyle": {"color": palette.quiet}},
        "axisTick": {"lineStyle": {"color": palette.quiet}},
        "axisLabel": {"color": palette.quiet},
        "nameTextStyle": {"color": palette.quiet},
        "splitLine": {"lineStyle": {"color": palette.line}},
    }
    return {
        "darkMode": dark,
        "color": list(palette.series),
        "backgroundColor": "transparent",
        "textStyle": {"fontFamily": _FONT, "color": palette.ink},
        "categoryAxis": axis,
        "valueAxis": axis,
        "logAxis": axis,
        "legend": {"textStyle": {"color": palette.ink}},
        "tooltip": {
            "backgroundColor": palette.paper,
            "borderColor": palette.quiet,
            "borderWidth": 1,
            "textStyle": {"color": palette.ink},
        },
        "visualMap": {
            "inRange": {"color": list(palette.scale)},
            "textStyle": {"color": palette.quiet},
        },
        "markLine": {"label": {"color": palette.ink}, "lineStyle": {"color": palette.quiet}},
    }
