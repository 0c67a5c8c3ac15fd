"""Mechanisms of the papers that nobody uses: what the tests and the tables compare with."""
