"""The studio as the tests of its page start it."""

from tests.reports.studio.conftest import play, studio

__all__ = ["play", "studio"]
