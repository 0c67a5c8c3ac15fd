"""Each optimum against each theorem that speaks of it, over a grid of problems."""
