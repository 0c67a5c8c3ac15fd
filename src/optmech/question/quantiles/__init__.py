"""Questions of quantiles of records."""
