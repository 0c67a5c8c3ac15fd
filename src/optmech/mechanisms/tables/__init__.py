"""The noise of whole tables, which adds up."""
