"""Foundations of all rooms: errors, checked arguments, exact numbers, foreign text, files written whole."""
