"""Measurements, side by side in one run. Nothing here gates a test."""
