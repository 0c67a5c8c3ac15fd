"""Exact arithmetic: what is proved."""
