"""Charts of mechanisms, each described once: its series, its axes, and its content in words.

`svg.chart_svg` prints one on a page, `picture.svg_file` as a file, and `pyplot.draw` by Matplotlib.
"""
