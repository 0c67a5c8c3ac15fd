"""Build a model from a problem, and the mechanism matrix from the model's solution."""
