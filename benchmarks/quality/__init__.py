"""How good the designs are: deterministic, and each figure held to its rule."""
