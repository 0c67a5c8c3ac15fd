"""Proofs on whole tables: privacy, standard errors and lower bounds, in exact arithmetic."""
