"""Design a mechanism for a problem, by several engines."""
