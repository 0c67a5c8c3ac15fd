"""Mechanisms applied to tables: files larger than memory, data frames, and the log of a release."""

from optmech.release.tables.account import Account
from optmech.release.tables.budget import Budget
from optmech.release.tables.dialect import CsvFile
from optmech.release.tables.frame import release_frame
from optmech.release.tables.ledger import ledger
from optmech.release.tables.log import read_log
from optmech.release.tables.table import ReleasedTable, release_table

__all__ = [
    "Account",
    "Budget",
    "CsvFile",
    "ReleasedTable",
    "ledger",
    "read_log",
    "release_frame",
    "release_table",
]
