"""Mechanisms: the matrix or the distribution, what can be read off it, exact sampling."""
