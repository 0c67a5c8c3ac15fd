"""The version of optmech."""

__version__ = "0.1.0"
