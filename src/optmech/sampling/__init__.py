"""Exact draws from whole numbers, with the operating system's randomness."""

from optmech.sampling.dyadic import dyadic_weights
from optmech.sampling.sampler import Sampler
from optmech.sampling.words import NotPrivateWarning

__all__ = ["NotPrivateWarning", "Sampler", "dyadic_weights"]
