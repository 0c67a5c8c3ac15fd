"""Paper by paper: named problems, and from a problem to a model and back to a mechanism matrix."""
