"""Levels: proofs of a bound for modular noise of probabilistic privacy; see `docs/theory/levels.md`."""
