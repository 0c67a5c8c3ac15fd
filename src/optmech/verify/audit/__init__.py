"""What each solver makes of the same problems, alone: its word, and what exact arithmetic says of it."""
