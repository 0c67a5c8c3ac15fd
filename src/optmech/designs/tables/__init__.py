"""Designs of the noise of whole tables."""
