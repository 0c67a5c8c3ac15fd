"""Chains: proofs of the optimum for truths in a row, any privacy curve; see `docs/theory/chain.md`."""
