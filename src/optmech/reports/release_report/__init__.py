"""A release as one page: published files, protected people, the loss of one person, and errors."""

from optmech.reports.release_report.description import Description, read_description
from optmech.reports.release_report.facts import ReleaseFacts, facts_of_release
from optmech.reports.release_report.files import data_of_logs, logs_in_ledger
from optmech.reports.release_report.page import release_page

__all__ = [
    "Description",
    "ReleaseFacts",
    "data_of_logs",
    "facts_of_release",
    "logs_in_ledger",
    "read_description",
    "release_page",
]
