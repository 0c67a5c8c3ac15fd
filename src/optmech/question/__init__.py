"""The question in the terms of privacy, without linear programming."""
