"""Each optimum against each theorem that applies to it, over a grid of problems."""
