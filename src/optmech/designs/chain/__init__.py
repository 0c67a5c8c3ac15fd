"""The engine of chains: the orbits of a privacy curve, and the best thresholds on them."""
