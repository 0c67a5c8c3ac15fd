"""What every room may use: errors, checked arguments, exact numbers, foreign text, files written whole."""
