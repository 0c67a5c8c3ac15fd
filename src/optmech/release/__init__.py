"""Release of data: tables, and mechanisms for other libraries."""
