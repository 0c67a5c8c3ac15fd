"""Choices before a design: composition, smallest epsilon, frontiers, comparison, baselines, utility."""
