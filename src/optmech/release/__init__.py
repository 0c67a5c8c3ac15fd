"""What leaves the house: released tables, and mechanisms for other libraries."""
