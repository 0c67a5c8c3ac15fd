"""A release as one page: published files, protected people, the loss of one person, and errors."""

from optmech.reports.release_report.description import Description, read_description
from optmech.reports.release_report.facts import ReleaseFacts, facts_of_release
from optmech.reports.release_report.page import release_page

__all__ = ["Description", "ReleaseFacts", "facts_of_release", "read_description", "release_page"]
