"""Closed forms from the papers, each with its domain and its relation to the optimum of the model.

Nothing here knows the models: a theorem is written from its paper and from the question alone, so that a
misreading there is not repeated here.
"""
