"""What the designs are worth, and what they cost.

`quality` is deterministic and asserted: optima, gaps and improvements over baselines, committed in `tables/`.
`cost` measures ratios within one run, side by side; nothing there gates a test.
"""
