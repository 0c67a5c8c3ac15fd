"""The papers' problems by name, and any problem from named choices."""
