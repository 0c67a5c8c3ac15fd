"""Charts of mechanisms, each described once: what is drawn, over which axes, and what it shows in words.

`chart_svg` prints a chart as it stands on a page; `chart_option` is the same one for ECharts, in the studio.
"""
