"""Release a whole table with its totals, which add up."""
