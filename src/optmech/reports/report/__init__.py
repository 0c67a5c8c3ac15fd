"""A mechanism as one page of HTML, for who must decide about it: signed, sealed, explained."""

from optmech.reports.report.page import Names, report_page

__all__ = ["Names", "report_page"]
