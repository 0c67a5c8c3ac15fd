"""Questions about a whole table with its totals."""
