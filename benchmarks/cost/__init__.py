"""What building, designing and sampling cost: ratios within one run, never a gate."""
