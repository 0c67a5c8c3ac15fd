"""Linear and mixed-integer models, their text, and the solvers that run them."""
