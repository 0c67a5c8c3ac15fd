"""Audit of libraries: the exact loss of their finite mechanisms beside the loss that they claim."""
