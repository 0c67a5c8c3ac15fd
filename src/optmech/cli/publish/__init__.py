"""``optmech publish``: questions that only a person can answer, and the commands that follow from them."""

from __future__ import annotations

from optmech.cli.publish.command import COMMAND

__all__ = ["COMMAND"]
