"""Estimates from what was released: post-processing, which spends nothing."""
