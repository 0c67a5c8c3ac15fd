"""Linear and mixed-integer models, their text, and the solvers that run them."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
