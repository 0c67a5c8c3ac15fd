"""The cost of building, designing and sampling: ratios within one run, never a gate."""
