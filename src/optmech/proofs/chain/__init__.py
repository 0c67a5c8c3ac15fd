"""Chains: what proves the optimum of truths in a row under any privacy curve; see `docs/theory/chain.md`."""
