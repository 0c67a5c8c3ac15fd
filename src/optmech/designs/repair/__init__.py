"""From a solver's doubles to whole numbers that keep every rule."""
