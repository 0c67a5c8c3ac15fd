"""Charts of mechanisms, each described once: what is drawn, over which axes, and what it shows in words.

`svg.chart_svg` prints one on a page, `picture.svg_file` as a file, and `pyplot.draw` by Matplotlib.
"""
