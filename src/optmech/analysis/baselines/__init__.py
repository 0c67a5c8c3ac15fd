"""What people use today, as matrices on a query's own grid, each with the privacy that it truly spends.

A matrix is a `baseline.Baseline`; the same noise before it meets a grid is a `baseline.UnboundedNoise`. Those
that need no more than a query and an epsilon stand in `registry.BASELINES`. Continuous noise is cut into the
cells of `cells`, whole-number noise is clamped to the ends of a grid by `lattice`.
"""
