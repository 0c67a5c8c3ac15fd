"""The question, in the words of privacy. Nothing here knows a linear program."""
