"""Certificates as text and as files, and back; whatever is read is proved again as it is made."""
