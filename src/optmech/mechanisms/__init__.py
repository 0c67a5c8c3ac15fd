"""Mechanisms: matrices and distributions, their properties, and exact sampling."""
