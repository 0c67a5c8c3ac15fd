"""The command line: parse, call, print. No mathematics lives here."""

from optmech.cli.main import main

__all__ = ["main"]
