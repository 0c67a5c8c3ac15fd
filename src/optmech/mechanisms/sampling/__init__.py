"""Exact draws from whole numbers, with the operating system's randomness."""

from optmech.mechanisms.sampling.sampler import Sampler, dyadic_weights, whole_weights
from optmech.mechanisms.sampling.words import NotPrivateWarning

__all__ = ["NotPrivateWarning", "Sampler", "dyadic_weights", "whole_weights"]
