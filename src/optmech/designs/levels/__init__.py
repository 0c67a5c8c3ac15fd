"""The search on levels for modular noise of probabilistic privacy."""
