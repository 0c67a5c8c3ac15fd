"""A release as one page: what was published, who is protected, what a person spends in all, how far off."""

from optmech.reports.release_report.description import Description, read_description
from optmech.reports.release_report.facts import ReleaseFacts, facts_of_release
from optmech.reports.release_report.page import release_page

__all__ = ["Description", "ReleaseFacts", "facts_of_release", "read_description", "release_page"]
