"""The quality of the designs, their cost, and the numbers that papers print, computed again.

`quality` is deterministic and asserted: optima, gaps and improvements over baselines, committed in `tables/`.
`cost` measures ratios within one run, side by side; nothing there gates a test.
`papers` has every table, figure and number of the papers with a verdict, and writes the errata.
"""
