"""Proofs in exact arithmetic."""
