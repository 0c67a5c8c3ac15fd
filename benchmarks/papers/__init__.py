"""What the papers print, computed again, with a verdict."""
