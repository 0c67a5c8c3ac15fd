"""Ways from a problem to a mechanism."""
