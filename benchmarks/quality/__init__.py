"""The quality of the designs: deterministic, and each figure held to its rule."""
