"""Quantiles of records: the scores, the draws, and their certificate."""
