"""Release quantiles of records."""
