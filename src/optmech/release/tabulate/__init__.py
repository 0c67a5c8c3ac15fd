"""From records to counts: a table of public groups in which one person counts a bounded number of rows."""

from optmech.release.tabulate.bound import PersonBound, PersonLoss
from optmech.release.tabulate.count_table import CountTable, read_bound
from optmech.release.tabulate.tabulate import tabulate

__all__ = ["CountTable", "PersonBound", "PersonLoss", "read_bound", "tabulate"]
