"""Mechanisms in common use, as matrices on a query's own grid, each with the privacy that it truly spends."""
