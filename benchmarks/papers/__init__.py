"""The numbers that the papers print, computed again, with a verdict."""
